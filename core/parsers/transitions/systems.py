"""Transition systems: arc-standard, arc-eager, arc-hybrid and swap, as functions of a configuration.

A configuration is a stack, a buffer and the arcs so far. The root stands at the bottom of the stack and may take any
number of words. Everything here is exact and small, for a class or an oracle; nothing is learnt.

Sources: Nivre (2008), sections 3 and 4, for arc-standard and arc-eager; Kuhlmann, Gómez-Rodríguez & Satta (2011),
section 4, for arc-hybrid; Nivre (2009), section 3, for swap.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from core.errors import WorkbenchError

SHIFT, LEFT, RIGHT, REDUCE, SWAP = "Shift", "Left-Arc", "Right-Arc", "Reduce", "Swap"


class Configuration(NamedTuple):
    """What a transition-based parser knows between two transitions.

    Attributes
    ----------
    stack : tuple of int
        The bottom first; 0 is the root.
    buffer : tuple of int
        The next word first.
    heads : tuple of int, length n + 1
        -1 where a word has none yet.
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    heads: tuple[int, ...]

    def attached(self, head: int, modifier: int) -> tuple[int, ...]:
        """The heads with one more arc."""
        return (*self.heads[:modifier], head, *self.heads[modifier + 1 :])


def start_configuration(n: int) -> Configuration:
    """The root on the stack, n words in the buffer, no arc."""
    return Configuration((0,), tuple(range(1, n + 1)), (-1,) * (n + 1))


@dataclass(frozen=True, slots=True)
class Transition:
    """One kind of move.

    Attributes
    ----------
    name : str
    allowed : callable (Configuration) -> bool
    apply : callable (Configuration) -> Configuration
        Of a configuration that allows it.
    arc : callable (Configuration) -> (head, modifier), or None
        The arc that it adds.
    """

    name: str
    allowed: Callable[[Configuration], bool]
    apply: Callable[[Configuration], Configuration]
    arc: Callable[[Configuration], tuple[int, int]] | None = None


@dataclass(frozen=True, slots=True)
class TransitionSystem:
    """A set of transitions.

    Attributes
    ----------
    key, name, source : str
    transitions : tuple of Transition
    to_the_end : bool
        A derivation ends when the root alone is left; otherwise when the buffer is empty, whatever the stack holds.
    projective : bool
        Crossing arcs are out of its reach.
    """

    key: str
    name: str
    source: str
    transitions: tuple[Transition, ...]
    to_the_end: bool = True
    projective: bool = True

    def is_final(self, configuration: Configuration) -> bool:
        """Whether a derivation ends here."""
        return not configuration.buffer and not (self.to_the_end and len(configuration.stack) > 1)

    def allowed(self, configuration: Configuration) -> tuple[Transition, ...]:
        """The transitions that can be taken; none in a final configuration, at least one in any other."""
        if self.is_final(configuration):
            return ()
        return tuple(transition for transition in self.transitions if transition.allowed(configuration))

    def named(self, name: str) -> Transition:
        """The Transition of a name. Raises WorkbenchError."""
        for transition in self.transitions:
            if transition.name == name:
                return transition
        names = ", ".join(transition.name for transition in self.transitions)
        raise WorkbenchError(f"{self.name} has no transition {name!r}; it has {names}")

    def replay(self, n: int, names: Sequence[str]) -> Iterator[Configuration]:
        """The configurations of a derivation, the first included. Raises WorkbenchError where one is not allowed."""
        configuration = start_configuration(n)
        yield configuration
        for number, name in enumerate(names, start=1):
            transition = self.named(name)
            if transition not in self.allowed(configuration):
                raise WorkbenchError(f"{name} cannot be taken as move {number} of {self.name} on {n} words")
            configuration = transition.apply(configuration)
            yield configuration


def _shift(c):
    return Configuration((*c.stack, c.buffer[0]), c.buffer[1:], c.heads)


def _arc_to_second(c):  # from the top of the stack to the word under it
    return Configuration((*c.stack[:-2], c.stack[-1]), c.buffer, c.attached(c.stack[-1], c.stack[-2]))


def _arc_to_top(c):  # from the word under the top of the stack to the top
    return Configuration(c.stack[:-1], c.buffer, c.attached(c.stack[-2], c.stack[-1]))


def _arc_from_buffer(c):  # from the next word to the top of the stack
    return Configuration(c.stack[:-1], c.buffer, c.attached(c.buffer[0], c.stack[-1]))


def _arc_to_buffer(c):  # from the top of the stack to the next word, which is put on it
    return Configuration((*c.stack, c.buffer[0]), c.buffer[1:], c.attached(c.stack[-1], c.buffer[0]))


def _pop(c):
    return Configuration(c.stack[:-1], c.buffer, c.heads)


def _swap(c):
    return Configuration((*c.stack[:-2], c.stack[-1]), (c.stack[-2], *c.buffer), c.heads)


_SHIFT = Transition(SHIFT, lambda c: bool(c.buffer), _shift)
_LEFT_STANDARD = Transition(
    LEFT, lambda c: len(c.stack) > 2, _arc_to_second, lambda c: (c.stack[-1], c.stack[-2])
)  # fmt: skip
_RIGHT_STANDARD = Transition(RIGHT, lambda c: len(c.stack) > 1, _arc_to_top, lambda c: (c.stack[-2], c.stack[-1]))
_LEFT_HYBRID = Transition(
    LEFT, lambda c: len(c.stack) > 1 and bool(c.buffer), _arc_from_buffer, lambda c: (c.buffer[0], c.stack[-1])
)  # fmt: skip
_LEFT_EAGER = Transition(
    LEFT, lambda c: _LEFT_HYBRID.allowed(c) and c.heads[c.stack[-1]] < 0, _arc_from_buffer, _LEFT_HYBRID.arc
)  # fmt: skip
_RIGHT_EAGER = Transition(RIGHT, lambda c: bool(c.buffer), _arc_to_buffer, lambda c: (c.stack[-1], c.buffer[0]))
_REDUCE = Transition(REDUCE, lambda c: c.heads[c.stack[-1]] >= 0, _pop)
_SWAP = Transition(SWAP, lambda c: len(c.stack) > 2 and c.stack[-2] < c.stack[-1], _swap)

STANDARD = TransitionSystem(
    "arc-standard", "Arc-standard", "Nivre (2008), section 4.1", (_SHIFT, _LEFT_STANDARD, _RIGHT_STANDARD)
)
EAGER = TransitionSystem(
    "arc-eager",
    "Arc-eager",
    "Nivre (2008), section 4.2",
    (_SHIFT, _LEFT_EAGER, _RIGHT_EAGER, _REDUCE),
    to_the_end=False,
)
HYBRID = TransitionSystem(
    "arc-hybrid", "Arc-hybrid", "Kuhlmann, Gómez-Rodríguez & Satta (2011), section 4",
    (_SHIFT, _LEFT_HYBRID, _RIGHT_STANDARD),
)  # fmt: skip
SWAPPING = TransitionSystem(
    "arc-swap", "Arc-standard with Swap", "Nivre (2009), section 3",
    (_SHIFT, _LEFT_STANDARD, _RIGHT_STANDARD, _SWAP), projective=False,
)  # fmt: skip

SYSTEMS = MappingProxyType({system.key: system for system in (STANDARD, EAGER, HYBRID, SWAPPING)})
