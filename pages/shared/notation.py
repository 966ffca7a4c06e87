"""The notation of constraints and rules, to look up beside a field in which they are written."""

import streamlit as st

from core.constraints.language.notation import NOTATION, RULES, notation_table
from pages.shared.guide.link import NOTATION as CHAPTER
from pages.shared.guide.link import guide_link

WIDTH = 700  # pixels


def notation(key, rules=False):
    """Draw the button and what is behind it, which opens where rules are explained or where constraints are."""
    titles = [*NOTATION, *RULES]
    with st.popover("Notation", icon=":material/menu_book:", key=key), st.container(width=WIDTH):
        tabs = st.tabs(titles, default=next(iter(RULES if rules else NOTATION)))
        for tab, title in zip(tabs, titles, strict=True):
            tab.markdown(notation_table(title))
        guide_link(CHAPTER, "Rules" if rules else "")
