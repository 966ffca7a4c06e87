"""A question about the next step: its options, and whether the one chosen was right."""

import streamlit as st

from pages.shared.basics import escape


def ask(question, key, note=None):
    """Draw a QuizQuestion; returns the option chosen, or None. ``note`` is called when one is."""
    st.markdown("**Predict the next step**")
    if question.given:
        st.caption("  \n".join(escape(line) for line in question.given))
    # no radio: where one has the focus arrows go from option to option
    guess = st.pills(escape(question.text), question.options, key=key, format_func=escape, on_change=note)
    if guess is not None and question.is_right(guess):
        st.success(f"Correct: {escape(question.right)}.", icon=":material/check:")
    elif guess is not None:
        st.warning(f"No: {escape(question.right)}. Step on to see why.", icon=":material/close:")
    return guess
