"""The report of an extraction: pages read and skipped, text dropped, and outcomes of the mark-up."""

from collections import Counter
from dataclasses import dataclass, field

from core.errors import quoted
from core.markup.cleanup import OUTCOMES

COUNTS = ("pages", "bytes", "sentences", "tokens", "characters", "brackets", "multiword")
EXAMPLES = 5  # of what was dropped, for each reason
SHOWN = 120  # characters of an example


@dataclass(frozen=True)
class Skipped:
    """A page, or what should have been one, that gave nothing, and why."""

    source: str
    reason: str


@dataclass
class Dropped:
    """Text left out for one reason: how many pieces, how many characters, and the first few."""

    pieces: int = 0
    characters: int = 0
    examples: list = field(default_factory=list)

    def add(self, text: str) -> None:
        """One more piece of text."""
        self.pieces += 1
        self.characters += len(text)
        if len(self.examples) < EXAMPLES:
            self.examples.append(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


@dataclass
class ExtractionReport:
    """Counts of an extraction.

    Attributes
    ----------
    pages, bytes, sentences, tokens, characters : int
        Pages that gave sentences, bytes read, and what came of them; characters of prose.
    skipped : list of Skipped
    dropped : dict from reason to Dropped
        Blocks of text, and sentences ("too long", "no words"), that were left out.
    marks : Counter of (tag, outcome)
        Outcomes: "marks" found; "broken" up at the bounds of sentences and blocks; and for each piece "kept",
        "part of a word", "whole sentence" or "no word".
    brackets, multiword : int
        Brackets of distinct words, and those of two words or more.
    encodings : Counter
    chosen : Counter
        Elements that each CSS selector chose.
    notes : list of str
        What is odd but was dealt with.
    """

    pages: int = 0
    bytes: int = 0
    sentences: int = 0
    tokens: int = 0
    characters: int = 0
    skipped: list = field(default_factory=list)
    dropped: dict = field(default_factory=dict)
    marks: Counter = field(default_factory=Counter)
    brackets: int = 0
    multiword: int = 0
    encodings: Counter = field(default_factory=Counter)
    chosen: Counter = field(default_factory=Counter)
    notes: list = field(default_factory=list)

    def drop(self, reason: str, text: str) -> None:
        """Note text that is left out."""
        self.dropped.setdefault(reason, Dropped()).add(text)

    def skip(self, source: str, reason: str) -> None:
        """Note a source that gave nothing."""
        self.skipped.append(Skipped(source, reason))

    @property
    def why_nothing(self) -> str:
        """Why no sentence was found."""
        if not self.skipped:
            return "there is no page"
        others = f" (and {len(self.skipped) - 1:,} others)" if len(self.skipped) > 1 else ""
        return f"{self.skipped[0].source}: {self.skipped[0].reason}{others}"

    @property
    def unchosen(self) -> list[str]:
        """A sentence for each selector that chose nothing on any page."""
        return [
            f"the selector {quoted(selector)!r} chose nothing on any page"
            for selector, count in self.chosen.items()
            if not count
        ]

    def by_tag(self) -> list:
        """Rows (tag, marks, broken, *OUTCOMES), the most frequent tag first."""
        tags = sorted({tag for tag, _ in self.marks}, key=lambda tag: (-self.marks[tag, "marks"], tag))
        return [(tag, *(self.marks[tag, name] for name in ("marks", "broken", *OUTCOMES))) for tag in tags]

    def include(self, other: "ExtractionReport") -> None:
        """Add what another report says, of a page for example."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.marks.update(other.marks)
        self.encodings.update(other.encodings)
        self.chosen.update(other.chosen)
        self.skipped += other.skipped
        self.notes += [note for note in other.notes if note not in self.notes]
        for reason, dropped in other.dropped.items():
            mine = self.dropped.setdefault(reason, Dropped())
            mine.pieces, mine.characters = mine.pieces + dropped.pieces, mine.characters + dropped.characters
            mine.examples += dropped.examples[: EXAMPLES - len(mine.examples)]

    @classmethod
    def from_dict(cls, data: dict) -> "ExtractionReport":
        """The report that ``as_dict`` gave."""
        report = cls(**{name: data[name] for name in COUNTS}, notes=list(data["notes"]))
        report.encodings.update(data["encodings"])
        report.chosen.update(data.get("chosen", {}))
        for tag, counts in data["marks"].items():
            report.marks.update({(tag, name): count for name, count in counts.items()})
        report.dropped = {reason: Dropped(**values) for reason, values in data["dropped"].items()}
        report.skipped = [Skipped(**values) for values in data["skipped"]]
        return report

    def as_dict(self) -> dict:
        """For JSON."""
        columns = ("marks", "broken", *OUTCOMES)
        return {
            **{name: getattr(self, name) for name in (*COUNTS, "notes")},
            "encodings": dict(self.encodings),
            **({"chosen": dict(self.chosen)} if self.chosen else {}),
            "marks": {tag: dict(zip(columns, counts, strict=True)) for tag, *counts in self.by_tag()},
            "dropped": {reason: vars(dropped) for reason, dropped in self.dropped.items()},
            "skipped": [vars(skipped) for skipped in self.skipped],
        }
