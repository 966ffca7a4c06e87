"""The notation of constraints, a click away from where they are typed."""

import streamlit as st

from core.constraints.notation import NOTATION as PIECES
from core.constraints.notation import notation_table
from pages.shared.guide.link import NOTATION, guide_link

WIDTH = 700  # pixels


def notation():
    """Draw the button and what is behind it."""
    with st.popover("Notation", icon=":material/menu_book:", key="ge_notation"), st.container(width=WIDTH):
        for tab, title in zip(st.tabs(list(PIECES)), PIECES, strict=True):
            tab.markdown(notation_table(title))
        guide_link(NOTATION, "")
