"""Induction: train and stop, bits and accuracy as it goes, trees of a sentence, the grammar to take away."""

import streamlit as st

from core.store import RESUMABLE
from core.workspace import amount
from core.workspace.induction.runs import (
    InductionPlan,
    best_run,
    course,
    induced_conllu,
    induced_drawing,
    model_bytes,
    resume_induction,
    start_induction,
)
from pages.shared.address import tell, told
from pages.shared.group_choice import group_choice
from pages.shared.induction import state
from pages.shared.induction.chart import course_chart
from pages.shared.induction.settings import TITLES, main_settings, more_settings
from pages.shared.job_panel import progress_line, stopped_badge
from pages.shared.pager import pager
from pages.shared.state import project, refuse, workspace
from pages.shared.tree import dependency_tree

KIND = "induction"
BEFORE = (
    "The course of training appears here: bits per token fall as the grammar predicts the tags better, heads right "
    "rise as its trees come closer to a linguist’s. The tree beside it follows every iteration."
)
POLL = "0.4s"


def induction_panel(corpus, plan, text):
    """Draw it; while a job runs it looks every now and then how the job stands."""
    active = workspace().jobs.running(project(), KIND)
    st.fragment(_panel, run_every=POLL if active else None)(corpus, plan, text, bool(active))


def _panel(corpus, plan, text, was_active):
    active = [snapshot for snapshot in workspace().jobs.running(project(), KIND) if snapshot.active]
    if was_active and not active:
        st.rerun()  # once, so that the polling ends
    shown = _shown(text)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        main_settings(corpus, plan, text.marked)
        st.button(
            "Train", type="primary", key="ind_train", icon=":material/model_training:", disabled=bool(active),
            on_click=_train, args=(text, plan),
            help=f"Learn a grammar from the tags of {amount(len(text.treebank), 'sentence')}. Gold heads are never "
            f"used "
            "in training; they are for scores only",
        )  # fmt: skip
        more_settings(corpus, plan, text.marked)
        if active:
            st.button("Cancel", key="ind_cancel", icon=":material/stop:", on_click=_cancel, args=(active[-1].run,))
        elif shown.run is not None:
            _take_away(text, shown)
    problem = st.session_state.pop(state.PROBLEM, None)
    if problem:
        refuse(problem)
    if active:
        progress_line(active[-1])
    else:
        _stopped(text)
    _left_out(corpus, text, plan)
    _results(text, plan, shown, active[-1] if active else None)


def _left_out(corpus, text, plan):
    """Say how many sentences are too long to be trained on, with the way to use them."""
    trained = text.scope(plan)
    if trained.is_all:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Trained on {trained.words}", width="content")
        st.button(
            "use all", key="ind_use_all", type="tertiary", on_click=state.use_all, args=(corpus,),
            help="Train on sentences of any length, in one stage",
        )  # fmt: skip


def _shown(text):
    """The Induced that is looked at: of the run chosen, else of the newest, else the start."""
    finished = state.desk().finished(text)
    chosen = told(state.SHOWN)
    run = next((run for run in finished if run.id == chosen), finished[0] if finished else None)
    return state.desk().start(text, state.desk().plan(text.corpus)) if run is None else state.desk().induced(text, run)


def _results(text, plan, shown, snapshot):
    live = workspace().live(snapshot.run) if snapshot else None
    _said(text, shown, snapshot)
    left, right = st.columns([5, 7], gap="large")
    with left:
        watched = snapshot.run if snapshot else shown.run.id if shown.run else None
        iterations, bits, accuracies, stages = course(workspace().jobs.trace(watched) if watched else [])
        if iterations:
            course_chart(iterations, bits, accuracies, stages, "ind_chart")
        elif snapshot is None:
            st.info(BEFORE, icon=":material/show_chart:")
        if text.gold:
            st.caption("Gold heads are for scores only; training never sees them.")
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            places = group_choice(text.corpus, text.treebank, "place")
            index = int(places[pager(len(places), "place") - 1])
        heads = shown.heads if live is None else live[1]
        stands = f" · at iteration {live[0]}" if live else "" if shown.run else " · before any training"
        sentence = text.treebank[index]
        st.caption(f"Sentence {index + 1:,}" + (f" · {sentence.sent_id}" if sentence.sent_id else "") + stands)
        dependency_tree(induced_drawing(text, heads, index), key="ind_tree", height=430)


