"""Runs: every computation of the project with its settings and figures, one in full, two side by side."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared.navigation import require_frame
from pages.shared.runs.panel import run_panel
from pages.shared.runs.progress import running_panel
from pages.shared.runs.table import list_runs, no_runs
from pages.shared.state import project, refuse, workspace

require_frame()
try:
    runs = workspace().store.runs(project())
except WorkbenchError as error:
    refuse(error)
    st.stop()
if not runs:
    no_runs()
    st.stop()
list_runs(runs)
running_panel()
run_panel(runs)
