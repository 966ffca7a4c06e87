"""Annotate: draw, move and relabel arcs by mouse or keyboard; Check 20; agreement of annotators; what next."""

import streamlit as st

from pages.shared.advice.panel import advice_panel
from pages.shared.annotate.agreement import agreement_panel
from pages.shared.annotate.by_example import by_example_panel
from pages.shared.annotate.check import check_panel
from pages.shared.annotate.panel import annotate_panel, learn_from_trees, open_where_one_was, options
from pages.shared.annotate.state import annotations
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.widgets import choose_view

VIEWS = {"tree": "Trees", "check": "Check 20", "agree": "Agreement", "next": "What next?"}

require_frame()
current = session().corpus
introduction("Correct trees by keyboard or mouse.")
with report_errors(stop=True):
    layer = annotations(current)
with st.container(horizontal=True, vertical_alignment="center"):
    view = choose_view("Show", VIEWS, AnnotateView.view)
    if view == "tree":
        options(current)
        learn_from_trees(current)
        by_example_panel(current)
if view == "check":
    check_panel(current, layer)
elif view == "agree":
    agreement_panel(current)
elif view == "next":
    advice_panel(current, "annotate")
else:
    open_where_one_was(current, layer)
    annotate_panel(current, layer)
