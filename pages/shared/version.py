"""The sign of a person's version: whose corrections are shown, and how to leave them."""

import streamlit as st

from pages.shared.annotate.state import states
from pages.shared.basics import escape, session
from pages.shared.view_state import ViewState

PAGES = "Corpus", "Annotate"  # which show a version; the others read the project's trees


def version_sign(title):
    """Say below the bar of the page of that title whose version is open; nothing where it is the project's."""
    if not session().version:
        return
    whose = f":violet-badge[:material/person: {escape(session().version)}’s version]"
    with st.container(horizontal=True, vertical_alignment="center"):
        reads = _begun() if title in PAGES else " is open on Corpus and Annotate; this page reads the project’s trees."
        st.markdown(f"{whose}{reads}", width="content")
        st.button("Back to the project’s trees", key="shared_leave_version", type="tertiary", on_click=_leave)


def _begun():
    """What is said of a version in which nothing of the text has been changed, such as one that a link names."""
    if "corpus_id" not in st.session_state or session().version in states(session().corpus):
        return ""
    return " has no correction of this text yet; what is seen are the trees of its file."


def _leave():
    ViewState().version = None
