"""What the parts of the Teach page share: the room, and going to a state of the page."""

import streamlit as st

from core.workspace.teach.choice import as_keys
from core.workspace.teach.lessons import LessonRoom
from core.workspace.teach.room import TeachRoom
from pages.shared.basics import session
from pages.shared.teach.view_state import TeachView

EDITING = "teach_edit_scores"  # whether the table of scores can be edited
PLAYING = "teach_playing"
SHOWN = "teach_shown"  # what is stepped through: (corpus, Choice without its moves)
CHOSEN = "teach_chosen_on"  # the Choice without moves that moves were chosen on


def room():
    """The TeachRoom of this process. Raises StoreError."""
    return session().room(TeachRoom)


def shelf():
    """The LessonRoom of this process. Raises StoreError."""
    return session().room(LessonRoom)


def show(choice, step=1, but=()):
    """Go to a Choice and a step, from 1, leaving some keys alone; in a callback, or before the widgets are drawn."""
    for key, value in as_keys(choice, step).items():
        if key not in but:
            st.session_state[key] = value
    st.session_state[PLAYING] = False
    for shown in (SHOWN, CHOSEN):
        st.session_state.pop(shown, None)


def begin(shown, first):
    """Begin with what is stepped through, before the slider is drawn.

    On the page's first run that is the step that its address names, after ``show`` the one it asked for, and ``first``
    where something else was shown on the last run: another algorithm, sentence, text or score.

    The slider is not bound to the address: after a change of the algorithm a bound one could begin with the step that
    the address has from the algorithm before (Streamlit 1.67).
    """
    if TeachView.step not in st.session_state:
        linked = st.query_params.get(TeachView.step, str(first))
        TeachView().step = max(1, int(linked)) if linked.isascii() and linked.isdecimal() else first
    if st.session_state.get(SHOWN, shown) != shown:
        TeachView().step, st.session_state[PLAYING] = first, False
    st.session_state[SHOWN] = shown


def moves(choice):
    """The moves that were chosen on a Choice, or that a link has; those of another one are forgotten."""
    chosen, known = TeachView().moves, st.session_state.get(CHOSEN, choice)
    st.session_state[CHOSEN] = choice
    if chosen is not None and (known != choice or not isinstance(chosen, str)):
        TeachView().moves = chosen = None
    return chosen or ""


def take_move(trace, position, move):
    """Take a move from a step, from 1, and show what it did; in a callback."""
    if trace.path[position - 1] != move.letter:
        TeachView().moves = trace.path[: position - 1] + move.letter
    TeachView().step, st.session_state[PLAYING] = position + 1, False


def set_in_address(step, first):
    """Have the address name the step; the one that it begins with goes without saying."""
    if step != first:
        st.query_params[TeachView.step] = str(step)
    elif TeachView.step in st.query_params:
        del st.query_params[TeachView.step]
