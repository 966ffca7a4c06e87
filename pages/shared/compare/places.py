"""The colour and sign of each parse, which it keeps while others come and go."""

import streamlit as st

from core.draw.by_kind import kept_places

PLACES = "cmp_places"  # name of a parse -> its place in STYLES, of this visit


def parse_places(parses):
    """The place in STYLES of each parse of a SideBySide, and of what it is scored against where that is a parse."""
    others = [parses.reference] if parses.is_scored and not parses.is_gold else []
    places = kept_places([*parses.names, *others], st.session_state.get(PLACES, {}))
    st.session_state[PLACES] = places
    return places
