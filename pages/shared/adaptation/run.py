"""Adapt: one button, how far it is, how to stop it, how to go on; which run is looked at, and what it leaves."""

import streamlit as st

from core.errors import WorkbenchError
from core.store import RESUMABLE
from core.workspace import amount, escape
from core.workspace.adaptation.run import live_scores
from core.workspace.adaptation.tables import verdict
from pages.shared.adaptation.scores import course_chart
from pages.shared.adaptation.settings import choose_target, pivots_button, settings_button
from pages.shared.adaptation.state import PROBLEM, RUN, VIEW, adaptation
from pages.shared.address import renamed, say_gone
from pages.shared.examples import example_of
from pages.shared.job_panel import progress_line, stopped_badge, under_way
from pages.shared.state import project, refuse

POLL = "0.8s"  # each look draws a chart


def run_panel(corpus, plan, texts):
    """Draw target, button and progress; while a run is under way it looks again by itself."""
    active = under_way(adaptation().kind)
    st.fragment(_panel, run_every=POLL if active else None)(corpus, plan, texts, active is not None)


def shown_outcome(texts, plan, views):
    """Draw which view and run are looked at, and what the run says.

    Returns (AdaptationOutcome, view), or None where there is no run that ended.
    """
    finished = {run.id: run for run in _runs(texts) if run.status == "done"}
    if not finished:
        return None
    if st.session_state.get(RUN) not in finished:
        st.session_state.pop(RUN, None)
    say_gone(RUN, (f"Run {number}" for number in finished), "run", "the newest is shown")
    with st.container(horizontal=True, vertical_alignment="center"):
        view = _choose_view(views)
        st.space("stretch")
        chosen = st.selectbox(
            "Run", list(finished), format_func=lambda number: f"Run {number}", key=RUN, bind="query-params",
            label_visibility="collapsed", width=120,
        )  # fmt: skip
        try:
            outcome = adaptation().load(finished[chosen])
        except WorkbenchError as error:
            refuse(error)
            return None
        _remarks(outcome.run.figures["notes"])
        _take_away(outcome)
    _verdict(outcome)
    if outcome.plan != plan:
        st.caption(f":material/tune: Settings have changed since run {chosen}. Adapt again to use them.")
    return outcome, view


def example_outcome(views):
    """The same of the example, where there is no run; None while one is under way, or there is no example yet."""
    if under_way(adaptation().kind) is not None:
        return None
    outcome = example_of(adaptation().kind)
    if outcome is None:
        return None
    view = _choose_view(views)
    _verdict(outcome)
    return outcome, view


def _choose_view(views):
    renamed(VIEW, "Changed edges", "changes")
    return st.segmented_control(
        "Show", list(views), default=next(iter(views)), format_func=views.get, key=VIEW, required=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip


def _verdict(outcome):
    st.markdown(verdict(outcome), help="p: exact two-sided sign test over words that only one of the two has right.")


def _remarks(notes):
    if notes:
        with (
            st.popover(amount(len(notes), "remark"), icon=":material/info:", key="scl_remarks"),
            st.container(width=430),
        ):
            st.markdown("\n".join(f"- {escape(note)}" for note in notes))


def _runs(texts):
    return adaptation().runs(project(), texts)


def _panel(corpus, plan, texts, was_active):
    active = under_way(adaptation().kind)
    if was_active and active is None:
        st.rerun()  # once, so that the polling ends
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose_target(corpus, plan)
        st.button(
            "Adapt", type="primary", key="scl_start", icon=":material/moving:", on_click=_start, args=(texts, plan),
            disabled=active is not None or texts is None,
            help="Learns features that mean the same in both texts, trains a parser with them and its baselines "
            r"(Shimizu & Nakagawa 2007, §3): $U\Sigma V = [w_1|\ldots|w_P]$, and $U^\top f$ joins the parser's "
            r"features.",
        )  # fmt: skip
        pivots_button(corpus, plan)
        settings_button(corpus, plan)
        if active is not None:
            st.button("Cancel", key="scl_cancel", icon=":material/stop:", on_click=_cancel, args=(active.run,))
    if texts is not None:
        _said(texts)
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        refuse(problem)
    if active is not None:
        _follow(active)
    elif texts is not None:
        _stopped(next(iter(_runs(texts)), None))


def _said(texts):
    whole = len(texts.source) + len(texts.held)
    few = "" if texts.few is None else f"; its first {len(texts.few):,} teach one baseline"
    scored = "parsed and scored" if texts.has_gold else "parsed (it has no trees to score against)"
    words = "its own words" if texts.unlabelled is texts.test else f"the words of {texts.unlabelled.name}"
    st.caption(
        f"{escape(texts.corpus.name)}: {len(texts.source):,} of {amount(whole, 'sentence')} teach, every tenth "
        f"({len(texts.held):,}) is scored. {escape(texts.target_name)}: {amount(len(texts.test), 'sentence')} "
        f"{scored}{few}. Unlabelled text: {escape(words)}."
    )


def _follow(snapshot):
    progress_line(snapshot)
    scores = live_scores(adaptation().workspace.jobs.trace(snapshot.run))
    if scores:
        course_chart(scores, "scl_live", 200)


def _stopped(run):
    if run is None or run.status not in RESUMABLE:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        stopped_badge(run)
        st.button("Resume", key="scl_resume", icon=":material/play_arrow:", on_click=_resume, args=(run,))


def _take_away(outcome):
    with st.popover("Save", icon=":material/download:", key="scl_save"), st.container(width=430):
        for at, (label, name, data) in enumerate(outcome.files):
            st.download_button(
                label, data, name, key=f"scl_save_{at}", icon=":material/download:", on_click="ignore", type="tertiary"
            )
        parser = outcome.files[-1].name
        st.code(f"python -m core parse FILE --model {parser} --out PARSED", language=None, wrap_lines=True)


def _attempt(action, *arguments):
    try:
        action(*arguments)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error


def _start(texts, plan):
    st.session_state.pop(RUN, None)
    _attempt(adaptation().start, texts, plan)
    st.rerun("app")  # which begins to poll


def _resume(run):
    _attempt(adaptation().resume, run)
    st.rerun("app")


def _cancel(run):
    _attempt(adaptation().workspace.jobs.cancel, run)
