"""Inside and outside as they are taught are the production chart's, and end in its log-partition and marginals."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.draw.chart import INCOMPLETE_RIGHT
from core.teach.inside_outside import InsideChart, trace_inside_outside
from core.trees import inside_outside, tree_exists
from tests.teach.problems import check_questions, example, examples


@settings(deadline=None, max_examples=40)
@given(examples(roots=(True, False)))
def test_items_are_log_sums_of_their_splits_and_the_end_is_the_public_answer(one):
    assume(tree_exists(one.scores, one.single_root, projective=True))
    trace, chart = trace_inside_outside(one), InsideChart(one.scores, one.single_root)
    log_partition, marginals = inside_outside(one.scores, one.single_root)
    told = {item: value for step in trace.steps for item, value in step.numbers.items() if isinstance(item, tuple)}
    assert len(told) == 2 * len(one) * (len(one) - 1)
    for item, value in told.items():
        assert value == chart[item]
        assert value == pytest.approx(np.logaddexp.reduce([score for *_, score in chart.splits(item)]), abs=1e-9)
    root = next(step for step in trace.steps if step.title == "The log-partition")
    assert root.numbers["log_partition"] == pytest.approx(log_partition, abs=1e-9)
    shares = {arc: p for step in trace.steps for arc, p in step.numbers.get("probabilities", {}).items()}
    for (h, m), share in shares.items():
        assert share == pytest.approx(marginals[h, m], abs=1e-9)
    np.testing.assert_array_equal(trace.steps[-1].numbers["marginals"], marginals)
    check_questions(trace)


def test_two_words_by_hand():
    scores = np.log([[1, 2, 1], [1, 1, 3], [1, 5, 1]])
    trace = trace_inside_outside(example(scores))
    chart = InsideChart(scores, True)
    assert np.exp(chart.total) == pytest.approx(2 * 3 + 1 * 5)
    assert chart[INCOMPLETE_RIGHT, 1, 2] == pytest.approx(np.log(3))
    assert np.exp(chart.outside(1, 2)) == pytest.approx(2)  # the root's arc to word 1
    assert trace.steps[-2].numbers["probabilities"][1, 2] == pytest.approx(6 / 11)
    assert trace.steps[-1].question is None  # both words are equally certain


def test_the_log_sum_is_asked_beside_its_usual_mistakes():
    trace = trace_inside_outside(example(np.zeros((4, 4))))
    asked = next(step.question for step in trace.steps if step.question and "log-sum" in step.question.text)
    assert asked.answer == "0.69" and set(asked.options) == {"0", "0.69"}
