"""Posterior regularisation: the distribution over trees that satisfies constraints and stays nearest to a model.

Constraint c has candidate arcs; n_c(tree) is how many of them are in a tree and D_c the denominator over the text. E_c
= E[n_c] / D_c is the share whose target is low_c..high_c. Given a model p and fixed log-weights b of arcs, q minimises

    KL(q | p exp(b)) + sum_c L_c D_c distance(E_c, low_c..high_c),        L_c = max_multiplier * weight_c,

and has the form q(tree) ~ p(tree) exp(b(tree) + sum_c m_c n_c(tree)) with multipliers |m_c| <= L_c that maximise the
concave dual

    sum_c D_c (low_c max(m_c, 0) + high_c min(m_c, 0)) - log(Z_m / Z_0).

Its derivative is D_c (low_c - E_c) where m_c > 0 and D_c (high_c - E_c) where m_c < 0. m_c = 0 is best if and only if
E_c lies within the range. Source: Ganchev, Graca, Gillenwater & Taskar (2010), JMLR 11, sections 2 and 3.
"""

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from core.callbacks import Cancel
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import Expectations

SHRINK, SMALLEST_STEP = 0.5, 1e-3  # of a step that lowered the dual, until it is this small
Parameters = Any  # those of p; None where p is made of arc weights alone
SLACK = 1e-6  # nats a word by which a dual may fall for rounding


