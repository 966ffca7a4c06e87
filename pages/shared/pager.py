"""One of many: which one is shown; it stands in the address."""

import streamlit as st


def pager(count, key):
    """Draw it; returns a place from 1 to ``count``. Callbacks may set ``st.session_state[key]``, to jump."""
    if key in st.session_state and st.session_state[key] > count:
        st.session_state[key] = count
    return st.pagination(count, key=key, bind="query-params", max_visible_pages=5)
