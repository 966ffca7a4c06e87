"""The objective of training from constraints, and its gradient by the feature weights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from core.constraints.ge.penalties import penalise, penalty_named
from core.constraints.ge.settings import GESettings
from core.constraints.ge.shards import Arcs
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matches
from core.errors import ConstraintError
from core.features import ArcFeatures
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.crf.bracketed import BracketedSums
from core.parsers.crf.distribution import TreeDistribution
from core.shards.derived import Derived


class Targets:
    """The targets of constraints, and the penalties for missing them.

    Attributes
    ----------
    constraints : tuple of Constraint, C of them
    matched : bool (C,)
        Whether each matches something in the text; one that does not has the share and the target 0.
    denominators : float64 (C,)
        The divisor of each expectation.
    low, high, weights : float64 (C,)
    """

    def __init__(self, constraints: Sequence[Constraint], denominators: np.ndarray, settings: GESettings):
        self.constraints, self.matched = tuple(constraints), denominators > 0
        self.penalty = penalty_named(settings.score, self.constraints)
        self.low, self.high = (
            np.where(self.matched, [getattr(constraint, name) for constraint in self.constraints], 0.0)
            for name in ("low", "high")
        )
        self.weights = settings.strength * np.array([constraint.weight for constraint in self.constraints])
        self.denominators = np.where(self.matched, denominators, 1.0)

    def __call__(self, expectations: np.ndarray) -> tuple[float, np.ndarray]:
        """(all penalties, their derivative by each expectation); ConstraintError for a target that no tree reaches."""
        penalties, slopes = penalise(self.penalty, expectations, self.low, self.high)
        if not np.isfinite(penalties).all():
            at = int(np.flatnonzero(~np.isfinite(penalties))[0])
            constraint = self.constraints[at]
            raise ConstraintError(
                f"{constraint.name}: no tree gives a share other than {expectations[at]:.3g}, so KL to the target "
                f"{constraint.target_text} is infinite; change the target or use the squared score",
                line=constraint.line,
            )
        return float(self.weights @ penalties), self.weights * slopes

    def slopes(self, expectations: np.ndarray) -> np.ndarray:
        """float64 (C,): the derivative of all penalties by each expectation."""
        return self.weights * penalise(self.penalty, expectations, self.low, self.high)[1]


@dataclass(frozen=True, eq=False)
class Slope:
    """The value of a text's brackets, and a gradient (F,)."""

    value: float
    gradient: np.ndarray

    def __add__(self, other: "Slope") -> "Slope":
        return Slope(self.value + other.value, self.gradient + other.gradient)


@dataclass(eq=False)
class MatchedArcs:
    """Sentences that are worked on at once, and which of their arcs constraints match.

    ``brackets`` say how probable it is that the trees of a text in memory respect its brackets.
    """

    arcs: Arcs
    constraints: tuple[Constraint, ...]
    brackets: "BracketTerm | None" = None

    def __post_init__(self):
        self._sums = self._weights = None  # made at the first evaluation, then updated in place

    @classmethod
    def of(
        cls, arcs: Arcs, constraints: tuple[Constraint, ...], brackets: "BracketTerm | None"
    ) -> "Iterator[MatchedArcs]":
        """A step of ``core.shards.derived``."""
        yield cls(arcs, constraints, brackets)

    @cached_property
    def matches(self) -> Matches:
        """The candidates of the constraints."""
        match = partial(self.arcs.sentences.matcher.match, self.constraints)

        def size(matches):
            return matches.arcs.nbytes + matches.arc_offsets.nbytes

        return self.arcs.cached_value(self.constraints, match, size)

    def mass(self, weights: np.ndarray) -> np.ndarray:
        """float64 (C,): the sum of the marginals of each constraint's candidates."""
        return self.matches.mass(self._at(weights)[1].marginals)

    def gradient(self, weights: np.ndarray, slopes: np.ndarray) -> Slope:
        """The Slope of ``slopes @ mass`` and of the brackets."""
        scores, sums = self._at(weights)
        value, change = 0.0, sums.covariance(scores.like(self.matches.scatter(slopes))).values
        if self.brackets is not None:
            value, bracket_change = self.brackets(scores, sums.log_partitions, sums.marginals)
            change = change + bracket_change
        return Slope(value, self.arcs.features.expectations(change, self.arcs.adding_threads))

    def _at(self, weights):
        """(scores, sums over all trees) at these weights."""
        if self._sums is None or self._weights is None or not np.array_equal(weights, self._weights):
            threads = self.arcs.sentences.part.threads
            self._scores, self._weights = self.arcs.features.scores(weights, threads), weights.copy()
            if self._sums is None:
                self._sums = self.arcs.model.distribution.sums(self._scores, threads)
            else:
                self._sums.update(self._scores)
        return self._scores, self._sums


