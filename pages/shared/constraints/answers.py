"""The answers to a question about a constraint: words, each for a range of shares, wherever it is asked."""

import streamlit as st

from core.constraints.authoring.questions import ANSWERS, EDGES

RANGES = {word: f"{low:.0%} to {high:.0%}" for word, low, high in zip(ANSWERS, EDGES, EDGES[1:], strict=False)}


def choose_answer(key, **how):
    """Draw the words as one control; returns the one chosen, or None."""
    return st.segmented_control("Answer", ANSWERS, key=key, label_visibility="collapsed", **how)
