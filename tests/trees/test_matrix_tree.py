"""Sums over non-projective trees against enumeration, closed forms, finite differences and each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError, NumericalError, ScoreShapeError, WorkbenchError
from core.trees.elimination import sum_one
from core.trees.log_elimination import log_sum_trees
from core.trees.matrix_tree import TreeSums, matrix_tree, matrix_tree_covariance
from core.trees.packed import PackedScores


def matrices(elements):
    """Square matrices for sentences of one to five words."""
    return st.integers(1, 5).flatmap(lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=elements))


@settings(deadline=None, max_examples=50)
@given(matrices(st.floats(-20, 20)), st.booleans())
def test_the_log_domain_agrees_with_the_direct_method(scores, single_root):
    direction = np.random.default_rng(1).normal(size=scores.shape)
    log_partition, marginals, covariance = log_sum_trees(scores, direction, single_root)
    expected_log_partition, expected = matrix_tree(scores, single_root)
    assert log_partition == pytest.approx(expected_log_partition, abs=1e-10)
    np.testing.assert_allclose(marginals, expected, atol=1e-10)
    np.testing.assert_allclose(covariance, matrix_tree_covariance(scores, direction, single_root), atol=1e-10)


@pytest.mark.parametrize("n", range(1, 9))
def test_zero_scores_count_trees(n):
    scores = np.zeros((n + 1, n + 1))
    assert matrix_tree(scores)[0] == pytest.approx((n - 1) * np.log(n))  # Cayley: n^(n-1)
    assert matrix_tree(scores, single_root=False)[0] == pytest.approx((n - 1) * np.log(n + 1))


def test_a_word_that_must_be_the_root_waits():
    scores = np.random.default_rng(3).normal(size=(9, 9))
    scores[1:, 8] = -np.inf  # the last word, first in line for elimination, has no head but the root
    log_partition, marginals = matrix_tree(scores)
    assert sum_one(scores, True)[0] == log_partition  # without the log domain
    assert marginals[0, 8] == pytest.approx(1)
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1)
    direction = np.random.default_rng(4).normal(size=scores.shape)
    np.testing.assert_allclose(
        matrix_tree_covariance(scores, direction), log_sum_trees(scores, direction, True)[2], atol=1e-12
    )


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [2, 7, 15])
def test_marginals_are_the_gradient_of_the_log_partition(n, single_root):
    rng = np.random.default_rng(n)
    scores, direction = rng.normal(size=(2, n + 1, n + 1))
    step = 1e-5
    above, marginals_above = matrix_tree(scores + step * direction, single_root)
    below, marginals_below = matrix_tree(scores - step * direction, single_root)
    marginals = matrix_tree(scores, single_root)[1]
    assert (marginals * direction).sum() == pytest.approx((above - below) / (2 * step), abs=1e-6)
    np.testing.assert_allclose(
        matrix_tree_covariance(scores, direction, single_root),
        (marginals_above - marginals_below) / (2 * step),
        atol=1e-6,
    )


@pytest.mark.parametrize("single_root", [False, True])
def test_invariants_of_the_covariance(single_root):
    rng = np.random.default_rng(5)
    scores, one, other = rng.normal(size=(3, 13, 13))
    first, second = (matrix_tree_covariance(scores, v, single_root) for v in (one, other))
    np.testing.assert_allclose(first.sum(axis=0), 0, atol=1e-12)
    assert (first * other).sum() == pytest.approx((second * one).sum())  # symmetric
    assert (first * one)[:, 1:].sum() > 0  # positive
    if single_root:
        assert first[0].sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("shift", [100.0, -150.0, 1e6])
def test_a_common_shift_changes_the_log_partition_only(shift):
    scores = np.random.default_rng(6).normal(size=(21, 21))
    log_partition, marginals = matrix_tree(scores)
    shifted_log_partition, shifted = matrix_tree(scores + shift)
    assert shifted_log_partition == pytest.approx(log_partition + 20 * shift, abs=1e-9, rel=1e-14)
    np.testing.assert_allclose(shifted, marginals, atol=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("scale", [1, 60])
@pytest.mark.parametrize("forbidden", [0.0, 0.5])
def test_long_sentences_agree_with_the_log_domain(single_root, scale, forbidden):
    rng = np.random.default_rng(scale)
    scores, direction = rng.normal(size=(2, 31, 31))
    scores *= scale
    scores[rng.random(scores.shape) < forbidden] = -np.inf
    log_partition, marginals, covariance = log_sum_trees(scores, direction, single_root)
    assert matrix_tree(scores, single_root)[0] == pytest.approx(log_partition, abs=1e-9)
    np.testing.assert_allclose(matrix_tree(scores, single_root)[1], marginals, atol=1e-9)
    np.testing.assert_allclose(matrix_tree_covariance(scores, direction, single_root), covariance, atol=1e-9)


@pytest.mark.parametrize("n", [10, 40, 80])
def test_the_determinant_of_the_laplacian_is_the_partition(n):
    scores = np.random.default_rng(n).normal(size=(n + 1, n + 1))
    weights = np.exp(scores)
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights[:, 1:].sum(axis=0)) - weights[1:, 1:]
    assert matrix_tree(scores, single_root=False)[0] == pytest.approx(np.linalg.slogdet(laplacian)[1], abs=1e-9)
    inverse = np.linalg.inv(laplacian)
    np.testing.assert_allclose(
        matrix_tree(scores, single_root=False)[1][0, 1:], weights[0, 1:] * np.diag(inverse), atol=1e-12
    )


def test_the_direction_of_a_forbidden_arc_is_not_looked_at():
    scores, direction = np.random.default_rng(7).normal(size=(2, 5, 5))
    scores[1, 2], direction[1, 2] = -np.inf, np.inf
    assert np.isfinite(matrix_tree_covariance(scores, direction)).all()


def corpus(seed=8):
    rng = np.random.default_rng(seed)
    sentences = [rng.normal(size=(n + 1, n + 1)) * 3 for n in (3, 1, 8, 20, 2, 5)]
    sentences[2][1:, 8] = -np.inf
    sentences[4][:] = [[0, -1000, 1000], [0, 0, -1000], [0, -1000, 0]]
    return sentences, [rng.normal(size=matrix.shape) for matrix in sentences]


def test_sums_can_be_updated():
    sentences, directions = corpus()
    packed, along = PackedScores.from_matrices(sentences), PackedScores.from_matrices(directions)
    sums = TreeSums(packed.like(np.zeros_like(packed.values)))
    out = packed.like(np.empty_like(packed.values))
    assert sums.update(packed).covariance(along, out=out) is out
    np.testing.assert_array_equal(out.values, matrix_tree_covariance(packed, along).values)
    np.testing.assert_array_equal(sums.log_partitions, matrix_tree(packed)[0])


def test_an_infeasible_sentence_is_named_or_marked():
    sentences, directions = corpus()
    sentences[3][:, 4] = -np.inf
    packed, along = PackedScores.from_matrices(sentences), PackedScores.from_matrices(directions)
    with pytest.raises(InfeasibleError, match=r"sentence 3: .*every head of word 4 is forbidden"):
        matrix_tree(packed)
    log_partitions, marginals = matrix_tree(packed, errors="mark")
    covariance = matrix_tree_covariance(packed, along, errors="mark")
    assert log_partitions[3] == -np.inf and np.isfinite(np.delete(log_partitions, 3)).all()
    assert not marginals[3].any() and not covariance[3].any() and covariance[5].any()
    assert matrix_tree(sentences[3], errors="mark")[0] == -np.inf
    assert not matrix_tree_covariance(sentences[3], directions[3], errors="mark").any()
    with pytest.raises(InfeasibleError, match="every head of word 4 is forbidden"):
        matrix_tree_covariance(sentences[3], directions[3])


def test_bad_input_is_refused_by_name():
    scores = np.zeros((4, 4))
    bad = scores.copy()
    bad[2, 3] = np.nan
    with pytest.raises(ScoreShapeError, match=r"scores\[2, 3\] is nan"):
        matrix_tree(bad)
    bad[2, 3] = np.inf
    with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[2, 3\] is inf"):
        matrix_tree(PackedScores.from_matrices([scores, bad]))
    with pytest.raises(ScoreShapeError, match=r"n >= 1, got \(1, 1\)"):
        matrix_tree(np.zeros((1, 1)))
    with pytest.raises(ScoreShapeError, match=r"direction must have the shape of the scores, \(4, 4\), got \(3, 3\)"):
        matrix_tree_covariance(scores, np.zeros((3, 3)))
    with pytest.raises(ScoreShapeError, match=r"direction\[2, 3\] is inf"):
        matrix_tree_covariance(scores, bad)
    packed = PackedScores.from_matrices([scores, scores])
    with pytest.raises(ScoreShapeError, match=r"sentence 1: direction\[2, 3\] is inf"):
        matrix_tree_covariance(packed, PackedScores.from_matrices([scores, bad]))
    with pytest.raises(ScoreShapeError, match="direction must be packed like the scores"):
        matrix_tree_covariance(packed, PackedScores.from_matrices([scores]))
    with pytest.raises(WorkbenchError, match='errors must be "raise" or "mark"'):
        matrix_tree(scores, errors="ignore")
    with pytest.raises(NumericalError, match="keep=True"):
        TreeSums(packed, keep=False).covariance(packed)
    with pytest.raises(NumericalError, match="overflows"):
        matrix_tree_covariance(np.eye(4) + scores, np.arange(16).reshape(4, 4) * 1e307)
