"""The notation of constraints, a click away from where they are typed."""

import streamlit as st

from core.constraints.notation import NOTATION, notation_table

WIDTH = 700  # pixels


def notation():
    """Draw the button and what is behind it."""
    with st.popover("Notation", icon=":material/menu_book:", key="ge_notation"), st.container(width=WIDTH):
        for tab, title in zip(st.tabs(list(NOTATION)), NOTATION, strict=True):
            tab.markdown(notation_table(title))
