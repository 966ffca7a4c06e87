"""A text as a list of parts, and sums over them: what a batch learner trains on, in memory or in shards.

A learner sums counts or gradients over parts, and then makes one update. The engine of ``Parts`` works on a part in
this process or on Dask's workers. A text in memory is a single part.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from core.callbacks import Cancel
from core.shards.cache import Cache
from core.shards.engine import Engine, LocalEngine
from core.shards.folder import Shards
from core.treebank import Treebank
from core.treebank.punctuation import PunctuationRule, TagsInUse
from core.trees.brackets import PackedBrackets

T = TypeVar("T")


class Part(Protocol):
    """Some sentences of a text, hashable.

    Attributes
    ----------
    number : int
        Its place among the parts.
    heads : int array of shape (rows,), or None
        Known heads of the sentences with punctuation, -1 for unknown ones.
    threads : int or None
        How many threads may work on it; None for all cores.
    stays : bool
        Whether it is in memory: it is never cut into batches, and values made from it stay.
    """

    @property
    def number(self) -> int: ...

    @property
    def heads(self) -> np.ndarray | None: ...

    @property
    def threads(self) -> int | None: ...

    @property
    def stays(self) -> bool: ...

    def text(self, longest: int | None = None, rule: PunctuationRule | None = None) -> Treebank:
        """The part's sentences of at most ``longest`` words; without punctuation if there is a ``rule`` for it."""
        ...

    def marked(self, rule: PunctuationRule | None = None) -> tuple[Treebank, PackedBrackets]:
        """(sentences with punctuation, which ``rule`` recognises; the brackets of each)."""
        ...


@dataclass(frozen=True, eq=False)
class MemoryPart:
    """A text in memory: its only part."""

    treebank: Treebank
    brackets: PackedBrackets | None = None
    heads: np.ndarray | None = None
    threads: int | None = None
    number: int = 0
    stays = True

    def text(self, longest: int | None = None, rule: PunctuationRule | None = None) -> Treebank:
        words = self.treebank if rule is None else self.treebank.without_punctuation()
        return words if longest is None else words.max_length(longest)

    def marked(self, rule: PunctuationRule | None = None) -> tuple[Treebank, PackedBrackets]:
        none = PackedBrackets.from_lists([()] * len(self.treebank))
        return self.treebank, none if self.brackets is None else self.brackets


@dataclass(frozen=True)
class Parts:
    """The parts of a text, and the engine that works on them."""

    parts: Sequence[Part]
    engine: Engine

    @classmethod
    def of(
        cls, text: Treebank | Shards, engine: Engine | None = None, brackets: PackedBrackets | None = None,
        heads: np.ndarray | None = None, threads: int | None = None,
    ) -> "Parts":  # fmt: skip
        """The one part of a Treebank, worked on in this process, or those of Shards, on ``engine``."""
        if isinstance(text, Shards):
            return cls(text.pieces, engine or LocalEngine())
        return cls([MemoryPart(text, brackets, heads, threads)], LocalEngine(Cache(math.inf)))

    def __len__(self):
        return len(self.parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def each(self, function: Callable[..., T], *shared: object, cancel: Cancel | None = None) -> list[T]:
        """``function(part, *shared)`` of each part, in order."""
        values = dict(self.engine.each(function, self.parts, *shared, cancel=cancel))
        return [values[number] for number in range(len(self.parts))]

    def sum(self, function: Callable[..., T], *shared: object, cancel: Cancel | None = None) -> T:
        """The sum of ``function(part, *shared)``, added as ``engine.pairwise_sum`` does."""
        return self.engine.sum(function, self.parts, *shared, cancel=cancel)

    def punctuation_rule(self) -> PunctuationRule:
        """The rule that recognises punctuation, from all parts together."""
        return self.sum(_tags_in_use).rule()


def _tags_in_use(part):
    return TagsInUse.of(part.text())
