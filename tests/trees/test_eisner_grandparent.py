"""The decoder with grandparents against the list of all trees, the decoders of lower order, and itself."""

import numpy as np
import pytest

from core.errors import InfeasibleError, ScoreShapeError
from core.trees import PackedScores, PackedTriples, eisner, eisner_grandparent, eisner_sibling
from tests.oracles import higher_order
from tests.oracles import trees as oracle


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 12, 20])
def test_without_grandparents_it_is_the_sibling_decoder(n, single_root):
    rng = np.random.default_rng(n)
    side = n + 1
    scores, siblings = rng.normal(size=(side, side)), rng.normal(size=(side, side, side))
    nothing = np.zeros((side, side, side))
    np.testing.assert_array_equal(
        eisner_grandparent(scores, siblings, nothing, single_root), eisner_sibling(scores, siblings, single_root)
    )
    np.testing.assert_array_equal(
        eisner_grandparent(scores, nothing, nothing, single_root), eisner(scores, single_root)
    )


@pytest.mark.parametrize("single_root", [False, True])
def test_recovers_a_tree_from_its_chains(single_root):
    for heads in oracle.trees(5, single_root, projective=True):
        scores, nothing, chains = np.zeros((6, 6)), np.zeros((6, 6, 6)), np.zeros((6, 6, 6))
        for modifier in range(1, 6):
            if heads[modifier] == 0:
                scores[0, modifier] = 1.0
            else:
                chains[heads[heads[modifier]], heads[modifier], modifier] = 1.0
        np.testing.assert_array_equal(eisner_grandparent(scores, nothing, chains, single_root), heads)


@pytest.mark.parametrize("single_root", [False, True])
def test_the_best_of_many_trees_in_a_longer_sentence(single_root):
    """n = 12 is too long to list: the found tree must beat all trees one changed head away."""
    rng = np.random.default_rng(12)
    problem = [rng.normal(size=(13,) * rank) for rank in (2, 3, 3)]
    heads = eisner_grandparent(*problem, single_root)
    value = higher_order.tree_value(heads, *problem)
    changed = [np.where(np.arange(13) == modifier, head, heads) for modifier in range(1, 13) for head in range(13)]
    others = [other for other in changed if oracle.is_tree(other, single_root) and oracle.is_projective(other)]
    assert len(others) > 24  # 12 of them the tree itself
    assert max(higher_order.tree_value(other, *problem) for other in others) <= value + 1e-9


def test_ignores_what_is_no_part():
    rng = np.random.default_rng(5)
    scores, siblings, grandparents = (rng.normal(size=(8,) * rank) for rank in (2, 3, 3))
    expected = eisner_grandparent(scores, siblings, grandparents)
    g, h, m = np.ogrid[:8, :8, :8]
    chain = (h > 0) & (m > 0) & (h != m) & ((g < np.minimum(h, m)) | (g > np.maximum(h, m)))
    for junk in (np.nan, np.inf, -np.inf, 1e9):
        found = eisner_grandparent(scores, siblings, np.where(chain, grandparents, junk))
        np.testing.assert_array_equal(found, expected)


def test_names_or_marks_an_infeasible_sentence():
    scores = PackedScores.from_matrices([np.zeros((3, 3))] * 3)
    siblings = PackedTriples.from_arrays([np.zeros((3, 3, 3))] * 3)
    grandparents = PackedTriples.from_arrays([np.zeros((3, 3, 3))] * 3)
    grandparents[1][:] = -np.inf
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*sibling or grandparent part"):
        eisner_grandparent(scores, siblings, grandparents)
    assert eisner_grandparent(scores, siblings, grandparents, errors="mark")[1].tolist() == [-1] * 3
    assert eisner_grandparent(scores, siblings, grandparents, False)[1].tolist() == [-1, 0, 0]


def test_refuses_bad_input():
    scores, cube = np.zeros((4, 4)), np.zeros((4, 4, 4))
    with pytest.raises(ScoreShapeError, match=r"grandparent_scores must have shape \(4, 4, 4\)"):
        eisner_grandparent(scores, cube, np.zeros((3, 3, 3)))
    with pytest.raises(ScoreShapeError, match="grandparent_scores must be an array"):
        eisner_grandparent(scores, cube, None)
    with pytest.raises(ScoreShapeError, match="sibling_scores must be an array"):
        eisner_grandparent(scores, None, cube)
    for value in (np.nan, np.inf):
        bad = cube.copy()
        bad[0, 2, 1] = value
        with pytest.raises(ScoreShapeError, match=rf"grandparent_scores\[0, 2, 1\] is {value}"):
            eisner_grandparent(scores, cube, bad)
        with pytest.raises(ScoreShapeError, match=r"sibling_scores\[0, 2, 3\]"):
            bad = cube.copy()
            bad[0, 2, 3] = value
            eisner_grandparent(scores, bad, cube, errors="mark")
