"""What is looked at, in the address: where no control holds it, and where it is not there any more."""

import json

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared.basics import escape


def set_value(key, value):
    """Keep a value of JSON, tuples for lists, for the session and in the address; None is nothing. In a callback."""
    st.session_state[key] = value
    if value is not None:
        st.query_params[key] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    elif key in st.query_params:
        del st.query_params[key]


def bind_value(key, text):
    """Have the address say what a bound control shows, whose value stands in the session already.

    Python writes the value of a control that is drawn, where it is set from Python; that of one about to be drawn it
    does not (Streamlit 1.67), but then nobody minds who writes it.
    """
    try:
        st.query_params[key] = text
    except StreamlitAPIException:  # it is drawn
        st.session_state[key] = st.session_state[key]


def renamed(key, former, option):
    """Choose what a link of former times calls ``former``; before the control bound to ``key`` is drawn."""
    if key not in st.session_state and st.query_params.get(key) == former:
        del st.query_params[key]
        st.session_state[key] = option


def get_value(key):
    """The value kept, or what a link that was just opened says; None where it says nothing that can be read.

    Whoever asks checks that it is one that could have been kept.
    """
    if key not in st.session_state:
        st.session_state[key] = _read(st.query_params.get(key))
    elif st.session_state[key] is not None and key not in st.query_params:  # one was on another page meanwhile
        set_value(key, st.session_state[key])
    return st.session_state[key]


def get_place(key):
    """The place in a list, from 0, that was kept; 0 where none was."""
    place = get_value(key)
    return place if isinstance(place, int) and place >= 0 else 0


def warn_gone(key, known, what, instead):
    """Say so where the address names a ``what`` that is not ``known``; before the widget bound to ``key`` is drawn.

    ``known`` is an iterable of str, as they stand in the address; ``instead`` says what is shown in its place.
    """
    linked = [] if key in st.session_state else st.query_params.get_all(key)  # later on the address is the widget's own
    gone = set(linked) - set(known) if linked else ()
    for value in linked:
        if value in gone:
            said = value if value.isdecimal() else repr(value)
            st.toast(f"There is no {what} {escape(said)} here; {instead}", icon=":material/link_off:")
            return


def _read(text):
    try:
        return _tuples(json.loads(text or "null"))
    except (ValueError, RecursionError):  # brackets may be nested in a link as deep as one likes
        return None


def _tuples(value):
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
