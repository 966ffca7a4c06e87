"""What the parts of the Mark-up page share: the desk, which brackets are asked for, which sentence is open."""

import streamlit as st

from core.workspace.markup import MarkQuery, MarkupDesk
from pages.shared.state import opened_by, workspace

LEVEL, TAG, LENGTHS, VERDICT = "level", "mk_tag", "mk_lengths", "mk_verdict"
ONLY = "mk_only"  # (what it says, frozenset of mark numbers) that a table's cell has opened
OPEN = "mk_open"  # (sentence, number of the one bracket looked at or None)
PAGE = "mk_page"
OWNER = "mk_corpus"  # whose brackets all of these speak of
AT_ONCE = 20  # sentences listed


@st.cache_resource(max_entries=32, show_spinner=False)
def _desk(*_places):
    return MarkupDesk(workspace())


def desk():
    """The MarkupDesk of this process."""
    return _desk(*opened_by())


def begin(text):
    """Forget what was asked of another text; before anything is drawn."""
    owner = (text.corpus.id, text.trees_by, len(text.marks))
    if st.session_state.get(OWNER) != owner:
        for name in (ONLY, OPEN, TAG, LENGTHS, VERDICT):
            st.session_state.pop(name, None)
        st.session_state[OWNER], st.session_state[PAGE] = owner, 1


def level():
    """The level that is looked at."""
    return st.session_state.get(LEVEL) or "loose"


def query():
    """The MarkQuery that the filters say."""
    shortest, longest = st.session_state.get(LENGTHS) or (1, None)
    only = st.session_state.get(ONLY)
    return MarkQuery(
        level=level(),
        tag=st.session_state.get(TAG),
        shortest=shortest,
        longest=longest,
        verdict=st.session_state.get(VERDICT) or "all",
        only=only and only[1],
    )


def show_only(said, numbers):
    """Show these brackets and no others; in a callback."""
    for name in (TAG, LENGTHS, VERDICT, OPEN):
        st.session_state.pop(name, None)
    st.session_state[ONLY] = (said, numbers)
    st.session_state[PAGE] = 1


def open_mark(sentence, number):
    """Open a sentence, and look at one of its brackets or (None) at all of them; in a callback."""
    st.session_state[OPEN] = (sentence, number)


def first_page():
    """Back to the first sentences; a callback of the filters."""
    st.session_state[PAGE] = 1
    st.session_state.pop(OPEN, None)
