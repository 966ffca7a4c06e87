"""The text that a DMV is trained on: sums over the sentences of its parts, in memory or in shards anywhere."""

from collections import Counter
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core.offsets import selected_rows
from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.dmv.text import TaggedText, best_trees, expected_counts, tree_counts
from core.shards.cache import cached
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.treebank import Treebank
from core.trees.brackets import LEVELS, NONE, PackedBrackets

EM, VITERBI = "em", "viterbi"


@dataclass(frozen=True)
class DMVPreprocessing:
    """The preprocessing of a part into a text to train on: column and tags, level, and sentences left out."""

    column: str
    tags: tuple[str, ...]
    level: int = NONE
    trim: bool = False
    longest: int | None = None
    marked: bool = True

    def text(self, part: Part) -> tuple[TaggedText, int]:
        """(TaggedText of a part, how many sentences are skipped because a word has no tag). O(words)."""
        text, skipped = cached(self, part, lambda: self._make(part), lambda made: 8 * len(made[0].tags))
        text = copy(text)
        text.levels = text.levels.copy()  # levels may be relaxed
        return text, skipped

    def numbers(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows,): the number of each word's tag; how many tags there are for words without one of them."""
        column = treebank.tag_column(self.column)
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        return np.array([numbers.get(value, len(self.tags)) for value in column.values], np.int32)[column.ids]

    def _make(self, part):
        treebank, brackets = part.marked()
        usable = tagged_throughout(treebank, self.column) if len(treebank) else np.empty(0, bool)
        if not usable.all():
            treebank, brackets = treebank.select(usable), brackets.select(np.flatnonzero(usable))
        if not self.marked:
            brackets = PackedBrackets.from_lists([()] * len(treebank))
        numbers = self.numbers(treebank) if len(treebank) else np.empty(0, np.int32)
        text = TaggedText(numbers, treebank.offsets, brackets, self.level)
        text = trimmed(text) if self.trim else text
        return shortened(text, self.longest), int(len(usable) - usable.sum())


@dataclass(frozen=True)
class DMVSummary:
    """Counts of a part: sentences by length; those with brackets by length and level; sentences skipped."""

    lengths: Counter[int]
    marked: Counter[tuple[int, int]]
    skipped: int


@dataclass(frozen=True)
class PartJob:
    """A part, the number of its first sentence, and which of its brackets hold at softer levels by now."""

    part: Part
    first: int
    lowered: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Counted:
    """The sums of ``TrainingText.count`` over some parts, and the levels at which their brackets hold now."""

    value: float
    events: Events
    levels: np.ndarray
    lowered: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def __add__(self, other: "Counted") -> "Counted":
        levels, lowered = self.levels + other.levels, self.lowered | other.lowered
        return Counted(self.value + other.value, self.events + other.events, levels, lowered)


