"""The first line of a page: what it does for whoever opens it, in one plain sentence, and how, behind a button."""

import streamlit as st

WIDTH = 520  # pixels of what is behind the button


def lead(sentence, how=""):
    """Draw the sentence; ``how`` is Markdown, with the formula and its source."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(sentence, width="content")
        if how:
            with st.popover("How it works", icon=":material/function:"), st.container(width=WIDTH):
                st.markdown(how)
