"""The sign of a person's version: whose corrections are shown, and how to leave them."""

import streamlit as st

from pages.shared.basics import escape, session
from pages.shared.view_state import ViewState

PAGES = "Corpus", "Annotate"  # which show a version; the others read the project's trees


def version_sign(title):
    """Say below the bar of the page of that title whose version is open; nothing where it is the project's."""
    if not session().version:
        return
    whose = f":violet-badge[:material/person: {escape(session().version)}’s version]"
    with st.container(horizontal=True, vertical_alignment="center"):
        reads = "" if title in PAGES else " is open on Corpus and Annotate; this page reads the project’s trees."
        st.markdown(f"{whose}{reads}", width="content")
        st.button("Back to the project’s trees", key="shared_leave_version", type="tertiary", on_click=_leave)


def _leave():
    ViewState().version = None
