"""The text that a grammar learns from, by what training asks of it: sums over its parts, in memory or in shards.

What travels to workers and back are grammars, multipliers and sums; the sentences of shards stay. They are worked on
some at a time, so that the arcs of no more than these are in memory.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from core.constraints.grammar_settings import GrammarSettings
from core.constraints.language import Constraint
from core.constraints.marks import marks_between
from core.constraints.matching import Matcher
from core.constraints.posterior import DualAscent, Lines, Moments, TextSums
from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of
from core.markup.marked import marked_sentences
from core.offsets import selected_rows
from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.symbols import Symbols, pair_counts, tagged_throughout
from core.parsers.dmv.text import TaggedText, expect, rows_of
from core.parsers.given import contradicting_arcs
from core.shards.cache import cached
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.threads import split
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.marks import words_between
from core.treebank.punctuation import PunctuationRule
from core.trees import Bracket
from core.trees.brackets import PackedBrackets, level_number
from core.trees.inside_outside import inside_outside
from core.trees.packed import PackedScores

T = TypeVar("T")
HELD_OUT = 10  # every tenth sentence tells whether words help
CELLS = 4_000_000  # arcs of the sentences of a shard that are worked on at a time: 32 MB an array


@dataclass(frozen=True)
class Selection:
    """Some sentences: of at most ``longest`` words; those held out, the others (``held`` False), or both (None)."""

    longest: int | None = None
    held: bool | None = None

    def of(self, lengths: np.ndarray, first: int = 0) -> np.ndarray:
        """int64: the numbers of these among sentences of such lengths, the first of which is number ``first``."""
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
        """Some sentences."""
        if len(some) == len(self.words):
            return self
        known = None if self.known is None else self.known[rows_of(self.words, some)[0]]
        return TrainingSentences(self.text.select(some), self.words.select(some), self.brackets.select(some), known)

    def fixed(self, price: float) -> np.ndarray:
        """float64 (A,): log-weights of arcs, in nats: the price of punctuation they cross, -inf where a head is known
        to be another one."""
        fixed = -price * marks_between(self.text, self.words)
        if self.known is not None:
            fixed[contradicting_arcs(self.known, self.words.lengths + 1, arc_offsets_of(self.words.lengths))] = -np.inf
        return fixed

    def batches(self, chosen: np.ndarray) -> Iterator[np.ndarray]:
        """Some sentences, a few at a time."""
        sizes = (self.words.lengths[chosen] + 1) ** 2
        for begin, end in split(sizes, max(1, int(sizes.sum() // CELLS))):
            yield chosen[begin:end]

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return 80 * (len(self.text.heads) + len(self.words.heads))


@dataclass(frozen=True)
class GrammarSummary:
    """Counts of a part: lengths of the sentences to train on, and pairs of form and tag among them. ``total`` sentences
    have words, ``tagged`` of these a tag on each; ``untagged`` are short but lack a tag. ``crossing`` are the numbers
    of those whose known heads no projective tree has."""

    lengths: tuple[int, ...]
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
    price: float
    level: int
    rule: PunctuationRule | None

    def sentences(self, part: Part) -> TrainingSentences:
        """The sentences of a part that are short enough and have a tag on each word."""
        return self.made(part)[0]

    def made(self, part: Part) -> tuple[TrainingSentences, GrammarSummary]:
        """(``sentences``, their GrammarSummary)."""
        return cached(self, part, lambda: self._make(part), lambda made: made[0].size)

    def _make(self, part):
        treebank, brackets = part.marked(self.rule)
        words = treebank.without_punctuation() if len(treebank) else treebank
        tagged = tagged_throughout(words, self.column) if len(words) else np.empty(0, bool)
        lengths = words.lengths
        short = np.ones(len(words), bool) if self.longest is None else lengths <= self.longest
        chosen = np.flatnonzero(tagged & short)
        marked = words_between(treebank, brackets.lists()) if self.level else [()] * len(words)
        packed = PackedBrackets.from_lists([marked[index] for index in chosen.tolist()])
        text = treebank.select(chosen)
        if len(chosen):
            is_word = treebank.is_word & ~treebank.punctuation()
            text = treebank.select(np.flatnonzero(np.logical_or.reduceat(is_word, treebank.offsets[:-1]))[chosen])
        words, known, crossing = words.select(chosen), None, ()
        if part.heads is not None:
            held = treebank.with_heads(checked_heads(treebank.offsets, part.heads)).without_punctuation().select(chosen)
            offsets = arc_offsets_of(held.lengths)
            forbidden = contradicting_arcs(held.heads, held.lengths + 1, offsets)
            scores = PackedScores(np.where(forbidden, -np.inf, 0.0), offsets)
            possible = inside_outside(scores, errors="mark", threads=part.threads)[0] > -np.inf
            known = np.where(np.repeat(possible, held.lengths + 1), held.heads, -1)
            crossing = np.flatnonzero(~possible).tolist()
        summary = GrammarSummary(
            tuple(words.lengths.tolist()), pair_counts(words, self.column) if len(words) else Counter(), len(short),
            int(tagged.sum()),
            int((short & ~tagged).sum()), int(lengths.min(initial=1 << 30)), tuple(crossing),
        )  # fmt: skip
        return TrainingSentences(text, words, packed, known), summary


class GrammarText:
    """Sentences without punctuation, with a tag on each word; constraints, once ``keep`` has them.

    Parameters
    ----------
    text, settings, brackets, trees, threads, engine
        As for ``train_grammar``.

    Attributes
    ----------
    column : {"xpos", "upos"}
    untagged : int
        Sentences left out because a word has no tag.
    crossing : tuple of int
        Sentences of a text in memory whose known heads no projective tree has.
    votes : ndarray of shape (A,), dtype float64, or None
        Log-weights of the arcs of a text in memory beside its fixed ones, in nats.

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on.
    """

    def __init__(
        self, text: Treebank | Shards, settings: GrammarSettings, brackets: Sequence[Sequence[Bracket]] | None = None,
        trees: np.ndarray | None = None, threads: int | None = None, engine: Engine | None = None,
    ):  # fmt: skip
        self.settings, self.threads, self.constraints = settings, threads, ()
        self.votes: np.ndarray | None = None
        self.column = text.tag_name(settings.tags)
        level, longest, packed = level_number(settings.level), longest_of(settings), None
        if level and isinstance(text, Treebank):
            packed = PackedBrackets.from_lists(marked_sentences(text, brackets))
        self.parts = Parts.of(text, engine, packed, trees, threads)
        rule = self.parts.punctuation_rule() if isinstance(text, Shards) else None
        self.preprocessing = GrammarPreprocessing(self.column, longest, settings.price, level, rule)
        self.summaries = self.parts.each(_summary, self.preprocessing)
        total, tagged, self.untagged = (
            sum(getattr(each, name) for each in self.summaries) for name in ("total", "tagged", "untagged")
        )
        if not total:
            raise WorkbenchError("the text is all punctuation; give one with words")
        if not tagged:
            raise WorkbenchError("no sentence has a tag on each of its words; tag the text first")
        if not self.sentence_count(ALL):
            shortest = min(each.shortest for each in self.summaries)
            raise WorkbenchError(
                f"none of the {total:,} sentences is within the maximum length of {longest}; raise it: the shortest "
                f"has {shortest}"
            )
        self.in_memory = isinstance(text, Treebank)
        self.crossing = self.summaries[0].crossing if self.in_memory else ()
        self._known: dict[Selection, Lines] = {}

    def sentence_count(self, selection: Selection) -> int:
        """How many sentences are selected."""
        return sum(len(chosen) for chosen in self._chosen(selection))

    def token_count(self, selection: Selection = ALL) -> int:
        """Words of some sentences."""
        chosen = zip(self.summaries, self._chosen(selection), strict=True)
        return sum(int(np.asarray(each.lengths)[some].sum()) for each, some in chosen if len(some))

    def denominators(self, constraints: Sequence[Constraint], selection: Selection = ALL) -> np.ndarray:
        """float64 (C,): what each line's target is a share of; 0 for one that matches nothing."""
        return self.sum_over(_denominators, selection, tuple(constraints))

    def keep(self, constraints: Sequence[Constraint]) -> None:
        """Take these constraints to train on."""
        self.constraints = tuple(constraints)

    def symbols(self, threshold: int | None = None) -> Symbols:
        """The symbols of all sentences."""
        pairs = sum((summary.pairs for summary in self.summaries), Counter())
        return Symbols.counted(pairs, self.column, threshold)

    def harmonic(self, symbols: Symbols, selection: Selection) -> Events:
        """Counts of ``parameters.harmonic_counts``."""
        return self.sum_over(_harmonic, selection, symbols)

    def log_likelihood(self, symbols: Symbols, events: Events, selection: Selection) -> float:
        """Of some sentences under a grammar without constraints, in nats a word."""
        return self.sum_over(_log_likelihood, selection, symbols, events) / self.token_count(selection)

    def ascent(self, symbols: Symbols, selection: Selection, multipliers: np.ndarray | None = None) -> DualAscent:
        """The dual ascent over some sentences, from these multipliers."""
        lines = self._lines(selection)
        if not self.in_memory:
            return DualAscent(ShardSums(self, symbols, selection), lines, multipliers)
        chosen = selection.of(self.sentences.words.lengths)
        some, fixed, weights = self.sentences.select(chosen), self.fixed, None
        if some is not self.sentences:
            fixed = fixed[selected_rows(self.arcs, chosen)[0]]
        if some.known is not None:  # what each sentence counts when the grammar is estimated
            has_heads = np.logical_or.reduceat(some.known >= 0, some.words.offsets[:-1])
            weights = np.where(has_heads, self.settings.known_weight, 1.0)
        # levels of brackets that are lowered stay lowered until the ascent ends
        text = TaggedText(symbols.number(some.words), some.words.offsets, some.brackets, self.preprocessing.level)
        return DualAscent(TextSums(text, lines, fixed, self.threads, weights), lines, multipliers)

    @property
    def sentences(self) -> TrainingSentences:
        """Those of a text in memory."""
        assert self.in_memory  # what asks for it is refused for shards
        return next(iter(self.parts.each(_sentences, self.preprocessing)))

    @cached_property
    def arcs(self) -> np.ndarray:
        """int64 (S + 1,): where the arcs of each sentence in memory begin."""
        return arc_offsets_of(self.sentences.words.lengths)

    @property
    def fixed(self) -> np.ndarray:
        """float64 (A,): log-weights of the arcs of a text in memory, in nats, votes included."""
        return self._fixed if self.votes is None else self._fixed + self.votes

    @cached_property
    def _fixed(self):
        return self.sentences.fixed(self.settings.price)

    def _lines(self, selection):
        if selection in self._known:
            return self._known[selection]
        if self.in_memory:
            words = self.sentences.select(selection.of(self.sentences.words.lengths)).words
            lines = Lines.of(Matcher(words, self.column).match(self.constraints), self.settings.bound)
        else:
            low, high, weights = (
                np.array([getattr(line, name) for line in self.constraints]) for name in ("low", "high", "weight")
            )
            none, denominators = np.empty(0, np.int64), self.denominators(self.constraints, selection)
            lines = Lines(none, none, denominators, low, high, self.settings.bound * weights, 0)
        self._known[selection] = lines
        return lines

    def sum_over(self, function: Callable[..., T], selection: Selection, *shared: object) -> T:
        """The sum of ``function(job, preprocessing, selection, *shared)`` over the parts of a text."""
        return self.parts.engine.sum(function, self._jobs(selection), self.preprocessing, selection, *shared)

    def _firsts(self):
        return np.cumsum([0, *(len(each.lengths) for each in self.summaries)])[:-1].tolist()

    def _chosen(self, selection):
        """The sentences of each part that are selected."""
        pairs = zip(self.summaries, self._firsts(), strict=True)
        return [selection.of(np.array(each.lengths, np.int64), first) for each, first in pairs]

    def _jobs(self, selection):
        """(part, number of its first sentence) of those that have a sentence to work on."""
        rows = zip(self.parts, self._firsts(), self._chosen(selection), strict=True)
        return [(part, first) for part, first, chosen in rows if len(chosen)]


