"""Sums over projective trees against closed forms, finite differences and each other."""

import numba
import numpy as np
import pytest

from core.errors import NumericalError, ScoreShapeError
from core.parsers.crf.distribution import TreeDistribution
from core.trees import PackedScores, eisner, inside_outside, inside_outside_covariance
from tests.oracles import projective


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", range(1, 10))
def test_zero_scores_count_trees(n, single_root):
    log_partition, _ = inside_outside(np.zeros((n + 1, n + 1)), single_root)
    assert log_partition == pytest.approx(np.log(projective.count_trees(n, single_root)))


@pytest.mark.parametrize("single_root", [False, True])
def test_marginals_and_covariance_are_derivatives(single_root):
    rng = np.random.default_rng(4)
    scores, direction = rng.normal(size=(2, 11, 11))
    scores[rng.random(scores.shape) < 0.2] = -np.inf
    covariance = inside_outside_covariance(scores, direction, single_root)
    step = 1e-5
    higher, above = inside_outside(scores + step * direction, single_root)
    lower, below = inside_outside(scores - step * direction, single_root)
    marginals = inside_outside(scores, single_root)[1]
    assert (higher - lower) / (2 * step) == pytest.approx((marginals * direction).sum(), abs=1e-8)
    np.testing.assert_allclose(covariance, (above - below) / (2 * step), atol=1e-8)
    np.testing.assert_allclose(covariance.sum(axis=0), 0.0, atol=1e-12)
    if single_root:
        assert covariance[0].sum() == pytest.approx(0.0, abs=1e-12)


def test_covariance_is_linear_in_the_direction():
    scores, direction = np.random.default_rng(6).normal(size=(2, 9, 9))
    expected = 1e200 * inside_outside_covariance(scores, direction)
    np.testing.assert_allclose(inside_outside_covariance(scores, 1e200 * direction), expected, rtol=1e-9, atol=1e185)
    assert not inside_outside_covariance(scores, np.zeros((9, 9))).any()


@pytest.mark.parametrize("single_root", [False, True])
def test_low_temperature_marginals_are_the_best_tree(single_root):
    scores = np.random.default_rng(8).normal(size=(41, 41))
    heads = eisner(scores, single_root)
    log_partition, marginals = inside_outside(scores * 1e5, single_root)
    np.testing.assert_allclose(marginals[heads[1:], np.arange(1, 41)], 1.0, atol=1e-9)
    assert log_partition == pytest.approx(1e5 * projective.best_value(scores, single_root), rel=1e-9)


@pytest.mark.parametrize("common", [-1e6, 1000.0, 1e6])
def test_a_common_shift_moves_only_the_log_partition(common):
    scores = np.random.default_rng(9).normal(size=(21, 21))
    log_partition, marginals = inside_outside(scores)
    shifted, same = inside_outside(scores + common)
    assert shifted == pytest.approx(log_partition + 20 * common, rel=1e-13, abs=1e-9)
    np.testing.assert_allclose(same, marginals, atol=1e-8)


def test_underflow_is_noticed_and_mended():
    n = 12
    scores = np.full((n + 1, n + 1), -np.inf)
    scores[np.arange(n), np.arange(1, n + 1)] = -100.0  # the chain is the only projective tree ...
    scores[2, 1] = scores[3, 2] = 0.0  # ... and crossing or circular arcs score better
    scores[12, 3:12] = 0.0
    log_partition, marginals = inside_outside(scores, single_root=False)
    assert log_partition == pytest.approx(-1200.0, abs=1e-9)
    assert marginals[1, 2] == pytest.approx(1.0)


@pytest.mark.parametrize("length", [120, 300])
def test_long_sentences_with_flat_scores(length):
    if length > 150 and numba.config.DISABLE_JIT:
        pytest.skip("takes a minute without the compiler")
    log_partition, marginals = inside_outside(np.zeros((length + 1, length + 1)))
    count = projective.count_trees(length)
    assert log_partition == pytest.approx(np.log(float(count >> 64)) + 64 * np.log(2.0), abs=1e-9)
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1.0, atol=1e-12)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_sums_can_be_updated(threads):
    rng = np.random.default_rng(10)
    scores = [rng.normal(size=(n + 1, n + 1)) for n in (1, 6, 3, 14, 2, 5)]
    scores[2] *= 1000.0  # mended in logarithms
    packed = PackedScores.from_matrices(scores)
    along = packed.like(rng.normal(size=len(packed.values)))
    sums = TreeDistribution(projective=True).sums(packed, threads)
    log_partitions, marginals = inside_outside(packed)
    np.testing.assert_array_equal(sums.log_partitions, log_partitions)
    np.testing.assert_array_equal(sums.marginals.values, marginals.values)
    np.testing.assert_array_equal(sums.covariance(along).values, inside_outside_covariance(packed, along).values)
    assert sums.update(packed.like(packed.values * 0.5)) is sums
    assert sums.log_partitions[0] == inside_outside(scores[0] * 0.5)[0]


def test_what_fails_its_own_check_is_named():
    overflowing = np.full((4, 4), 1.5e308)  # whose sum over a tree is beyond the largest float
    with pytest.raises(NumericalError, match="sentence 1: the marginals fail their own check"):
        inside_outside(PackedScores.from_matrices([np.zeros((2, 2)), overflowing]))
    packed, bad = (PackedScores.from_matrices([np.zeros((2, 2)), np.full((2, 2), value)]) for value in (0.0, np.nan))
    with pytest.raises(ScoreShapeError, match=r"sentence 1: direction\[0, 1\] is nan"):
        inside_outside_covariance(packed, bad)
