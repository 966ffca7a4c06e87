"""A grammar under training, and the sentences that it is trained on."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.constraints.grammar import SingleGrammar
from core.constraints.posterior import DualAscent, DualPoint
from core.parsers.dmv.backoff import Backoff, extended
from core.parsers.dmv.parameters import Events, estimate
from core.parsers.dmv.symbols import Symbols


@dataclass(frozen=True, eq=False)
class GrammarState:
    """A grammar under training: its symbols, how they back off, its parameters, the ascent."""

    symbols: Symbols
    backoff: Backoff
    events: Events
    ascent: DualAscent

    @property
    def grammar(self) -> SingleGrammar:
        """The grammar as it parses."""
        return SingleGrammar(self.symbols, self.events, np.array(self.ascent.multipliers), self.backoff)


def points_of(groups: list) -> list[list[DualPoint]]:
    """Where each group of states stands: a list of Points for each."""
    return [
        [state.ascent.point(state.events, state.ascent.multipliers).without_events() for state in group]
        for group in groups
    ]


def mean(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """The mean of arrays of one shape, without a copy of all of them."""
    total, count = np.zeros(()), 0
    for array in arrays:
        total, count = total + array, count + 1
    return total / count


def initial_grammar(counts: Events) -> Events:
    """Where training begins, from harmonic counts: heads nearby are likelier, whatever the tags."""
    return extended(estimate(counts, 1.0))
