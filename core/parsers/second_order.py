"""Bonuses for the arcs of second-order parsers that learnt a grammar's trees, beside the grammar's constraints.

The multipliers of a grammar that was trained with these bonuses depend on them, so it parses with them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.parsers.crf.tree_crf import gold_arcs
from core.parsers.embedded import embed_numbered, load_numbered
from core.parsers.mst.parser import MSTParser
from core.parsers.weights import finite
from core.treebank import Treebank

VOTE, PARSER = "vote", "second_order"


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """Second-order parsers that learnt parts of a grammar's trees, and the weight of their arcs.

    Attributes
    ----------
    parsers : tuple of MSTParser
        Each has an equal share of the bonus.
    vote : float
        The bonus of an arc that all of them draw, in nats.
    """

    parsers: tuple[MSTParser, ...]
    vote: float

    def votes(self, words: Treebank, threads: int | None = None, whole: Treebank | None = None) -> np.ndarray:
        """float64 (A,): arc bonuses in nats, for text without punctuation; ``whole`` is not read.

        Raises WorkbenchError for a text most of whose tags they do not know. O(parsers * sum of n^3).
        """
        offsets, worth = arc_offsets_of(words.lengths), self.vote / len(self.parsers)
        drawn = (gold_arcs(parser.parse(words, threads=threads), offsets) for parser in self.parsers)
        return worth * np.sum([*drawn], axis=0)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays from which ``of`` reads it in a model file."""
        return {VOTE: np.array(self.vote)} | embed_numbered(PARSER, self.parsers)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self | None:
        """Read it from a model file's arrays; None if they hold none. Raises FormatError for other parsers."""
        if VOTE not in arrays:
            return None
        loaded = load_numbered(arrays, PARSER)
        parsers = tuple(parser for parser in loaded if isinstance(parser, MSTParser))
        if not parsers or len(parsers) < len(loaded):
            raise FormatError("what votes in it is no second-order parser; save it again")
        return cls(parsers, finite(arrays[VOTE]))
