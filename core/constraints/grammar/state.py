"""A grammar under training, and the sentences that it is trained on."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.constraints.grammar.posterior_regularisation import DualAscent, DualPoint
from core.parsers.dmv.backoff import Backoff
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.symbols import Symbols


@dataclass(frozen=True, eq=False)
class GrammarState:
    """A grammar under training: its symbols, how they back off, its parameters, the ascent."""

    symbols: Symbols
    backoff: Backoff
    events: Events
    ascent: DualAscent


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
