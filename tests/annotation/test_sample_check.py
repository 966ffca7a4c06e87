"""Accuracy from a sample: what the interval is where it can be worked out, and that it holds what it promises."""

import numpy as np
import pytest
from scipy.stats import binomtest

from core.annotation.sample_check import draw_sample
from core.errors import WorkbenchError
from core.evaluation.estimates import estimate


def test_sentences_of_one_word_give_the_exact_binomial_interval():
    right = [1] * 30 + [0] * 10
    found = estimate(right, [1] * 40)
    exact = binomtest(30, 40).proportion_ci(0.95, "exact")
    assert found.share == pytest.approx(75.0)
    assert found.effective == pytest.approx(39)  # n - 1, of the variance's n / (n - 1)
    assert (found.low, found.high) == pytest.approx((100 * exact.low, 100 * exact.high), abs=0.4)


def test_errors_that_crowd_make_it_wider():
    spread = estimate([9] * 20, [10] * 20, population=1000)
    mixed = estimate([10, 8] * 10, [10] * 20, population=1000)
    crowded = estimate([10] * 18 + [0] * 2, [10] * 20, population=1000)
    assert spread.share == mixed.share == crowded.share == pytest.approx(90)
    assert crowded.high - crowded.low > mixed.high - mixed.low
    assert crowded.effective < 200


def test_all_right_is_not_certain():
    found = estimate([10] * 20, [10] * 20)
    assert found.share == found.high == 100
    assert 80 < found.low < 90  # as of 20 of 20: 83.2
    assert estimate([0] * 20, [10] * 20).low == 0


def test_the_whole_text_is_no_estimate():
    found = estimate([5, 6], [10, 10], population=2)
    assert found.low == found.share == found.high == pytest.approx(55)


def test_it_covers_as_often_as_it_says():
    random = np.random.default_rng(11)
    words = random.integers(3, 40, size=3000)
    skill = random.beta(8, 2, size=3000)
    right = random.binomial(words, skill)
    truth = 100 * right.sum() / words.sum()
    covered = 0
    for seed in range(400):
        chosen = list(draw_sample(3000, 20, seed))
        found = estimate(right[chosen], words[chosen], population=3000)
        covered += found.low <= truth <= found.high
    assert covered / 400 > 0.92  # 0.95 less three standard errors of 400 draws


def test_a_draw_is_repeatable_and_without_repeats():
    assert draw_sample(100, 20, 3) == draw_sample(100, 20, 3) != draw_sample(100, 20, 4)
    assert len(set(draw_sample(100, 20, 3))) == 20
    with pytest.raises(WorkbenchError, match="cannot draw 20 of 7"):
        draw_sample(7, 20, 0)
    with pytest.raises(WorkbenchError, match="two corrected sentences"):
        estimate([3, 0], [4, 0])
