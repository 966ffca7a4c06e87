"""How far the runs are that are under way, whichever page began them."""

import streamlit as st

from core.workspace.registry import kind_name
from pages.shared.job_panel import cancel_button, progress_line, watch
from pages.shared.session import session


def running_panel():
    """Draw a line for each; nothing where nothing runs."""
    watch(_active, _lines, len(_active()))


def _active():
    return [snapshot for snapshot in session().jobs.running(session().project) if snapshot.active]


def _lines(active, before):
    if len(active) < before:
        st.rerun("app")  # the list of runs says more now
    for snapshot in active:
        with st.container(horizontal=True, vertical_alignment="center"):
            what = f"Run {snapshot.run}, {kind_name(snapshot)}: "
            progress_line(snapshot, lambda each: f"Iteration {each.iteration}", what)
            cancel_button(snapshot, f"run_cancel_{snapshot.run}")
