"""Compare: parses of one text side by side, by the text's own trees or by each other."""

import streamlit as st

from pages.shared.compare_choice import chosen_parses
from pages.shared.compare_scores import scores_panel
from pages.shared.compare_tables import tables_panel
from pages.shared.compare_words import words_panel
from pages.shared.navigation import require_frame
from pages.shared.state import corpus

require_frame()


@st.fragment
def view(current):
    """The whole page below the bar."""
    found = chosen_parses(current)
    if found is None:
        return
    scores, kinds = st.columns([9, 10], gap="large")
    with scores:
        scores_panel(found)
    with kinds:
        tables_panel(current, found)
    words_panel(current, found)


view(corpus())
