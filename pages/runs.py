"""Runs: every computation of the project with its settings and figures, one in full, two side by side."""

import streamlit as st

from pages.shared.advice.panel import advice_panel
from pages.shared.basics import report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.runs.panel import run_panel
from pages.shared.runs.table import list_runs, no_runs, running_panel

require_frame()
introduction("Every training and parsing of this project, with its settings and figures.")
with report_errors(stop=True):
    runs = session().store.runs(session().project)
if not runs:
    no_runs()
    st.stop()
list_runs(runs)
running_panel()
run_panel(runs)
with st.expander("What next?", key="advice_open", on_change="rerun") as next_work:
    if next_work.open:
        with report_errors():
            advice_panel(session().corpus, "runs")
