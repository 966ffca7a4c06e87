"""What the parts of the Mark-up page share: the room, which brackets are asked for, which sentence is open."""

import streamlit as st

from core.workspace.markup.brackets import MarkQuery, MarkupRoom
from pages.shared.basics import session
from pages.shared.markup.view_state import MarkupView

AT_ONCE = 20  # sentences listed


def room():
    """The MarkupRoom of this process."""
    return session().room(MarkupRoom)


def begin(text):
    """Forget what was asked of another text; before anything is drawn."""
    owner = (text.corpus.id, text.trees_by, len(text.marks))
    if st.session_state.setdefault(MarkupView.owner, owner) != owner:
        _forget(MarkupView.only, MarkupView.tag, MarkupView.lengths, MarkupView.verdict)
        MarkupView().owner = owner


def _forget(*filters):
    """Back to the first sentences, without these filters."""
    for name in filters:
        st.session_state.pop(name, None)
    first_page()


def level():
    """The level that is looked at."""
    return MarkupView().level or "loose"


def query():
    """The MarkQuery of the filters."""
    shortest, longest = MarkupView().lengths or (1, None)
    only = MarkupView().only
    return MarkQuery(
        level=level(), tag=MarkupView().tag, shortest=shortest, longest=longest,
        verdict=MarkupView().verdict or "all", only=only and only[1],
    )  # fmt: skip


def show_only(name, numbers):
    """Show these brackets, called so, and no others; in a callback."""
    _forget(MarkupView.tag, MarkupView.lengths, MarkupView.verdict)
    MarkupView().only = (name, numbers)


def open_mark(sentence, number):
    """Open a sentence, and look at one of its brackets or (None) at all of them; in a callback."""
    MarkupView().open = (sentence, number)


def opened(shown):
    """(sentence, number of the one bracket looked at or None) of those listed: the first where none was opened."""
    chosen = MarkupView().open
    known = isinstance(chosen, tuple) and len(chosen) == 2 and chosen[0] in shown
    return chosen if known else (shown[0], None)


def first_page():
    """Back to the first sentences; a callback of the filters."""
    MarkupView().page = 1
    MarkupView().open = None
