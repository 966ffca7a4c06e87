"""The k best spanning trees against the list of all."""

import numpy as np
import pytest

from core.trees.spanning_kbest import best_spanning_trees
from tests.oracles.trees import tree_scores


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_best_trees_are_those_of_the_list(n, single_root):
    generator = np.random.default_rng(n)
    for k in (1, 3, 24, 1000):
        scores = generator.normal(size=(n + 1, n + 1))
        scores[generator.random((n + 1, n + 1)) < 0.15] = -np.inf
        listed = sorted((value for value in tree_scores(scores, single_root) if value > -np.inf), reverse=True)
        heads, values = best_spanning_trees(scores, k, single_root)
        assert values == pytest.approx(listed[:k])
        assert len({tuple(tree) for tree in heads.tolist()}) == len(heads) == min(k, len(listed))
        assert [scores[tree[1:], range(1, n + 1)].sum() for tree in heads] == pytest.approx(values)


def test_ties_are_different_trees():
    heads, values = best_spanning_trees(np.zeros((5, 5)), 100)
    assert len({tuple(tree) for tree in heads.tolist()}) == 64 and not values.any()
