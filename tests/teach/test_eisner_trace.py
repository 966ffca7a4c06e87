"""Eisner's chart as it is taught is the production chart, and ends in the production tree."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.draw.chart import COMPLETE_LEFT, COMPLETE_RIGHT, INCOMPLETE_LEFT, INCOMPLETE_RIGHT
from core.errors import InfeasibleError
from core.teach.eisner import EisnerChart, trace_eisner
from core.trees import eisner, tree_exists
from tests.filled import filled
from tests.teach.problems import check_questions, example, examples


@settings(deadline=None, max_examples=40)
@given(examples())
def test_every_item_is_the_best_of_its_splits_and_the_last_step_is_the_decoders_tree(one):
    assume(tree_exists(one.scores, True, projective=True))
    trace, chart, n = trace_eisner(one), EisnerChart(one.scores), len(one)
    heads = eisner(one.scores)
    assert len(trace) == 3 + 3 * n * (n - 1) // 2
    told = {item: value for step in trace.steps for item, value in step.numbers.items() if isinstance(item, tuple)}
    assert set(told) == {(kind, i, j) for kind in range(4) for i in range(1, n) for j in range(i + 1, n + 1)}
    for item, value in told.items():
        assert value == chart[item] == max(score for *_, score in chart.splits(item))
    assert trace.result["heads"].tolist() == heads.tolist()
    assert [arc.head for arc in trace.steps[-1].picture.arcs] == heads[1:].tolist()
    r = trace.steps[-2].numbers["root"]
    read = chart.arcs((COMPLETE_LEFT, 1, r)) + chart.arcs((COMPLETE_RIGHT, r, n)) + [(0, r)]
    assert sorted((m, h) for h, m in read) == list(enumerate(heads.tolist()))[1:]
    assert trace.steps[-1].numbers["value"] == pytest.approx(trace.steps[-2].numbers["value"])
    check_questions(trace)


def test_a_chart_worked_by_hand():
    #         I  saw man
    scores = [[0, 1, 5, 1], [0, 0, 0, 0], [0, 4, 0, 3], [0, 0, 1, 0]]
    trace = trace_eisner(example(scores))
    told = {item: value for step in trace.steps for item, value in step.numbers.items() if isinstance(item, tuple)}
    assert told[INCOMPLETE_LEFT, 1, 2] == 4 and told[INCOMPLETE_RIGHT, 2, 3] == 3
    assert told[COMPLETE_RIGHT, 2, 3] == 3 and told[COMPLETE_LEFT, 1, 2] == 4
    assert trace.steps[-1].numbers["value"] == 12
    assert "12 nats" in trace.steps[-1].caption
    assert trace.steps[-2].question.answer == "saw (2)"
    assert "saw (2) → I (1) adds 4 and makes 4 nats" in trace.steps[1].caption


def test_ties_are_no_question_of_what_is_better():
    for step in filled(trace_eisner(example(np.zeros((4, 4)))).steps[:-1]):
        assert step.question is None


def test_no_tree_is_said():
    scores = np.zeros((3, 3))
    scores[:, 2] = -np.inf
    with pytest.raises(InfeasibleError, match="every head of word 2 is forbidden"):
        trace_eisner(example(scores))
