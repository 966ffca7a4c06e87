"""What the training of a DMV asks of its text: sums over sentences, of a text in memory or of shards anywhere."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.text import TaggedText, best_trees, expected_counts, rows_of, tree_counts
from core.shards.engine import Engine
from core.shards.folder import Piece
from core.shards.kept import kept
from core.trees.brackets import LEVELS, NONE, PackedBrackets

EM, VITERBI = "em", "viterbi"


class Corpus(Protocol):
    """A text to train on: ``Whole``, or ``Sharded``."""

    def lengths(self) -> Counter[int]:
        """How many sentences it has of each length."""
        ...

    def shortened(self, longest: int | None) -> "Corpus":
        """The sentences of at most ``longest`` words; all for None."""
        ...

    def unmarked(self) -> "Corpus":
        """The same without brackets."""
        ...

    def fallbacks(self) -> dict[str, int]:
        """{level: sentences whose brackets hold at it now}, of the sentences with brackets; empty without a level."""
        ...

    def harmonic(self, tag_count: int) -> Events:
        """The counts of ``parameters.harmonic_counts``."""
        ...

    def count(self, parameters: Events, algorithm: str, seed: int, threads: int | None) -> tuple[float, Events]:
        """(log-likelihood in nats of the sentences that are possible, counts of events).

        By "em" expected counts of all trees, by "viterbi" those of the best trees, ties broken by ``seed``.
        """
        ...


def sentence_count(corpus: Corpus) -> int:
    """Its sentences."""
    return sum(corpus.lengths().values())


def token_count(corpus: Corpus) -> int:
    """Its words."""
    return sum(length * count for length, count in corpus.lengths().items())


class Whole:
    """A text in memory."""

    def __init__(self, text: TaggedText):
        self.text = text

    def lengths(self) -> Counter[int]:
        """As ``Corpus`` says."""
        return Counter(self.text.lengths.tolist())

    def shortened(self, longest: int | None) -> "Whole":
        """As ``Corpus`` says."""
        return Whole(shortened(self.text, longest))

    def unmarked(self) -> "Whole":
        """As ``Corpus`` says."""
        return Whole(TaggedText(self.text.tags, self.text.offsets))

    def fallbacks(self) -> dict[str, int]:
        """As ``Corpus`` says."""
        return self.text.fallbacks()

    def harmonic(self, tag_count: int) -> Events:
        """As ``Corpus`` says."""
        return harmonic_counts(self.text.tags, self.text.offsets, tag_count)

    def count(self, parameters: Events, algorithm: str, seed: int, threads: int | None) -> tuple[float, Events]:
        """As ``Corpus`` says."""
        return _count(self.text, parameters, algorithm, seed, threads, 0)


@dataclass(frozen=True)
class Reading:
    """How a shard becomes a text to train on: column and tags, level, and which sentences are left out."""

    column: str
    tags: tuple[str, ...]
    level: int = NONE
    trim: bool = False
    longest: int | None = None
    marked: bool = True

    def text(self, piece: Piece) -> tuple[TaggedText, int]:
        """The TaggedText of a shard, and how many sentences were skipped because a word has no tag. O(words)."""
        text, skipped = kept(self, piece, lambda: self._made(piece), lambda made: 8 * len(made[0].tags))
        return TaggedText(text.tags, text.offsets, text.brackets, text.level), skipped  # its levels may be lowered

    def _made(self, piece):
        columns = piece.columns()
        interned = columns.others[self.column]
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        of_value = np.array([numbers.get(value, len(self.tags)) for value in interned.values], np.int32)
        has_tag = np.array([value != "" for value in interned.values], bool)
        usable = np.ones(len(columns.lengths), bool)
        usable[np.repeat(np.arange(len(columns.lengths)), columns.lengths)[~has_tag[interned.ids]]] = False
        columns = columns if usable.all() else columns.select(usable)
        tags = columns.rows(of_value[columns.others[self.column].ids])
        brackets = columns.brackets() if self.marked else PackedBrackets.from_lists([[]] * len(columns.lengths))
        text = TaggedText(tags, columns.offsets, brackets, self.level)
        text = trimmed(text) if self.trim else text
        return shortened(text, self.longest), int(len(usable) - usable.sum())


@dataclass(frozen=True)
class Summary:
    """What is known of a shard's text: sentences by length, those with brackets among them, and sentences skipped."""

    lengths: Counter[int]
    marked: Counter[int]
    skipped: int


@dataclass(frozen=True)
class Task:
    """A shard, the number of its first sentence, and which of its brackets hold at softer levels by now."""

    piece: Piece
    first: int
    lowered: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Counted:
    """What ``Corpus.count`` gives, of some shards, and the levels at which their brackets hold now."""

    value: float
    events: Events
    levels: np.ndarray
    lowered: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def __add__(self, other: "Counted") -> "Counted":
        levels, lowered = self.levels + other.levels, self.lowered | other.lowered
        return Counted(self.value + other.value, self.events + other.events, levels, lowered)


