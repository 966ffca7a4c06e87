"""Feasibility against the list of all trees."""

from itertools import product

import numpy as np
import pytest

from core.errors import InfeasibleError
from core.trees.feasibility import require_tree, tree_exists
from tests.filled import filled
from tests.oracles import trees as oracle


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("single_root", [False, True])
def test_tree_exists_matches_enumeration(single_root, projective):
    rng = np.random.default_rng(0)
    for n, share in filled(product(range(1, 6), np.linspace(0.1, 0.6, 60))):
        scores = np.where(rng.random((n + 1, n + 1)) < share, 0.0, -np.inf)
        listed = oracle.trees(n, single_root, projective)
        possible = (scores[listed[:, 1:], np.arange(1, n + 1)] == 0.0).all(axis=1).any()
        assert tree_exists(scores, single_root, projective) == possible


def graph(n, *arcs):
    scores = np.full((n + 1, n + 1), -np.inf)
    for head, modifier in arcs:
        scores[head, modifier] = 0.0
    return scores


@pytest.mark.parametrize(
    ("scores", "single_root", "projective", "message"),
    [
        (graph(2, (0, 1)), True, False, "every head of word 2 is forbidden"),
        (graph(2, (1, 2), (2, 1)), False, False, "every arc from the root is forbidden"),
        (graph(3, (0, 1), (2, 3), (3, 2)), False, False, "no path of allowed arcs leads from the root to word 2"),
        (graph(2, (0, 1), (0, 2)), True, False, "several words on the root"),
        (graph(4, (0, 1), (1, 3), (3, 4), (4, 2)), True, True, "crossing arcs"),
    ],
)
def test_the_reason_is_named(scores, single_root, projective, message):
    with pytest.raises(InfeasibleError, match=message):
        require_tree(scores, single_root, projective)
    with pytest.raises(InfeasibleError, match="sentence 7: no tree") as caught:
        require_tree(scores, single_root, projective, sentence=7)
    assert caught.value.sentence == 7
