"""Runs: every computation of the project with its settings and figures, one in full, two side by side."""

import streamlit as st

from pages.shared.advice.panel import advice_panel
from pages.shared.navigation import require_frame
from pages.shared.runs.panel import run_panel
from pages.shared.runs.progress import running_panel
from pages.shared.runs.table import list_runs, no_runs
from pages.shared.state import boundary, corpus, project, workspace

require_frame()
with boundary(stop=True):
    runs = workspace().store.runs(project())
if not runs:
    no_runs()
    st.stop()
list_runs(runs)
running_panel()
run_panel(runs)
with st.expander("What next?", icon=":material/explore:", key="advice_open", on_change="rerun") as next_work:
    if next_work.open:
        with boundary():
            advice_panel(corpus(), "runs")
