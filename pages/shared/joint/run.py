"""Parse jointly: one button, how far it is, how to stop it, and how to go on with a run that stopped half-way."""

import streamlit as st

from core.errors import WorkbenchError
from core.store import RESUMABLE
from core.workspace.joint.runs import KIND, joint_runs, resume_joint, start_joint
from pages.shared.job_panel import progress_line, stopped_badge, under_way
from pages.shared.joint.choice import more_settings
from pages.shared.joint.state import PROBLEM, desk
from pages.shared.state import project, refuse

POLL = "0.4s"


def run_panel(corpus, texts, plan):
    """Draw button and progress; while a run is under way it looks again by itself."""
    active = under_way(KIND)
    st.fragment(_panel, run_every=POLL if active else None)(corpus, texts, plan, active is not None)


def _panel(corpus, texts, plan, was_active):
    active = under_way(KIND)
    if was_active and active is None:
        st.rerun()  # once, so that the polling ends
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Parse jointly", type="primary", key="jt_start", icon=":material/join_inner:", disabled=active is not None,
            on_click=_attempt, args=(start_joint, texts, plan),
            help=f"Trains two parsers of order {plan.order}; both parse the text into lists of {plan.candidates} "
            f"trees, "
            f"then {plan.rounds} times again with features of the other's list (Zhou & Zhao 2013, Algorithm 1). Last, "
            "the best pair of trees is searched by dual decomposition, with a proof.",
        )  # fmt: skip
        more_settings(corpus, plan)
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        refuse(problem)
    if active is not None:
        progress_line(active)
        st.button("Cancel", key="jt_cancel", icon=":material/stop:", on_click=_cancel, args=(active.run,))
    else:
        _stopped(next(iter(joint_runs(desk().store, project(), texts)), None))


def _stopped(run):
    """Say how the newest run ended where it did not end well, and offer to go on."""
    if run is None or run.status not in RESUMABLE:
        return
    begun = desk().store.checkpoint_bytes(run.id) is not None
    stopped_badge(run)
    st.button(
        "Resume" if begun else "Start again", key="jt_resume", icon=":material/play_arrow:",
        on_click=_attempt, args=(resume_joint, run.id),
        help="Continue with the parsers already trained" if begun else "It stopped before its parsers were trained",
    )  # fmt: skip


def _attempt(action, *arguments):
    try:
        action(desk(), *arguments)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
    st.rerun("app")  # which begins to poll


def _cancel(run):
    try:
        desk().workspace.jobs.cancel(run)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
