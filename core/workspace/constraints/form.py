"""The constraint form: its fields as text, and the line of the constraint language that they spell."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.constraints import Constraint, ConstraintDocument, parse_item
from core.errors import ConstraintError
from core.workspace.constraints.text import Text

SIDES = {"<-": "before head", "->": "after head", "--": "either side", "<->": "either heads"}
DISTANCES = ("any", "1", "2", "1..2", "1..3", "1..5", ">5")
SHARES = {"modifier": "modifiers", "pair": "pairs", "head": "heads"}


@dataclass(frozen=True)
class Fields:
    """What the form holds; ``rest`` is what it has no field for: conditions before the ``=``, a weight after it."""

    head: str = "NOUN"
    modifier: str = "DET"
    side: str = "<-"
    distance: str = "any"
    per: str = "modifier"
    low: float = 0.9
    high: float = 0.9
    conditions: str = ""
    rest: str = ""

    @property
    def line(self) -> str:
        """The fields as a line of the constraint language, read or not."""
        head_first = f"{self.head} {self.side} {self.modifier}"
        pattern = f"{self.modifier} <- {self.head}" if self.side == "<-" else head_first
        if self.distance.strip() not in ("", "any"):
            pattern += f" dist {self.distance}"
        if self.conditions:
            pattern += f" {self.conditions}"
        if self.per != "pair":
            pattern += f" per {self.per}"
        target = f"{self.low:.6g}" if self.low == self.high else f"{self.low:.6g}..{self.high:.6g}"
        return f"{pattern} = {target}{self.rest}"

    def constraint(self) -> Constraint:
        """The Constraint that the fields spell. Raises ConstraintError."""
        parse_item(self.head)  # alone, so that what is wrong with it is said of it
        parse_item(self.modifier)
        found = ConstraintDocument.from_text(self.line)
        if found.problems:
            raise ConstraintError(found.problems[0].message)
        if not found.constraints:
            raise ConstraintError("choose a head and a modifier")
        return found.constraints[0]

    @classmethod
    def of(cls, constraint: Constraint) -> "Fields":
        """The fields that spell a Constraint."""
        distance = constraint.pattern.partition(" dist ")[2].split(" ")[0] if constraint.distance else "any"
        return cls(
            head=constraint.head.text,
            modifier=constraint.modifier.text,
            side=constraint.arrow,
            distance=distance,
            per=constraint.per,
            low=constraint.low,
            high=constraint.high,
            conditions=" ".join(condition.text for condition in constraint.conditions),
            rest="" if constraint.weight == 1 else f" weight {constraint.weight:.6g}",
        )


def choices(text: Text, wanted: Iterable[str] = ()) -> list[str]:
    """Items to offer for a head or a modifier: the text's tags by frequency, then any word; ``wanted`` too."""
    column = text.treebank.tag_column(text.settings.tags)
    counts = text.tag_counts
    tags = sorted((tag for tag in column.values[1:] if counts.get(tag)), key=lambda tag: (-counts[tag], tag))
    return list(dict.fromkeys([*wanted, *tags, "*"]))


def starting_fields(text: Text) -> Fields:
    """What the form holds at first: a determiner before a noun, or else the two most frequent tags."""
    known = choices(text)
    if "NOUN" in known and "DET" in known:
        return Fields()
    return Fields(head=known[0], modifier=known[1] if len(known) > 2 else known[0], side="--")
