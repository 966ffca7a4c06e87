"""Examples for the tests of what is taught."""

import numpy as np
from hypothesis import strategies as st

from core.teach.step import Example

WORDS = ("", "I", "saw", "the", "old", "man", "today", "again", "here")


def example(scores, single_root=True, **more):
    """An Example of as many words as the scores have."""
    side = len(scores)
    return Example(WORDS[:side], ("",) * side, np.asarray(scores, dtype=np.float64), single_root, **more)


@st.composite
def examples(draw, most=5, forbid=True, roots=(True,)):
    """Examples with small whole scores, so that ties are frequent, and now and then a forbidden arc."""
    side = draw(st.integers(2, most + 1))
    values = st.integers(-4, 4).map(float)
    if forbid:
        values = st.one_of(values, values, values, values, st.just(-np.inf))
    scores = np.array(draw(st.lists(values, min_size=side * side, max_size=side * side))).reshape(side, side)
    return example(scores, draw(st.sampled_from(roots)))


def check_questions(trace):
    """Every question has its answer among different options; every step says something and can be drawn and read."""
    for step in trace.steps:
        assert step.caption.endswith(".") and step.title
        lengths = {len(column) for column in step.table.values()}
        assert len(lengths) <= 1
        if step.question is not None:
            assert step.question.answer in step.question.options
        assert step.picture.scene("dark").svg(step.title, step.caption).startswith("<svg")