class Objective:
    """Constraint terms, likelihood of known trees, and the prior; called by the search with feature weights.

    Parameters
    ----------
    arcs : Derived
        The MatchedArcs of the parts of the text.
    targets : Targets
    variance : float
        That of the prior.
    brackets : BracketTerm, optional
        The one that ``arcs`` have.
    trees : TreeTerm, optional
        Likelihood of sentences whose heads are known in whole or in part.
    """

    def __init__(
        self, arcs: Derived[MatchedArcs], targets: Targets, variance: float, brackets: "BracketTerm | None" = None,
        trees: "TreeTerm | None" = None,
    ):  # fmt: skip
        self.arcs, self.targets, self.variance, self.brackets, self.trees = arcs, targets, variance, brackets, trees

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray, dict]:
        """(value, gradient (F,), ``{"expectations": (C,)}``) at these weights; O(sum of n^3)."""
        expectations = self.expectations(weights)
        penalty, slopes = self.targets(expectations)
        value = penalty + float(weights @ weights / (2 * self.variance))
        slope = self.arcs.sum(MatchedArcs.gradient, weights, slopes / self.targets.denominators)
        value, gradient = value + slope.value, slope.gradient + weights / self.variance
        if self.trees is not None:
            tree_value, tree_gradient = self.trees(weights)
            value, gradient = value + tree_value, gradient + tree_gradient
        return value, gradient, {"expectations": expectations}

    def expectations(self, weights: np.ndarray) -> np.ndarray:
        """The model's share for each constraint: float64 (C,)."""
        return self.arcs.sum(MatchedArcs.mass, weights) / self.targets.denominators

    def known_gradient(self, weights: np.ndarray) -> np.ndarray:
        """float64 (F,): the gradient of the terms of known trees and brackets."""
        gradient = np.zeros(len(weights)) if self.trees is None else self.trees(weights)[1]
        if self.brackets is None:
            return gradient
        no_slopes = np.zeros(len(self.targets.denominators))
        return gradient + self.arcs.sum(MatchedArcs.gradient, weights, no_slopes).gradient


class TreeTerm:
    """Minus the weighted log-likelihood of sentences with some or all heads known.

    The probability of a partial tree is the share of all trees that have its arcs. So its log-likelihood is the
    difference of two log-partitions, and the gradient the difference of two expectations.

    Parameters
    ----------
    arc_features : ArcFeatures
        Of the sentences with known heads.
    heads : ndarray of shape (rows,), dtype int32
        Laid out like ``Treebank.heads``; -1 is unknown.
    distribution : TreeDistribution
    complete_weight, partial_weight : float
        What a sentence's log-likelihood counts when all, or only some, of its heads are known.
    threads : int, optional

    Raises
    ------
    InfeasibleError : no tree of the distribution has the known arcs; names the sentence.
    """

    def __init__(
        self, arc_features: ArcFeatures, heads: np.ndarray, distribution: TreeDistribution,
        complete_weight: float = 1.0, partial_weight: float = 1.0, threads: int | None = None,
    ):  # fmt: skip
        self.arc_features, self.distribution, self.threads = arc_features, distribution, threads
        sides = arc_features.sides
        starts = np.cumsum(sides) - sides
        known = heads >= 0
        counts = np.add.reduceat(known, starts, dtype=np.int64) if len(sides) else sides
        weights = np.where(counts == sides - 1, complete_weight, np.where(counts > 0, partial_weight, 0.0))
        self.weights = weights
        self.arc_weights = np.repeat(weights, np.diff(arc_features.arc_offsets))
        self.forbidden = contradicting_arcs(heads, sides, arc_features.arc_offsets)

    def __call__(self, weights):
        """(value, gradient (F,)) without the prior."""
        scores = self.arc_features.scores(weights, self.threads)
        held = scores.like(np.where(self.forbidden, -np.inf, scores.values))
        totals, marginals = self.distribution.marginals(scores, self.threads)
        known_totals, known_marginals = self.distribution.marginals(held, self.threads)
        value = float(self.weights @ (totals - known_totals))
        difference = self.arc_weights * (marginals.values - known_marginals.values)
        return value, self.arc_features.expectations(difference, self.threads)


class BracketTerm:
    """Minus the weighted mean log-probability that the trees of marked sentences respect their brackets.

    That probability is the share of the trees that do, at the level that each sentence holds. Its logarithm is log Z of
    the trees that respect the brackets minus log Z, its gradient the difference of two sets of marginals. The mean,
    because constraints are shares too: a sum over many sentences would drown them, and trees without any structure,
    such as one chain, respect every bracket at sprawl.

    Parameters
    ----------
    sums : BracketedSums
        Of the sentences of the text.
    weight : float
        What that mean, in nats, counts beside the constraints.
    """

    def __init__(self, sums: BracketedSums, weight: float = 1.0):
        self.sums, self.weight = sums, weight / max(len(sums.sentences), 1)

    def __call__(self, scores, log_partitions, marginals):
        """(value, its derivative by each arc's score float64 (A,)), from the sums over all trees. O(sum of n^3)."""
        totals, held = self.sums(scores)
        sentences = self.sums.sentences
        is_held = np.zeros(len(scores), dtype=bool)
        is_held[sentences] = True
        change = np.where(np.repeat(is_held, np.diff(scores.offsets)), marginals.values - held, 0.0)
        return self.weight * float((log_partitions[sentences] - totals).sum()), self.weight * change
