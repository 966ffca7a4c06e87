"""How far the runs are that are under way, whichever page began them."""

import streamlit as st

from core.workspace import escape
from core.workspace.runs.list import kind_name
from pages.shared.state import cancel, project, workspace

POLL = "0.7s"


def running_panel():
    """Draw a line for each; nothing where nothing runs."""
    active = _active()
    st.fragment(_lines, run_every=POLL if active else None)(len(active))


def _active():
    return [snapshot for snapshot in workspace().jobs.running(project()) if snapshot.active]


def _lines(was_active):
    active = _active()
    if len(active) < was_active:
        st.rerun("app")  # the list of runs says more now
    for snapshot in active:
        with st.container(horizontal=True, vertical_alignment="center"):
            said = snapshot.message or ("Waiting" if snapshot.status == "queued" else f"Iteration {snapshot.iteration}")
            st.progress(
                snapshot.fraction or 0.0,
                text=f"Run {snapshot.run}, {kind_name(snapshot)}: {escape(said)}",
            )
            st.button(
                "Cancel", key=f"run_cancel_{snapshot.run}", icon=":material/stop:", on_click=cancel,
                args=(snapshot.run,), disabled=snapshot.stopping,
            )  # fmt: skip
