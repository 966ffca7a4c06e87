"""What the parts of the Teach page share: the desk, and going to a state of the page."""

import streamlit as st

from core.workspace.teach import TeachDesk, as_keys
from pages.shared.state import opened_by, workspace

STEP, PLAYING = "teach_step", "teach_playing"


@st.cache_resource(max_entries=32, show_spinner=False)
def _open(*_places):
    return TeachDesk(workspace())


def desk():
    """The TeachDesk of this process. Raises StoreError."""
    return _open(*opened_by())


def show(choice, step=1, but=()):
    """Go to a Choice and a step, from 1, leaving some keys alone; in a callback, or before the widgets are drawn."""
    for key, value in as_keys(choice, step).items():
        if key not in but:
            st.session_state[key] = value
    st.session_state[PLAYING] = False


def restart():
    """Back to the first step; in a callback."""
    st.session_state[STEP] = 1
    st.session_state[PLAYING] = False
