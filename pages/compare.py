"""Compare: parses of one text side by side, scored against the text's own trees, against one of them, or neither."""

import streamlit as st

from pages.shared.basics import session
from pages.shared.compare.choice import chosen_parses
from pages.shared.compare.curve import curve_panel
from pages.shared.compare.scores import scores_panel
from pages.shared.compare.tables import tables_panel
from pages.shared.compare.words import words_panel
from pages.shared.navigation import require_frame

require_frame()


@st.fragment
def view(current):
    """The whole page below the bar."""
    found = chosen_parses(current)
    if found is None:
        return
    halves = st.grid(2, min_column_width=460, gap=("small", "medium"))
    with halves.cell():
        scores_panel(found)
    with halves.cell():
        tables_panel(current, found)
    words_panel(current, found)


view(session().corpus)
curve_panel(session().corpus)
