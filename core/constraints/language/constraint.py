"""Constraints and their notation: ``DET <- NOUN dist 1 = 0.9..1.0``.

One constraint is one line. The arrow runs from the head to its modifier and the items stand in sentence order, as in
Table 1 of druck2009. ``ROOT`` is the artificial root at position 0, left of every word. A line, in this order:

    item arrow item      VBD -> TO, NNS <- VBD; NOUN -- DET: the first is the head, its modifier stands on either side;
                         ADJ <-> NOUN: connected, either is the head, in this order
    dist N | N..M | >N   how far apart the two words are (1: neighbours; from ROOT: the word's position).
    between X            some word between them is X.
    between only X       every word between them is X (or none is between).
    between none [X]     no word stands between them [no X does].
    before head X        the word just before the head is X; also ``after head``, ``before modifier`` and
                         ``after modifier``.
    per modifier         the target is a share of the words that have such a candidate head, not of the candidate
                         pairs (``per pair``, the default); ``per head``: of the heads that have such a candidate
    = 0.75 | 0.9..1.0    the target, a share or a range of shares
    weight 2             how much the constraint counts

An item is a tag (bare, or quoted where it is more than letters, digits, ``_ $ . -``), ``upos:`` ``xpos:``
``form:`` ``lemma:`` ``feats:`` and a value, ``*`` for any word, or ``{A B}`` for any of several. ``#`` opens a
comment at the start of a line or after a space.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace

import regex

from core.errors import ConstraintError

ARROWS = ("->", "<-", "--", "<->")
EITHER_HEAD = "<->"
PREFIXES = ("upos", "xpos", "form", "lemma", "feats")
DENOMINATORS = ("pair", "modifier", "head")
MOST_PER_HEAD = 10  # modifiers of one kind that a word may be said to have; more is a share in per cent
BETWEEN = ("between", "between only", "between none")
NEIGHBOURS = ("before head", "after head", "before modifier", "after modifier")
RESERVED = ("dist", "between", "only", "none", "before", "after", "per", "weight")
LETTER = r"\w\p{M}\u200c\u200d"  # as UAX 31: marks and joiners are of their word
BARE = regex.compile(rf"(?:[{LETTER}$.]|-(?![->]))+")


@dataclass(frozen=True, order=True)
class Term:
    """One word test: ``column`` is "tag" (the treebank's tag column in use), one of PREFIXES, "any" or "root"."""

    column: str
    value: str = ""

    @property
    def text(self) -> str:
        """The term as it is written in a constraint."""
        if self.column == "any":
            return "*"
        if self.column == "root":
            return "ROOT"
        bare = BARE.fullmatch(self.value)
        if self.column == "tag":
            bare = bare and self.value not in RESERVED and self.value != "ROOT"
        quoted = self.value if bare else '"' + self.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return quoted if self.column == "tag" else f"{self.column}:{quoted}"


@dataclass(frozen=True)
class Item:
    """One or more terms, of which a word fits one; sorted and without repetition, so that equal items compare equal."""

    terms: tuple[Term, ...]

    def __post_init__(self):
        object.__setattr__(self, "terms", tuple(sorted(set(self.terms))))

    @property
    def text(self) -> str:
        """The item as it is written in a constraint."""
        texts = [term.text for term in self.terms]
        return texts[0] if len(texts) == 1 else "{" + " ".join(texts) + "}"

    @property
    def has_root(self) -> bool:
        """Whether the artificial root is among the terms."""
        return any(term.column == "root" for term in self.terms)

    @property
    def is_root(self) -> bool:
        """Whether it is the artificial root and nothing else."""
        return all(term.column == "root" for term in self.terms)


@dataclass(frozen=True)
class Condition:
    """What must stand between or beside the two words; ``kind`` is of BETWEEN or NEIGHBOURS.

    ``item`` is None only in ``between none``: no word at all stands between.
    """

    kind: str
    item: Item | None = None

    @property
    def text(self) -> str:
        """The condition as it is written in a constraint."""
        return self.kind if self.item is None else f"{self.kind} {self.item.text}"


@dataclass(frozen=True)
class Constraint:
    """How often word pairs of one kind should be arcs of the tree.

    Attributes
    ----------
    head, modifier : Item
        With "<->", which says neither, the first and the second item.
    arrow : "->", "<-", "--" or "<->"
        Head first; modifier first; either first; the items in this order, either of them the head. Pairs of "<->" are
        pairs of words, each of them two candidates for an arc.
    low, high : float
        The target, 0 <= low <= high; equal unless the target is a range. At most 1; ``per head``, which may say how
        many such modifiers a head has, at most ``MOST_PER_HEAD``.
    distance : (int, int or None) or None
        Least and greatest distance in words, None for no limit.
    conditions : tuple of Condition
    per : "pair", "modifier" or "head"
        What the target is a share of. The number of arcs is the same in all three.
    weight : float, at least 0
    confirmed : bool
        Of a range of weight 1: whether this weight is written. Above a parser a range without a written weight is
        trusted less. False for all others.
    line : int or None
        Where it was read, from 1; not compared.
    comment : str
        What follows ``#`` on its line; not compared.
    places : tuple of (Term, int)
        Where each term stands, in columns from 1; not compared.

    Raises ConstraintError for a target out of bounds, an upside-down range, a bad weight, a root as modifier.
    """

    head: Item
    modifier: Item
    arrow: str
    low: float
    high: float
    distance: tuple[int, int | None] | None = None
    conditions: tuple[Condition, ...] = ()
    per: str = "pair"
    weight: float = 1.0
    confirmed: bool = False
    line: int | None = field(default=None, compare=False)
    comment: str = field(default="", compare=False)
    places: tuple[tuple[Term, int], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self):
        problem = refusal(self)
        if problem:
            raise ConstraintError(problem[1])
        conditions = sorted(set(self.conditions), key=lambda condition: (_KINDS.index(condition.kind), condition.text))
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "confirmed", self.confirmed and self.weight == 1 and self.low < self.high)

    def __repr__(self):
        return f"<Constraint {self.text}>"

    @property
    def pattern(self) -> str:
        """The text without denominator, target and weight: it says which word pairs are candidates."""
        first, second = (self.modifier, self.head) if self.arrow == "<-" else (self.head, self.modifier)
        parts = [first.text, self.arrow, second.text]
        if self.distance is not None:
            low, high = self.distance
            parts.append("dist " + (f">{low - 1}" if high is None else str(low) if low == high else f"{low}..{high}"))
        return " ".join(parts + [condition.text for condition in self.conditions])

    @cached_property
    def name(self) -> str:
        """The text without target and weight: its key everywhere."""
        return self.pattern if self.per == "pair" else f"{self.pattern} per {self.per}"

    @property
    def terms(self) -> tuple[Term, ...]:
        """All word tests: those of head, modifier and conditions."""
        items = [self.head, self.modifier, *(condition.item for condition in self.conditions if condition.item)]
        return tuple(term for item in items for term in item.terms)

    @property
    def target_text(self) -> str:
        """The target as it is written: ``0.75`` or ``0.9..1.0``."""
        return f"{self.low!r}" if self.low == self.high else f"{self.low!r}..{self.high!r}"

    @property
    def text(self) -> str:
        """The whole constraint in canonical form, without its comment."""
        weight = "" if self.weight == 1 and not self.confirmed else f" weight {self.weight!r}".removesuffix(".0")
        return f"{self.name} = {self.target_text}{weight}"


