"""The content of a drawing of a sentence, which the component on the page and the TikZ draw.

n is the number of words; words, tags and heads have n + 1 entries and entry 0 stands for the root.
"""

import zlib
from dataclasses import asdict, dataclass

from core.draw.arcs import ArcPicture
from core.draw.palette import DASHES, DISAGREEMENT, MEANINGS
from core.errors import WorkbenchError
from core.languages.direction import right_to_left

KINDS = tuple(MEANINGS)
TOLERANCE = 1e-6  # marginals are sums of floats: how far outside [0, 1] one may be


@dataclass(frozen=True, slots=True)
class Span:
    """A bar under words ``start`` .. ``end - 1`` (counted 1..n, half-open like ``Bracket``), with a label."""

    start: int
    end: int
    label: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sentence with arcs above and below it, and bars under its words.

    Attributes
    ----------
    words, tags : tuple of str, length n + 1
        Entry 0 is ``""``; tags may be all empty, then their line is left out.
    arcs : tuple of Arc
        Arcs in any number, several heads a word included.
    spans : tuple of Span
    above, below : str
        Names of the analyses drawn above and below the words, for the legend and the table.
    name : str
        Title and file name of the figure, e.g. the sentence's id.
    meanings : tuple of (kind, words)
        What kinds of arcs mean in this drawing, where that is not what they usually mean.
    last : int or None
        The last word, where empty nodes of a graph stand behind it; their names have their numbers.

    Raises
    ------
    WorkbenchError : an arc, span or tag does not fit the words; an unknown kind; a posterior outside [0, 1].
    """

    words: tuple
    tags: tuple = ()
    arcs: tuple = ()
    spans: tuple = ()
    above: str = ""
    below: str = ""
    name: str = ""
    meanings: tuple = ()
    last: int | None = None

    def __post_init__(self):
        if len(self.words) < 2:
            raise WorkbenchError("a drawing needs at least one word (words has n + 1 entries, the first for the root)")
        if not self.tags:
            object.__setattr__(self, "tags", ("",) * len(self.words))
        if len(self.tags) != len(self.words):
            raise WorkbenchError(f"{len(self.words)} words but {len(self.tags)} tags; give one tag a word, root first")
        for arc in self.arcs:
            _check_arc(arc, len(self) + 1)
        for span in self.spans:
            if not 1 <= span.start < span.end <= len(self) + 1:
                raise WorkbenchError(
                    f"span {span.start}..{span.end} is not inside the sentence; words are counted 1..{len(self)}, "
                    "the end is one past the last word"
                )

    def __len__(self):
        return len(self.words) - 1

    def _repr_svg_(self) -> str:
        """The drawing in a notebook, all of its arcs above the words and the tags below."""
        picture = ArcPicture(self.words, self.arcs, under=self.tags if any(self.tags) else ())
        names = ["root", *(f"{word} ({number})" for number, word in enumerate(self.words) if number)]
        arcs = [f"{names[arc.head]} → {names[arc.modifier]} {arc.label}".strip() for arc in self.arcs]
        return picture.scene().svg(" ".join(self.words[1:]), "; ".join(arcs) or "no arcs")

    @property
    def right_to_left(self) -> bool:
        """Whether the words are drawn from right to left."""
        return right_to_left(self.words)

    @property
    def fingerprint(self) -> str:
        """Tells sentences apart, so that a selection made on one is not taken for one on the next."""
        return f"{len(self)}-{zlib.crc32(chr(0).join(self.words).encode()):08x}"

    @property
    def legend(self) -> tuple:
        """(kind, dash, words) for each sign that needs telling apart; empty where there is only one."""
        seen, meanings = {}, {**MEANINGS, **dict(self.meanings)}
        for arc in self.arcs:
            name = meanings[arc.kind]
            if arc.kind in ("gold", "predicted"):
                name = (self.below if arc.below else self.above if self.below else "") or name
            if self.below and arc.is_main:
                name += ", below" if arc.below else ", above"
            seen.setdefault((arc.kind, name), (arc.kind, DASHES.get(arc.kind, ""), name))
        entries = sorted(seen.values(), key=lambda entry: KINDS.index(entry[0]))
        for arc in self.arcs:
            if arc.disagrees:
                entries.append((arc.kind, DISAGREEMENT, "heads differ"))
                break
        if any(arc.agrees for arc in self.arcs):
            entries.append(("plain", "", "thick: same head"))
        return tuple(entries) if len(entries) > 1 else ()

    def as_data(self) -> dict:
        """The drawing as dicts and tuples, for JSON."""
        return asdict(self) | {"id": self.fingerprint, "rtl": self.right_to_left, "legend": self.legend}


def _check_arc(arc, size):
    if not (0 <= arc.head < size and 1 <= arc.modifier < size and arc.head != arc.modifier):
        raise WorkbenchError(
            f"arc {arc.head} -> {arc.modifier} does not fit a sentence of {size - 1} words; heads are 0..{size - 1}, "
            f"modifiers 1..{size - 1}, and no word heads itself"
        )
    if arc.kind not in KINDS:
        raise WorkbenchError(f"unknown kind of arc {arc.kind!r}; use one of {', '.join(KINDS)}")
    if arc.posterior is not None and not -TOLERANCE <= arc.posterior <= 1 + TOLERANCE:
        raise WorkbenchError(f"posterior {arc.posterior} of arc {arc.head} -> {arc.modifier} is outside [0, 1]")
