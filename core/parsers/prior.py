"""A prior of a grammar from other languages: the log-probabilities of heads of a universal parser."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO, Protocol, Self, runtime_checkable

import numpy as np

from core.errors import FormatError
from core.parsers.embedded import load_embedded
from core.parsers.weights import file_array, finite
from core.treebank import Column, Treebank
from core.trees.packed import PackedScores

NAMES = NONE, UNIVERSAL, NEAREST = "none", "universal", "nearest"
WEIGHT, PARSER = "prior_weight", "prior_parser"


@runtime_checkable
class HeadProbabilities(Protocol):
    """A labelled parser that knows how probable each head of each word is: a ``UniversalParser``."""

    def log_probabilities(self, words: Treebank, threads: int | None = None) -> PackedScores:
        """In nats, of text without punctuation."""
        ...

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relations of trees."""
        ...

    def save(self, path: BinaryIO) -> None:
        """Write it to a binary file."""
        ...


@dataclass(frozen=True, eq=False)
class Prior:
    """A universal parser beside a grammar.

    Attributes
    ----------
    parser : HeadProbabilities
        One that knows the language of the text (``UniversalParser.for_text``).
    weight : float
        What its log-probabilities are multiplied by.
    """

    parser: HeadProbabilities
    weight: float

    def votes(self, words: Treebank, threads: int | None = None, whole: Treebank | None = None) -> np.ndarray:
        """float64 (A,): arc bonuses in nats, for text without punctuation: 0 for each word's most probable head.

        ``whole`` is not read. O(sum of n^2).
        """
        arcs = self.parser.log_probabilities(words, threads)
        for i in range(len(arcs)):
            scores = arcs[i]
            np.fill_diagonal(scores, -np.inf)
            scores -= scores.max(axis=0)  # long sentences would otherwise have probabilities of 0
            np.fill_diagonal(scores, 0.0)  # no arcs
        return self.weight * arcs.values

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays from which ``of`` reads it in a model file."""
        return {WEIGHT: np.array(self.weight), PARSER: file_array(self.parser)}

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self | None:
        """Read it from a model file's arrays; None if they hold none. Raises FormatError for another parser."""
        if WEIGHT not in arrays:
            return None
        parser = load_embedded(arrays, PARSER)
        if not isinstance(parser, HeadProbabilities):
            raise FormatError("its prior is no universal parser; save it again")
        return cls(parser, finite(arrays[WEIGHT]))
