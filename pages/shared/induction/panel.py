"""Induction: train and stop, bits and accuracy as it goes, trees of a sentence, the grammar to take away."""

import streamlit as st

from core.workspace.induction.views import best_run, course, induced_drawing
from core.workspace.parses import offers_of
from core.workspace.scoring import PUNCTUATED
from pages.shared.basics import amount, session
from pages.shared.charts import chart_colors, draw_chart, lines, upright
from pages.shared.group_choice import group_choice
from pages.shared.induction.settings import TITLES, induction, more_settings, show_run, use_all
from pages.shared.induction.view_state import InductionView
from pages.shared.job_panel import system_panel
from pages.shared.markup.kept import kept_words
from pages.shared.next_step import corrected_since, next_of_run
from pages.shared.relations import relations_choice
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import file_buttons, tree_file
from pages.shared.widgets import action_button, pager

BEFORE = (
    "The course of training appears here: bits per token should fall, and correct heads should rise. The tree follows "
    "every iteration."
)
UPPER, LOWER = [0.54, 1.0], [0.0, 0.46]  # of the height, where there are two


def induction_panel(corpus, plan, text):
    """Draw it; while a job runs it looks every now and then how the job stands."""

    def start():
        show_run(None)
        induction().start(text, plan)

    def beside(snapshot):
        more_settings(corpus, plan, text.marked)
        shown = _shown(text, plan)
        if snapshot is None and shown.run is not None:
            _take_away(text, shown)

    def view(snapshot):
        with st.container():
            _left_out(corpus, text, plan)
        _results(text, _shown(text, plan), snapshot)

    system_panel(
        induction(), text, plan, "ind", "Train", start=start, start_key="ind_train",
        icon=":material/model_training:",
        beside=beside, view=view,
        help=f"Learn a grammar from the tags of {amount(len(text.treebank), 'sentence')}. Gold heads are never used "
        "in training; they are for scores only",
    )  # fmt: skip


def _left_out(corpus, text, plan):
    """Draw how many sentences are too long to be trained on, and the button that uses them too."""
    trained = text.scope(plan)
    if trained.is_all:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Trains on {trained.words}", width="content")
        help_text = "Train on sentences of any length, in one stage"
        st.button("Use all", key="ind_use_all", type="tertiary", on_click=use_all, args=(corpus,), help=help_text)


def _shown(text, plan):
    """The Induced that is shown: of the chosen run, else of the newest, else of the untrained grammar."""
    finished = induction().finished(text)
    chosen = InductionView().run
    run = next((run for run in finished if run.id == chosen), finished[0] if finished else None)
    return induction().untrained(text, plan) if run is None else induction().load(run)


def _results(text, shown, snapshot):
    live = session().workspace.live(snapshot.run) if snapshot else None
    _headline(text, shown, snapshot)
    with st.container():
        if snapshot is None and shown.run is not None:
            next_of_run(shown.run, bool(text.gold), "ind")
            corrected_since(text, shown.run, "Train again to use what was corrected.")
    left, right = st.columns([5, 7], gap="large")
    with left:
        watched = snapshot.run if snapshot else shown.run.id if shown.run else None
        iterations, bits, accuracies, stages = course(session().jobs.trace(watched) if watched else [])
        if iterations:
            course_chart(iterations, bits, accuracies, stages, "ind_chart")
        elif snapshot is None:
            st.info(BEFORE, icon=":material/show_chart:")
        if text.gold:
            st.caption("Gold heads are for scores only; training never sees them.")
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            places = group_choice(text.corpus, text.treebank, InductionView.place)
            index = int(places[pager(len(places), InductionView.place) - 1])
            if live is None and shown.run is not None:
                relations_choice(text.corpus, "ind_relations")
        heads = shown.heads if live is None else live[1]
        stands = f" · at iteration {live[0]}" if live else "" if shown.run else " · before any training"
        sentence = text.treebank[index]
        st.caption(f"Sentence {index + 1:,}" + (f" · {sentence.sent_id}" if sentence.sent_id else "") + stands)
        relations = None if live else induction().relations(shown, text.treebank)
        dependency_tree(induced_drawing(text, heads, index, relations), key="ind_tree", height=430)


