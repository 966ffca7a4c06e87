"""Constraints: say what you know, train, and watch the trees change."""

import streamlit as st

from pages.shared.advice.panel import advice_panel
from pages.shared.basics import report_errors, session
from pages.shared.constraints.first_trees import followed_change
from pages.shared.constraints.set_panel import constraint_set
from pages.shared.constraints.training import training_panel
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame

require_frame()
current = session().corpus
introduction("Write what you know, one constraint at a time; the trees follow.")
with report_errors(stop=True, link_to_fix=True):
    text = session().text
    change = followed_change(text, session().newest_run)
sides = st.grid(2, min_column_width=400, gap="medium", key="ge_sides")  # one above the other where there is no room
with sides.cell():
    constraint_set(text, change and change.after)
with sides.cell():
    training_panel(text)
with st.expander("What next?", key="advice_open", on_change="rerun") as next_work:
    if next_work.open:
        advice_panel(current, "constraints")
