"""The projective decoder against the list of all trees, a textbook chart, and itself."""

import numpy as np
import pytest

from core.errors import InfeasibleError
from core.trees import PackedScores, eisner, tree_exists
from tests.oracles import projective
from tests.oracles import trees as oracle


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 40])
def test_matches_the_textbook_chart(n, single_root):
    rng = np.random.default_rng(n)
    for forbidden in (0.0, 0.3):
        scores = rng.normal(size=(n + 1, n + 1))
        gone = rng.random(scores.shape) < forbidden
        gone[np.arange(n), np.arange(1, n + 1)] = False  # a chain always remains
        scores[gone] = -np.inf
        heads = eisner(scores, single_root)
        assert oracle.is_tree(heads, single_root)
        assert oracle.is_projective(heads)
        value = projective.best_value(scores, single_root)
        assert oracle.tree_score(scores, heads) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 40])
def test_forbidden_arcs_are_arcs_that_cost_too_much(n, single_root):
    """Few allowed arcs are decoded by other loops than many; ties among whole numbers must fall alike."""
    rng = np.random.default_rng(n)
    for kept in (0.05, 0.2, 0.5):
        scores = rng.integers(-2, 3, size=(n + 1, n + 1)).astype(float)
        gone = rng.random(scores.shape) > kept
        gone[np.arange(n), np.arange(1, n + 1)] = False  # a chain always remains
        pruned, costly = np.where(gone, -np.inf, scores), np.where(gone, -1e6, scores)
        np.testing.assert_array_equal(eisner(pruned, single_root), eisner(costly, single_root))


@pytest.mark.parametrize("single_root", [False, True])
def test_recovers_a_tree_that_scores_were_made_from(single_root):
    for heads in oracle.trees(5, single_root, projective=True):
        scores = np.zeros((6, 6))
        scores[heads[1:], np.arange(1, 6)] = 1.0
        np.testing.assert_array_equal(eisner(scores, single_root), heads)


def test_ties_are_always_broken_alike():
    scores = np.zeros((13, 13))
    alone = eisner(scores)
    packed = eisner(PackedScores.from_matrices([np.zeros((30, 30)), scores, np.ones((6, 6)), scores]), threads=2)
    np.testing.assert_array_equal(packed[1], alone)
    np.testing.assert_array_equal(packed[3], alone)


def test_single_root_is_exact_at_any_scale():
    scores = np.zeros((4, 4))
    scores[0, 1:] = 1e6  # every word would rather hang from the root
    scores[1, 2] = scores[2, 3] = 1.0
    assert eisner(scores).tolist() == [-1, 0, 1, 2]
    assert eisner(scores, single_root=False).tolist() == [-1, 0, 0, 0]


def crossing_only():
    """Four words whose only tree has crossing arcs: 1 -> 3 and 2 -> 4."""
    scores = np.full((5, 5), -np.inf)
    for head, modifier in ((0, 1), (1, 2), (1, 3), (2, 4)):
        scores[head, modifier] = 0.0
    return scores


def test_names_the_sentence_that_has_crossing_trees_only():
    assert tree_exists(crossing_only())
    with pytest.raises(InfeasibleError, match="crossing arcs") as caught:
        eisner(crossing_only())
    assert caught.value.sentence is None
    packed = PackedScores.from_matrices([np.zeros((3, 3)), crossing_only(), np.zeros((3, 3)), crossing_only()])
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*crossing arcs") as caught:
        eisner(packed, threads=2)
    assert caught.value.sentence == 1
    marked = eisner(packed, errors="mark")
    assert marked[1].tolist() == [-1] * 5
    assert marked[2].tolist() == eisner(np.zeros((3, 3))).tolist()
