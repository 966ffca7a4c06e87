"""Adaptation: a parser for a domain without a treebank, from its unlabelled text (shimizu2007)."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared.adaptation_changes import changes_panel
from pages.shared.adaptation_directions import directions_panel
from pages.shared.adaptation_pivots import pivots_panel
from pages.shared.adaptation_run import run_panel, shown_outcome
from pages.shared.adaptation_scores import scores_panel
from pages.shared.adaptation_state import desk
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse

VIEWS = {"scores": "Scores", "pivots": "Pivots", "directions": "Directions", "changes": "Changed edges"}
PANELS = {"scores": scores_panel, "pivots": pivots_panel, "directions": directions_panel, "changes": changes_panel}

require_frame()
current = corpus()
plan = desk().plan(current)
try:
    texts, problem = desk().texts(current, plan), None
except WorkbenchError as error:
    texts, problem = None, error
run_panel(current, plan, texts)
if problem is not None:
    refuse(problem)
    st.page_link("pages/corpus.py", label="Open the Corpus page", icon=":material/menu_book:")
    st.stop()
shown = shown_outcome(texts, plan, VIEWS)
if shown is not None:
    outcome, view = shown
    PANELS[view](outcome)
