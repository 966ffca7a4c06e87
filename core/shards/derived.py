"""What a learner makes of the parts of a text, step by step, and sums over it.

A step gives values for each value of the step before, the part itself at first: its sentences, a few of them at a time,
their features, the candidates of constraints. Of a part in memory a step is done at once, and its values stay for as
long as whoever asked for it keeps the result. Of a shard nothing stays but what the steps themselves keep by
``cached``: they are done where the shard is, each time that something is summed, one value after the other.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Generic, TypeVar

from core.shards.engine import Engine, pairwise_sum
from core.shards.parts import Part, Parts

T = TypeVar("T")
V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True)
class PartValues:
    """A part, and what stays of it; None of a shard."""

    part: Part
    kept: Sequence | None

    def values(self, steps: Iterable["_Step"]) -> Iterable:
        """What the last of the steps gives."""
        if self.kept is not None:
            return self.kept
        values = iter((self.part,))
        for step in steps:
            values = chain.from_iterable(map(step, values))
        return values


@dataclass(frozen=True, eq=False)
class Derived(Generic[V]):
    """Values of the parts of a text, and the engine that makes and sums them."""

    engine: Engine
    pieces: Sequence[PartValues]
    steps: tuple["_Step", ...] = ()

    @classmethod
    def of(cls, parts: Parts, make: Callable[..., Iterable[W]], *shared: object) -> "Derived[W]":
        """The values ``make(part, *shared)`` of each part."""
        pieces = [PartValues(part, (part,) if part.stays else None) for part in parts]
        return Derived[Part](parts.engine, pieces).then(make, *shared)

    def then(self, make: Callable[..., Iterable[W]], *shared: object) -> "Derived[W]":
        """The values ``make(value, *shared)`` of each value."""
        step = _Step(make, shared)
        pieces = [
            piece if piece.kept is None else replace(piece, kept=tuple(chain.from_iterable(map(step, piece.kept))))
            for piece in self.pieces
        ]
        return Derived(self.engine, pieces, (*self.steps, step))

    def some(self, chosen: Iterable[object]) -> "Derived[V]":
        """The values of those parts for which ``chosen`` is true."""
        return replace(self, pieces=[piece for piece, is_one in zip(self.pieces, chosen, strict=True) if is_one])

    def each(self, function: Callable[..., T], *shared: object) -> list[T]:
        """The sum of ``function(value, *shared)`` of each part, in order."""
        sums = dict(self.engine.each(_sum, self.pieces, self.steps, function, *shared))
        return [sums[number] for number in range(len(self.pieces))]

    def sum(self, function: Callable[..., T], *shared: object) -> T:
        """The sum of ``function(value, *shared)``, added within each part, and then over parts, by ``pairwise_sum``."""
        return self.engine.sum(_sum, self.pieces, self.steps, function, *shared)

    @property
    def only(self) -> V:
        """The one value of a text in memory that a step gave one value for."""
        (piece,) = self.pieces
        assert piece.kept is not None  # what asks for it is refused for shards
        (value,) = piece.kept
        return value


@dataclass(frozen=True)
class _Step:
    make: Callable
    shared: tuple

    def __call__(self, value):
        return self.make(value, *self.shared)


def _sum(piece, steps, function, *shared):
    return pairwise_sum(function(value, *shared) for value in piece.values(steps))