def _headline(text, shown, snapshot):
    if snapshot is not None:
        figures, parts = snapshot.figures, []
        if figures.get("accuracy") is not None:
            parts.append(f"**{figures['accuracy']:.1f}%** of heads right")
        if figures.get("cross_entropy") is not None:
            parts.append(f"{figures['cross_entropy']:.3f} bits per token")
    else:
        who = f"Run {shown.run.id}" if shown.run else "Before training"
        parts = [f"{who}: **{shown.cross_entropy:.3f}** bits per token of the tags"]
        if gold := shown.inputs.gold:
            words = f"{shown.right:,} of {gold:,} words {PUNCTUATED[shown.plan.punctuation]}"
            parts.insert(1, f"**{shown.right / gold:.1%}** of heads right ({words})")
        if shown.run:
            parts.append(
                f"{TITLES[shown.plan.settings.init].lower()} start, level {shown.plan.settings.level}, "
                f"{amount(shown.run.figures['iterations'], 'iteration')}"
            )
            level = shown.plan.settings.level
            parts.append(kept_words(shown, "loose" if level == "none" else level))
    st.markdown(
        " · ".join(part for part in parts if part) or "Starting",
        help="Bits per token: how well the grammar predicts the tags; fewer is better (Spitkovsky et al. 2010, Figure "
        "1). In Viterbi training the curve is of tags and best trees together, of the sentences of its stage; its last "
        "point is this figure, of the tags of the whole text. Trees, and so right heads, keep to the mark-up at the "
        "level of training.",
    )


def _take_away(text, shown):
    finished = induction().finished(text)
    best, by = best_run(finished)
    run, is_best = shown.run, len(finished) > 1 and best is not None and best.id == shown.run.id
    button = st.popover("Save", icon=":material/download:", key="ind_save", on_change="rerun")
    if not button.open:
        return
    with button, st.container(width=400):
        st.markdown(f"**Run {run.id}**" + (f", the best of {len(finished)} by {by}" if is_best else ""))
        relations_choice(text.corpus, "ind_save_relations", beside=False)
        for offer in offers_of(session().systems, text.corpus, run):
            tree_file(text.corpus, offer, "ind_save", "The text with its trees, CoNLL-U")
        file_buttons(shown.files, "ind_save")
        parser = shown.files[0].name
        st.code(f"python -m core parse FILE --model {parser} --out PARSED", language=None, wrap_lines=True)
        if best is not None and best.id != run.id:
            label = f"Show the best, run {best.id}, by {by}"
            action_button(label, "ind_best", "star", show_run, best.id, type="tertiary")


def course_chart(iterations, bits, accuracies, stages, key):
    """Draw it; dotted lines part the stages. ``accuracies`` are per cent, empty where nobody knows."""
    colors, both = chart_colors(), bool(accuracies)
    rows = [("bits per token", bits, colors["plain"])] + [("% of heads right", accuracies, colors["predicted"])] * both
    traces = [
        lines(
            iterations, values, color=color, customdata=stages, yaxis=f"y{row}",
            hovertemplate="iteration %{x}, %{customdata}: %{y:.3f} " + name + "<extra></extra>",
        )
        for row, (name, values, color) in enumerate(rows, start=1)
    ]  # fmt: skip
    parted = [
        upright(iteration - 0.5, colors["candidate"], "dot")
        for before, after, iteration in zip(stages, stages[1:], iterations[1:], strict=False)
        if before != after
    ]
    axes = {"yaxis": dict(title=rows[0][0], zeroline=False, domain=UPPER if both else [0.0, 1.0])}
    if both:
        axes["yaxis2"] = dict(title=rows[1][0], zeroline=False, domain=LOWER)
    ends = [f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, values, _ in rows if None not in values]
    draw_chart(
        traces, key=key, alt=f"{amount(len(iterations), 'iteration')}: {'; '.join(ends)}", height=190 + 170 * both,
        showlegend=False, shapes=parted, **axes,
        xaxis=dict(title="iteration", range=[0, max(10, iterations[-1] + 1)], anchor=f"y{len(rows)}"),
    )  # fmt: skip
