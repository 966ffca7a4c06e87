"""The way from a page to the guide, and the first line of a page: what it does, in one plain sentence."""

import streamlit as st

PAGES, METHODS, NOTATION = "Every page", "Methods", "Notation"  # titles of chapters
WIDTH = 520  # pixels of what is behind the button


def guide_link(chapter, section, label="More in the guide"):
    """Draw a link to a section of the guide; ``section`` is "" for the whole chapter."""
    address = {"chapter": chapter} | ({"section": section} if section else {})
    st.page_link("pages/guide.py", label=label, icon=":material/help:", query_params=address)


def introduction(summary, how=None, section=""):
    """Draw the summary; ``how`` is Markdown, with the formula and its source, ``section`` the guide’s about it."""
    if how is None:
        st.markdown(summary)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(summary, width="content")
        with st.popover("How it works", icon=":material/function:", key="how_it_works"), st.container(width=WIDTH):
            st.markdown(how)
            guide_link(METHODS, section)
