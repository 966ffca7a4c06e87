"""Protocols for what parsers can do: code that needs more than trees asks for the protocol that has it."""

from pathlib import Path
from typing import BinaryIO, Protocol, runtime_checkable

import numpy as np

from core.parsers.scores import ParserScores, ScoredWords
from core.treebank import Column, Treebank
from core.trees import PackedScores, PackedTrees


class Parser(Protocol):
    """A parser gives trees."""

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank with every tree replaced by the parser's."""
        ...


@runtime_checkable
class SavedParser(Parser, Protocol):
    """A parser that ``load_parser`` reads."""

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write it to a path or binary file."""
        ...


class ReadingParser(Parser, Protocol):
    """A parser that tags as well, so that it reads plain words."""

    def tag(self, treebank: Treebank) -> Treebank:
        """The treebank with tags in place of its own."""
        ...


@runtime_checkable
class Retagger(Parser, Protocol):
    """A parser that reads other tags than those of a text, where these say nothing of a word."""

    def tag_unknown(self, treebank: Treebank) -> Treebank:
        """The treebank as the parser reads it."""
        ...


@runtime_checkable
class Pruner(Parser, Protocol):
    """A parser that seeks the trees of long sentences among their likeliest arcs alone."""

    @property
    def searched_whole(self) -> int | None:
        """Words of the longest sentence all of whose arcs are considered; None for sentences of any length."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """A parser whose trees are the best under scores of their parts."""

    def score(self, treebank: Treebank) -> ParserScores:
        """The scores of all parts of all trees."""
        ...


@runtime_checkable
class RelationScorer(Parser, Protocol):
    """A parser that scores every relation of every arc."""

    def scored_words(self, treebank: Treebank) -> ScoredWords:
        """The words of a text under the parser's trees, and the scores of all labelled trees of them."""
        ...


@runtime_checkable
class Marginals(Parser, Protocol):
    """A parser that knows how probable every arc is."""

    def marginals(self, treebank: Treebank) -> tuple[np.ndarray, PackedScores]:
        """(log-partitions or log-likelihoods float64 (S,) in nats, the probability of every arc)."""
        ...


@runtime_checkable
class KBest(Parser, Protocol):
    """A parser that lists the best trees of a sentence."""

    def kbest(self, treebank: Treebank, k: int) -> PackedTrees:
        """At most ``k`` trees of each sentence, best first."""
        ...


@runtime_checkable
class Completer(Parser, Protocol):
    """A parser that draws trees around given arcs (``core.parsers.constrained_completion``)."""

    def completed_heads(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows,): heads of the best trees of those that have the treebank's own arcs.

        All are -1 in a sentence of which the parser considers no such tree.
        """
        ...


@runtime_checkable
class KBestCompleter(Completer, Protocol):
    """A ``Completer`` that lists the best trees around given arcs."""

    def completed_kbest(self, treebank: Treebank, k: int) -> PackedTrees:
        """At most ``k`` trees of each sentence that have the treebank's own arcs, best first."""
        ...


@runtime_checkable
class Labeller(Protocol):
    """A model that finds the relations of trees."""

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relation of each row of a text under some heads, int (rows,)."""
        ...


@runtime_checkable
class SavedLabeller(Labeller, Protocol):
    """A labeller that ``load_parser`` reads."""

    def save(self, path: BinaryIO) -> None:
        """Write it to a binary file."""
        ...
