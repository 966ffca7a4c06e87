"""Keys that step through what is played: a wrapper around page-keys.js, which shares them with the wall."""

import streamlit as st

from pages.shared.component import component

_KEYS = component("keys", ["keys.js", "page-keys.js"], "page-keys.css")


def step_keys(name, moves, *, options=(), mirrored=False):
    """Draw ``?``, which lists the keys, and hear them wherever the focus is but in a field.

    Parameters
    ----------
    name : str
        The key of the component.
    moves : dict of str to callable
        What "back", "step", "play" and "reset" do, at the ends too, and "guess", with one of the options.
    options : sequence of str
        The answers of the question that is asked, by digits from 1.
    mirrored : bool
        Whether the arrow to the left goes on, as where words are read in that direction.
    """
    moved = heard(name, moves)
    data = {"options": list(options), "rtl": mirrored}
    _KEYS(data=data, key=name, width="content", on_move_change=moved, on_guess_change=moved)


def heard(name, moves):
    """A callback that does what the component ``name`` sent, checked like everything from outside."""

    def moved():
        sent = st.session_state.get(name) or {}
        if sent.get("guess") is not None:
            moves["guess"](sent["guess"])
        elif sent.get("move") in moves:
            moves[sent["move"]]()

    return moved
