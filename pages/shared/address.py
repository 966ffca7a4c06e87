"""The address of a page: values of bound controls, and links to what was renamed or is gone."""

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared.basics import escape


def bind_value(key, text):
    """Write the value of a bound control, which the session has already, into the address as ``text``.

    Streamlit 1.67 refuses this for a control that is drawn; setting its value again makes Streamlit write it.
    """
    try:
        st.query_params[key] = text
    except StreamlitAPIException:  # it is drawn
        st.session_state[key] = st.session_state[key]


def renamed(key, former, option):
    """Choose ``option`` where an old link says ``former``; call it before the control bound to ``key`` is drawn."""
    if key not in st.session_state and st.query_params.get(key) == former:
        del st.query_params[key]
        st.session_state[key] = option


def warn_gone(key, known, noun, instead):
    """Show a toast if the address names a value that is not ``known``; call it before the widget of ``key`` is drawn.

    ``known`` is an iterable of str, as they stand in the address; ``noun`` says what a value is, ``instead`` what is
    shown in its place.
    """
    linked = [] if key in st.session_state else st.query_params.get_all(key)  # later on the address is the widget's own
    gone = set(linked) - set(known) if linked else ()
    for value in linked:
        if value in gone:
            shown = value if value.isdecimal() else repr(value)
            st.toast(f"There is no {noun} {escape(shown)} here; {instead}", icon=":material/link_off:")
            return
