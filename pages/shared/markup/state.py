"""What the parts of the Mark-up page share: the room, which brackets are asked for, which sentence is open."""

import streamlit as st

from core.workspace.markup.brackets import MarkQuery, MarkupRoom
from pages.shared.address import get_value, set_value
from pages.shared.basics import session

LEVEL, TAG, LENGTHS, VERDICT = "level", "mk_tag", "mk_lengths", "mk_verdict"
ONLY = "mk_only"  # (their name, frozenset of mark numbers) that a table's cell has opened
OPEN = "mk_open"  # (sentence, number of the one bracket looked at or None)
PAGE = "mk_page"
OWNER = "mk_corpus"  # whose brackets all of these speak of
AT_ONCE = 20  # sentences listed


def room():
    """The MarkupRoom of this process."""
    return session().room(MarkupRoom)


def begin(text):
    """Forget what was asked of another text; before anything is drawn."""
    owner = (text.corpus.id, text.trees_by, len(text.marks))
    if st.session_state.setdefault(OWNER, owner) != owner:
        _forget(ONLY, TAG, LENGTHS, VERDICT)
        st.session_state[OWNER] = owner


def _forget(*filters):
    """Back to the first sentences, without these filters."""
    for name in filters:
        st.session_state.pop(name, None)
    first_page()


def level():
    """The level that is looked at."""
    return st.session_state.get(LEVEL) or "loose"


def query():
    """The MarkQuery of the filters."""
    shortest, longest = st.session_state.get(LENGTHS) or (1, None)
    only = st.session_state.get(ONLY)
    return MarkQuery(
        level=level(), tag=st.session_state.get(TAG), shortest=shortest, longest=longest,
        verdict=st.session_state.get(VERDICT) or "all", only=only and only[1],
    )  # fmt: skip


def show_only(name, numbers):
    """Show these brackets, called so, and no others; in a callback."""
    _forget(TAG, LENGTHS, VERDICT)
    st.session_state[ONLY] = (name, numbers)


def open_mark(sentence, number):
    """Open a sentence, and look at one of its brackets or (None) at all of them; in a callback."""
    set_value(OPEN, (sentence, number))


def opened(shown):
    """(sentence, number of the one bracket looked at or None) of those listed: the first where none was opened."""
    found = get_value(OPEN)
    known = isinstance(found, tuple) and len(found) == 2 and found[0] in shown
    return found if known else (shown[0], None)


def first_page():
    """Back to the first sentences; a callback of the filters."""
    st.session_state[PAGE] = 1
    set_value(OPEN, None)
