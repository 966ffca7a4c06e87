"""Sign test and bootstrap against counts by hand."""

from math import comb

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.evaluation import error_reduction, paired_bootstrap, sign_test
from core.evaluation.significance import binomial_p_value
from core.treebank import Treebank, load_sample


def bank(*heads, tags=None):
    rows = [{"forms": [f"w{k}" for k in range(len(row))], "heads": row} for row in heads]
    for row, own in zip(rows, tags or [None] * len(rows), strict=True):
        if own:
            row["xpos"] = own
    return Treebank.from_sentences(rows)


GOLD = bank([2, 0, 2], [0, 1, 2], [2, 0])
ONE = bank([2, 0, 1], [0, 1, 1], [2, 0])
TWO = bank([2, 0, 2], [0, 1, 2], [0, 1])


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (3, 3), (9, 1), (0, 12), (40, 61)])
def test_p_values_are_sums_of_binomials(wins, losses):
    total, least = wins + losses, min(wins, losses)
    tail = sum(comb(total, k) for k in range(least + 1)) / 2**total
    assert binomial_p_value(wins, losses) == pytest.approx(min(1.0, 2 * tail))


def test_words_that_only_one_system_has_right_decide():
    found = sign_test(GOLD, ONE, TWO)
    assert (found.words, found.only_first, found.only_second, found.p_value) == (8, 2, 2, 1.0)
    assert not found.significant
    clear = sign_test(*(bank(*[heads] * 6) for heads in ([2, 0], [0, 1], [2, 0])))
    assert (clear.only_first, clear.only_second, clear.p_value) == (0, 12, 2 / 2**12) and clear.significant


def test_tags_are_compared_by_name():
    gold = bank([2, 0], tags=[["A", "B"]])
    one, two = bank([2, 0], tags=[["B", "B"]]), bank([2, 0], tags=[["A", "C"]])
    found = sign_test(gold, one, two, column="xpos")
    assert (found.words, found.only_first, found.only_second) == (2, 1, 1)
    with pytest.raises(WorkbenchError, match="columns to compare are upos, xpos and deprel"):
        sign_test(gold, one, two, column="form")


def test_punctuation_may_be_left_out():
    sample = load_sample()
    assert sign_test(sample, sample, sample, punctuation=False).words < sign_test(sample, sample, sample).words


def test_bootstrap_of_a_constant_difference_is_that_difference():
    gold, one, two = (bank(*[heads] * 4) for heads in ([2, 0, 2], [2, 0, 1], [2, 0, 2]))
    found = paired_bootstrap(gold, one, two, resamples=50)
    assert found.difference == pytest.approx(100 / 3) and found.low == found.high == pytest.approx(100 / 3)
    assert found.p_value == 0 and found.resamples == 50


def test_bootstrap_matches_all_resamples_listed():
    """Three sentences have 27 resamples; their differences bound what sampling finds."""
    found = paired_bootstrap(GOLD, ONE, TWO, resamples=4000, seed=1)
    gains, words = np.array([1, 1, -2]), np.array([3, 3, 2])
    picks = np.stack(np.meshgrid(*[range(3)] * 3), axis=-1).reshape(-1, 3)
    listed = 100 * gains[picks].sum(1) / words[picks].sum(1)
    assert found.difference == 0 and found.p_value == pytest.approx(min(1, 2 * (listed >= 0).mean()), abs=0.05)
    assert (listed.min(), listed.max()) == (found.low, pytest.approx(found.high))  # 1 and 8 of the 27, over 2.5%
    assert paired_bootstrap(GOLD, ONE, TWO, resamples=4000, seed=1) == found


def test_error_reduction():
    assert error_reduction(80.0, 85.0) == 25.0 and error_reduction(80.0, 70.0) == -50.0
    assert error_reduction(99.5, 99.75) == 50.0 and error_reduction(100.0, 90.0) is None


def test_bad_input():
    with pytest.raises(WorkbenchError, match="gold has 3 sentences and system 1"):
        sign_test(GOLD, bank([0]), TWO)
    with pytest.raises(WorkbenchError, match="at least one resample"):
        paired_bootstrap(GOLD, ONE, TWO, resamples=0)
    unknown = bank([-1, -1, -1], [-1, -1, -1], [-1, -1])
    with pytest.raises(WorkbenchError, match="no word can be scored"):
        paired_bootstrap(unknown, ONE, TWO)
