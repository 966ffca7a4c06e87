"""A second-order parser that has learnt a few trees, with features of what grammars from constraints think of each arc.

Stacking (Nivre & McDonald 2008, P08-1108; Martins, Das, Smith & Xing 2008, D08-1017), with arc posteriors in place of
the other parser's trees. Its arcs get a bonus in the grammar that learnt the same trees. Unless it learnt from few
words, the bonus is so large that its trees are nearly always the grammar's too. The grammar still gives the
probabilities of arcs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol, Self, runtime_checkable

import numpy as np

from core.errors import FormatError
from core.features.packed import PackedDense, arc_offsets_of
from core.parsers.crf.tree_crf import gold_arcs
from core.parsers.embedded import embed_numbered, load_embedded, load_numbered
from core.parsers.mst.parser import MSTParser
from core.parsers.punctuation_arcs import marks_between, over_all_words
from core.parsers.weights import file_array, finite
from core.treebank import Treebank
from core.trees.packed import PackedScores

FLOOR = 1e-3  # posteriors below this are all alike
VOTE, PARSER, GRAMMAR = "stacked_vote", "stacked_parser", "stacked_grammar"


@runtime_checkable
class ArcPosteriors(Protocol):
    """A grammar whose posteriors are features: a ``PosteriorParser``."""

    price: float

    def marginals(
        self, treebank: Treebank, *, votes: np.ndarray | None = None, threads: int | None = None,
        whole: Treebank | None = None,
    ) -> tuple[np.ndarray, PackedScores]:  # fmt: skip
        """(log-likelihoods, arc posteriors) of text without punctuation."""
        ...

    def save(self, path: BinaryIO) -> None:
        """Write it to a binary file."""
        ...


def arc_features(treebank: Treebank, grammars: Sequence[ArcPosteriors], threads: int | None = None) -> PackedDense:
    """A feature of every arc for each grammar: from 0, where its posterior is at most 0.001, to 1, where it is sure.

    Parameters
    ----------
    treebank : Treebank
        With its punctuation, whose arcs have features of 0.
    grammars : sequence of G ArcPosteriors

    Returns
    -------
    PackedDense of values (A, G)

    Notes
    -----
    The logarithm of the posterior, on this scale. O(sum of n^3) for each part of each grammar.
    """
    words, features = treebank.without_punctuation(), []
    passed = marks_between(treebank, words)
    for grammar in grammars:
        shares = grammar.marginals(words, votes=-grammar.price * passed, threads=threads, whole=treebank)[1].values
        certainty = 1 - np.log(np.maximum(shares, FLOOR)) / np.log(FLOOR)
        features.append(over_all_words(treebank, words, certainty.astype(np.float32)))
    return PackedDense(arc_offsets_of(treebank.lengths), np.stack(features, axis=1))


@dataclass(frozen=True, eq=False)
class Stacked:
    """A second-order parser with the grammars whose posteriors are its features.

    Attributes
    ----------
    parser : MSTParser
        Trained with ``arc_features`` of the grammars.
    grammars : tuple of ArcPosteriors
    vote : float
        The bonus of each of its arcs, in nats.
    """

    parser: MSTParser
    grammars: tuple[ArcPosteriors, ...]
    vote: float

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank under its trees."""
        features = arc_features(treebank, self.grammars, threads)
        return self.parser.parse(treebank, extra=features, threads=threads)

    def votes(self, words: Treebank, threads: int | None = None, whole: Treebank | None = None) -> np.ndarray:
        """float64 (A,): arc bonuses in nats, for text without punctuation; the ``whole`` text is read, if given.

        Raises WorkbenchError for a text most of whose tags it does not know. O(sum of n^3).
        """
        parsed = self.parse(words if whole is None else whole, threads).without_punctuation()
        return self.vote * gold_arcs(parsed, arc_offsets_of(words.lengths))

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays from which ``of`` reads it in a model file."""
        arrays = {VOTE: np.array(self.vote), PARSER: file_array(self.parser)}
        return arrays | embed_numbered(GRAMMAR, self.grammars)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self | None:
        """Read it from a model file's arrays; None if they hold none. Raises FormatError for other models."""
        if VOTE not in arrays:
            return None
        parser, loaded = load_embedded(arrays, PARSER), load_numbered(arrays, GRAMMAR)
        grammars = tuple(grammar for grammar in loaded if isinstance(grammar, ArcPosteriors))
        if not isinstance(parser, MSTParser) or len(grammars) < len(loaded):
            raise FormatError("what learnt its trees is no second-order parser beside grammars; save it again")
        if parser.trained().extra_count != len(grammars):
            raise FormatError("its second-order parser reads other grammars than it has; save it again")
        return cls(parser, grammars, finite(arrays[VOTE]))
