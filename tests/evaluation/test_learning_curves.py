"""Curves fitted to points: known laws come back, intervals hold what they should, and what is not known is said."""

import math
from itertools import product

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.evaluation import AccuracyCurve, NotKnown, fit_curve, learning_curves

SIZES = np.array([10.0, 25, 50, 100, 250, 500])
LAWS = [(88.0, 60.0, 0.45), (100.0, 90.0, 0.2), (71.5, 200.0, 1.4)]


def law(sizes, a, b, c):
    return a - b * np.asarray(sizes, float) ** -c


def exact(a, b, c, sizes=SIZES):
    return AccuracyCurve(sizes, law(sizes, a, b, c)[:, None])


def noisy(seed, draws, shared=0.0, sizes=SIZES, of=LAWS[0], ends=(1.2, 0.5)):
    """Points of a law: draws differ by ``ends`` at the first and last size, and by ``shared`` as a whole."""
    random = np.random.default_rng(seed)
    own = random.normal(size=(len(sizes), draws)) * np.geomspace(*ends, len(sizes))[:, None]
    return AccuracyCurve(sizes, law(sizes, *of)[:, None] + own + shared * random.normal(size=(1, draws)))


@pytest.mark.parametrize("known", LAWS)
def test_points_of_a_law_give_it_back(known):
    found = fit_curve(exact(*known), resamples=50)
    assert (found.asymptote, found.factor, found.exponent) == pytest.approx(known, rel=1e-4)
    assert found.at(2000).value == pytest.approx(law(2000, *known), abs=1e-4)
    assert found.at(2000).high - found.at(2000).low < 1e-3
    assert found.gain(500).value == pytest.approx(law(1000, *known) - law(500, *known), abs=1e-4)
    assert found.needed(float(law(900, *known))).value == pytest.approx(900, rel=1e-3)


def test_no_exponent_and_no_bounded_line_fits_better():
    """Brute force over a fine grid of all three, within the bounds; draws that differ alike weigh alike."""
    means = law(SIZES, 97.0, 90.0, 0.3) + np.array([0.4, -0.7, 0.2, 0.5, -0.3, 0.1])
    curve = AccuracyCurve(SIZES, means[:, None] + np.array([-0.8, 0.3, 0.5]))
    found = fit_curve(curve, resamples=10)

    def misses(a, b, c):
        return float(((means - law(SIZES, a, b, c)) ** 2).sum())

    ours = misses(found.asymptote, found.factor, found.exponent)
    others = [
        misses(a, b, c)
        for c in np.linspace(0.02, 3, 60)
        for a in np.linspace(60, 100, 60)
        for b in np.linspace(0, 300, 60)
    ]
    assert found.asymptote <= 100 and found.factor >= 0 and ours <= min(others)


@pytest.mark.parametrize(
    ("draws", "shared", "ends", "method"),
    [
        (3, 0.0, (6.0, 0.3), "residuals"),
        (2, 1.0, (0.3, 0.3), "residuals"),
        (3, 0.7, (1.2, 0.5), "residuals"),
        (10, 0.7, (1.2, 0.5), "draws"),
    ],
)
def test_intervals_hold_the_law_and_the_next_draw_as_often_as_they_say(monkeypatch, draws, shared, ends, method):
    """All of an interval and the middle half of it: the latter would hold too much where it is too wide."""
    tries, asked = 60, [*product((10, 50, 500, 2000), (False, True))]
    held = {level: dict.fromkeys(asked, 0) for level in (95.0, 50.0)}
    for seed in range(tries):
        found = fit_curve(noisy(seed, draws, shared, ends=ends), seed=seed, resamples=200)
        assert found.method == method
        random = np.random.default_rng(1000 + seed)
        for size, single in asked:
            own = np.interp(size, SIZES, np.geomspace(*ends, len(SIZES)))
            true = law(size, *LAWS[0]) + random.normal() * single * math.hypot(own, shared)
            for level, counts in held.items():
                with monkeypatch.context() as patch:
                    patch.setattr(learning_curves, "LEVEL", level)
                    interval = found.at(size, single=single)
                counts[size, single] += interval.low <= true <= interval.high
    assert min(held[95.0].values()) >= 0.85 * tries  # 3.5 deviations of 60 tosses
    assert 0.28 * tries <= min(held[50.0].values()) <= max(held[50.0].values()) <= 0.72 * tries  # the same


def test_the_band_widens_beyond_the_points_and_for_a_single_draw():
    found = fit_curve(noisy(0, 3))
    low, high = found.band([100, 500, 5000, 50000])
    assert (np.diff(high - low)[1:] > 0).all()
    alone = found.band([100, 500], single=True)
    assert (alone[1] - alone[0] > (high - low)[:2]).all()
    assert [found.at(100).low, found.at(100).high] == pytest.approx([low[0], high[0]])


def test_where_large_sizes_differ_less_their_interval_is_narrower():
    turned = np.array([np.roll([-1.0, 0.0, 1.0], row) for row in range(6)])  # no draw is better throughout
    falling = np.array([6.0, 4.0, 2.0, 1.0, 0.5, 0.3])[:, None] * turned
    one, other = (
        fit_curve(AccuracyCurve(SIZES, law(SIZES, *LAWS[0])[:, None] + each)) for each in (falling, 2.3 * turned)
    )
    widths = [interval.high - interval.low for interval in (each.at(500, single=True) for each in (one, other))]
    assert 1.2 < widths[0] < 4 < 3 * widths[0] < widths[1]  # 0.3 and Student's t of 12 degrees of freedom are 1.3


