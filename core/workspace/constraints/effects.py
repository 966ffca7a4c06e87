"""What moves an arc, in words and as a table: its probability without each constraint, answer or near language."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.constraints import Constraint
from core.constraints.authoring.arc_effects import ArcEffects
from core.files.tables import columns_of
from core.treebank import Sentence
from core.workspace.wording import word_name

SLIGHT = 0.005  # a probability that moves less is called unmoved


@dataclass(frozen=True)
class SingleEffect:
    """What a constraint, an answer about word order, or a language that answers does to an arc.

    Attributes
    ----------
    what : str
        The constraint, the question with its answer, or the language, in words.
    source : str
        Its line, or who answers.
    without : float
        The probability of the arc without it.
    head : int
        The head that the word then has in the tree that is drawn.
    """

    what: str
    source: str
    without: float
    head: int


class Explained(Protocol):
    """An arc with its effects: its probability, the head that its modifier has in the tree, and what moves it."""

    @property
    def probability(self) -> float: ...
    @property
    def head(self) -> int: ...
    @property
    def effects(self) -> tuple[SingleEffect, ...]: ...


@dataclass(frozen=True)
class ConstraintWhy:
    """Why a model with multipliers draws an arc, or does not.

    Attributes
    ----------
    probability, alone : float
        The arc's, with all constraints and without any.
    head, head_alone : int
        The head of the arc's modifier in the two trees.
    effects : tuple of SingleEffect
        Of the three constraints at most that speak of the arc most, in this order.
    nats : tuple of (str, float)
        All constraints that speak of it, with what they add to its log-weight beside the word's other heads.
    """

    probability: float
    alone: float
    head: int
    head_alone: int
    effects: tuple[SingleEffect, ...]
    nats: tuple[tuple[str, float], ...]


def constraint_why(constraints: Sequence[Constraint], found: ArcEffects) -> ConstraintWhy:
    """The ConstraintWhy of the ArcEffects under the constraints of a model."""
    effects = [
        SingleEffect(constraints[c].name, f"line {constraints[c].line}", under.probability, under.head)
        for c, under in found.without.items()
    ]
    order = sorted(range(len(constraints)), key=lambda c: -abs(found.nats[c]))
    nats = tuple((constraints[c].name, float(found.nats[c])) for c in order if found.nats[c])
    together, alone = found.together, found.alone
    return ConstraintWhy(together.probability, alone.probability, together.head, alone.head, tuple(effects), nats)


def effect_table(explained: Explained, sentence: Sentence) -> dict[str, list]:
    """Columns of a table over the effects: what, its source, the probability and the head without it."""
    rows = [
        (effect.what, effect.source, effect.without, word_name(sentence, effect.head) if effect.head != explained.head
         else "the same") for effect in explained.effects
    ]  # fmt: skip
    return columns_of(("what", "source", "without", "head"), rows)


def nats_table(explained: ConstraintWhy) -> dict[str, list]:
    """Columns of a table over all constraints that speak of the arc: constraint, nats."""
    return columns_of(("constraint", "nats"), explained.nats)


def effect_words(explained: Explained, sentence: Sentence, unmoved: str) -> str:
    """What turned the arc, in a sentence; ``unmoved`` where nothing moves it."""
    turning = [effect for effect in explained.effects if effect.head != explained.head]
    if turning:
        first = turning[0]
        head = word_name(sentence, first.head)
        return f"Without “{first.what}” ({first.source}) the head would be {head}."
    moves = [abs(effect.without - explained.probability) for effect in explained.effects]
    if max(moves, default=0.0) < SLIGHT:
        return unmoved
    most = explained.effects[moves.index(max(moves))]
    return f"Nothing alone turns it; “{most.what}” ({most.source}) moves its probability most, by {max(moves):.2f}."


def alone_words(explained: ConstraintWhy, sentence: Sentence) -> str:
    """The head that the word has without any constraint, in a sentence; "" where it is the same."""
    if explained.head_alone == explained.head:
        return ""
    return f"Without any the head would be {word_name(sentence, explained.head_alone)}."
