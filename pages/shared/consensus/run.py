"""Parse consistently: one button, how far it is, how to stop it, and how to go on with a run that stopped half-way."""

import streamlit as st

from core.errors import WorkbenchError
from core.store import RESUMABLE
from core.workspace.consensus.system import Consensus
from pages.shared.consensus.state import desk
from pages.shared.job_panel import progress_line, stopped_badge, under_way
from pages.shared.state import project, refuse

POLL = "0.4s"
PROBLEM = "cs_problem"


def active_run():
    """The Snapshot of the run under way in this project, or None."""
    return under_way(Consensus.kind)


def run_panel(texts, plan):
    """Draw button and progress; while a run is under way it looks again by itself."""
    active = active_run()
    st.fragment(_panel, run_every=POLL if active else None)(texts, plan, active is not None)


def start_button(texts, plan, label="Parse consistently", disabled=False):
    """The one primary action: train a parser on the trees, parse the text, search for the consistent trees."""
    st.button(
        label,
        type="primary",
        key="cs_start",
        icon=":material/hub:",
        on_click=_start,
        args=(texts, plan),
        disabled=disabled,
        help=f"Trains an MST parser of order {plan.order} in {plan.epochs} passes over the trees, parses the text "
        r"sentence by sentence, then maximises $\sum_s f(Y_s) + g(z)$ with $z = Y$ by dual decomposition (Rush et al. "
        r"2012, "
        "§5, §6).",
    )


def follow_run(snapshot):
    """How far a run is, and a button that stops it."""
    progress_line(snapshot)
    st.button("Cancel", key="cs_cancel", icon=":material/stop:", on_click=_cancel, args=(snapshot.run,))


def stopped_run(run):
    """Say how a run ended where it did not end well, and offer to go on; nothing of the other runs."""
    if run is None or run.status not in RESUMABLE:
        return
    iteration = desk().workspace.jobs.snapshot(run.id).iteration
    where = f" at iteration {iteration}" if iteration else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        stopped_badge(run, where)
        label = "Resume" if iteration else "Start again"
        st.button(label, key="cs_resume", icon=":material/play_arrow:", on_click=_resume, args=(run,))


def show_problem():
    """Say what went wrong in the last action, once."""
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        refuse(problem)


def _panel(texts, plan, was_active):
    active = active_run()
    if was_active and active is None:
        st.session_state["cs_show"] = "effects"
        st.rerun()  # once, so that the polling ends
    start_button(texts, plan, disabled=active is not None)
    show_problem()
    if active is not None:
        follow_run(active)
    else:
        stopped_run(next(iter(desk().runs(project(), texts)), None))


def _start(texts, plan):
    try:
        desk().start(texts, plan)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
    st.rerun("app")


def _cancel(run):
    try:
        desk().workspace.jobs.cancel(run)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error


def _resume(run):
    try:
        desk().resume(run)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
    st.rerun("app")  # which begins to poll
