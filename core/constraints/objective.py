"""What training from constraints minimises, and its gradient by the feature weights."""

from collections.abc import Sequence

import numpy as np

from core.constraints.ge_settings import GESettings
from core.constraints.language import Constraint
from core.constraints.matching import Matches
from core.constraints.penalties import penalise, penalty_named
from core.errors import ConstraintError
from core.features import ArcFeatures
from core.parsers.crf.bracketed import BracketedSums
from core.parsers.crf.distribution import TreeDistribution


class Targets:
    """What the shares of constraints should be, and what it costs where they are not.

    Attributes
    ----------
    constraints : tuple of Constraint, C of them
    matched : bool (C,)
        Those that match something in the text; one that does not has the share 0, and wants no other.
    denominators : float64 (C,)
        What each expectation is divided by.
    low, high, weights : float64 (C,)
    """

    def __init__(self, constraints: Sequence[Constraint], denominators: np.ndarray, settings: GESettings):
        self.constraints, self.matched = tuple(constraints), denominators > 0
        self.penalty = penalty_named(settings.score, self.constraints)
        self.low, self.high = (
            np.where(self.matched, [getattr(line, name) for line in self.constraints], 0.0) for name in ("low", "high")
        )
        self.weights = settings.strength * np.array([line.weight for line in self.constraints])
        self.denominators = np.where(self.matched, denominators, 1.0)

    def __call__(self, expectations: np.ndarray) -> tuple[float, np.ndarray]:
        """(all penalties, their derivative by each expectation); ConstraintError for a target that no tree reaches."""
        penalties, slopes = penalise(self.penalty, expectations, self.low, self.high)
        if not np.isfinite(penalties).all():
            self._raise_unreachable(expectations, penalties)
        return float(self.weights @ penalties), self.weights * slopes

    def slopes(self, expectations: np.ndarray) -> np.ndarray:
        """float64 (C,): the derivative of all penalties by each expectation."""
        return self.weights * penalise(self.penalty, expectations, self.low, self.high)[1]

    def _raise_unreachable(self, expectations, penalties):
        at = int(np.flatnonzero(~np.isfinite(penalties))[0])
        constraint = self.constraints[at]
        raise ConstraintError(
            f"{constraint.name}: no tree gives a share other than {expectations[at]:.3g}, so KL to the target "
            f"{constraint.target_text} is infinite; change the target or use the squared score",
            line=constraint.line,
        )


class Objective:
    """Constraint terms, likelihood of known trees, and the prior; called by the search with feature weights.

    Parameters
    ----------
    arc_features : ArcFeatures
        Of the unparsed text.
    distribution : TreeDistribution
    matches : Matches
        What the constraints match in that text.
    settings : GESettings
    threads : int, optional
    trees : TreeTerm, optional
        Likelihood of sentences whose heads are known in whole or in part.
    brackets : BracketTerm, optional
        How probable it is that the trees of that text respect its brackets.
    """

    def __init__(
        self, arc_features: ArcFeatures, distribution: TreeDistribution, matches: Matches, settings: GESettings,
        threads: int | None = None, trees: "TreeTerm | None" = None, brackets: "BracketTerm | None" = None,
    ):  # fmt: skip
        self.arc_features, self.distribution, self.threads = arc_features, distribution, threads
        self.matches, self.variance, self.trees, self.brackets = matches, settings.variance, trees, brackets
        self.targets = Targets(matches.constraints, matches.denominators, settings)
        self.sums = None  # made at the first evaluation, then updated in place

    def __call__(self, weights):
        """(value, gradient (F,), details) at these weights; O(sum of n^3)."""
        scores = self.arc_features.scores(weights, self.threads)
        if self.sums is None:
            self.sums = self.distribution.sums(scores, self.threads)
        else:
            self.sums.update(scores)
        expectations = self._expectations(self.sums.marginals)
        penalty, slopes = self.targets(expectations)
        value = penalty + float(weights @ weights / (2 * self.variance))
        direction = self.direction(slopes)
        change = self.sums.covariance(scores.like(direction)).values
        if self.brackets is not None:
            bracket_value, bracket_change = self.brackets(scores, self.sums.log_partitions, self.sums.marginals)
            value, change = value + bracket_value, change + bracket_change
        gradient = self.arc_features.expectations(change, self.threads) + weights / self.variance
        if self.trees is not None:
            tree_value, tree_gradient = self.trees(weights)
            value, gradient = value + tree_value, gradient + tree_gradient
        return value, gradient, {"expectations": expectations}

    def direction(self, slopes: np.ndarray) -> np.ndarray:
        """float64 (A,): the derivative by each arc's marginal, from those by each constraint's expectation."""
        return self.matches.spread(slopes / self.targets.denominators)

    def expectations(self, weights: np.ndarray) -> np.ndarray:
        """The model's share for each constraint: float64 (C,)."""
        scores = self.arc_features.scores(weights, self.threads)
        return self._expectations(self.distribution.marginals(scores, threads=self.threads)[1])

    def known_gradient(self, weights: np.ndarray) -> np.ndarray:
        """float64 (F,): the gradient of what is learnt beside the constraints, known trees and brackets."""
        gradient = np.zeros(len(weights)) if self.trees is None else self.trees(weights)[1]
        if self.brackets is not None:
            scores = self.arc_features.scores(weights, self.threads)
            change = self.brackets(scores, *self.distribution.marginals(scores, threads=self.threads))[1]
            gradient = gradient + self.arc_features.expectations(change, self.threads)
        return gradient

    def _expectations(self, marginals):
        return self.matches.mass(marginals) / self.targets.denominators


class TreeTerm:
    """Minus the weighted log-likelihood of sentences with some or all heads known.

    The probability of a partial tree is the share of all trees that have its arcs, so its likelihood is the
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

    That probability is the share of the trees that do, at the level that each sentence holds, so its logarithm is the
    difference of two log-partitions, log Z of the trees that respect the brackets minus log Z, and its gradient the
    difference of two sets of marginals. The mean, because constraints are shares too: a sum over many sentences would
    drown them, and trees without any structure, such as one chain, respect every bracket at sprawl.

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


def contradicting_arcs(heads: np.ndarray, sides: np.ndarray, arc_offsets: np.ndarray) -> np.ndarray:
    """bool (A,): arcs into a word whose head is known to be another one."""
    sentence = np.repeat(np.arange(len(sides)), sides)
    starts = np.cumsum(sides) - sides
    modifier = np.arange(len(heads)) - starts[sentence]
    forbidden = np.zeros(int(arc_offsets[-1]), dtype=bool)
    known = np.flatnonzero((heads >= 0) & (modifier > 0))
    side, base = sides[sentence[known]], arc_offsets[sentence[known]] + modifier[known]
    for head in range(int(sides.max(initial=0))):  # a row of arcs at a time
        within = head < side
        forbidden[(base + head * side)[within]] = True
    forbidden[base + heads[known].astype(np.int64) * side] = False
    return forbidden