class TrainingText:
    """A text to train on, part by part. ``skipped`` sentences have a word without a tag."""

    def __init__(self, parts: Parts, preprocessing: DMVPreprocessing, summaries: list[DMVSummary] | None = None):
        self.parts, self.preprocessing = parts, preprocessing
        self.summaries = summaries or parts.each(_summary, replace(preprocessing, longest=None))
        self.skipped = sum(summary.skipped for summary in self.summaries)
        self._lowered: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._levels = np.zeros(len(LEVELS), np.int64)
        for summary in self.summaries:
            for (length, level), count in summary.marked.items():
                self._levels[level] += count * self._has_length(length)

    @cached_property
    def lengths(self) -> Counter[int]:
        """The number of sentences of each length."""
        return sum((self._lengths(summary) for summary in self.summaries), Counter())

    sentence_count = property(lambda self: sum(self.lengths.values()))
    token_count = property(lambda self: sum(length * count for length, count in self.lengths.items()))

    def shortened(self, longest: int | None) -> "TrainingText":
        """The sentences of at most ``longest`` words; all for None."""
        if longest is None or max(self.lengths, default=0) <= longest:
            return self
        return TrainingText(self.parts, replace(self.preprocessing, longest=longest), self.summaries)

    def unmarked(self) -> "TrainingText":
        """This corpus without brackets."""
        # brackets still say which sentences are trimmed
        preprocessing = replace(self.preprocessing, level=NONE, marked=self.preprocessing.trim)
        return TrainingText(self.parts, preprocessing, self.summaries)

    def fallbacks(self) -> dict[str, int]:
        """{level: sentences whose brackets hold at it now}, of the sentences with brackets; empty without a level."""
        level = self.preprocessing.level
        return {LEVELS[i]: int(self._levels[i]) for i in range(level, -1, -1)} if level else {}

    def harmonic(self, tag_count: int) -> Events:
        """The counts of ``parameters.harmonic_counts``."""
        return self.parts.engine.sum(_harmonic, self._jobs(), self.preprocessing, tag_count)

    def count(self, parameters: Events, algorithm: str, seed: int, threads: int | None) -> tuple[float, Events]:
        """(log-likelihood in nats of the sentences that are possible, counts of events).

        By "em" expected counts of all trees, by "viterbi" those of the best trees, ties broken by ``seed``.
        """
        jobs = self._jobs()
        counted = self.parts.engine.sum(_counted, jobs, self.preprocessing, parameters, algorithm, seed, threads)
        self._levels, self._lowered = counted.levels, counted.lowered
        return counted.value, counted.events

    def _has_length(self, length):
        return self.preprocessing.longest is None or length <= self.preprocessing.longest

    def _lengths(self, summary):
        return Counter({length: count for length, count in summary.lengths.items() if self._has_length(length)})

    def _jobs(self):
        none, jobs, first = (np.empty(0, np.int64), np.empty(0, np.int8)), [], 0
        for part, summary in zip(self.parts, self.summaries, strict=True):
            count = sum(self._lengths(summary).values())
            if count:
                jobs.append(PartJob(part, first, self._lowered.get(part.number, none)))
            first += count
        return jobs


def tags_of(text: Treebank | Shards, column: str, engine: Engine | None) -> set[str]:
    """The tags that words have in a column."""
    return set().union(*Parts.of(text, engine).each(_tags, column))


def _tags(part, column):
    treebank = part.text()
    tags = treebank.tag_column(column) if len(treebank) else None
    return set() if tags is None else {tags.values[value] for value in np.unique(tags.ids).tolist()} - {""}


def _summary(part, preprocessing):
    text, skipped = preprocessing.text(part)
    marked = np.diff(text.brackets.offsets) > 0
    by_level = Counter(zip(text.lengths[marked].tolist(), text.levels[marked].tolist(), strict=True))
    return DMVSummary(Counter(text.lengths.tolist()), by_level, skipped)


def _harmonic(job, preprocessing, tag_count):
    text, _ = preprocessing.text(job.part)
    return harmonic_counts(text.tags, text.offsets, tag_count)


def _counted(job, preprocessing, parameters, algorithm, seed, threads):
    text, _ = preprocessing.text(job.part)
    before = text.levels.copy()
    sentences, levels = job.lowered
    text.levels[sentences] = levels
    if algorithm == EM:
        totals, counts = expected_counts(text, parameters, threads)
    else:
        totals, heads = best_trees(text, parameters, seed, threads, first=job.first)
        counts = tree_counts(text, heads, parameters)
    changed = np.flatnonzero(text.levels != before)
    marked = np.diff(text.brackets.offsets) > 0
    now = np.bincount(text.levels[marked], minlength=len(LEVELS))
    lowered = {job.part.number: (changed, text.levels[changed])} if len(changed) else {}
    return Counted(float(totals[totals > -np.inf].sum()), counts, now, lowered)


def shortened(text: TaggedText, longest: int | None) -> TaggedText:
    """The sentences of at most ``longest`` words; all for None."""
    if longest is None or not len(text) or text.lengths.max() <= longest:
        return text
    return selected(text, np.flatnonzero(text.lengths <= longest))


def selected(text: TaggedText, sentences: np.ndarray) -> TaggedText:
    """Some sentences of a TaggedText, at the level asked for."""
    rows, offsets = selected_rows(text.offsets, sentences)
    return TaggedText(text.tags[rows], offsets, text.brackets.select(sentences), text.level)


def trimmed(text: TaggedText) -> TaggedText:
    """The sentences with a bracket of several words that is shorter than the sentence."""
    owners = np.repeat(np.arange(len(text)), np.diff(text.brackets.offsets))
    widths = text.brackets.ends - text.brackets.starts
    return selected(text, np.unique(owners[(widths > 1) & (widths < text.lengths[owners])]))