@dataclass(frozen=True, eq=False)
class ShardSums:
    """The ``PosteriorSums`` of some sentences of a text in shards, taken where the shards are."""

    text: GrammarText
    symbols: Symbols
    selection: Selection

    @property
    def token_count(self) -> int:
        return self.text.token_count(self.selection)

    def moments(self, grammar: Events, multipliers: np.ndarray) -> Moments:
        return self.text.sum_over(_moments, self.selection, self.symbols, grammar, self.text.constraints, multipliers)

    def count(self, moments: Moments, grammar: Events) -> Events:
        assert moments.counts is not None  # ``moments`` made it
        return moments.counts


def longest_of(settings: GrammarSettings) -> int | None:
    """The longest sentences of any stage; None for all."""
    return None if None in settings.lengths else max(settings.lengths)


def _summary(part, preprocessing):
    return preprocessing.made(part)[1]


def _sentences(part, preprocessing):
    return preprocessing.sentences(part)


def _selected(job, preprocessing, selection):
    """(TrainingSentences of a part, the numbers of those selected)."""
    part, first = job
    sentences = preprocessing.sentences(part)
    return sentences, selection.of(sentences.words.lengths, first)


def _denominators(job, preprocessing, selection, constraints):
    sentences, chosen = _selected(job, preprocessing, selection)
    matcher = Matcher(sentences.select(chosen).words, preprocessing.column)
    return np.array([count.denominator for count in matcher.counts(constraints)], np.float64)


