"""Learning curves: accuracies measured over growing amounts of training material, and their extrapolation.

The error of a learner falls as a power of what it has learnt from, towards a floor:

    accuracy(x) = a - b x^(-c),    a <= 100, b >= 0, EXPONENTS[0] <= c <= EXPONENTS[1],

the inverse power law of Figueroa, Zeng-Treitler, Kandula & Ngo (2012), "Predicting sample size required for
classification performance", with weights by how certain each size is. Viering & Loog (2021), "The shape of learning
curves: a review", section 4, find that it fits well-behaved curves, and that many curves are not.

Given c the rest is linear, so the fit is a search along c alone (variable projection, Golub & Pereyra 1973): no start
to choose, and no other minimum to end in. Uncertainty is by bootstrap. From ``MANY`` draws on, whole draws are
resampled, each a curve of its own, as the sizes of a draw share their sentences. Their deviations are widened as
Student's t has it for so many. A size that has not all of the draws is treated as where there are few. Of fewer draws
only a handful of different resamples could be made, so residuals are drawn: normal around the fitted curve, with the
variance of draws at each size, which may fall with it. The variance is made larger where the curve misses the points by
more than that (Birge's ratio). Added are a deviation common to a whole draw, and chi-squared for how badly each
variance is known: the variance at a size from all draws at all sizes, the common one from so many draws alone, and
not at all from one. Both are of the words scored here: that other test sentences would be harder or easier is not in
them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.errors import WorkbenchError

EXPONENTS = (0.02, 3.0)
GRID = 240  # exponents tried for every resample
RESAMPLES = 2000
MANY = 8  # draws from which on they are resampled themselves
SHRINKAGE = 4.0  # degrees of freedom that the trend of variances counts for beside the variance of one size
TRENDS = tuple(step / 10 for step in range(21))  # exponents by which the variance of draws may fall with size
LEVEL = 95.0  # percent of resamples inside an interval
FAR = 100.0  # times the largest size measured: further on nothing is predicted
FEWEST = 3  # sizes


@dataclass(frozen=True, eq=False)
class AccuracyCurve:
    """Accuracies measured at K sizes in D draws.

    Attributes
    ----------
    sizes : float array (K,)
        Of the training material, positive and rising.
    accuracies : float array (K, D)
        In percent; NaN where a size was not measured in a draw. A draw's sizes are nested.
    unit : str
        What sizes count: "trees", "words" or "lines".

    Raises
    ------
    WorkbenchError : sizes that do not rise or are not positive, an accuracy outside 0..100, shapes that do not agree.
    """

    sizes: np.ndarray
    accuracies: np.ndarray
    unit: str = "trees"

    def __post_init__(self):
        if self.accuracies.ndim != 2 or self.accuracies.shape[:1] != self.sizes.shape:
            raise WorkbenchError(
                f"a curve needs a row of accuracies for each size, got {self.accuracies.shape} for {self.sizes.shape}"
            )
        if len(self.sizes) and not (self.sizes[0] > 0 and (np.diff(self.sizes) > 0).all()):
            raise WorkbenchError(f"sizes of a curve must be positive and rise, got {self.sizes.tolist()}")
        known = self.accuracies[~np.isnan(self.accuracies)]
        if not ((known >= 0) & (known <= 100)).all():
            raise WorkbenchError("accuracies of a curve are percentages, from 0 to 100")

    @property
    def counts(self) -> np.ndarray:
        """int (K,): draws measured at each size."""
        return (~np.isnan(self.accuracies)).sum(axis=1)

    def measured(self) -> "AccuracyCurve":
        """The sizes that have at least one draw, and the draws that have at least one size."""
        known = ~np.isnan(self.accuracies)
        rows, columns = known.any(axis=1), known.any(axis=0)
        return AccuracyCurve(self.sizes[rows], self.accuracies[np.ix_(rows, columns)], self.unit)

    def means(self) -> np.ndarray:
        """float (K,): mean of the draws; NaN where there is none."""
        sums = np.where(np.isnan(self.accuracies), 0.0, self.accuracies).sum(axis=1)
        return np.divide(sums, self.counts, out=np.full(len(sums), np.nan), where=self.counts > 0)

    def spreads(self) -> np.ndarray:
        """float (K,): standard deviation of the draws (n - 1); NaN where there are fewer than two."""
        squares = np.where(np.isnan(self.accuracies), 0.0, (self.accuracies - self.means()[:, None]) ** 2).sum(axis=1)
        freedom = self.counts - 1
        variances = np.divide(squares, freedom, out=np.full(len(squares), np.nan), where=freedom > 0)
        return np.sqrt(variances)


@dataclass(frozen=True)
class NotKnown:
    """A question without an answer, and why, in one sentence."""

    reason: str


@dataclass(frozen=True)
class Interval:
    """A value and the middle ``LEVEL`` percent of its resamples; ``high`` is infinite where there is no upper limit."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Extrapolation:
    """A fitted curve and B resampled ones.

    Attributes
    ----------
    curve : AccuracyCurve
        What was fitted, sizes without a draw and draws without a size left out.
    asymptote, factor, exponent : float
        a in percent, b and c of the fit.
    resampled : float array (3, B)
        The same of each resample.
    noise : float array (K, B)
        By how much one more draw would lie off its resampled curve at each size, in points.
    method : {"draws", "residuals"}
        What was resampled.
    misfit : float
        Birge's ratio: mean squares of the fit's misses over what draws explain; 1 where they explain them.
    """

    curve: AccuracyCurve
    asymptote: float
    factor: float
    exponent: float
    resampled: np.ndarray = field(repr=False)
    noise: np.ndarray = field(repr=False)
    method: str
    misfit: float

    @property
    def largest(self) -> float:
        """The largest size measured."""
        return float(self.curve.sizes[-1])

    def accuracy(self, sizes: float | np.ndarray) -> np.ndarray:
        """The fitted curve at sizes, in percent."""
        return _law(np.asarray(sizes, float), (self.asymptote, self.factor, self.exponent))

    def at(self, size: float, *, single: bool = False) -> Interval | NotKnown:
        """The accuracy that so much brings: the mean of draws, or with ``single`` the next one alone."""
        if not 0 < size <= FAR * self.largest:
            return self._too_far(size)
        values = _law(size, self.resampled) + (self._noise_at(size) if single else 0.0)
        return _interval(*(np.clip(accuracy, 0.0, 100.0) for accuracy in (self.accuracy(size), values)))

    def band(self, sizes: Sequence[float] | np.ndarray, *, single: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """(low, high) float arrays of ``at``'s intervals at sizes, each at most ``FAR`` times the largest measured."""
        values = np.stack([_law(size, self.resampled) + (self._noise_at(size) if single else 0.0) for size in sizes])
        low, high = np.percentile(np.clip(values, 0.0, 100.0), _ends(), axis=1)
        return low, high

    def gain(self, more: float) -> Interval | NotKnown:
        """Points that ``more`` material brings on top of the largest size measured, in the mean of draws."""
        size = self.largest + more
        if not (more > 0 and size <= FAR * self.largest):
            return self._too_far(size)
        gains = _law(size, self.resampled) - _law(self.largest, self.resampled)
        return _interval(self.accuracy(size) - self.accuracy(self.largest), gains)

    def needed(self, accuracy: float) -> Interval | NotKnown:
        """The size at which the mean of draws reaches an accuracy in percent."""
        unit, asymptote = self.curve.unit, self.asymptote
        if accuracy >= asymptote:
            return NotKnown(
                f"How many {unit} bring {accuracy:g}% is not known: the fitted curve levels off at {asymptote:.1f}%."
            )
        with np.errstate(over="ignore"):
            value = float(_inverse(accuracy, np.array([[asymptote], [self.factor], [self.exponent]]))[0])
            sizes = _inverse(accuracy, self.resampled)
        if value > FAR * self.largest:
            return NotKnown(
                f"How many {unit} bring {accuracy:g}% is not known: more than {FAR:.0f} times the {self.largest:,.0f} "
                "measured."
            )
        low, high = np.percentile(sizes, _ends(), method="nearest")
        return Interval(value, float(low), float(high) if high <= FAR * self.largest else math.inf)

    def _too_far(self, size):
        return NotKnown(f"{size:,.0f} {self.curve.unit} lie too far from the {self.largest:,.0f} measured.")

    def _noise_at(self, size):
        """(B,): the noise between the two sizes around, along the logarithm; beyond all that of the nearest."""
        sizes = np.log(self.curve.sizes)
        position = np.interp(math.log(size), sizes, np.arange(len(sizes)))
        below = int(position)
        above = min(below + 1, len(sizes) - 1)
        return self.noise[below] + (position - below) * (self.noise[above] - self.noise[below])


def fit_curve(curve: AccuracyCurve, *, seed: int = 0, resamples: int = RESAMPLES) -> Extrapolation | NotKnown:
    """Fit a power law to measured accuracies, with its uncertainty.

    Parameters
    ----------
    curve : AccuracyCurve
    seed : int
        Of the bootstrap.
    resamples : int

    Returns
    -------
    Extrapolation or NotKnown
        NotKnown for fewer than three sizes, and for a curve that does not rise by more than its draws differ. Also
        for points that say nothing on their own uncertainty: three sizes with one draw each.

    Notes
    -----
    O(resamples * GRID * K), some ten milliseconds. Source: see the module.
    """
    curve = curve.measured()
    if len(curve.sizes) < FEWEST:
        counted = f"{len(curve.sizes)} size{'s' if len(curve.sizes) != 1 else ''}"
        was = "was" if len(curve.sizes) == 1 else "were"
        return NotKnown(f"The course beyond is not known: a curve needs {FEWEST} sizes, and {counted} {was} measured.")
    means, counts = curve.means(), curve.counts
    variances, freedom = _variances(curve)
    known = freedom > 0
    weights = counts / variances if known else counts.astype(float)
    law = _fit(curve.sizes, means, weights)
    misses = float((weights * (means - _law(curve.sizes, law)) ** 2).sum())
    spare = len(curve.sizes) - FEWEST
    if not known:
        if not spare:
            return NotKnown(
                "The course beyond is not known: any three points lie on such a curve; measure more sizes or draws."
            )
        variances, freedom, ratio = np.full(len(means), misses / spare), spare, 1.0
    else:
        ratio = max(1.0, misses / spare) if spare else 1.0
        freedom += spare
    if not _rises(curve, variances * ratio, freedom):
        return NotKnown("The course beyond is not known: accuracy does not rise by more than the draws differ.")
    random = np.random.default_rng(seed)
    resampled, noise = _drawn(curve, law, variances * ratio, freedom, random, resamples)
    draws, method = curve.accuracies.shape[1], "residuals"
    whole = counts == draws
    if draws >= MANY and whole.sum() >= FEWEST:
        chosen = curve.accuracies[whole][:, random.integers(draws, size=(resamples, draws))].mean(axis=2).T
        tail = 0.5 + LEVEL / 200  # resampled means of so few draws lie too close together, as Student's t has it
        few = math.sqrt(draws / (draws - 1)) * scipy.special.stdtrit(draws - 1, tail) / scipy.special.ndtri(tail)
        resampled[:, whole], method = means[whole] + few * (chosen - means[whole]), "draws"
    return Extrapolation(curve, *law, _fit_many(curve.sizes, resampled, weights, law[2]), noise, method, ratio)


def _variances(curve):
    """The variance of a draw at each size (K,), shrunk towards the trend of all; the degrees of freedom, 0 if unknown.

    The trend is a power of the size that does not rise, of greatest likelihood: draws of much material differ less.
    """
    freedom = curve.counts - 1
    spreads = np.where(freedom > 0, curve.spreads(), 0.0) ** 2
    if not spreads.any():
        return np.zeros(len(spreads)), 0
    least, trend = math.inf, spreads
    for exponent in TRENDS if (freedom > 0).sum() >= FEWEST else TRENDS[:1]:
        powers = (curve.sizes / curve.sizes[-1]) ** -exponent
        scaled = (freedom * spreads / powers).sum() / freedom.sum()
        surprise = (freedom * np.log(powers)).sum() + freedom.sum() * math.log(scaled)
        if surprise < least:
            least, trend = surprise, scaled * powers
    return (SHRINKAGE * trend + freedom * spreads) / (SHRINKAGE + freedom), int(freedom.sum())


def _rises(curve, variances, freedom):
    """Whether the means rise with the logarithm of size, at the 2.5% level one-sided."""
    means, logarithms = curve.means(), np.log(curve.sizes)
    if means[-1] <= means[0] or not variances.any():
        return bool(means[-1] > means[0])
    weights = curve.counts / variances
    logarithms = logarithms - (weights * logarithms).sum() / weights.sum()
    slope = (weights * logarithms * means).sum() / (weights * logarithms**2).sum()
    return bool(slope * math.sqrt((weights * logarithms**2).sum()) > scipy.special.stdtrit(freedom, 0.5 + LEVEL / 200))


def _drawn(curve, law, variances, freedom, random, resamples):
    """Means (B, K) around a fitted curve, and how far one more draw would lie off it (K, B).

    Both are residuals of each size, and one common to each whole draw; of the latter only draws tell, not sizes.
    """
    draws, shared = curve.accuracies.shape[1], 0.0
    whole = curve.counts == draws
    if draws > 1 and whole.any():
        deviations = (curve.accuracies - _law(curve.sizes, law)[:, None])[whole].mean(axis=0)
        shared = max(0.0, float(deviations.var(ddof=1) - variances[whole].mean() / whole.sum()))
    scales = _unsure(freedom, random, resamples)
    common = _unsure(draws - 1, random, resamples) * math.sqrt(shared) if shared else np.zeros((resamples, 1))
    errors = random.standard_normal((resamples, len(curve.sizes))) * np.sqrt(variances / curve.counts)
    noise = scales * errors + common * random.standard_normal((resamples, 1)) / math.sqrt(draws)
    alone = scales * random.standard_normal((resamples, 1)) * np.sqrt(np.maximum(variances - shared, 0.0))
    return _law(curve.sizes, law) + noise, (alone + common * random.standard_normal((resamples, 1))).T


def _unsure(freedom, random, resamples):
    """Factors (B, 1) of a standard deviation that is known by so many degrees of freedom."""
    return np.sqrt(freedom / random.chisquare(freedom, (resamples, 1)))


def _law(sizes, law):
    """Accuracies of one curve at sizes, or of laws (3, B) at one size."""
    a, b, c = law
    return a - b * sizes**-c


def _inverse(accuracy, laws):
    """Sizes at which laws (3, B) reach an accuracy; infinite where they never do."""
    a, b, c = laws
    ratio = np.divide(b, a - accuracy, out=np.full(len(a), np.inf), where=a > accuracy)
    return ratio ** (1 / c)


def _fit(sizes, means, weights):
    """(a, b, c) of the least weighted squares: the best exponent of the grid, then between its neighbours."""

    def misses(exponent):
        floor, slope, powers = _linear(sizes, (100 - means)[None], weights, exponent)
        return float((weights * (100 - means - floor - slope * powers) ** 2).sum())

    grid = np.geomspace(*EXPONENTS, GRID)
    best = int(np.argmin([misses(exponent) for exponent in grid]))
    ends = grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]
    minimum = scipy.optimize.minimize_scalar(misses, bounds=ends, method="bounded", options={"xatol": 1e-10})
    exponent = min((float(minimum.x), float(grid[best])), key=misses)
    floor, slope, _ = _linear(sizes, (100 - means)[None], weights, exponent)
    return float(100 - floor[0]), float(slope[0] * sizes[0] ** exponent), exponent


