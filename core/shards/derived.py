"""Values that a learner derives from the parts of a text, step by step, and sums over them.

A step makes values from each value of the step before, and the first step from the part itself: its sentences, batches
of them, their features, the candidates of constraints. For a part in memory a step is done at once, and a ``Derived``
holds its values. For a shard all steps are repeated where the shard is, one value after the other, whenever something
is summed. Only values that the steps put into a cache (``core.shards.cache``) remain.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from core.shards.engine import Engine, pairwise_sum
from core.shards.parts import Part, Parts

T = TypeVar("T")
V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True)
class PartValues:
    """A part, and its values; None for a shard, whose values are made where it is."""

    part: Part
    held: Sequence | None


@dataclass(frozen=True, eq=False)
class Derived(Generic[V]):
    """Values of the parts of a text, and the engine that makes and sums them."""

    engine: Engine
    pieces: Sequence[PartValues]
    steps: tuple[tuple[Callable, tuple], ...] = ()

    @classmethod
    def of(cls, parts: Parts, make: Callable[..., Iterable[W]], *shared: object) -> "Derived[W]":
        """The values ``make(part, *shared)`` of each part."""
        pieces = [PartValues(part, (part,) if part.stays else None) for part in parts.parts]
        return Derived[Part](parts.engine, pieces).then(make, *shared)

    def then(self, make: Callable[..., Iterable[W]], *shared: object) -> "Derived[W]":
        """The values ``make(value, *shared)`` of each value."""
        pieces = [
            piece if piece.held is None else replace(piece, held=tuple(_step(piece.held, make, shared)))
            for piece in self.pieces
        ]
        return Derived(self.engine, pieces, (*self.steps, (make, shared)))

    def some(self, chosen: Iterable[object]) -> "Derived[V]":
        """The values of those parts for which ``chosen`` is true."""
        return replace(self, pieces=[piece for piece, is_chosen in zip(self.pieces, chosen, strict=True) if is_chosen])

    def each(self, function: Callable[..., T], *shared: object) -> list[T]:
        """The sum of ``function(value, *shared)`` of each part, in order."""
        sums = dict(self.engine.each(_sum, self.pieces, self.steps, function, *shared))
        return [sums[number] for number in range(len(self.pieces))]

    def sum(self, function: Callable[..., T], *shared: object) -> T:
        """The sum of ``function(value, *shared)``, added within each part, and then over parts, by ``pairwise_sum``."""
        return self.engine.sum(_sum, self.pieces, self.steps, function, *shared)

    @property
    def only(self) -> V:
        """The value of a text in memory for which the last step made one value."""
        (piece,) = self.pieces
        assert piece.held is not None  # shards are refused where it is needed
        (value,) = piece.held
        return value


def _step(values, make, shared):
    """Yield the values ``make(value, *shared)`` of each value."""
    for value in values:
        yield from make(value, *shared)


def _sum(piece, steps, function, *shared):
    """The sum of ``function(value, *shared)`` over the values of one part."""
    values = piece.held
    if values is None:
        values = (piece.part,)
        for make, others in steps:
            values = _step(values, make, others)
    return pairwise_sum(function(value, *shared) for value in values)
