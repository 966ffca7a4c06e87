"""Examples for the tests of what is taught."""

import numpy as np
from hypothesis import strategies as st

from core.teach.algorithms import algorithm_named
from core.teach.deck import TracedStop
from core.teach.lessons import split_words
from core.teach.scores import parse_scores
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


def check_rounds(trace, run, final):
    """What is told of each round is in the records of a run, and every word in dispute is named by its prices.

    ``final`` has what both sides agreed on, (rows,).
    """
    assert len(trace) == len(run.trace) + 2
    for record, step in zip(run.trace, trace.steps[1:-1], strict=True):
        told = step.numbers
        assert (told["dual"], told["primal"], told["step"]) == (record.dual, record.primal, record.step)
        assert told["disagreements"] == record.disagreements
        assert np.concatenate(told["decided"]).tolist() == run.trace.solution(record.iteration).tolist()
        assert told["dual"] >= run.primal - 1e-9  # a bound, whatever the prices
    for record, follows in zip(run.trace[:-1], run.trace[1:], strict=True):
        assert len(follows.entries) == 2 * record.disagreements  # up for the solver's choice, down for the consensus's
    assert np.concatenate(trace.steps[-1].numbers["decided"]).tolist() == final.tolist()
    check_questions(trace)
    for before, step in zip(trace.steps[1:-2], trace.steps[2:-1], strict=True):
        check_answer(step, before.numbers)
    assert (trace.steps[1].question.answer == "Yes") == (run.trace[0].disagreements == 0)
    assert (trace.steps[-1].question.answer == "Proved the best") == run.is_certified


def check_answer(step, before):
    """The answer to a round's question is what the round did to the numbers of the round before."""
    question, now = step.question, step.numbers
    if "dual value" in question.text:
        moved = now["dual"] - before["dual"]
        expected = "It stays" if abs(moved) < 1e-9 else "It rises" if moved > 0 else "It falls"
        assert question.answer == expected
    else:
        pairs = zip(before["decided"], now["decided"], strict=True)
        changed = [(s, m) for s, (old, new) in enumerate(pairs) for m in np.flatnonzero(old != new).tolist()]
        assert len(changed) == (question.answer != "At none")
        for s, m in changed:
            assert f"({m})" in question.answer and ("first", "second")[s] in question.answer


def check_questions(trace):
    """Every question has its answer among different options; every step says something and can be drawn and read."""
    for step in trace.steps:
        assert step.caption.endswith(".") and step.title
        lengths = {len(column) for column in step.table.values()}
        assert len(lengths) <= 1
        if step.question is not None:
            assert step.question.answer in step.question.options
            check_given(step.question)
        assert step.picture.scene("dark").svg(step.title, step.caption).startswith("<svg")


def check_given(question):
    """The numbers that a question gives for its options make the answer the best of them, up to their rounding."""
    given = dict(line.rsplit(": ", 1) for line in question.given)
    if not set(given) & set(question.options):
        return
    assert set(given) == set(question.options)
    worth = {name: worked_out(text) for name, text in given.items()}
    assert worth[question.answer] >= max(worth.values()) - 0.11


def worked_out(text):
    """What ``2 + −1``, ``5 less 2`` and ``3 at the root, 1 elsewhere`` are worth; the last is what leaving gains."""
    text = text.replace("−", "-").replace("∞", "inf")
    if " at the root, " in text:
        at_root, elsewhere = text.removesuffix(" elsewhere").split(" at the root, ")
        return float(elsewhere) - float(at_root)
    score, _, lost = text.partition(" less ")
    return sum(map(float, score.split(" + "))) - float(lost or 0)


def traced_stops(lesson):
    """The stops of a lesson whose scores are written, with what they step through."""
    stops = []
    for stop in lesson.stops:
        words, tags = split_words(stop.sentence)
        scores = parse_scores(stop.scores, len(words) - 1)
        one = Example(
            words, tags or ("",) * len(words), scores, stop.single_root, stop.constraint, moves=stop.moves
        )  # fmt: skip
        stops.append(TracedStop(stop, one, algorithm_named(stop.algorithm).steps(one)))
    return stops
