"""Compare: parses of one text side by side, scored against the text's own trees, against others, or neither."""

import streamlit as st

from pages.shared.basics import session
from pages.shared.compare.choice import chosen_parses
from pages.shared.compare.curve import curve_panel
from pages.shared.compare.filters import narrowed
from pages.shared.compare.scores import scores_panel
from pages.shared.compare.views import view_panel
from pages.shared.compare.words import words_panel
from pages.shared.navigation import require_frame
from pages.shared.outliers import outliers_expander

require_frame()


@st.fragment
def view(current):
    """The whole page below the bar."""
    st.markdown("See which errors each parse makes, and whether their difference is chance.")
    parses = chosen_parses(current)
    if parses is None:
        return
    halves = st.grid(2, min_column_width=460, gap=("small", "medium"))
    with halves.cell():
        scores_panel(parses)
    with halves.cell():
        filtered = narrowed(current, parses)
        if filtered is not None:
            view_panel(current, filtered, parses)
    if filtered is not None:
        words_panel(current, filtered)


view(session().corpus)
curve_panel(session().corpus)
outliers_expander(session().corpus)
