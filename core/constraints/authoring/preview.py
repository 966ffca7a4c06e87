"""What one more line would change, without training: the trees of the nearest model that gives the line its share.

Of all distributions over trees that give line c an expected share within its target, the nearest to the model p is

    q(tree) ~ p(tree) exp(x n_c(tree)),

n_c the number of candidates of c among the tree's arcs, with one multiplier x for the text: 0 where the share lies
within already, else that which brings it to the nearer end, |x| <= the largest multiplier (Ganchev et al. 2010, section
2; the step of posterior regularisation for a single line, and exact). Training goes on from there: it changes what is
learnt of other arcs, too.
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
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.decoding import PosteriorParser
from core.parsers.punctuation_arcs import marks_between
from core.treebank import Treebank
from core.trees.eisner import eisner
from core.trees.packed import PackedScores

NEAR = 0.005  # of a share: nearer to the target than this is met
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
    """The ArcModel of a tree CRF: a distribution, and arc scores in nats."""

    distribution: TreeDistribution
    scores: PackedScores

    def select(self, sentences: np.ndarray) -> "ScoredArcs":
        return replace(self, scores=_selected(self.scores, sentences))

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        return self.distribution.marginals(self.scores.like(self.scores.values + log_weights))[1].values

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        return self.distribution.best(self.scores.like(self.scores.values + log_weights)).values


@dataclass(frozen=True, eq=False)
class GrammarArcs:
    """The ArcModel of a Grammar, or of what votes together, over words without punctuation.

    ``fixed`` are log-weights of all arcs that stay, in nats; ``of`` puts votes there.
    """

    grammar: PosteriorParser
    words: Treebank
    fixed: PackedScores

    @classmethod
    def of(cls, grammar: PosteriorParser, treebank: Treebank) -> "GrammarArcs":
        """Those of a text: its punctuation has its price, and what votes beside the grammar is asked once."""
        words = treebank.without_punctuation()
        fixed = -grammar.price * marks_between(treebank, words)
        votes = grammar.votes(words, whole=treebank)
        if votes is not None:
            fixed += votes
        return cls(grammar.without_votes(), words, PackedScores(fixed, arc_offsets_of(words.lengths)))

    def select(self, sentences: np.ndarray) -> "GrammarArcs":
        return replace(self, words=self.words.select(sentences), fixed=_selected(self.fixed, sentences))

    def marginals(self, log_weights: np.ndarray) -> np.ndarray:
        return self._posterior(self.fixed.values + log_weights)[1].values

    @cached_property
    def _posterior(self):
        return self.grammar.posterior(self.words)

    def heads(self, log_weights: np.ndarray) -> np.ndarray:
        return eisner(self.fixed.like(self.marginals(log_weights))).values


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
    """What a line would change.

    Attributes
    ----------
    constraint : Constraint
    multiplier : float
        x, in nats; 0 where nothing has to change.
    expectation, reached : float
        The line's share, over the whole text, without it and with it.
    before, after : ndarrays of shape (rows,), dtype int32
        The model's trees; -1 in the sentences of which the line does not speak.
    sentences : ndarray of shape (K,), dtype int64
        Those whose tree changes, most words first.
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
    """What a line would change in the trees of a model, before it is learnt from.

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
    At most ``EVALUATIONS`` sums over the trees of the sentences of which it speaks, and two decodings.
    """
    bank, matches = matcher.treebank, matcher.match([constraint])
    spoken = np.flatnonzero(np.diff(np.searchsorted(matches.arcs, matches.arc_offsets)))
    unknown = np.full(len(bank.heads), -1, dtype=np.int32)
    if not len(spoken):
        return Preview(constraint, 0.0, 0.0, 0.0, unknown, unknown, spoken)
    candidates = np.zeros(matches.arc_offsets[-1], dtype=bool)
    candidates[matches.arcs] = True
    candidates = candidates[selected_rows(matches.arc_offsets, spoken)[0]]
    some, total = model.select(spoken), float(matches.denominators[0])

    def share(multiplier):
        return float(some.marginals(multiplier * candidates)[candidates].sum()) / total

    expectation = share(0.0)
    multiplier, reached = 0.0, expectation
    if not constraint.low <= expectation <= constraint.high:
        goal = constraint.low if expectation < constraint.low else constraint.high
        scale = total / float(matches.modifiers[0])  # shares of words stay within 0..1
        multiplier, reached = _reach(share, expectation, goal, scale, GrammarSettings.bound * constraint.weight)
    rows, _ = selected_rows(bank.offsets, spoken)
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

    Steps by secants of log-odds, which a multiplier moves almost in a straight line, and halves the interval that is
    left where a step leads nowhere in it.
    """
    low, high = (0.0, most) if goal > expectation else (-most, 0.0)
    here, step = (0.0, expectation), _log_odds(goal * scale) - _log_odds(expectation * scale)
    for _ in range(EVALUATIONS):
        value = float(np.clip(here[0] + step, low, high))
        if np.isnan(value) or (value in (low, high) and abs(value) < most):
            value = (low + high) / 2
        here, there = (value, share(value)), here
        short = here[1] < goal
        if abs(here[1] - goal) <= NEAR or (abs(value) == most and short == (value > 0)):
            break
        low, high = (value, high) if short else (low, value)
        odds, former, wanted = (_log_odds(each * scale) for each in (here[1], there[1], goal))
        step = (wanted - odds) * (here[0] - there[0]) / (odds - former) if odds != former else np.nan
    return here


def _log_odds(share):
    if not 0 < share < 1:
        return np.inf if share >= 1 else -np.inf
    return float(np.log(share) - np.log1p(-share))
