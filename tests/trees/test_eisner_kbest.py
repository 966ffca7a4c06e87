"""The k best trees against the full sorted list, at every order."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import PackedScores, PackedTriples, eisner, eisner_grandparent, eisner_kbest, eisner_sibling
from tests.oracles import higher_order, projective
from tests.oracles import trees as oracle
from tests.trees.problems import problems

drawn = st.one_of(*[problems(True, *wanted) for wanted in product([False, True], repeat=2)])


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


@settings(deadline=None, max_examples=200)
@given(drawn, st.booleans(), st.sampled_from([1, 2, 5, 16, 1000]))
def test_matches_the_sorted_list(problem, single_root, k):
    expected = higher_order.best_values(k, *problem, single_root=single_root)
    before = [None if array is None else array.copy() for array in problem]
    if len(expected) == 0:
        with pytest.raises(InfeasibleError):
            kbest(problem, k, single_root)
        heads, values = kbest(problem, k, single_root, errors="mark")
        assert heads.shape == (0, len(problem[0]))
        assert values.shape == (0,)
        return
    heads, values = kbest(problem, k, single_root)
    np.testing.assert_allclose(values, expected, atol=1e-9)
    require_distinct_trees(heads, values, problem, single_root)
    np.testing.assert_array_equal(heads[0], decoded(problem, single_root))
    for array, copy in zip(problem, before, strict=True):
        np.testing.assert_array_equal(array, copy)


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
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_corpus_is_like_its_sentences(threads, order):
    rng = np.random.default_rng(order)
    sides = (2, 13, 4, 31, 3, 9)
    problems = [[rng.normal(size=(side,) * rank) for rank in (2, 3, 3)] for side in sides]
    scores, *cubes = zip(*problems, strict=True)
    packed = [PackedTriples.from_arrays(cube) for cube in cubes[: order - 1]]
    found = eisner_kbest(PackedScores.from_matrices(scores), 16, *packed, threads=threads)
    assert len(found) == len(sides)
    for index, problem in enumerate(problems):
        heads, values = eisner_kbest(problem[0], 16, *problem[1:order])
        np.testing.assert_array_equal(found[index][0], heads)
        np.testing.assert_array_equal(found[index][1], values)
        assert found.counts[index] == len(values)
        assert (found.values[index, len(values) :] == -np.inf).all()
    assert len(eisner_kbest(PackedScores.from_matrices([]), 3)) == 0
    with pytest.raises(IndexError, match="sentence 6 of 6"):
        found[6]


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