class Sharded:
    """A text in shards, worked on by an engine."""

    def __init__(
        self, pieces: Sequence[Piece], reading: Reading, engine: Engine, summaries: list[Summary] | None = None
    ):
        self.pieces, self.reading, self.engine = pieces, reading, engine
        if summaries is None:
            found = dict(engine.each(_summary, pieces, replace(reading, longest=None)))
            summaries = [found[number] for number in range(len(pieces))]
        self.summaries = summaries
        self._lowered: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        marked = sum(sum(self._kept(summary.marked).values()) for summary in summaries)
        self._levels = np.zeros(len(LEVELS), np.int64)
        self._levels[reading.level] = marked

    skipped = property(lambda self: sum(summary.skipped for summary in self.summaries))

    def lengths(self) -> Counter[int]:
        """As ``Corpus`` says."""
        return sum((self._kept(summary.lengths) for summary in self.summaries), Counter())

    def shortened(self, longest: int | None) -> "Sharded":
        """As ``Corpus`` says."""
        if longest is None or max(self.lengths(), default=0) <= longest:
            return self
        return Sharded(self.pieces, replace(self.reading, longest=longest), self.engine, self.summaries)

    def unmarked(self) -> "Sharded":
        """As ``Corpus`` says."""
        reading = replace(self.reading, level=NONE, marked=self.reading.trim)
        return Sharded(self.pieces, reading, self.engine, self.summaries)

    def fallbacks(self) -> dict[str, int]:
        """As ``Corpus`` says."""
        level = self.reading.level
        return {LEVELS[i]: int(self._levels[i]) for i in range(level, -1, -1)} if level else {}

    def harmonic(self, tag_count: int) -> Events:
        """As ``Corpus`` says."""
        return self.engine.sum(_harmonic, self._tasks(), self.reading, tag_count)

    def count(self, parameters: Events, algorithm: str, seed: int, threads: int | None) -> tuple[float, Events]:
        """As ``Corpus`` says."""
        found = self.engine.sum(_counted, self._tasks(), self.reading, parameters, algorithm, seed, threads)
        self._levels, self._lowered = found.levels, found.lowered
        return found.value, found.events

    def _kept(self, lengths):
        longest = self.reading.longest
        return Counter({length: count for length, count in lengths.items() if longest is None or length <= longest})

    def _tasks(self):
        none, tasks, first = (np.empty(0, np.int64), np.empty(0, np.int8)), [], 0
        for piece, summary in zip(self.pieces, self.summaries, strict=True):
            count = sum(self._kept(summary.lengths).values())
            if count:
                tasks.append(Task(piece, first, self._lowered.get(piece.number, none)))
            first += count
        return tasks


def tags_of(pieces: Sequence[Piece], column: str, engine: Engine) -> set[str]:
    """The tags that words of some shards have."""
    return set().union(*(found for _, found in engine.each(_tags, pieces, column)))


def _tags(piece, column):
    interned = piece.columns().others[column]
    return {interned.values[value] for value in np.unique(interned.ids).tolist()} - {""}


def _summary(piece, reading):
    text, skipped = reading.text(piece)
    marked = np.diff(text.brackets.offsets) > 0
    return Summary(Counter(text.lengths.tolist()), Counter(text.lengths[marked].tolist()), skipped)


def _harmonic(task, reading, tag_count):
    text, _ = reading.text(task.piece)
    return harmonic_counts(text.tags, text.offsets, tag_count)


def _counted(task, reading, parameters, algorithm, seed, threads):
    text, _ = reading.text(task.piece)
    sentences, levels = task.lowered
    text.levels[sentences] = levels
    before = TaggedText(text.tags, text.offsets, text.brackets, text.level).levels
    value, events = _count(text, parameters, algorithm, seed, threads, task.first)
    changed = np.flatnonzero(text.levels != before)
    marked = np.diff(text.brackets.offsets) > 0
    now = np.bincount(text.levels[marked], minlength=len(LEVELS))
    return Counted(value, events, now, {task.piece.number: (changed, text.levels[changed])} if len(changed) else {})


def _count(text, parameters, algorithm, seed, threads, first):
    if algorithm == EM:
        totals, counts = expected_counts(text, parameters, threads)
    else:
        totals, heads = best_trees(text, parameters, seed, threads, first=first)
        counts = tree_counts(text, heads, parameters)
    return float(totals[totals > -np.inf].sum()), counts


def shortened(text: TaggedText, longest: int | None) -> TaggedText:
    """The sentences of at most ``longest`` words; all for None."""
    if longest is None or not len(text) or text.lengths.max() <= longest:
        return text
    return selected(text, np.flatnonzero(text.lengths <= longest))


def selected(text: TaggedText, sentences: np.ndarray) -> TaggedText:
    """Some sentences of a TaggedText, at the level asked for."""
    rows, offsets = rows_of(text, sentences)
    return TaggedText(text.tags[rows], offsets, text.brackets.select(sentences), text.level)


def trimmed(text: TaggedText) -> TaggedText:
    """The sentences with a bracket of several words that is shorter than the sentence."""
    owners = np.repeat(np.arange(len(text)), np.diff(text.brackets.offsets))
    widths = text.brackets.ends - text.brackets.starts
    return selected(text, np.unique(owners[(widths > 1) & (widths < text.lengths[owners])]))
