"""Counts of marked words: Tables 1 to 5 of spitkovsky2010 for any corpus, by tag name and by source."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, field

from core.errors import WorkbenchError
from core.markup.marked import marked_sentences, source_of
from core.markup.subtrees import dependency_parts, phrase_parts
from core.treebank import Column, Treebank
from core.trees import Bracket

CUTOFFS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40)
SIZES = (None, 45, 15)  # Table 1's: all sentences, and those of at most so many words
COUNTERS = ("sequences", "dominating", "productions", "spawns")


@dataclass(frozen=True)
class Size:
    """A row of Table 1, and of Table 7: sentences of at most ``most`` words (None: all)."""

    most: int | None
    sentences: int
    tokens: int
    marked: int
    brackets: int
    multiword: int

    def __add__(self, other: "Size") -> "Size":
        return Size(self.most, *added(astuple(self)[1:], astuple(other)[1:]))


@dataclass(frozen=True)
class Cutoff:
    """A row of Table 2: sentences with a bracket of ``length`` words or more; 0 is all sentences."""

    length: int
    sentences: int
    tokens: int
    brackets: int
    multiword: int

    def __add__(self, other: "Cutoff") -> "Cutoff":
        return Cutoff(self.length, *added(astuple(self)[1:], astuple(other)[1:]))


@dataclass(frozen=True)
class MarkupStatistics:
    """The tables; those of parts of a corpus add up to those of the whole.

    Attributes
    ----------
    sizes : tuple of Size
    cutoffs : tuple of Cutoff
    sequences : Counter
        Table 3: tags of the marked words, ``DET NOUN``; empty without tags.
    dominating : Counter
        Table 4: label of the lowest phrase that holds a bracket: by ``phrases``.
    productions, spawns : Counter
        Table 5, left and right, the marked part in square brackets. A parenthesis is a word with its dependents.
    phrases : str or None
        "constituents", or "dependencies" where phrases are words with all below them, or None without trees.
    """

    sizes: tuple
    cutoffs: tuple
    sequences: Counter = field(default_factory=Counter)
    dominating: Counter = field(default_factory=Counter)
    productions: Counter = field(default_factory=Counter)
    spawns: Counter = field(default_factory=Counter)
    phrases: str | None = None

    def __add__(self, other: "MarkupStatistics") -> "MarkupStatistics":
        counters = {name: getattr(self, name) + getattr(other, name) for name in COUNTERS}
        sizes, cutoffs = added(self.sizes, other.sizes), added(self.cutoffs, other.cutoffs)
        return MarkupStatistics(sizes, cutoffs, phrases=self.phrases or other.phrases, **counters)

    def as_dict(self, most: int = 15) -> dict:
        """For JSON; the ``most`` frequent entries of each table."""
        return {
            "sizes": [asdict(size) for size in self.sizes],
            "cutoffs": [asdict(cutoff) for cutoff in self.cutoffs],
            **{name: table(getattr(self, name), most) for name in COUNTERS},
            "phrases": self.phrases,
        }


def added(these: Iterable, those: Iterable) -> tuple:
    """Sums of the items that stand in the same place."""
    return tuple(one + other for one, other in zip(these, those, strict=True))


def table(counter: Counter, most: int | None = None) -> list[dict]:
    """Rows of a table such as the paper's: dicts of ``name``, ``count``, ``share`` and running ``sum`` in per cent."""
    total, running, rows = sum(counter.values()), 0, []
    for name, count in sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:most]:
        running += count
        rows.append({"name": name, "count": count, "share": 100 * count / total, "sum": 100 * running / total})
    return rows


def markup_statistics(
    treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None, *, tags: str | None = None,
    tag: str | None = None, source: str | None = None,
) -> MarkupStatistics:  # fmt: skip
    """Count what is marked.

    Parameters
    ----------
    treebank : Treebank
        Tables 3 to 5 need tags, and 4 and 5 trees; phrases are its constituents where it has them, else heads
        projected. Sentences without a whole tree are left out of Tables 4 and 5.
    brackets : sequence of sequences of Bracket, optional
        One entry a sentence; those of the ``# markup`` comments by default.
    tags : {"xpos", "upos"}, optional
        Tag column: the filled one, XPOS if both are.
    tag, source : str, optional
        Count only brackets with this tag name, and only sentences of this source.

    Returns
    -------
    MarkupStatistics

    Raises
    ------
    WorkbenchError : no such tag column; brackets of another corpus.
    """
    bracket_lists = marked_sentences(treebank, brackets, tag, source)
    chosen = range(len(treebank))
    if source is not None:
        chosen = [index for index in chosen if source_of(treebank[index]) == source]
    rows = [(int(treebank.lengths[index]), bracket_lists[index]) for index in chosen]
    cutoffs = tuple(_cutoff(length, rows) for length in CUTOFFS)
    phrases = "dependencies" if (treebank.heads >= 0).any() else None
    phrases = phrases if treebank.constituents is None else "constituents"
    result = MarkupStatistics(tuple(_size(most, rows) for most in SIZES), cutoffs, phrases=phrases)
    try:
        column = treebank.tag_column(tags)
    except WorkbenchError:
        if tags is not None:
            raise
        return result
    for index in chosen:
        if bracket_lists[index]:
            for entries in described(treebank, index, bracket_lists[index], column):
                for name, entry in entries.items():
                    getattr(result, name)[entry] += 1
    return result


def _size(most, rows):
    rows = [row for row in rows if most is None or row[0] <= most]
    marked = [marks for _, marks in rows if marks]
    words = sum(length for length, _ in rows)
    multiword = sum(len(mark) > 1 for marks in marked for mark in marks)
    return Size(most, len(rows), words, len(marked), sum(map(len, marked)), multiword)


def _cutoff(length, rows):
    rows = [row for row in rows if length == 0 or any(len(mark) >= length for mark in row[1])]
    marks = [mark for row in rows for mark in row[1]]
    multiword = sum(len(mark) > 1 for mark in marks)
    return Cutoff(length, len(rows), sum(words for words, _ in rows), len(marks), multiword)


def described(treebank: Treebank, index: int, marks: Sequence[Bracket], column: Column) -> list[dict]:
    """For each bracket of a sentence what it counts as in Tables 3 to 5.

    Parameters
    ----------
    treebank : Treebank
    index : int
        Of the sentence.
    marks : sequence of Bracket
    column : Column
        Of tags: ``treebank.tag_column()``.

    Returns
    -------
    list of dict
        Entry of ``sequences``, and where there is a tree of ``spawns``, ``dominating`` and ``productions``.
    """
    begin, end = treebank.offsets[index], treebank.offsets[index + 1]
    tags = ["ROOT", *(column.values[number] or "_" for number in column.ids[begin + 1 : end].tolist())]
    heads = treebank.heads[begin:end].tolist()
    is_tree = min(heads[1:]) >= 0
    rows = []
    for mark in marks:
        entries = {"sequences": " ".join(tags[mark.start : mark.end])}
        if is_tree:
            top, production, entries["spawns"] = dependency_parts(heads, tags, mark)
        if treebank.constituents is not None:
            top, production = phrase_parts(treebank.constituents[index], tags, mark)
        if is_tree or treebank.constituents is not None:
            entries |= {"dominating": top, "productions": f"{top} → {production}"}
        rows.append(entries)
    return rows
