"""One of many: which one is shown; it stands in the address."""

import streamlit as st

from pages.shared.address import bind_value, warn_gone

AT_ONCE = 5  # numbers, gaps included
ROOM, DIGIT = 266, 9  # pixels for as many numbers of three digits and two arrows, and for a digit more


def pager(count, key):
    """Draw it; returns a place from 1 to ``count``. Callbacks may set ``st.session_state[key]``, to jump."""
    if key in st.session_state and st.session_state[key] > count:
        st.session_state[key] = count
    _say_in_address(key)
    what = "hit" if key == "hit" else "sentence"
    warn_gone(key, map(str, range(1, count + 1)), what, "the first is shown")
    # a width of its own: in one that follows its numbers it counts how many fit, and drops one after the other
    width = ROOM + 2 * DIGIT * max(len(str(count)) - 3, 0)
    return st.pagination(count, key=key, bind="query-params", max_visible_pages=AT_ONCE, width=width)


def _say_in_address(key):
    """Have Python write the place into the address where the browser did not.

    The browser writes it by itself, but forgets how once the pager has moved on the page: it mounts the pager in the
    new place, then takes the old one away and with it what ties that name to the address (Streamlit 1.67).
    """
    if key in st.session_state and st.query_params.get(key, "1") != str(st.session_state[key]):
        bind_value(key, str(st.session_state[key]))
