"""Adapt: the button and its progress, the choice of a run, its notes and files."""

import streamlit as st

from core.workspace.adaptation.run import live_scores
from core.workspace.adaptation.tables import verdict
from pages.shared.adaptation.scores import course_chart
from pages.shared.adaptation.settings import adaptation, choose_target, pivots_button, settings_button
from pages.shared.adaptation.view_state import AdaptationView
from pages.shared.address import renamed
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.examples import example_of
from pages.shared.job_panel import system_panel, under_way
from pages.shared.next_step import corrected_since
from pages.shared.tree_files import file_buttons
from pages.shared.widgets import choose_one, choose_view


def run_panel(corpus, plan, inputs):
    """Draw target, button and progress; while a run is under way it looks again by itself.

    ``inputs`` are None where the texts do not fit the plan.
    """

    def start():
        st.session_state.pop(AdaptationView.run, None)
        adaptation().start(inputs, plan)

    def beside(_):
        pivots_button(corpus, plan)
        settings_button(corpus, plan)

    def below():
        if inputs is not None:
            _describe(inputs)

    system_panel(
        adaptation(), inputs, plan, "scl", "Adapt", icon=":material/moving:", start=start,
        before=lambda: choose_target(corpus, plan), beside=beside, below=below, view=_live,
        help=r"Learns features that mean the same in both texts, trains a parser with them and its baselines (Shimizu "
        r"& Nakagawa 2007, §3): $U\Sigma V = [w_1|\ldots|w_P]$, and $U^\top f$ joins the parser's features.",
    )  # fmt: skip


def shown_outcome(inputs, plan, views):
    """Draw which view and run are looked at, and what the run says.

    Returns (AdaptationOutcome, view), or None where there is no run that ended.
    """
    finished = {run.id: run for run in adaptation().finished(inputs)}
    if not finished:
        return None
    outcome, names = None, {number: f"Run {number}" for number in finished}
    with st.container(horizontal=True, vertical_alignment="center"):
        view = _choose_view(views)
        st.space("stretch")
        chosen = choose_one("Run", names, AdaptationView.run, gone=("run", "the newest is shown"), width=120)
        with report_errors():
            outcome = adaptation().load(finished[chosen])
            _notes(outcome.run.figures["notes"])
            _take_away(outcome)
    if outcome is None:
        return None
    _verdict(outcome)
    if outcome.plan != plan:
        st.caption(f":material/tune: Settings have changed since run {chosen}. Adapt again to use them.")
    corrected_since(inputs, outcome.run, "Adapt again to use what was corrected.")
    return outcome, view


def example_outcome(views):
    """Draw the example where there is no run; returns as ``shown_outcome``, None during a run or without an example."""
    kind = adaptation().kind
    outcome = example_of(kind) if under_way(kind) is None else None
    if outcome is None:
        return None
    view = _choose_view(views)
    _verdict(outcome)
    return outcome, view


def _choose_view(views):
    renamed(AdaptationView.view, "Changed edges", "changes")
    return choose_view("Show", views, AdaptationView.view)


def _verdict(outcome):
    st.markdown(verdict(outcome), help="p: exact two-sided sign test over words that only one of the two has right.")


def _notes(notes):
    if notes:
        remarks = st.popover(amount(len(notes), "remark"), icon=":material/info:", key="scl_notes")
        with remarks, st.container(width=430):
            st.markdown("\n".join(f"- {escape(note)}" for note in notes))


def _describe(inputs):
    whole = len(inputs.source) + len(inputs.held)
    few = "" if inputs.few is None else f"; its first {len(inputs.few):,} teach one baseline"
    scored = "parsed and scored" if inputs.has_gold else "parsed (it has no trees to score against)"
    words = "its own words" if inputs.unlabelled is inputs.test else f"the words of {inputs.unlabelled.name}"
    st.caption(
        f"{escape(inputs.corpus.name)}: {len(inputs.source):,} of {amount(whole, 'sentence')} teach, every tenth "
        f"({len(inputs.held):,}) is scored. {escape(inputs.target_name)}: {amount(len(inputs.test), 'sentence')} "
        f"{scored}{few}. Unlabelled text: {escape(words)}."
    )


def _live(snapshot):
    scores = None if snapshot is None else live_scores(session().jobs.trace(snapshot.run))
    if scores:
        course_chart(scores, "scl_live", 200)


def _take_away(outcome):
    with st.popover("Save", icon=":material/download:", key="scl_save"), st.container(width=430):
        file_buttons(outcome.files, "scl_save")
        parser = outcome.files[-1].name
        st.code(f"python -m core parse FILE --model {parser} --out PARSED", language=None, wrap_lines=True)
