"""The trace of an algorithm: steps, each with one sentence, a picture, a question and numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.draw.arcs import arc_heights
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.teach.greedy import TaughtGreedy
from core.treebank import Treebank

NAMED = 3  # words, arcs or decisions that a caption names
SAME = 1e-9  # values closer than this, relative to their size, are no fair question


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """A question about what the next step will show.

    Attributes
    ----------
    text : str
    options : tuple of str
        Two or more, all different.
    answer : str
        One of them.
    also : tuple of str
        Others that are right too.
    given : tuple of str
        Numbers that the answer is worked out from, a line each: in sight wherever the question is asked.
    """

    text: str
    options: tuple
    answer: str
    also: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    def is_right(self, option: str) -> bool:
        """Whether an option is the answer, or one of several."""
        return option in (self.answer, *self.also)

    @property
    def right(self) -> str:
        """All right options, in words."""
        return " or ".join((self.answer, *self.also))

    def __post_init__(self):
        if (
            not {self.answer, *self.also} <= set(self.options)
            or len(set(self.options)) != len(self.options)
            or len(self.options) < 2
        ):
            raise WorkbenchError(f"{self.answer!r} must be one of at least two different options, got {self.options}")


@dataclass(frozen=True, slots=True)
class Move:
    """One of several ways on: its ``letter`` in addresses and lessons, and its ``name``."""

    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One state of an algorithm.

    Attributes
    ----------
    title : str
        A few words.
    caption : str
        What just happened, in one sentence, numbers with their units.
    picture : object with ``scene(theme)``
        What is drawn (``core.draw``).
    table : mapping of str to list
        The picture's numbers as columns of equal length, for who does not see it.
    question : QuizQuestion or None
        Asked before this step is shown; its answer is in this step.
    numbers : dict
        What the step computed, by name, unrounded.
    moves : tuple of Move
        The ways on from here, where there are several kinds.
    """

    title: str
    caption: str
    picture: Any
    table: Mapping[str, Sequence] = field(default_factory=dict)
    question: QuizQuestion | None = None
    numbers: dict = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def _repr_svg_(self) -> str:
        """The step's picture, in a notebook."""
        return self.picture.scene().svg(self.title, self.caption)


@dataclass(frozen=True, slots=True)
class AlgorithmTrace:
    """All steps of one run.

    Attributes
    ----------
    algorithm : str
        Key in ``core.teach.algorithms``.
    words : tuple of str, length n + 1
    steps : tuple of Step
    result : dict
        What the public function returned, by name; the last step shows it.
    first : int
        The step that it begins with, from 0.
    setting : str
        What changes from step to step, with its unit, where the steps are the values of one setting.
    marks : tuple of str
        The value at each step; empty without a setting.
    path : str
        The letters of the ``Move`` that led to each step but the first, where there were several ways.
    """

    algorithm: str
    words: tuple[str, ...]
    steps: tuple[Step, ...]
    result: dict
    first: int = 0
    setting: str = ""
    marks: tuple[str, ...] = ()
    path: str = ""

    def __len__(self):
        return len(self.steps)


@dataclass(frozen=True, eq=False)
class Example:
    """A sentence to step through: its words, and what every arc scores.

    Attributes
    ----------
    words, tags : tuple of str, length n + 1
        Entry 0, the root's, is ``""``; tags may be all empty.
    scores : ndarray of shape (n + 1, n + 1), dtype float64
        [head, modifier], in nats; -inf forbids an arc.
    single_root : bool
        Exactly one word attached to the root.
    constraint : str
        One line of the constraint language, or several, one under the other, for what learns from them. Or rules, a
        bracket, the heads of a wanted tree, or a weight.
    text : Treebank or None
        What is learnt from where a single sentence is not enough; None is the built-in sample.
    second : Example or None
        Another sentence, for what brings two to agree; ``text`` holds neither of them then.
    moves : str
        The moves that were chosen, a letter each (``Move``); what comes after them is the algorithm's own way.
    greedy : TaughtGreedy or None
        The greedy parser beside an oracle, where one was asked for and has been taught before.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    scores: np.ndarray
    single_root: bool = True
    constraint: str = ""
    text: Treebank | None = None
    second: "Example | None" = None
    moves: str = ""
    greedy: TaughtGreedy | None = None

    def __len__(self):
        return len(self.words) - 1


def quiz_question(
    text: str, ways: Sequence[tuple[str, float]], answer: str, most: int = 6, given: Mapping[str, str] | None = None
) -> QuizQuestion | None:
    """The QuizQuestion that asks which of several ways is best, or None where there is no choice.

    ``ways`` is a list of (name, value). Ways that tie with the answer are left out, and so are the worst beyond
    ``most``. ``given`` has, by their names, the numbers that the ways' values are worked out from.
    """
    best = max(value for _, value in ways)
    worse = {name: value for name, value in ways if value < best - SAME * (1 + abs(best)) and name != answer}
    others = sorted(worse, key=lambda name: -worse[name])[: most - 1]
    names = [name for name in dict.fromkeys(name for name, _ in ways) if name == answer or name in others]
    if len(names) < 2:
        return None
    return QuizQuestion(text, tuple(names), answer, given=tuple(f"{name}: {given[name]}" for name in names if given))


def equal_levels(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps with the same room for arcs in every picture, so that words stay where they are."""
    most = max(max([0, *arc_heights([arc for arc in step.picture.arcs])]) for step in steps)
    return tuple(replace(step, picture=replace(step.picture, levels=most)) for step in steps)


def number(value: float, digits: int = 1) -> str:
    """A number as it is written in pictures: ``−1.5``, ``0``, ``−∞``."""
    if value == float("-inf"):
        return "−∞"
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")


def numbered(words: Sequence[str], k: int) -> str:
    """A word with its number: ``saw (3)``, ``“,” (4)``; the root is ``root``."""
    if k == 0:
        return "root"
    word = words[k]
    return f"{bidi_isolate(word) if any(letter.isalnum() for letter in word) else f'“{word}”'} ({k})"


def arrow(words: Sequence[str], head: int, modifier: int) -> str:
    """An arc in words: ``saw (3) → duck (4)``."""
    return f"{numbered(words, head)} → {numbered(words, modifier)}"


def percent(share: float) -> str:
    """A probability as it is written on an arc."""
    return "<1%" if share < 0.01 else f"{share:.0%}"


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def first_few(names: Sequence[str]) -> str:
    """``a, b, c and 2 more``."""
    return listed([*names[:NAMED], *([f"{len(names) - NAMED} more"] if len(names) > NAMED else [])])