class StatedShare(Protocol):
    """A constraint's target, low..high, and its weight."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def weight(self) -> float: ...


class ConstraintCandidates(Protocol):
    """The candidates of constraints in a text: ``core.constraints.matching.matcher.Matches``."""

    @property
    def constraints(self) -> Sequence[StatedShare]: ...
    @property
    def denominators(self) -> np.ndarray: ...
    @property
    def offsets(self) -> np.ndarray: ...
    @property
    def arcs(self) -> np.ndarray: ...
    @property
    def arc_offsets(self) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class PosteriorConstraints:
    """The candidate arcs of C constraints in a text, their targets and the bounds of their multipliers.

    Attributes
    ----------
    arcs : ndarray of shape (total,), dtype int64
        Candidates, constraint by constraint, as scores are packed.
    owner : ndarray of shape (total,), dtype int64
        The number of the constraint that each candidate belongs to.
    denominators, low, high, limits : ndarrays of shape (C,), dtype float64
        D, the ends of the targets, and the largest multipliers L in nats.
    size : int
        The number of arcs of the text.
    """

    arcs: np.ndarray
    owner: np.ndarray
    denominators: np.ndarray
    low: np.ndarray
    high: np.ndarray
    limits: np.ndarray
    size: int

    @classmethod
    def of(cls, matches: ConstraintCandidates, max_multiplier: float) -> "PosteriorConstraints":
        """The constraints of Matches; a multiplier is at most ``max_multiplier`` nats times its constraint's weight."""
        targets = cls.without_arcs(matches.constraints, matches.denominators, max_multiplier)
        owner = np.repeat(np.arange(len(targets.low)), np.diff(matches.offsets))
        return replace(targets, arcs=matches.arcs, owner=owner, size=int(matches.arc_offsets[-1]))

    @classmethod
    def without_arcs(
        cls, constraints: Sequence[StatedShare], denominators: np.ndarray, max_multiplier: float
    ) -> "PosteriorConstraints":
        """The constraints without candidate arcs, for an ascent over sums that have them."""
        low, high, weights = (
            np.array([getattr(constraint, name) for constraint in constraints]) for name in ("low", "high", "weight")
        )
        none = np.empty(0, np.int64)
        return cls(none, none, denominators, low, high, max_multiplier * weights, 0)

    def log_weights(self, multipliers: np.ndarray) -> np.ndarray:
        """float64 (A,): the sum of the multipliers of the constraints that match each arc."""
        weights = np.bincount(self.arcs, multipliers[self.owner], minlength=self.size)
        return weights.astype(np.float64, copy=False)  # NumPy counts nothing in whole numbers

    def expectations(self, marginals: np.ndarray) -> np.ndarray:
        """float64 (C,): E, the share of each constraint."""
        return self.shares(np.bincount(self.owner, marginals[self.arcs], minlength=len(self.low)))

    def moments(self, marginals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(float64 (C,), float64 (C,)): the mean of n_c, and its variance, were arcs independent."""
        probability = marginals[self.arcs]
        mass = np.bincount(self.owner, probability, minlength=len(self.low))
        return mass, np.bincount(self.owner, probability * (1 - probability), minlength=len(self.low))

    def shares(self, mass: np.ndarray) -> np.ndarray:
        """float64 (C,): E from the means of n_c; 0 for a constraint that matches nothing."""
        return np.divide(mass, self.denominators, out=np.zeros(len(mass)), where=self.denominators > 0)

    def distances(self, expectations: np.ndarray) -> np.ndarray:
        """float64 (C,): how far each share is from its target; 0 within."""
        return np.maximum(np.maximum(self.low - expectations, expectations - self.high), 0.0)

    def slopes(self, multipliers: np.ndarray, expectations: np.ndarray) -> np.ndarray:
        """float64 (C,): the dual's steepest ascent, within the bounds of the multipliers."""
        to_low, to_high = self.denominators * (self.low - expectations), self.denominators * (self.high - expectations)
        at_zero = np.where(to_low > 0, to_low, np.where(to_high < 0, to_high, 0.0))
        slopes = np.where(multipliers > 0, to_low, np.where(multipliers < 0, to_high, at_zero))
        return np.where(np.sign(slopes) * multipliers >= self.limits, 0.0, slopes)

    def moved(self, multipliers: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Multipliers after a step, which ends at 0 where it would cross it and at the bounds where it would pass."""
        clipped = np.clip(multipliers + step, -self.limits, self.limits)
        return np.where(clipped * multipliers < 0, 0.0, clipped)

    def gain(self, multipliers: np.ndarray) -> float:
        """The part of the dual without partition functions, in nats."""
        return float(
            self.denominators @ (self.low * np.maximum(multipliers, 0) + self.high * np.minimum(multipliers, 0))
        )


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over sentences under q: log-likelihood in nats, mean and variance of n_c for each constraint (C,).

    ``arcs`` has the expectations of all arcs of a text in memory, ``counts`` those of all events of one in shards.
    """

    value: float
    mass: np.ndarray
    variances: np.ndarray
    counts: Events | None = None
    arcs: Expectations | None = None

    def __add__(self, other: "Moments") -> "Moments":
        assert self.counts is not None and other.counts is not None  # only parts of a text in shards are added
        return Moments(
            self.value + other.value, self.mass + other.mass, self.variances + other.variances,
            self.counts + other.counts,
        )  # fmt: skip


class PosteriorSums(Protocol):
    """Sums over the text whose dual is maximised."""

    @property
    def token_count(self) -> int: ...

    def moments(self, grammar: Parameters, multipliers: np.ndarray) -> Moments:
        """The Moments of q at some multipliers, under the parameters of p. O(sum of n^3)."""
        ...


SumsT = TypeVar("SumsT", bound=PosteriorSums)


@dataclass(frozen=True, eq=False)
class DualPoint:
    """q at some multipliers: the dual without log Z_0, each constraint's expectation (C,), the sums over the text."""

    multipliers: np.ndarray
    value: float
    expectations: np.ndarray
    moments: Moments

    @property
    def marginals(self) -> np.ndarray:
        """float64 (A,): the probability of each arc of a text in memory."""
        assert self.moments.arcs is not None  # what asks for it is refused for shards
        return self.moments.arcs.marginals

    def without_events(self) -> "DualPoint":
        """The point without the arrays that events are counted from, which are as large as the marginals."""
        arcs = self.moments.arcs
        arcs = arcs and arcs._replace(nearest=np.empty(0), childless=np.empty(0))
        return replace(self, moments=replace(self.moments, counts=None, arcs=arcs))

    def gap(self, constraints: PosteriorConstraints) -> float:
        """Primal minus dual value, in nats: 0 at the best multipliers."""
        mass = constraints.denominators * self.expectations
        penalty = constraints.limits @ (constraints.denominators * constraints.distances(self.expectations))
        return float(self.multipliers @ mass + penalty) - constraints.gain(self.multipliers)


@dataclass(eq=False)
class DualAscent(Generic[SumsT]):
    """Dual ascent over a text, warm from one model to the next.

    Parameters
    ----------
    sums : PosteriorSums
    constraints : PosteriorConstraints
        Their arcs are not read.
    start : ndarray of shape (C,), optional
        Multipliers to begin from; zeros by default.

    Attributes
    ----------
    multipliers : ndarray of shape (C,)
        Where the last ascent ended.
    scale : float
        The share of a full step that is tried next.
    """

    sums: SumsT
    constraints: PosteriorConstraints
    start: InitVar[np.ndarray | None] = None
    scale: float = 1.0
    multipliers: np.ndarray = field(init=False)

    def __post_init__(self, start):
        multipliers, limits = np.zeros(len(self.constraints.low)) if start is None else start, self.constraints.limits
        self.multipliers = np.clip(multipliers, -limits, limits)  # a constraint's weight may have changed

    def climb(
        self,
        grammar: Parameters,
        steps: int,
        cancel: Cancel | None = None,
        tolerance: float = 0.0,
        point: DualPoint | None = None,
    ) -> DualPoint:
        """The DualPoint reached by at most ``steps`` evaluations, O(sum of n^3) each, under a grammar's Events.

        A step is the slope over the variance of each constraint, as if constraints were independent. Where overlapping
        constraints make the dual fall, the step is taken back and shortened. The ascent ends within ``tolerance`` nats
        a word of the maximum. It begins at ``point``, where the last ascent under the same grammar ended, if given.
        """
        point, token_count = point or self.point(grammar, self.multipliers), self.sums.token_count
        for _ in range(steps - 1):
            if (cancel and cancel()) or point.gap(self.constraints) <= tolerance * token_count:
                break
            slopes = self.constraints.slopes(point.multipliers, point.expectations)
            if not slopes.any():
                break
            curvature = np.maximum(point.moments.variances, 1e-2 * self.constraints.denominators)
            step = np.divide(slopes, curvature, out=np.zeros(len(slopes)), where=slopes != 0)  # 0: may match nothing
            trial = self.point(grammar, self.constraints.moved(point.multipliers, self.scale * step))
            if trial.value >= point.value - SLACK * token_count:
                point, self.scale = trial, min(1.0, self.scale / SHRINK)
            else:
                self.scale = max(SMALLEST_STEP, self.scale * SHRINK)
        self.multipliers = point.multipliers
        return point

    def point(self, grammar: Parameters, multipliers: np.ndarray) -> DualPoint:
        """The DualPoint at some multipliers."""
        moments = self.sums.moments(grammar, multipliers)
        value = self.constraints.gain(multipliers) - moments.value
        return DualPoint(multipliers, value, self.constraints.shares(moments.mass), moments)
