"""The projective decoder against the list of all trees, a textbook chart, and itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import PackedScores, eisner, tree_exists
from tests.oracles import projective
from tests.oracles import trees as oracle

elements = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, -np.inf]),  # ties and forbidden arcs
    st.floats(-30, 30),
    st.sampled_from([-1000.0, 1000.0, 999.5]),
)
score_matrices = st.integers(1, 5).flatmap(lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=elements))


@settings(deadline=None, max_examples=200)
@given(score_matrices, st.booleans())
def test_matches_enumeration(scores, single_root):
    value, _ = oracle.best_tree(scores, single_root, projective=True)
    before = scores.copy()
    if value == -np.inf:
        with pytest.raises(InfeasibleError):
            eisner(scores, single_root)
        assert (eisner(scores, single_root, errors="mark") == -1).all()
        return
    heads = eisner(scores, single_root)
    assert heads.dtype == np.int32
    assert heads[0] == -1
    assert oracle.is_tree(heads, single_root)
    assert oracle.is_projective(heads)
    assert oracle.tree_score(scores, heads) == pytest.approx(value, abs=1e-9)
    np.testing.assert_array_equal(scores, before)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 40])
def test_matches_the_textbook_chart(n, single_root):
    rng = np.random.default_rng(n)
    for forbidden in (0.0, 0.3):
        scores = rng.normal(size=(n + 1, n + 1))
        scores[rng.random(scores.shape) < forbidden] = -np.inf
        if not tree_exists(scores, single_root, projective=True):
            continue
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


def test_ignores_the_diagonal_and_column_0():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(8, 8))
    expected = eisner(scores)
    scores[:, 0] = np.nan
    np.fill_diagonal(scores, np.inf)
    np.testing.assert_array_equal(eisner(scores), expected)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_corpus_decodes_like_its_sentences(threads):
    rng = np.random.default_rng(3)
    matrices = [rng.normal(size=(n + 1, n + 1)) for n in (1, 12, 3, 30, 2, 8)]
    packed = eisner(PackedScores.from_matrices(matrices), threads=threads)
    assert len(packed) == 6
    for index, matrix in enumerate(matrices):
        np.testing.assert_array_equal(packed[index], eisner(matrix))
    assert len(eisner(PackedScores.from_matrices([]))) == 0


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


def test_refuses_bad_input():
    with pytest.raises(ScoreShapeError, match="n >= 1"):
        eisner(np.zeros((1, 1)))
    with pytest.raises(ScoreShapeError, match=r"scores\[0, 1\] is nan"):
        eisner(np.array([[0.0, np.nan], [0.0, 0.0]]))
    with pytest.raises(WorkbenchError, match="errors must be"):
        eisner(np.zeros((2, 2)), errors="ignore")
