"""The text that a grammar learns from, and the sums over its parts that training needs, in memory or in shards.

Only grammars, multipliers and sums travel to workers and back; the sentences of shards stay. Each worker takes a few
sentences at a time, so that only the arcs of these are in memory.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TypeVar

import numpy as np

from core.constraints.grammar.posterior_regularisation import GrammarSums, TextSums
from core.constraints.grammar.settings import GrammarSettings
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of
from core.markup.marked import marked_sentences
from core.offsets import selected_rows
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.symbols import Symbols, pair_counts, tagged_throughout
from core.parsers.dmv.text import TaggedText, expect
from core.parsers.dual_ascent import DualAscent, Moments, PosteriorConstraints
from core.parsers.punctuation_arcs import marks_between
from core.shards.cache import cached
from core.shards.derived import Derived
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.threads import split
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.punctuation import PunctuationRule
from core.treebank.unpunctuated import words_between
from core.trees import Bracket
from core.trees.brackets import PackedBrackets, level_number
from core.trees.inside_outside import inside_outside
from core.trees.packed import PackedScores

T = TypeVar("T")
HELD_OUT = 10  # every tenth sentence is held out to decide whether words become symbols
CELLS = 4_000_000  # the arcs of a batch of sentences of a shard: 32 MB an array


@dataclass(frozen=True)
class Selection:
    """A choice of sentences: of at most ``longest`` words; held out (``held`` True), the others (False), or all."""

    longest: int | None = None
    held: bool | None = None

    def of(self, lengths: np.ndarray, first: int = 0) -> np.ndarray:
        """int64: indices of the chosen ones among sentences of these lengths, which are numbered from ``first`` on."""
        chosen = np.ones(len(lengths), bool) if self.longest is None else lengths <= self.longest
        if self.held is not None:
            chosen &= ((first + np.arange(len(lengths))) % HELD_OUT == HELD_OUT - 1) == self.held
        return np.flatnonzero(chosen)


ALL = Selection()


@dataclass(frozen=True, eq=False)
class TrainingSentences:
    """Sentences to train on, with punctuation (``text``) and without (``words``).

    ``brackets`` and ``known``, heads with -1 for unknown ones, count words without punctuation.
    """

    text: Treebank
    words: Treebank
    brackets: PackedBrackets
    known: np.ndarray | None = None

    def select(self, some: np.ndarray) -> "TrainingSentences":
        """The sentences with these indices."""
        if len(some) == len(self.words):
            return self
        known = None if self.known is None else self.known[selected_rows(self.words.offsets, some)[0]]
        return TrainingSentences(self.text.select(some), self.words.select(some), self.brackets.select(some), known)

    @property
    def size(self) -> int:
        """An estimate in bytes."""
        return 80 * (len(self.text.heads) + len(self.words.heads))


@dataclass(frozen=True, eq=False)
class GrammarSummary:
    """Counts of a part: lengths of the sentences to train on, and pairs of form and tag among them. ``total`` sentences
    have words, and ``tagged`` of these have a tag on each word; ``untagged`` ones are short but lack a tag.
    ``crossing`` numbers the sentences whose known heads are in no projective tree."""

    lengths: np.ndarray
    pairs: Counter[tuple[str, str]]
    total: int
    tagged: int
    untagged: int
    shortest: int
    crossing: tuple[int, ...]


@dataclass(frozen=True)
class GrammarPreprocessing:
    """How a part becomes a text to train on."""

    column: str
    longest: int | None
    punctuation_penalty: float
    level: int
    rule: PunctuationRule | None


@dataclass(frozen=True, eq=False)
class Prepared:
    """The sentences of a part that are short enough and have a tag on each word."""

    part: Part
    preprocessing: GrammarPreprocessing
    sentences: TrainingSentences
    summary: GrammarSummary

    @classmethod
    def of(cls, part: Part, preprocessing: GrammarPreprocessing) -> "Iterator[Prepared]":
        """A step of ``core.shards.derived``."""
        yield cached(preprocessing, part, lambda: cls._made(part, preprocessing), lambda made: made.sentences.size)

    @classmethod
    def _made(cls, part, preprocessing):
        treebank, brackets = part.marked(preprocessing.rule)
        words = treebank.without_punctuation() if len(treebank) else treebank
        tagged = tagged_throughout(words, preprocessing.column)
        lengths, longest = words.lengths, preprocessing.longest
        short = np.ones(len(words), bool) if longest is None else lengths <= longest
        chosen = np.flatnonzero(tagged & short)
        marked = words_between(treebank, brackets.lists()) if preprocessing.level else [()] * len(words)
        packed = PackedBrackets.from_lists([marked[index] for index in chosen.tolist()])
        text = treebank.select(chosen)
        if len(chosen):
            is_word = treebank.is_word & ~treebank.punctuation()
            text = treebank.select(np.flatnonzero(np.logical_or.reduceat(is_word, treebank.offsets[:-1]))[chosen])
        words, known, crossing = words.select(chosen), None, ()
        if part.heads is not None:
            gold = treebank.with_heads(checked_heads(treebank.offsets, part.heads)).without_punctuation().select(chosen)
            offsets = arc_offsets_of(gold.lengths)
            forbidden = contradicting_arcs(gold.heads, gold.lengths + 1, offsets)
            scores = PackedScores(np.where(forbidden, -np.inf, 0.0), offsets)
            possible = inside_outside(scores, errors="mark", threads=part.threads)[0] > -np.inf
            known = np.where(np.repeat(possible, gold.lengths + 1), gold.heads, -1)
            crossing = np.flatnonzero(~possible).tolist()
        pairs = pair_counts(words, preprocessing.column) if len(words) else Counter()
        summary = GrammarSummary(
            words.lengths, pairs, len(short), int(tagged.sum()), int((short & ~tagged).sum()),
            int(lengths.min(initial=1 << 30)), tuple(crossing),
        )  # fmt: skip
        return cls(part, preprocessing, TrainingSentences(text, words, packed, known), summary)

    def selected(self, selection: Selection, firsts: Sequence[int]) -> "Iterator[Selected]":
        """The selected sentences; ``firsts`` has the number of the first sentence of each part."""
        chosen = selection.of(self.sentences.words.lengths, firsts[self.part.number])
        yield Selected(self, selection, chosen)


@dataclass(eq=False)
class Selected:
    """Selected sentences of a part: all of them, or batch ``number``."""

    prepared: Prepared
    selection: Selection
    chosen: np.ndarray
    number: int | None = None

    def cached_value(self, name: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """``make()``, or its cached value of an earlier iteration."""
        part, preprocessing = self.prepared.part, self.prepared.preprocessing
        return cached((preprocessing, self.selection), (name, part, self.number), make, size)

    @cached_property
    def sentences(self) -> TrainingSentences:
        """The sentences themselves."""
        if self.number is None:
            return self.prepared.sentences.select(self.chosen)
        select = self.prepared.sentences.select
        return self.cached_value("sentences", lambda: select(self.chosen), lambda selected: selected.size)

    @cached_property
    def matcher(self) -> Matcher:
        """The Matcher of their words."""
        return Matcher(self.sentences.words, self.prepared.preprocessing.column)

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """float64 (C,): what each constraint's target is a share of."""
        return np.array([count.denominator for count in self.matcher.counts(constraints)], np.float64)

    def harmonic(self, symbols: Symbols) -> Events:
        """The initial counts, ``parameters.harmonic_counts``."""
        words = self.sentences.words
        return harmonic_counts(symbols.number(words), words.offsets, symbols.count)

    def log_likelihood(self, symbols: Symbols, events: Events) -> float:
        """The log-likelihood under a grammar without constraints, in nats."""
        words = self.sentences.words
        text = TaggedText(symbols.number(words), words.offsets)
        return float(expect(text, events, threads=self.prepared.part.threads).log_likelihoods.sum())

    def batches(self, constraints: tuple[Constraint, ...]) -> "Iterator[ConstrainedBatch]":
        """All at once if they are in memory, a few at a time if they are of a shard."""
        if self.prepared.part.stays:
            yield ConstrainedBatch(self, constraints)
            return
        sizes = (self.prepared.sentences.words.lengths[self.chosen] + 1) ** 2
        for number, (begin, end) in enumerate(split(sizes, max(1, int(sizes.sum() // CELLS)))):
            yield ConstrainedBatch(Selected(self.prepared, self.selection, self.chosen[begin:end], number), constraints)


@dataclass(eq=False)
class ConstrainedBatch:
    """Sentences that are worked on at once, and the constraints on their trees."""

    selected: Selected
    constraints: tuple[Constraint, ...]

    @cached_property
    def posterior_constraints(self) -> PosteriorConstraints:
        """The constraints with their candidate arcs."""
        return self.selected.cached_value(
            self.constraints,
            lambda: PosteriorConstraints.of(self.selected.matcher.match(self.constraints), 1.0),
            lambda made: made.arcs.nbytes + made.owner.nbytes,
        )

    @cached_property
    def fixed(self) -> np.ndarray:
        """float64 (A,): log-weights of arcs, in nats: the penalty for punctuation between their ends, and -inf for arcs
        that contradict a known head."""
        sentences, penalty = self.selected.sentences, self.selected.prepared.preprocessing.punctuation_penalty

        def make():
            fixed = -penalty * marks_between(sentences.text, sentences.words)
            if sentences.known is not None:
                lengths = sentences.words.lengths
                fixed[contradicting_arcs(sentences.known, lengths + 1, arc_offsets_of(lengths))] = -np.inf
            return fixed

        return self.selected.cached_value("fixed", make, lambda made: made.nbytes)

    def sums(self, symbols: Symbols, known_weight: float, arc_bonuses: np.ndarray | None) -> Iterator[TextSums]:
        """Their TextSums; ``arc_bonuses`` are added to the fixed log-weights of the arcs of a text in memory."""
        selected, sentences, fixed, weights = self.selected, self.selected.sentences, self.fixed, None
        words, level = sentences.words, selected.prepared.preprocessing.level
        if arc_bonuses is not None:
            arcs = arc_offsets_of(selected.prepared.sentences.words.lengths)
            fixed = fixed + arc_bonuses[selected_rows(arcs, selected.chosen)[0]]
        if sentences.known is not None:  # what each sentence counts when the grammar is estimated
            has_heads = np.logical_or.reduceat(sentences.known >= 0, words.offsets[:-1])
            weights = np.where(has_heads, known_weight, 1.0)
        name = "symbols", symbols.words
        numbers = selected.cached_value(name, lambda: symbols.number(words), lambda made: made.nbytes)
        text = TaggedText(numbers, words.offsets, sentences.brackets, level)
        yield TextSums(text, self.posterior_constraints, fixed, selected.prepared.part.threads, weights)


@dataclass(frozen=True, eq=False)
class ShardSums:
    """The ``PosteriorSums`` of a text in shards: each part is summed where it is, and the sums are added."""

    sums: Derived[TextSums]
    token_count: int

    def moments(self, grammar: Events, multipliers: np.ndarray) -> Moments:
        return self.sums.sum(TextSums.counted, grammar, multipliers)

    def count(self, moments: Moments, grammar: Events) -> Events:
        assert moments.counts is not None  # events are counted at once, for arcs do not travel
        return moments.counts


class GrammarText:
    """Sentences without punctuation, with a tag on each word.

    Parameters
    ----------
    text, settings, brackets, trees, threads, engine
        As for ``train_grammar``.

    Attributes
    ----------
    column : {"xpos", "upos"}
    constraints : tuple of Constraint
        The constraints to train on; the trainer sets them.
    untagged : int
        How many sentences are left out because a word has no tag.
    crossing : tuple of int
        Sentences of a text in memory whose known heads are in no projective tree.
    arc_bonuses : ndarray of shape (A,), dtype float64, or None
        Added to the fixed log-weights of the arcs of a text in memory, in nats.

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on.
    """

    def __init__(
        self, text: Treebank | Shards, settings: GrammarSettings, brackets: Sequence[Sequence[Bracket]] | None = None,
        trees: np.ndarray | None = None, threads: int | None = None, engine: Engine | None = None,
    ):  # fmt: skip
        self.settings, self.in_memory = settings, isinstance(text, Treebank)
        self.constraints: tuple[Constraint, ...] = ()
        self.arc_bonuses: np.ndarray | None = None
        self.column = text.tag_name(settings.tags)
        level, packed, rule = level_number(settings.level), None, None
        longest = None if None in settings.lengths else max(settings.lengths)  # of any stage
        if level and isinstance(text, Treebank):
            packed = PackedBrackets.from_lists(marked_sentences(text, brackets))
        parts = Parts.of(text, engine, packed, trees, threads)
        if not self.in_memory:
            rule = parts.punctuation_rule()
        preprocessing = GrammarPreprocessing(self.column, longest, settings.price, level, rule)
        self._prepared = Derived.of(parts, Prepared.of, preprocessing)
        summaries = self._prepared.each(attrgetter("summary"))
        self._lengths = [summary.lengths for summary in summaries]
        self._firsts = np.cumsum([0, *map(len, self._lengths)])[:-1].tolist()
        self._pairs = sum((summary.pairs for summary in summaries), Counter())
        total, tagged, self.untagged = (
            sum(getattr(summary, name) for summary in summaries) for name in ("total", "tagged", "untagged")
        )
        if not total:
            raise WorkbenchError("the text is all punctuation; give one with words")
        if not tagged:
            raise WorkbenchError("no sentence has a tag on each of its words; tag the text first")
        if not any(map(len, self._lengths)):
            shortest = min(summary.shortest for summary in summaries)
            raise WorkbenchError(
                f"none of the {total:,} sentences is within the maximum length of {longest}; raise it: the shortest "
                f"has {shortest}"
            )
        self.crossing = summaries[0].crossing if self.in_memory else ()
        self._selected: dict[Selection, Derived[Selected]] = {}
        self._batches: dict[Selection, tuple[Derived[ConstrainedBatch], PosteriorConstraints]] = {}

    def sizes(self, selection: Selection = ALL) -> tuple[int, int]:
        """How many sentences are selected, and their words."""
        parts = zip(self._lengths, self._firsts, strict=True)
        chosen = np.concatenate([lengths[selection.of(lengths, first)] for lengths, first in parts])
        return len(chosen), int(chosen.sum())

    def symbols(self, threshold: int | None = None) -> Symbols:
        """The symbols of all sentences."""
        return Symbols.counted(self._pairs, self.column, threshold)

    def ascent(
        self, symbols: Symbols, selection: Selection, multipliers: np.ndarray | None = None
    ) -> DualAscent[GrammarSums]:
        """The dual ascent over some sentences, from these multipliers."""
        batches, constraints = self._batched(selection)
        # a sentence whose brackets were relaxed keeps the lower level until the ascent ends
        sums = batches.then(ConstrainedBatch.sums, symbols, self.settings.known_weight, self.arc_bonuses)
        text = sums.only if self.in_memory else ShardSums(sums, self.sizes(selection)[1])
        return DualAscent(text, constraints, multipliers)

    def shares(self, marginals: np.ndarray) -> np.ndarray:
        """float64 (C,): each constraint's share under the marginals of the arcs of a text in memory."""
        return self._batched(ALL)[0].only.posterior_constraints.expectations(marginals)

    @property
    def sentences(self) -> TrainingSentences:
        """The sentences of a text in memory."""
        return self._prepared.only.sentences

    @cached_property
    def arcs(self) -> np.ndarray:
        """int64 (S + 1,): where the arcs of each sentence in memory begin."""
        return arc_offsets_of(self.sentences.words.lengths)

    @property
    def fixed(self) -> np.ndarray:
        """float64 (A,): log-weights of the arcs of a text in memory, in nats, arc bonuses included."""
        fixed = self._batched(ALL)[0].only.fixed
        return fixed if self.arc_bonuses is None else fixed + self.arc_bonuses

    def some(self, selection: Selection) -> Derived[Selected]:
        """The Selected sentences of each part that has any."""
        if selection not in self._selected:
            parts = zip(self._lengths, self._firsts, strict=True)
            have_any = (len(selection.of(lengths, first)) for lengths, first in parts)
            self._selected[selection] = self._prepared.some(have_any).then(Prepared.selected, selection, self._firsts)
        return self._selected[selection]

    def _batched(self, selection):
        """(batches of the selected sentences, their PosteriorConstraints without arcs)."""
        if selection not in self._batches:
            some = self.some(selection)
            denominators = some.sum(Selected.denominators, self.constraints)
            constraints = PosteriorConstraints.without_arcs(self.constraints, denominators, self.settings.bound)
            self._batches[selection] = some.then(Selected.batches, self.constraints), constraints
        return self._batches[selection]
