"""The list of trees, the determinant, the elimination and the production log-partition agree."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.errors import NumericalError
from core.teach.matrix_tree import all_trees, count_trees, trace_matrix_tree
from core.trees import matrix_tree, tree_exists
from tests.teach.problems import check_questions, example, examples


@pytest.mark.parametrize("n", range(1, 7))
def test_all_trees_are_listed_once(n):
    """Cayley: n^(n-1) trees with one root word, (n+1)^(n-1) with any number."""
    for single_root, count in ((True, n ** (n - 1)), (False, (n + 1) ** (n - 1))):
        trees = all_trees(n, single_root)
        assert len(trees) == len(np.unique(trees, axis=0)) == count


@settings(deadline=None, max_examples=40)
@given(examples(most=4, roots=(True, False)))
def test_three_ways_to_the_same_sum(one):
    assume(tree_exists(one.scores, one.single_root))
    trace = trace_matrix_tree(one)
    log_partition, marginals = matrix_tree(one.scores, one.single_root)
    named = {step.title: step.numbers for step in trace.steps}
    assert named["The same Z"]["by trees"] == pytest.approx(log_partition, abs=1e-9)
    assert trace.result["log_partition"] == log_partition
    total = named["The sum over all trees"]["sum"]
    assert named["The determinant"]["determinant"] == pytest.approx(total, rel=1e-9)
    products = [step.numbers["product"] for step in trace.steps if step.title.endswith("taken out")]
    assert products[-1] == pytest.approx(total, rel=1e-9)
    np.testing.assert_allclose(named["Probabilities of arcs"]["by trees"], marginals, atol=1e-9)
    np.testing.assert_array_equal(named["Probabilities of arcs"]["marginals"], marginals)
    check_questions(trace)


@pytest.mark.parametrize("single_root", [True, False])
def test_trees_are_counted_without_a_list(single_root):
    generator = np.random.default_rng(3)
    for n in (1, 2, 3, 4, 5):
        allowed = generator.random((n + 1, n + 1)) < 0.6
        listed = all_trees(n, single_root)
        kept = allowed[listed[:, 1:], np.arange(1, n + 1)].all(axis=1)
        assert count_trees(allowed & ~np.eye(n + 1, dtype=bool), single_root) == kept.sum()
    n = 20
    assert count_trees(~np.eye(n + 1, dtype=bool), True) == n ** (n - 1)


def test_of_a_long_sentence_the_best_trees_are_listed():
    scores = np.random.default_rng(1).normal(size=(9, 9))
    trace = trace_matrix_tree(example(scores))
    assert "2,097,144 more trees add" in " ".join(step.caption for step in trace.steps)
    of_all = next(step for step in trace.steps if step.title == "The sum over all trees")
    assert len(of_all.table["tree"]) == 24 and of_all.picture.note.startswith("The best 24 in the table, and 2,097,128")
    log_partition = matrix_tree(scores)[0]
    assert trace.result["log_partition"] == log_partition > trace.steps[-2].numbers["by trees"]
    weights = [step.numbers["weight"] for step in trace.steps if step.title.startswith("Tree ")]
    assert weights == sorted(weights, reverse=True) and len(weights) == 8
    check_questions(trace)


def test_what_cannot_be_shown_says_so():
    apart = np.full((4, 4), -np.inf)
    apart[0, 1] = apart[2, 3] = apart[3, 2] = 0.0
    apart[1, 2:] = -900.0  # either way out of the cycle weighs less than any float
    assert np.isfinite(matrix_tree(apart)[0])
    with pytest.raises(NumericalError, match="lie too far apart"):
        trace_matrix_tree(example(apart))
