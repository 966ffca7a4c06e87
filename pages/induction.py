"""Induction: a grammar learnt from tags, and from the mark-up on the text, while one looks on."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared import induction_state as state
from pages.shared.induction_panel import induction_panel
from pages.shared.induction_runs import runs_panel
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse

require_frame()
current = corpus()
try:
    plan = state.desk().plan(current)
    text = state.desk().text(current, plan.punctuation)
    state.desk().start(text, plan)  # says so where words lack tags
except WorkbenchError as error:
    refuse(error)
    st.page_link("pages/corpus.py", label="Open the Corpus page", icon=":material/menu_book:")
    st.stop()
induction_panel(current, plan, text)
runs_panel(plan, text)
