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


def begin_at_address():
    """Begin at the step that a link names; before the slider is drawn.

    The slider is not bound to the address: its end changes with the algorithm, which makes it a new one, and a new
    bound one would begin with the step that the address has from the algorithm before (Streamlit 1.67).
    """
    if STEP not in st.session_state:
        linked = st.query_params.get(STEP, "1")
        st.session_state[STEP] = max(1, int(linked)) if linked.isascii() and linked.isdecimal() else 1


def set_in_address(step):
    """Have the address name the step; the first one goes without saying."""
    if step > 1:
        st.query_params[STEP] = str(step)
    elif STEP in st.query_params:
        del st.query_params[STEP]


def restart():
    """Back to the first step; in a callback."""
    st.session_state[STEP] = 1
    st.session_state[PLAYING] = False
