"""Sums over projective trees against the list of all trees, closed forms, finite differences and each other."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError, NumericalError, ScoreShapeError
from core.trees import PackedScores, ProjectiveSums, eisner, inside_outside, inside_outside_covariance
from core.trees.chart_sums import DualLogSum, LogSum, SumProduct, solve_range, vary_range
from tests.oracles import projective
from tests.oracles import trees as oracle


def matrices(elements):
    """Square matrices for sentences of one to five words."""
    return st.integers(1, 5).flatmap(lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=elements))


ordinary = st.one_of(st.floats(-30, 30), st.sampled_from([0.0, 1.0, -np.inf]))


@settings(deadline=None, max_examples=60)
@given(matrices(ordinary), st.booleans())
def test_logarithms_match_enumeration(scores, single_root):
    expected_log_partition, expected = oracle.partition(scores, single_root, projective=True)
    log_partition, marginals, covariance = in_logarithms(scores, np.cos(np.arange(scores.size)), single_root)
    assert log_partition == pytest.approx(expected_log_partition, abs=1e-9)
    np.testing.assert_allclose(marginals, expected, atol=1e-9)
    if expected_log_partition > -np.inf:
        direction = np.cos(np.arange(scores.size)).reshape(scores.shape)
        expected_covariance = oracle.covariance(scores, direction, single_root, projective=True)
        np.testing.assert_allclose(covariance, expected_covariance, atol=1e-9)


def in_logarithms(scores, direction, single_root=True):
    """(log-partition, marginals, covariance) by the fallback alone."""
    totals, offsets = np.empty(1), np.array([0, scores.size])
    marginals, covariance = np.empty((2, scores.size))
    values, along = np.ascontiguousarray(scores).reshape(-1), np.ascontiguousarray(direction).reshape(-1)
    vary_range(values, along, offsets, 0, 1, DualLogSum(), single_root, (totals, marginals, covariance))
    again = np.empty(scores.size)
    log_partition = totals[0]
    solve_range(values, offsets, 0, 1, LogSum(), single_root, totals, again)
    assert totals[0] == log_partition
    np.testing.assert_allclose(again, marginals, atol=1e-12)
    return log_partition, marginals.reshape(scores.shape), covariance.reshape(scores.shape)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", range(1, 10))
def test_zero_scores_count_trees(n, single_root):
    log_partition, _ = inside_outside(np.zeros((n + 1, n + 1)), single_root)
    assert log_partition == pytest.approx(np.log(projective.count_trees(n, single_root)))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [7, 13])
def test_logarithms_and_weights_agree_on_longer_sentences(n, single_root):
    rng = np.random.default_rng(n)
    scores, direction = rng.normal(size=(2, n + 1, n + 1)) * 3
    scores[rng.random(scores.shape) < 0.2] = -np.inf
    log_partition, marginals = inside_outside(scores, single_root)
    expected_log_partition, expected, expected_covariance = in_logarithms(scores, direction, single_root)
    assert log_partition == pytest.approx(expected_log_partition, abs=1e-9)
    np.testing.assert_allclose(marginals, expected, atol=1e-10)
    covariance = inside_outside_covariance(scores, direction, single_root)
    np.testing.assert_allclose(covariance, expected_covariance, atol=1e-9)


def test_marginals_are_the_gradient_of_the_log_partition():
    scores, direction = np.random.default_rng(2).normal(size=(2, 9, 9))
    _, marginals = inside_outside(scores)
    step = 1e-5
    above, _ = inside_outside(scores + step * direction)
    below, _ = inside_outside(scores - step * direction)
    assert (above - below) / (2 * step) == pytest.approx((marginals * direction).sum(), abs=1e-8)


@pytest.mark.parametrize("single_root", [False, True])
def test_covariance_is_the_derivative_of_the_marginals(single_root):
    rng = np.random.default_rng(4)
    scores, direction = rng.normal(size=(2, 11, 11))
    scores[rng.random(scores.shape) < 0.2] = -np.inf
    covariance = inside_outside_covariance(scores, direction, single_root)
    step = 1e-5
    _, above = inside_outside(scores + step * direction, single_root)
    _, below = inside_outside(scores - step * direction, single_root)
    np.testing.assert_allclose(covariance, (above - below) / (2 * step), atol=1e-8)
    np.testing.assert_allclose(covariance.sum(axis=0), 0.0, atol=1e-12)
    if single_root:
        assert covariance[0].sum() == pytest.approx(0.0, abs=1e-12)


def test_covariance_is_symmetric_and_positive():
    rng = np.random.default_rng(6)
    scores, one, other = rng.normal(size=(3, 9, 9))
    of_one, of_other = inside_outside_covariance(scores, one), inside_outside_covariance(scores, other)
    assert (other * of_one).sum() == pytest.approx((one * of_other).sum(), abs=1e-12)
    assert (one * of_one).sum() > 0
    np.testing.assert_allclose(inside_outside_covariance(scores, 1e200 * one), 1e200 * of_one, rtol=1e-9, atol=1e185)
    assert not inside_outside_covariance(scores, np.zeros((9, 9))).any()


def test_covariance_looks_at_allowed_arcs_only():
    scores, direction = np.random.default_rng(7).normal(size=(2, 5, 5))
    scores[2, 3] = -np.inf
    expected = inside_outside_covariance(scores, direction)
    for head, modifier in ((2, 3), (1, 1), (3, 0)):
        direction[head, modifier] = np.nan
    np.testing.assert_array_equal(inside_outside_covariance(scores, direction), expected)
    direction[0, 4] = np.inf
    with pytest.raises(ScoreShapeError, match=r"direction\[0, 4\] is inf"):
        inside_outside_covariance(scores, direction)
    with pytest.raises(ScoreShapeError, match="shape of the scores"):
        inside_outside_covariance(scores, direction[:4, :4])


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
    direct = np.empty(1)
    offsets = np.array([0, scores.size])
    solve_range(scores.reshape(-1), offsets, 0, 1, SumProduct(), False, direct, np.empty(scores.size))
    assert np.isnan(direct[0])
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
    sums = ProjectiveSums(packed, threads=threads)
    log_partitions, marginals = inside_outside(packed)
    np.testing.assert_array_equal(sums.log_partitions, log_partitions)
    np.testing.assert_array_equal(sums.marginals.values, marginals.values)
    np.testing.assert_array_equal(sums.covariance(along).values, inside_outside_covariance(packed, along).values)
    assert sums.update(packed.like(packed.values * 0.5)) is sums
    assert sums.log_partitions[0] == inside_outside(scores[0] * 0.5)[0]


def test_names_or_marks_an_infeasible_sentence():
    scores = np.zeros((3, 3))
    scores[:, 2] = -np.inf
    packed = PackedScores.from_matrices([np.zeros((4, 4)), scores, np.zeros((2, 2))])
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*every head of word 2 is forbidden") as caught:
        inside_outside(packed)
    assert caught.value.sentence == 1
    with pytest.raises(InfeasibleError, match="every head of word 2 is forbidden"):
        inside_outside(scores)
    log_partitions, marginals = inside_outside(packed, errors="mark")
    assert log_partitions[1] == -np.inf
    assert not marginals[1].any()
    assert log_partitions[0] == pytest.approx(np.log(7))
    assert not inside_outside_covariance(packed, packed.like(np.ones(29)), errors="mark")[1].any()


def test_names_bad_input():
    bad = PackedScores.from_matrices([np.zeros((2, 2)), np.full((2, 2), np.nan)])
    with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[0, 1\] is nan"):
        inside_outside(bad)
    good = PackedScores.from_matrices([np.zeros((2, 2)), np.zeros((2, 2))])
    with pytest.raises(ScoreShapeError, match=r"sentence 1: direction\[0, 1\] is nan"):
        inside_outside_covariance(good, bad)
    with pytest.raises(NumericalError, match="sentence 1: the marginals fail their own check"):
        inside_outside(PackedScores.from_matrices([np.zeros((2, 2)), overflowing()]))


def overflowing():
    """Scores whose sum over a tree is beyond the largest float."""
    return np.full((4, 4), 1.5e308)
