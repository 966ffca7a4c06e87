"""The address of a page: values of bound controls, and links to what was renamed or is gone."""

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.basics import escape
from pages.shared.component import component
from pages.shared.view_state import Bound, Linked, ViewState

_HISTORY = component("history", ("history.js",))


def one_entry_an_act():
    """Have the browser's Back go to where the reader was before her last click or key, not between two runs."""
    _HISTORY(key="shared_history_entries")


def is_history_navigation():
    """Whether the browser's Back or Forward led here: then the address says what is to be seen."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def read_anew(fields):
    """Have the address say what the fields of a view are, as that of a link does; call it before any of them is read.

    Streamlit 1.67 takes away from the address what controls of the page that was left were bound to, such as the
    project, and the sentence where both pages have one.
    """
    if (context := get_script_run_ctx()) is None:
        return
    with context.session_state.query_params() as parameters:
        parameters.populate_from_query_string(context.query_string)
        parameters.set_initial_query_params_from_current()
        parameters.update()
    forget_bound(fields)


def forget_bound(fields):
    """Forget what the session has of those fields of a view that stand in the address."""
    for field in fields:
        if isinstance(field, Bound | Linked):
            st.session_state.pop(field, None)


def release(keys):
    """Let the address of another page say what controls of the page that is left are bound to under these keys."""
    if (context := get_script_run_ctx()) is None:
        return
    with context.session_state.query_params() as parameters:
        bindings = [parameters.get_binding_for_param(key) for key in keys]
        for binding in filter(None, bindings):
            parameters.unbind_widget(binding.widget_id)


def row_of(place, places, what):
    """The row of a list that a Place of the view means; says once that its word is not listed any more.

    Parameters
    ----------
    place : Place
        A field of the class.
    places : sequence of (int, int)
        Of the words listed: index of the sentence, number of the word.
    what : str
        What the list is of, such as "inconsistencies".
    """
    row, chosen = place.__get__(ViewState(), ViewState)
    instead = min(row, len(places) - 1)
    if chosen is None or tuple(places[instead]) == chosen:
        return instead
    if chosen in places:
        return places.index(chosen)
    st.toast(
        f"Word {chosen[1]:,} of sentence {chosen[0] + 1:,} is not among the {what} any more; the list has changed",
        icon=":material/link_off:",
    )
    place.keep((instead, *places[instead]))
    return instead


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
