"""Sums over non-projective trees against closed forms, finite differences and each other."""

import numpy as np
import pytest

from core.errors import NumericalError, ScoreShapeError
from core.trees.elimination import sum_one
from core.trees.log_elimination import log_sum_trees
from core.trees.matrix_tree import TreeSums, matrix_tree, matrix_tree_covariance
from core.trees.packed import PackedScores


@pytest.mark.parametrize("n", range(1, 9))
def test_zero_scores_count_trees(n):
    scores = np.zeros((n + 1, n + 1))
    assert matrix_tree(scores)[0] == pytest.approx((n - 1) * np.log(n))  # Cayley: n^(n-1)
    assert matrix_tree(scores, single_root=False)[0] == pytest.approx((n - 1) * np.log(n + 1))


def test_a_word_that_must_be_the_root_waits():
    scores = np.random.default_rng(3).normal(size=(9, 9))
    scores[1:, 8] = -np.inf  # the last word, first in line for elimination, has no head but the root
    log_partition, marginals = sum_one(scores, True)  # without the log domain, to which NaN would lead
    expected, expected_marginals, _ = log_sum_trees(scores, np.zeros_like(scores), True)
    assert log_partition == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(marginals, expected_marginals, atol=1e-12)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [2, 15])
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


@pytest.mark.parametrize("n", [10, 80])
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


def test_sums_can_be_updated():
    rng = np.random.default_rng(8)
    sentences = [rng.normal(size=(n + 1, n + 1)) * 3 for n in (3, 1, 8, 20, 2, 5)]
    sentences[2][1:, 8] = -np.inf
    sentences[4][:] = [[0, -1000, 1000], [0, 0, -1000], [0, -1000, 0]]
    packed = PackedScores.from_matrices(sentences)
    along = packed.like(rng.normal(size=packed.values.shape))
    sums = TreeSums(packed.like(np.zeros_like(packed.values)))
    out = packed.like(np.empty_like(packed.values))
    assert sums.update(packed).covariance(along, out=out) is out
    np.testing.assert_array_equal(out.values, matrix_tree_covariance(packed, along).values)
    np.testing.assert_array_equal(sums.log_partitions, matrix_tree(packed)[0])


def test_bad_input_is_refused_by_name():
    scores = np.zeros((4, 4))
    packed, bad = PackedScores.from_matrices([scores, scores]), PackedScores.from_matrices([scores, scores])
    bad[1][2, 3] = np.inf
    with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[2, 3\] is inf"):
        matrix_tree(bad)
    with pytest.raises(ScoreShapeError, match=r"sentence 1: direction\[2, 3\] is inf"):
        matrix_tree_covariance(packed, bad)
    with pytest.raises(ScoreShapeError, match="direction must be packed like the scores"):
        matrix_tree_covariance(packed, PackedScores.from_matrices([scores]))
    with pytest.raises(NumericalError, match="keep=True"):
        TreeSums(packed, keep=False).covariance(packed)
    with pytest.raises(NumericalError, match="overflows"):
        matrix_tree_covariance(np.eye(4) + scores, np.arange(16).reshape(4, 4) * 1e307)
