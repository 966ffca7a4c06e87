"""The first line of a page: what it does for whoever opens it, in one plain sentence, and how, behind a button."""

import streamlit as st

from pages.shared.guide.link import METHODS, guide_link

WIDTH = 520  # pixels of what is behind the button


def lead(sentence, how, section):
    """Draw the sentence; ``how`` is Markdown, with the formula and its source, ``section`` the guide's about it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(sentence, width="content")
        with st.popover("How it works", icon=":material/function:"), st.container(width=WIDTH):
            st.markdown(how)
            guide_link(METHODS, section)
