"""A step over the whole window, for a wall: a typed wrapper around the component in assets/components/present.js."""

from core.languages.direction import right_to_left
from core.teach.algorithms import ALGORITHMS
from pages.shared.component import component
from pages.shared.keys import heard

_PRESENT = component("present", ["keys.js", "present.js"], "present.css")
PRESENTING, KEY = "teach_presenting", "teach_present"


def present(trace, position, figure, moves, *, playing, lesson, question=None, guess=None):
    """Draw it over the page.

    Parameters
    ----------
    trace : Trace
    place : int
        The step shown, from 1.
    figure : str
        Its picture, SVG text.
    moves : dict of str to callable
        What "back", "step", "play", "reset", "leave" and "guess", with the option, do.
    playing : bool
    lesson : (Stop or None, bool)
        The stop that is open, whose notes are shown on request, and whether another one follows the last step.
    question : Question, optional
        About the next step; ``guess`` is the option chosen, if any.
    """
    stop, follows = lesson
    step, last, answer = trace.steps[position - 1], position == len(trace), ""
    if question is not None and guess is not None:
        answer = f"{'Correct' if question.is_right(guess) else 'No'}: {question.right}."
    moved = heard(KEY, moves)
    _PRESENT(
        data={
            "said": step.caption,
            "figure": figure,
            "alt": f"{step.title}. {step.caption}",
            "question": "" if question is None else question.text,
            "given": [] if question is None else list(question.given),
            "options": [] if question is None else list(question.options),
            "guess": guess,
            "answer": answer,
            "place": f"Step {position:,} of {len(trace):,} · {ALGORITHMS[trace.algorithm].name}",
            "sentence": " ".join(trace.words[1:]),
            "title": stop.title if stop else "",
            "notes": stop.notes if stop else "",
            "rtl": right_to_left(trace.words),
            "next": "Next stop" if last and follows else "Step",
            "first": position == 1,
            "last": last and not follows,
            "playing": playing,
        },
        key=KEY,
        on_move_change=moved,
        on_guess_change=moved,
    )