def _fit_many(sizes, means, weights, fitted):
    """(3, B): the same for rows of means (B, K), over the exponents of the grid and the ``fitted`` one."""
    errors, least = 100 - means, np.full(len(means), np.inf)
    laws = np.zeros((3, len(means)))
    for exponent in (*np.geomspace(*EXPONENTS, GRID), fitted):
        floor, slope, powers = _linear(sizes, errors, weights, exponent)
        misses = ((errors - floor[:, None] - slope[:, None] * powers) ** 2) @ weights
        better = misses < least
        least[better] = misses[better]
        law = np.stack([100 - floor, slope * sizes[0] ** exponent, np.full(len(floor), exponent)])
        laws[:, better] = law[:, better]
    return laws


def _linear(sizes, errors, weights, exponent):
    """Floor and slope (B,), neither negative, of errors (B, K) = floor + slope * powers (K,), by least squares."""
    powers = (sizes / sizes[0]) ** -exponent
    total, middle = weights.sum(), (weights @ powers) / weights.sum()
    height = errors @ weights / total
    slope = errors @ (weights * (powers - middle)) / (weights @ (powers - middle) ** 2)
    floor = height - slope * middle
    through = errors @ (weights * powers) / (weights @ powers**2)  # with the floor at 0
    slope, floor = np.where(floor < 0, through, slope), np.where(floor < 0, 0.0, floor)
    return np.where(slope < 0, height, floor), np.where(slope < 0, 0.0, slope), powers


def _ends():
    return [50 - LEVEL / 2, 50 + LEVEL / 2]


def _interval(value, values):
    low, high = np.percentile(values, _ends())
    return Interval(float(value), float(low), float(high))
