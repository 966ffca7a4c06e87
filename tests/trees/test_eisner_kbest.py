"""The k best trees against the full sorted list, at every order."""

import numpy as np
import pytest

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import PackedScores, eisner, eisner_grandparent, eisner_kbest, eisner_sibling
from tests.oracles import higher_order, projective
from tests.oracles import trees as oracle


def kbest(problem, k, *options, **named):
    scores, siblings, grandparents = problem
    return eisner_kbest(scores, k, siblings, grandparents, *options, **named)


def decoded(problem, single_root):
    """The tree of the decoder of the same order."""
    scores, siblings, grandparents = problem
    if grandparents is not None:
        siblings = np.zeros_like(grandparents) if siblings is None else siblings
        return eisner_grandparent(scores, siblings, grandparents, single_root)
    return eisner(scores, single_root) if siblings is None else eisner_sibling(scores, siblings, single_root)


def require_distinct_trees(heads, values, problem, single_root):
    assert heads.dtype == np.int32
    assert heads.shape[0] == len(values) == len({tuple(row) for row in heads.tolist()})
    assert (np.diff(values) <= 1e-12).all()
    for row, value in zip(heads, values, strict=True):
        assert row[0] == -1
        assert oracle.is_tree(row, single_root)
        assert oracle.is_projective(row)
        assert higher_order.tree_value(row, *problem) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", range(1, 8))
def test_lists_every_tree_there_is(n, single_root):
    """More than there are: the closed form says how many, ties or not."""
    for scores in (np.zeros((n + 1, n + 1)), np.random.default_rng(n).normal(size=(n + 1, n + 1))):
        heads, values = eisner_kbest(scores, 8000, single_root=single_root)
        assert len(heads) == projective.count_trees(n, single_root)
        require_distinct_trees(heads[:300], values[:300], (scores, None, None), single_root)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("n", [12, 25])
def test_a_longer_list_begins_with_the_shorter(n, order, single_root):
    rng = np.random.default_rng(n)
    problem = [rng.normal(size=(n + 1,) * rank) if rank <= order + 1 else None for rank in (2, 3)]
    problem.append(rng.normal(size=(n + 1,) * 3) if order == 3 else None)
    heads, values = kbest(problem, 60, single_root)
    require_distinct_trees(heads, values, problem, single_root)
    np.testing.assert_array_equal(heads[0], decoded(problem, single_root))
    for k in (1, 16):
        fewer, their_values = kbest(problem, k, single_root)
        np.testing.assert_array_equal(fewer, heads[:k])
        np.testing.assert_array_equal(their_values, values[:k])


@pytest.mark.parametrize("single_root", [False, True])
def test_orders_agree_where_parts_are_zero(single_root):
    rng = np.random.default_rng(2)
    scores, nothing = rng.normal(size=(13, 13)), np.zeros((13, 13, 13))
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    heads, values = eisner_kbest(scores, 40, single_root=single_root)
    for cubes in ((nothing, None), (None, nothing), (nothing, nothing)):
        other_heads, other_values = eisner_kbest(scores, 40, *cubes, single_root=single_root)
        np.testing.assert_allclose(other_values, values)
        np.testing.assert_array_equal(other_heads, heads)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("single_root", [False, True])
def test_the_first_is_the_decoders_tree_among_ties_too(order, single_root):
    rng = np.random.default_rng(order)
    for side in (3, 5, 6, 9) * 5:
        problem = [rng.integers(-1, 2, (side,) * rank).astype(float) for rank in (2, 3, 3)[:order]]
        problem += [None] * (3 - order)
        problem[0][rng.random((side, side)) < 0.2] = -np.inf
        problem[0][np.arange(side - 1), np.arange(1, side)] = 0.0  # a chain always remains
        np.testing.assert_array_equal(kbest(problem, 5, single_root)[0][0], decoded(problem, single_root))


def test_the_lists_of_a_corpus_end_in_nothing():
    found = eisner_kbest(PackedScores.from_matrices([np.zeros((side, side)) for side in (2, 5, 3)]), 16)
    assert found.counts.tolist() == [1, 16, 2]
    assert [(values == -np.inf).sum() for values in found.values] == [15, 0, 14]
    with pytest.raises(IndexError, match="sentence 3 of 3"):
        found[3]


def test_names_or_marks_an_infeasible_sentence():
    scores = PackedScores.from_matrices([np.zeros((3, 3)), np.full((3, 3), -np.inf), np.zeros((3, 3))])
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*every head of word 1 is forbidden") as caught:
        eisner_kbest(scores, 4)
    assert caught.value.sentence == 1
    assert eisner_kbest(scores, 4, errors="mark").counts.tolist() == [2, 0, 2]


def test_refuses_bad_input():
    for k in (0, -1, 2.5, "4", 1 << 20):
        with pytest.raises(WorkbenchError, match="k must be a whole number from 1 to"):
            eisner_kbest(np.zeros((3, 3)), k)
    assert len(eisner_kbest(np.zeros((3, 3)), np.int32(2))[1]) == 2
    with pytest.raises(ScoreShapeError, match=r"scores\[0, 1\] is nan"):
        eisner_kbest(np.full((3, 3), np.nan), 2)
    for name in ("sibling_scores", "grandparent_scores"):
        cube = np.zeros((4, 4, 4))
        cube[1, 2, 3] = np.inf
        with pytest.raises(ScoreShapeError, match=rf"{name}\[1, 2, 3\] is inf"):
            eisner_kbest(np.zeros((4, 4)), 2, **{name: cube}, errors="mark")
