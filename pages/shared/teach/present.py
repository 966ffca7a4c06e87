"""A step over the whole window, for a wall: a typed wrapper around the component in assets/components/present.js."""

import streamlit as st

from core.direction import right_to_left
from core.teach.algorithms import ALGORITHMS
from pages.shared.component import component

_PRESENT = component("present", ["present.js"], "present.css")
PRESENTING, KEY = "teach_presenting", "teach_present"


def present(trace, place, figure, moves, *, playing, onward):
    """Draw it over the page.

    Parameters
    ----------
    trace : Trace
    place : int
        The step shown, from 1.
    figure : str
        Its picture, SVG text.
    moves : dict of str to callable
        What "back", "step", "play", "reset" and "leave" do.
    playing : bool
    onward : str
        What follows the last step, on the button; "" where nothing does.
    """
    step, last = trace.steps[place - 1], place == len(trace)

    def moved():
        move = (st.session_state.get(KEY) or {}).get("move")
        if move in moves:  # checked like everything from outside
            moves[move]()

    _PRESENT(
        data={
            "said": step.caption,
            "figure": figure,
            "alt": f"{step.title}. {step.caption}",
            "question": "" if last else _question_text(trace.steps[place].question),
            "place": f"Step {place:,} of {len(trace):,} · {ALGORITHMS[trace.algorithm].name}",
            "sentence": " ".join(trace.words[1:]),
            "rtl": right_to_left(trace.words),
            "next": onward if last and onward else "Step",
            "first": place == 1,
            "last": last and not onward,
            "playing": playing,
        },
        key=KEY,
        on_move_change=moved,
    )


def _question_text(question):
    """The question about the next step, and between what one chooses."""
    return "" if question is None else f"{question.text}  {' · '.join(question.options)}"
