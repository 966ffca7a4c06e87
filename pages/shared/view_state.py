"""View states: what is looked at on a page, and which of it belongs to the text that is open.

Each page has a subclass of ``ViewState``, named with the page in ``MENU``. A field of the class, ``CompareView.open``,
is its key in the session, the address and links; a field of an instance, ``CompareView().open``, is its value, which
can be read and set.
"""

import json
from typing import Any

import streamlit as st

NO_DEFAULT = object()  # the field has no value at first: its control begins with one of its own


class SessionField(str):
    """A field that the session alone keeps.

    Parameters
    ----------
    key : str
    default : object, optional
        What it holds at first, and again with another text; without one it is forgotten then.
    of_text : bool
        Whether it speaks of places in a text, or of its runs, and changes with it. What says how to look (a level, a
        table, a layout) stays when another text is opened.
    """

    default: Any
    of_text: bool

    def __new__(cls, key, default: Any = NO_DEFAULT, of_text=True):
        field = super().__new__(cls, key)
        field.default, field.of_text = default, of_text
        return field

    def __get__(self, view, _) -> Any:
        if view is None:
            return self
        return st.session_state.get(self, None if self.default is NO_DEFAULT else self.default)

    def __set__(self, view, value):
        st.session_state[self] = value


class Bound(SessionField):
    """A field that its control keeps in the address."""


class Linked(SessionField):
    """A field that stands in the address as JSON. A link is read once; what cannot be read is None.

    The reader of the field checks that the value is one that could have been set.
    """

    def __new__(cls, key, of_text=True):
        return super().__new__(cls, key, None, of_text)

    def __get__(self, view, _) -> Any:
        if view is None:
            return self
        if self not in st.session_state:
            st.session_state[self] = _read(st.query_params.get(self))
        elif st.session_state[self] is not None and self not in st.query_params:  # one was on another page meanwhile
            self.keep(st.session_state[self])
        return st.session_state[self]

    def __set__(self, view, value):
        self.keep(value)

    def keep(self, value):
        """Set a value of JSON, with tuples for lists, in session and address, in a callback; None removes it."""
        st.session_state[self] = value
        if value is not None:
            st.query_params[self] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        elif self in st.query_params:
            del st.query_params[self]


class Row(Linked):
    """A place in a list, from 0; 0 where none was chosen."""

    def __get__(self, view, owner) -> Any:
        row = super().__get__(view, owner)
        return row if view is None or (isinstance(row, int) and row >= 0) else 0

    def choose(self, row, _=None):
        """Set the row of a cell that was clicked; a callback of ``draw_table``."""
        self.keep(row)


class Place(Linked):
    """A row of a list, from 0, and what stood there when it was chosen: a sentence, from 0, and a word of it, from 1.

    What a list holds changes with the trees; then its reader says that the word is not listed any more.
    """

    def __get__(self, view, owner) -> Any:
        value = super().__get__(view, owner)
        if view is None:
            return self
        numbers = value if isinstance(value, tuple) else (value,)
        right = len(numbers) in (1, 3) and all(type(number) is int and number >= 0 for number in numbers)
        return (numbers[0], numbers[1:] or None) if right else (0, None)


class ViewState:
    """What all pages share: a group that is walked through, and places that several of them look at."""

    group = Bound("group", "")  # the name of the one chosen, "" for all sentences
    sentence = Bound("sentence", 1)
    version = Linked("by")  # whose corrections are shown and made; None for the project's
    place = Bound("place", 1)  # in the order of the trees of a learner
    outlier = Place("odd_row")  # which of those listed is drawn
    outliers_open = Bound("odd_panel", of_text=False)
    advice = SessionField("advice_row", 0)

    @classmethod
    def fields(cls) -> list[SessionField]:
        """The page's own, and those that all share."""
        return [field for part in cls.__mro__ for field in vars(part).values() if isinstance(field, SessionField)]


def _read(text):
    try:
        return _tuples(json.loads(text or "null"))
    except (ValueError, RecursionError):  # brackets may be nested in a link as deep as one likes
        return None


def _tuples(value):
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