def _harmonic(job, preprocessing, selection, symbols):
    sentences, chosen = _selected(job, preprocessing, selection)
    words = sentences.select(chosen).words
    return harmonic_counts(symbols.number(words), words.offsets, symbols.count)


def _log_likelihood(job, preprocessing, selection, symbols, events):
    sentences, chosen = _selected(job, preprocessing, selection)
    words = sentences.select(chosen).words
    text = TaggedText(symbols.number(words), words.offsets)
    return float(expect(text, events, threads=job[0].threads).log_likelihoods.sum())


def _moments(job, preprocessing, selection, symbols, grammar, constraints, multipliers):
    sentences, chosen = _selected(job, preprocessing, selection)
    owner = preprocessing, selection
    return pairwise_sum(
        _batch_sums(owner, (job[0], number), sentences, some, symbols, constraints).counted(grammar, multipliers)
        for number, some in enumerate(sentences.batches(chosen))
    )


def _batch_sums(owner, key, sentences, some, symbols, constraints):
    """TextSums of sentences that are worked on at once; what is the same in each round is cached."""
    preprocessing = owner[0]

    def remembered(name: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        return cached(owner, (name, *key), make, size)

    batch = remembered("sentences", lambda: sentences.select(some), lambda made: made.size)
    fixed = remembered("fixed", lambda: batch.fixed(preprocessing.price), lambda made: made.nbytes)
    lines = remembered(
        constraints,
        lambda: Lines.of(Matcher(batch.words, preprocessing.column).match(constraints), 1.0),
        lambda made: made.arcs.nbytes + made.owner.nbytes,
    )
    numbers = remembered(("symbols", symbols.words), lambda: symbols.number(batch.words), lambda made: made.nbytes)
    return TextSums(TaggedText(numbers, batch.words.offsets, batch.brackets, preprocessing.level), lines, fixed)
