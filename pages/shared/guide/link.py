"""The way from a page to what the guide says of it."""

import streamlit as st

PAGES, METHODS, NOTATION = "Every page", "Methods", "Notation"  # titles of chapters


def guide_link(chapter, section, label="More in the guide"):
    """Draw a link to a section of the guide; ``section`` is "" for the whole chapter."""
    address = {"chapter": chapter} | ({"section": section} if section else {})
    st.page_link("pages/guide.py", label=label, icon=":material/help:", query_params=address)
