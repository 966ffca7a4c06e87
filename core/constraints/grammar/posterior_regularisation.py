"""Posterior regularisation of a grammar: the sums over a text whose dual ``core.parsers.dual_ascent`` maximises."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import TaggedText, count_events, expect
from core.parsers.dual_ascent import Moments, PosteriorConstraints, PosteriorSums


class GrammarSums(PosteriorSums, Protocol):
    """Sums over the text from which a grammar is estimated."""

    def count(self, moments: Moments, grammar: Events) -> Events:
        """Expected counts of the grammar's events under q."""
        ...


@dataclass(frozen=True, eq=False)
class TextSums:
    """The GrammarSums of a text in memory.

    Parameters
    ----------
    text : TaggedText
    constraints : PosteriorConstraints
    fixed : ndarray of shape (A,), dtype float64, optional
        b, log-weights in nats.
    threads : int, optional
    weights : ndarray of shape (S,), dtype float64, optional
        How much the events of each sentence count.
    """

    text: TaggedText
    constraints: PosteriorConstraints
    fixed: np.ndarray | None = None
    threads: int | None = None
    weights: np.ndarray | None = None

    @property
    def token_count(self) -> int:
        return self.text.token_count

    def moments(self, grammar: Events, multipliers: np.ndarray) -> Moments:
        log_weights = self.constraints.log_weights(multipliers)
        if self.fixed is not None:
            log_weights += self.fixed
        arcs = expect(self.text, grammar, bonus=np.exp(log_weights), threads=self.threads)
        possible = arcs.log_likelihoods[arcs.log_likelihoods > -np.inf].sum()
        return Moments(float(possible), *self.constraints.moments(arcs.marginals), arcs=arcs)

    def count(self, moments: Moments, grammar: Events) -> Events:
        assert moments.arcs is not None  # ``moments`` made it
        return count_events(self.text, moments.arcs, grammar, self.threads, self.weights)

    def counted(self, grammar: Events, multipliers: np.ndarray) -> Moments:
        """The Moments with expected counts in place of arcs, as parts of a text send them."""
        moments = self.moments(grammar, multipliers)
        return replace(moments, counts=self.count(moments, grammar), arcs=None)