_KINDS = BETWEEN + NEIGHBOURS


def format_constraints(constraints: Sequence[Constraint]) -> str:
    """Constraints as the text of a constraint file, one canonical line each, comments kept.

    ``parse_constraints`` gives equal constraints back. To edit one line of a file and keep the others as
    they were written, use ``ConstraintDocument``.
    """
    return "".join(line_text(constraint) + "\n" for constraint in constraints)


def line_text(constraint: Constraint) -> str:
    """One line of a constraint file, without its end."""
    return f"{constraint.text}  # {constraint.comment}" if constraint.comment else constraint.text


def refusal(constraint: "Constraint | SimpleNamespace") -> tuple[str, str] | None:
    """(part, message) of the first invalid field of a Constraint, or of a namespace with its fields; or None."""
    low, high, weight = constraint.low, constraint.high, constraint.weight
    most = {"head": MOST_PER_HEAD}.get(constraint.per, 1)
    for value in (low, high):
        if not 0 <= value <= most:  # also catches NaN
            hint = f"; write {value / 100:g} for {value:g}%" if 1 < value <= 100 else ""
            return "target", f"the target {value:g} is outside 0..{most}{hint}"
    if low > high:
        return "target", f"the range {low:g}..{high:g} runs downward; write {high:g}..{low:g}"
    if not 0 <= weight < math.inf:
        return "weight", f"the weight {weight:g} must be a number of at least 0"
    if constraint.distance is not None:
        nearest, farthest = constraint.distance
        if nearest < 1:
            return "dist", f"the distance {nearest} is too small; neighbouring words are at distance 1"
        if farthest is not None and farthest < nearest:
            return "dist", f"the distances {nearest}..{farthest} run downward; write {farthest}..{nearest}"
    if constraint.arrow == EITHER_HEAD:
        return _refusal_of_either(constraint)
    if constraint.modifier.has_root:
        return "modifier", "ROOT cannot be a modifier; " + (
            f"in {constraint.head.text} -- ROOT the first is the head"
            if constraint.arrow == "--"
            else "the arrow runs from the head to its modifier"
        )
    if constraint.arrow == "<-" and constraint.head.is_root:
        return "arrow", f"ROOT stands before every word; write ROOT -> {constraint.modifier.text}"
    return None


def _refusal_of_either(constraint):
    """(part, message) of a field that does not go with an arrow that leaves the head open; or None."""
    if constraint.head.has_root or constraint.modifier.has_root:
        return "arrow", f"ROOT is always the head; write ROOT -> in place of {EITHER_HEAD}"
    if constraint.per != "pair":
        return (
            "arrow",
            f"{EITHER_HEAD} says neither head nor modifier, so its target is a share of pairs; leave out per",
        )
    if any(condition.kind in NEIGHBOURS for condition in constraint.conditions):
        return "arrow", f"{EITHER_HEAD} says neither head nor modifier; before and after need an arrow that does"
    return None
