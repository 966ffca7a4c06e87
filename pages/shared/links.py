"""Links to what is not there any more: said once, in one sentence, while something else is shown."""

import streamlit as st

from core.workspace import escape


def say_gone(key, known, what, instead):
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