def _said(text, shown, snapshot):
    if snapshot is not None:
        figures, said = snapshot.figures, []
        if figures.get("accuracy") is not None:
            said.append(f"**{figures['accuracy']:.1f}%** of heads right")
        if figures.get("cross_entropy") is not None:
            said.append(f"{figures['cross_entropy']:.3f} bits per token")
    else:
        who = f"Run {shown.run.id}" if shown.run else "Before training"
        said = [f"{who}: **{shown.cross_entropy:.3f}** bits per token of the tags"]
        if text.gold:
            said.insert(1, f"**{shown.right / text.gold:.1%}** of heads right ({shown.right:,} of {text.gold:,})")
        if shown.run:
            plan = InductionPlan.from_dict(shown.run.settings)
            said.append(
                f"{TITLES[plan.init].lower()} start, level {plan.level}, "
                f"{amount(shown.run.figures['iterations'], 'iteration')}"
            )
            said.append(_fallbacks(shown.run.figures["fallbacks"]))
    st.markdown(
        " · ".join(part for part in said if part) or "Starting",
        help="Bits per token: how well the grammar predicts the tags; fewer is better (Spitkovsky et al. 2010, Figure "
        "1). "
        "In Viterbi training the curve is of tags and best trees together.",
    )


def _fallbacks(fallbacks):
    """How many sentences held at which level, where not all did at the one asked for."""
    held = [(level, count) for level, count in fallbacks.items() if count]
    return ", ".join(f"{count:,} at {level}" for level, count in held) if len(held) > 1 else ""


def _stopped(text):
    newest = next(iter(state.desk().runs(text)), None)
    if newest is None or newest.status not in RESUMABLE:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        stopped_badge(newest)
        st.button("Resume", key="ind_resume", icon=":material/play_arrow:", on_click=_resume, args=(newest.id,))


def _take_away(text, shown):
    finished = state.desk().finished(text)
    best, by = best_run(finished)
    run, is_best = shown.run, len(finished) > 1 and best is not None and best.id == shown.run.id
    name = f"{text.corpus.name.removesuffix('.conllu')}-run-{shown.run.id}"
    with st.popover("Save", icon=":material/download:", key="ind_save"), st.container(width=400):
        st.markdown(f"**Run {run.id}**" + (f", the best of {len(finished)} by {by}" if is_best else ""))
        for what, label, data, ending in (
            ("npz", "Parser, weights", lambda: model_bytes(shown.model), "npz"),
            ("conllu", "The text with its trees, CoNLL-U", lambda: induced_conllu(text, shown.heads), "conllu"),
        ):
            st.download_button(
                label, data, f"{name}.{ending}", key=f"ind_save_{what}", icon=":material/download:",
                on_click="ignore", type="tertiary",
            )  # fmt: skip
        st.code(f"python -m core parse FILE --model {name}.npz --out PARSED", language=None, wrap_lines=True)
        if best is not None and best.id != run.id:
            st.button(
                f"Show the best, run {best.id}, by {by}", key="ind_best", on_click=show_run, args=(best.id,),
                type="tertiary", icon=":material/star:",
            )  # fmt: skip


def show_run(run_id):
    """Look at a run; in a callback."""
    tell(state.SHOWN, run_id)


def _train(text, plan):
    tell(state.SHOWN, None)
    state.attempt(lambda: start_induction(state.desk(), text, plan))
    st.rerun("app")  # which begins to poll


def _cancel(run):
    state.attempt(lambda: workspace().jobs.cancel(run))


def _resume(run):
    state.attempt(lambda: resume_induction(state.desk(), run))
    st.rerun("app")
