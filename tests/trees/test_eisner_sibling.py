"""The decoder with siblings against the list of all trees, the first-order decoder, and itself."""

import numpy as np
import pytest

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import PackedScores, PackedTriples, eisner, eisner_sibling
from tests.oracles import higher_order, projective
from tests.oracles import trees as oracle


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 12, 40])
def test_without_parts_it_is_the_first_order_decoder(n, single_root):
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(n + 1, n + 1))
    heads = eisner_sibling(scores, np.zeros((n + 1, n + 1, n + 1)), single_root)
    np.testing.assert_array_equal(heads, eisner(scores, single_root))
    assert oracle.tree_score(scores, heads) == pytest.approx(projective.best_value(scores, single_root))


@pytest.mark.parametrize("single_root", [False, True])
def test_a_part_that_depends_on_the_arc_alone_is_a_score(single_root):
    rng = np.random.default_rng(4)
    scores, extra = rng.normal(size=(2, 13, 13))
    siblings = np.repeat(extra[:, None, :], 13, axis=1)
    np.testing.assert_array_equal(eisner_sibling(scores, siblings, single_root), eisner(scores + extra, single_root))


@pytest.mark.parametrize("single_root", [False, True])
def test_recovers_a_tree_from_its_siblings(single_root):
    for heads in oracle.trees(5, single_root, projective=True):
        siblings = np.zeros((6, 6, 6))
        for part in higher_order.parts(heads):
            siblings[part] = 1.0
        np.testing.assert_array_equal(eisner_sibling(np.zeros((6, 6)), siblings, single_root), heads)


def test_ignores_what_is_no_part():
    rng = np.random.default_rng(5)
    scores, siblings = rng.normal(size=(9, 9)), rng.normal(size=(9, 9, 9))
    expected = eisner_sibling(scores, siblings)
    scores[:, 0] = np.nan
    np.fill_diagonal(scores, np.inf)
    h, s, m = np.ogrid[:9, :9, :9]
    part = (m > 0) & (m != h) & ((s == h) | ((np.minimum(h, m) < s) & (s < np.maximum(h, m))))
    for junk in (np.nan, np.inf, -np.inf, 1e9):
        np.testing.assert_array_equal(eisner_sibling(scores, np.where(part, siblings, junk)), expected)


def test_names_or_marks_an_infeasible_sentence():
    scores = PackedScores.from_matrices([np.zeros((3, 3))] * 3)
    siblings = PackedTriples.from_arrays([np.zeros((3, 3, 3))] * 3)
    siblings[1][:] = -np.inf
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*forbidden arc or sibling part") as caught:
        eisner_sibling(scores, siblings)
    assert caught.value.sentence == 1
    marked = eisner_sibling(scores, siblings, errors="mark")
    assert [row.tolist().count(0) for row in marked] == [1, 0, 1]
    assert marked[1].tolist() == [-1] * 3
    scores[2][:] = -np.inf
    with pytest.raises(InfeasibleError, match=r"sentence 0: .*every head of word 1 is forbidden"):
        eisner_sibling(PackedScores.from_matrices([scores[2]]), PackedTriples.from_arrays([siblings[0]]))


def test_refuses_bad_input():
    scores, siblings = np.zeros((4, 4)), np.zeros((4, 4, 4))
    with pytest.raises(ScoreShapeError, match=r"sibling_scores must have shape \(4, 4, 4\)"):
        eisner_sibling(scores, np.zeros((3, 3, 3)))
    with pytest.raises(ScoreShapeError, match="cube of numbers"):
        eisner_sibling(scores, "parts")
    with pytest.raises(ScoreShapeError, match="lower order"):
        eisner_sibling(scores, None)
    with pytest.raises(WorkbenchError, match="errors must be"):
        eisner_sibling(scores, siblings, errors="ignore")
    packed = PackedScores.from_matrices([scores])
    with pytest.raises(ScoreShapeError, match="must be a PackedTriples"):
        eisner_sibling(packed, siblings)
    with pytest.raises(ScoreShapeError, match="same sentence lengths"):
        eisner_sibling(packed, PackedTriples.from_arrays([np.zeros((3, 3, 3))]))
    with pytest.raises(ScoreShapeError, match="must hold 64 values"):
        eisner_sibling(packed, PackedTriples(np.zeros(60), np.array([0, 64])))
    with pytest.raises(ScoreShapeError, match=r"cube 1 must have shape \(n \+ 1, n \+ 1, n \+ 1\)"):
        PackedTriples.from_arrays([siblings, scores])
    with pytest.raises(IndexError, match="cube 1 of 1"):
        PackedTriples.from_arrays([siblings])[1]


@pytest.mark.parametrize("part", [(0, 0, 2), (0, 1, 2), (3, 3, 1), (3, 2, 1), (1, 1, 2), (1, 2, 3)])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_names_a_part_that_is_no_score(part, value):
    siblings = np.zeros((4, 4, 4))
    siblings[part] = value
    where = ", ".join(map(str, part))
    with pytest.raises(ScoreShapeError, match=rf"sibling_scores\[{where}\] is {value}"):
        eisner_sibling(np.zeros((4, 4)), siblings, single_root=False)
    packed = PackedTriples.from_arrays([np.zeros((4, 4, 4)), siblings])
    with pytest.raises(ScoreShapeError, match=rf"sentence 1: sibling_scores\[{where}\]"):
        eisner_sibling(PackedScores.from_matrices([np.zeros((4, 4))] * 2), packed, False, errors="mark")
