"""What is looked at, in the address: where a control holds it, and where it is not there any more."""

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared.basics import escape


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