def test_the_same_seed_gives_the_same_intervals():
    assert fit_curve(noisy(1, 3), seed=5).at(900) == fit_curve(noisy(1, 3), seed=5).at(900)
    assert fit_curve(noisy(1, 3), seed=5).at(900) != fit_curve(noisy(1, 3), seed=6).at(900)


def test_a_curve_that_misses_the_points_by_more_than_draws_differ_has_wider_intervals():
    smooth = np.repeat(law(SIZES, *LAWS[0])[:, None], 3, axis=1) + np.array([-0.2, 0, 0.2])
    bent = smooth + np.array([0, 2, -2, 2, -2, 0])[:, None]
    one, other = fit_curve(AccuracyCurve(SIZES, smooth)), fit_curve(AccuracyCurve(SIZES, bent))
    assert one.misfit == 1 and other.misfit > 20
    assert other.at(1000).high - other.at(1000).low > 3 * (one.at(1000).high - one.at(1000).low)


def test_sizes_that_were_not_measured_are_left_out():
    accuracies = noisy(2, 3).accuracies.copy()
    accuracies[4:] = np.nan
    accuracies[3, 1:] = np.nan
    curve = AccuracyCurve(SIZES, accuracies)
    assert curve.counts.tolist() == [3, 3, 3, 1, 0, 0]
    assert np.isnan(curve.means()[4:]).all() and np.isnan(curve.spreads()[3:]).all()
    assert curve.means()[:4] == pytest.approx(np.nanmean(accuracies[:4], axis=1))
    assert curve.spreads()[:3] == pytest.approx(accuracies[:3].std(axis=1, ddof=1))
    assert fit_curve(curve).largest == 100


@pytest.mark.parametrize("draws", [3, 7])
def test_draws_that_were_not_reached_are_none(draws):
    """Seven and an empty one would be enough to resample whole draws."""
    curve = noisy(2, draws, 1.0)
    unreached = AccuracyCurve(SIZES, np.insert(curve.accuracies, 1, np.nan, axis=1))
    np.testing.assert_array_equal(unreached.measured().accuracies, curve.accuracies)
    whole, other = fit_curve(curve, resamples=50), fit_curve(unreached, resamples=50)
    np.testing.assert_array_equal(whole.resampled, other.resampled)


def test_a_fitted_value_lies_within_its_interval_where_both_end_at_zero():
    found = fit_curve(AccuracyCurve(SIZES[1:], law(SIZES[1:], *LAWS[2])[:, None]), resamples=50)
    assert found.accuracy(1) < -100 and found.at(1) == learning_curves.Interval(0.0, 0.0, 0.0)


def reason(found):
    assert isinstance(found, NotKnown)
    return found.reason


def test_fewer_than_three_sizes_tell_nothing():
    assert "needs 3 sizes, and 2 sizes were measured" in reason(fit_curve(noisy(0, 3, sizes=SIZES[:2])))
    assert "and 1 size was measured" in reason(fit_curve(noisy(0, 3, sizes=SIZES[:1])))
    assert "and 0 sizes" in reason(fit_curve(AccuracyCurve(SIZES, np.full((6, 2), np.nan))))


def test_three_points_of_one_draw_tell_nothing():
    assert "any three points lie on such a curve" in reason(fit_curve(exact(*LAWS[0], SIZES[:3])))


@pytest.mark.parametrize(
    "rows", [[[0.0]] * 4, [[100.0]] * 4, [[70.0], [65.0], [60.0], [55.0]], [[60, 64, 56], [64, 55, 62], [61, 63, 59]]]
)
def test_a_curve_that_does_not_rise_tells_nothing(rows):
    found = fit_curve(AccuracyCurve(SIZES[: len(rows)], np.array(rows, float)))
    assert "does not rise by more than the draws differ" in reason(found)


def test_a_target_that_the_curve_never_reaches_is_not_known():
    found = fit_curve(exact(*LAWS[0]))
    assert "95% is not known: the fitted curve levels off at 88.0%" in reason(found.needed(95))
    assert "more than 100 times the 500 measured" in reason(found.needed(87.9))


def test_what_lies_too_far_is_not_known():
    found = fit_curve(exact(*LAWS[0]))
    for asked in (found.at(1e6), found.gain(1e6), found.at(0), found.gain(0)):
        assert "lie too far from the 500 measured" in reason(asked)


def test_an_interval_without_upper_end_says_so():
    found = fit_curve(noisy(4, 3))
    needed = found.needed(float(found.accuracy(10_000)))
    assert needed.low < needed.value and needed.high == math.inf


@pytest.mark.parametrize(
    ("sizes", "accuracies", "said"),
    [
        ([10.0, 10], [[1.0], [2]], "must be positive and rise"),
        ([0.0, 10], [[1.0], [2]], "must be positive and rise"),
        ([5.0, 10], [[1.0], [200]], "are percentages, from 0 to 100"),
        ([5.0, 10, 20], [[1.0], [20]], r"a row of accuracies for each size, got \(2, 1\) for \(3,\)"),
    ],
)
def test_what_is_no_curve_is_refused(sizes, accuracies, said):
    with pytest.raises(WorkbenchError, match=said):
        AccuracyCurve(np.array(sizes), np.array(accuracies, float))
