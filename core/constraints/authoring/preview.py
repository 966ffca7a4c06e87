"""The effect of one more constraint, without training: the trees of the nearest model that meets its target.

Of all distributions over trees whose expected share of constraint c is within its target, the nearest to the model p is

    q(tree) ~ p(tree) exp(x n_c(tree)),

where n_c is the number of candidates of c among the tree's arcs. The text has one multiplier x, 0 if the share is in
the target already. Else it brings the share to the nearer end of the target, with |x| <= the largest multiplier. This
is the exact step of posterior regularisation for a single constraint (Ganchev et al. 2010, section 2). Training goes on
from there, and changes what is learnt of other arcs, too.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from core.constraints.grammar.training import GrammarSettings
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.features.packed import arc_offsets_of
from core.offsets import selected_rows
from core.parsers.arc_factored import ArcFactoredParser
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.decoding import PosteriorParser
from core.parsers.punctuation_arcs import marks_between
from core.treebank import Treebank
from core.trees.brackets import PackedBrackets
from core.trees.packed import PackedScores

PROJECTIVE = TreeDistribution(projective=True)
NEAR = 0.005  # a share that is nearer to its target counts as met
EVALUATIONS = 12


class ArcModel(Protocol):
    """A model of the trees of some sentences to which log-weights of arcs, in nats, can be added."""

    def select(self, sentences: np.ndarray) -> Self:
        """The same model of some of the sentences."""
        ...

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        """float64 (A,): the probability of every arc, packed like ``PackedScores``."""
        ...

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        """int32 (rows,): the trees that it gives."""
        ...


@dataclass(frozen=True, eq=False)
class ScoredArcs:
    """The ArcModel of a tree CRF: a distribution, and arc scores in nats.

    Its trees respect the ``brackets`` of the same sentences at a ``level``, or a softer one where they must; None for
    none.
    """

    distribution: TreeDistribution
    scores: PackedScores
    brackets: PackedBrackets | None = None
    level: str = "none"

    def select(self, sentences: np.ndarray) -> "ScoredArcs":
        brackets = None if self.brackets is None else self.brackets.select(sentences)
        return replace(self, scores=_selected(self.scores, sentences), brackets=brackets)

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        return self.distribution.marginals(self.scores.like(self.scores.values + log_weights))[1].values

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        scores = self.scores.like(self.scores.values + log_weights)
        return self.distribution.best(scores, brackets=self.brackets, level=self.level).values


@dataclass(frozen=True, eq=False)
class GrammarArcs:
    """The ArcModel of a Grammar or a ParserEnsemble over words without punctuation.

    ``fixed`` are constant log-weights of all arcs, in nats; ``of`` includes arc bonuses. Its trees respect brackets, in
    the numbers of ``words``, as those of ``ScoredArcs`` do.
    """

    grammar: PosteriorParser
    words: Treebank
    fixed: PackedScores
    brackets: PackedBrackets | None = None
    level: str = "none"

    @classmethod
    def of(
        cls, grammar: PosteriorParser, treebank: Treebank, brackets: PackedBrackets | None = None, level: str = "none"
    ) -> "GrammarArcs":
        """The model of a text: punctuation between words is penalised, and arc bonuses are computed once."""
        words = treebank.without_punctuation()
        fixed = -grammar.price * marks_between(treebank, words)
        arc_bonuses = grammar.votes(words, whole=treebank)
        if arc_bonuses is not None:
            fixed += arc_bonuses
        fixed = PackedScores(fixed, arc_offsets_of(words.lengths))
        return cls(grammar.without_votes(), words, fixed, brackets, level)

    def select(self, sentences: np.ndarray) -> "GrammarArcs":
        brackets = None if self.brackets is None else self.brackets.select(sentences)
        fixed = _selected(self.fixed, sentences)
        return replace(self, words=self.words.select(sentences), fixed=fixed, brackets=brackets)

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        return self._posterior(self.fixed.values + log_weights)[1].values

    @cached_property
    def _posterior(self):
        return self.grammar.posterior(self.words)

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        if isinstance(self.grammar, ArcFactoredParser):
            return self._best(self._weights + log_weights)
        return self._best(self.marginals(log_weights))

    def trees(self, marginals: PackedScores) -> np.ndarray:
        """int32 (rows,): the projective trees of the model, whose ``marginals`` are known.

        Those that have the most right heads expected; the most probable ones of a parser that draws these.
        """
        return self._best(self._weights if isinstance(self.grammar, ArcFactoredParser) else marginals.values)

    @cached_property
    def _weights(self):
        """Log-weights of the arcs of a parser that draws the most probable trees, in nats."""
        return self.grammar.arc_weights(self.words).values + self.fixed.values

    def _best(self, values):
        return PROJECTIVE.best(self.fixed.like(values), brackets=self.brackets, level=self.level).values


@dataclass(frozen=True, eq=False)
class ReweightedModel:
    """An ArcModel with log-weights of arcs, in nats, on top."""

    model: ArcModel
    log_weights: PackedScores

    def select(self, sentences: np.ndarray) -> "ReweightedModel":
        return ReweightedModel(self.model.select(sentences), _selected(self.log_weights, sentences))

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        return self.model.marginals(self.log_weights.values + log_weights)

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        return self.model.heads(self.log_weights.values + log_weights)


@dataclass(frozen=True, eq=False)
class Preview:
    """The effect of a constraint.

    Attributes
    ----------
    constraint : Constraint
    multiplier : float
        x, in nats; 0 where nothing has to change.
    expectation, reached : float
        The constraint's share over the whole text, without it and with it.
    before, after : ndarrays of shape (rows,), dtype int32
        The model's trees; -1 in sentences without candidates.
    sentences : ndarray of shape (K,), dtype int64
        The sentences whose tree changes, those with most changed words first.
    """

    constraint: Constraint
    multiplier: float
    expectation: float
    reached: float
    before: np.ndarray
    after: np.ndarray
    sentences: np.ndarray

    @property
    def met(self) -> bool:
        """Whether the share comes to lie within the target."""
        return self.constraint.low - NEAR <= self.reached <= self.constraint.high + NEAR

    @property
    def moved(self) -> int:
        """Words that get another head."""
        return int((self.before != self.after).sum())


def preview(model: ArcModel, matcher: Matcher, constraint: Constraint) -> Preview:
    """The effect of a constraint on the trees of a model, before training.

    Parameters
    ----------
    model : ArcModel
        Of the sentences of the matcher's treebank.
    matcher : Matcher
    constraint : Constraint

    Returns
    -------
    Preview

    Raises
    ------
    WorkbenchError : no tags. InfeasibleError : a sentence without a tree under the model.

    Notes
    -----
    At most ``EVALUATIONS`` sums over the trees of the sentences with candidates, and two decodings.
    """
    bank, matches = matcher.treebank, matcher.match([constraint])
    matching = np.flatnonzero(np.diff(np.searchsorted(matches.arcs, matches.arc_offsets)))
    unknown = np.full(len(bank.heads), -1, dtype=np.int32)
    if not len(matching):
        return Preview(constraint, 0.0, 0.0, 0.0, unknown, unknown, matching)
    candidates = np.zeros(matches.arc_offsets[-1], dtype=bool)
    candidates[matches.arcs] = True
    candidates = candidates[selected_rows(matches.arc_offsets, matching)[0]]
    some, total = model.select(matching), float(matches.denominators[0])

    def share(multiplier):
        return float(some.marginals(multiplier * candidates)[candidates].sum()) / total

    expectation = share(0.0)
    multiplier, reached = 0.0, expectation
    if not constraint.low <= expectation <= constraint.high:
        goal = constraint.low if expectation < constraint.low else constraint.high
        scale = total / float(matches.modifiers[0])  # shares of words stay within 0..1
        multiplier, reached = _reach(share, expectation, goal, scale, GrammarSettings.bound * constraint.weight)
    rows, _ = selected_rows(bank.offsets, matching)
    before, after = unknown.copy(), unknown.copy()
    before[rows] = some.heads(np.zeros(len(candidates)))
    after[rows] = some.heads(multiplier * candidates) if multiplier else before[rows]
    moved = np.add.reduceat(before != after, bank.offsets[:-1], dtype=np.int64)
    order = np.argsort(-moved, kind="stable")
    return Preview(constraint, multiplier, expectation, reached, before, after, order[moved[order] > 0])


def _selected(packed, sentences):
    """The arcs of some of the sentences, as PackedScores."""
    cells, offsets = selected_rows(packed.offsets, sentences)
    return PackedScores(packed.values[cells], offsets)


def _reach(share, expectation, goal, scale, most):
    """(multiplier, its share): where ``share(multiplier)``, which rises, is near ``goal``, or at its bound.

    Secant steps in log-odds, in which a multiplier moves a share almost in a straight line; bisection where a step
    leaves the interval.
    """
    low, high = (0.0, most) if goal > expectation else (-most, 0.0)
    value, reached, goal_odds = 0.0, expectation, _log_odds(goal * scale)
    step = goal_odds - _log_odds(expectation * scale)
    for _ in range(EVALUATIONS):
        former, odds_before = value, _log_odds(reached * scale)
        value = float(np.clip(former + step, low, high))
        if np.isnan(value) or (value in (low, high) and abs(value) < most):
            value = (low + high) / 2
        reached = share(value)
        short = reached < goal
        if abs(reached - goal) <= NEAR or (abs(value) == most and short == (value > 0)):
            break
        low, high = (value, high) if short else (low, value)
        odds = _log_odds(reached * scale)
        step = (goal_odds - odds) * (value - former) / (odds - odds_before) if odds != odds_before else np.nan
    return value, reached


def _log_odds(share):
    if not 0 < share < 1:
        return np.inf if share >= 1 else -np.inf
    return float(np.log(share) - np.log1p(-share))
