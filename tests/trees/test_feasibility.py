"""Feasibility against the list of all trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError
from core.trees.feasibility import require_tree, tree_exists
from tests.oracles import trees as oracle

sparse_graphs = st.integers(1, 5).flatmap(
    lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=st.sampled_from([0.0, -np.inf, -np.inf]))
)


@settings(deadline=None, max_examples=200)
@given(sparse_graphs, st.booleans(), st.booleans())
def test_tree_exists_matches_enumeration(scores, single_root, projective):
    value, _ = oracle.best_tree(scores, single_root, projective)
    assert tree_exists(scores, single_root, projective) == (value > -np.inf)


@pytest.mark.parametrize("seed", range(40))
def test_sparse_random_graphs(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        scores = np.where(rng.random((6, 6)) < rng.uniform(0.2, 0.5), 0.0, -np.inf)
        for single_root in (False, True):
            for projective in (False, True):
                value, _ = oracle.best_tree(scores, single_root, projective)
                assert tree_exists(scores, single_root, projective) == (value > -np.inf)


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


def test_a_possible_tree_passes():
    require_tree(graph(2, (0, 1), (1, 2)))
