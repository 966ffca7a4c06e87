"""The text that a grammar learns from, in shards: matches, expectations and counts are added up where the shards are.

What travels are grammars, multipliers and sums; sentences stay. A shard's sentences are worked on some at a time, so
that the arcs of no more than these are in memory.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.constraints.grammar_settings import GrammarSettings
from core.constraints.grammar_text import ALL, Selection, longest_of, too_long
from core.constraints.language import Constraint
from core.constraints.marks import marks_between
from core.constraints.matching import Matcher
from core.constraints.posterior import Ascent, Lines, Point
from core.errors import WorkbenchError
from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.symbols import Symbols, pair_counts, tagged_throughout
from core.parsers.dmv.text import TaggedText, count_events, expect
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Piece, Shards
from core.shards.kept import kept
from core.shards.shard import bracket_list
from core.threads import split
from core.treebank import Treebank
from core.treebank.marks import words_between
from core.treebank.punctuation import PunctuationRule, TagsInUse
from core.trees.brackets import PackedBrackets, level_number

CELLS = 4_000_000  # arcs of the sentences that are worked on at a time: 32 MB an array


@dataclass(frozen=True)
class Reading:
    """What of a shard is text to train on."""

    column: str
    longest: int | None
    price: float
    level: int
    rule: PunctuationRule

    def text(self, piece: Piece) -> "Sentences":
        """The sentences of a shard."""
        return kept(self, piece, lambda: self._made(piece), lambda made: made.size)

    def _made(self, piece):
        columns = piece.columns()
        treebank = columns.bare_treebank(rule=self.rule)
        words = treebank.without_punctuation() if len(treebank) else treebank
        tagged = tagged_throughout(words, self.column) if len(words) else np.empty(0, bool)
        short = np.ones(len(words), bool) if self.longest is None else words.lengths <= self.longest
        chosen = np.flatnonzero(tagged & short)
        marked = words_between(treebank, bracket_list(columns)) if self.level else [()] * len(words)
        brackets = PackedBrackets.from_lists([marked[index] for index in chosen.tolist()])
        counts = len(words), int(tagged.sum()), int((short & ~tagged).sum()), int(words.lengths.min(initial=1 << 30))
        return Sentences(treebank.select(words.picks[chosen]), words.select(chosen), brackets, counts)


@dataclass(frozen=True)
class Sentences:
    """Those of a shard to train on, with punctuation and without, and their brackets; and how many sentences there are,
    with a tag on each word, short but without, and the shortest's length."""

    text: Treebank
    words: Treebank
    brackets: PackedBrackets
    counts: tuple[int, int, int, int]

    def parts(self, chosen: np.ndarray) -> Iterator[np.ndarray]:
        """Some sentences, a few at a time."""
        sizes = (self.words.lengths[chosen] + 1) ** 2
        for begin, end in split(sizes, max(1, int(sizes.sum() // CELLS))):
            yield chosen[begin:end]

    def take(self, some: np.ndarray) -> "Sentences":
        """Some sentences."""
        return Sentences(self.text.select(some), self.words.select(some), self.brackets.select(some), self.counts)

    def fixed(self, price: float) -> np.ndarray:
        """float64 (A,): log-weights of the arcs, in nats, that pay for the punctuation they cross."""
        return -price * marks_between(self.text, self.words)

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return 80 * (len(self.text.heads) + len(self.words.heads))


@dataclass(frozen=True)
class Summary:
    """What is known of a shard: sentences to train on by length, pairs of form and tag, and ``Sentences.counts``."""

    lengths: tuple[int, ...]
    pairs: Counter[tuple[str, str]]
    counts: tuple[int, int, int, int]


@dataclass(frozen=True)
class Moments:
    """Sums over sentences: log-likelihood, and of each line mean and variance (C,), and expected counts."""

    value: float
    mass: np.ndarray
    variances: np.ndarray
    counts: Events

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            self.value + other.value, self.mass + other.mass, self.variances + other.variances,
            self.counts + other.counts,
        )  # fmt: skip


class ShardedText:
    """A text in shards, worked on by an engine; as ``grammar_text.GrammarText``.

    Parameters
    ----------
    shards : Shards
    settings : GrammarSettings
    engine : Engine

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on.
    """

    def __init__(self, shards: Shards, settings: GrammarSettings, engine: Engine):
        self.pieces, self.engine, self.settings, self.constraints = shards.pieces, engine, settings, ()
        self.column, longest = shards.tag_column(settings.tags), longest_of(settings)
        rule = engine.sum(_tags_in_use, self.pieces).rule()
        self.reading = Reading(self.column, longest, settings.price, level_number(settings.level), rule)
        found = dict(engine.each(_summary, self.pieces, self.reading))
        self.summaries = [found[number] for number in range(len(self.pieces))]
        total, tagged, self.untagged, _ = np.array([each.counts for each in self.summaries]).sum(axis=0).tolist()
        if not total:
            raise WorkbenchError("the text is all punctuation; give one with words")
        if not tagged:
            raise WorkbenchError("no sentence has a tag on each of its words; tag the text first")
        if not self.sentence_count(ALL):
            raise WorkbenchError(too_long(total, longest, min(each.counts[3] for each in self.summaries)))

    def sentence_count(self, selection: Selection) -> int:
        """As ``GrammarText`` says."""
        return sum(len(chosen) for chosen in self._chosen(selection))

    def token_count(self, selection: Selection = ALL) -> int:
        """As ``GrammarText`` says."""
        chosen = zip(self.summaries, self._chosen(selection), strict=True)
        return sum(int(np.asarray(each.lengths)[some].sum()) for each, some in chosen if len(some))

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """As ``GrammarText`` says."""
        return self.engine.sum(_denominators, self._tasks(ALL), self.reading, ALL, tuple(constraints))

    def keep(self, constraints: Sequence[Constraint]) -> None:
        """As ``GrammarText`` says."""
        self.constraints = tuple(constraints)

    def symbols(self, threshold: int | None = None) -> Symbols:
        """As ``GrammarText`` says."""
        return Symbols.counted(self._pairs, self.column, threshold)

    def harmonic(self, symbols: Symbols, selection: Selection) -> Events:
        """As ``GrammarText`` says."""
        return self.engine.sum(_harmonic, self._tasks(selection), self.reading, selection, symbols)

    def ascent(self, symbols: Symbols, selection: Selection, multipliers: np.ndarray | None = None) -> Ascent:
        """As ``GrammarText`` says."""
        denominators = self._denominators(selection)
        low, high, weights = (
            np.array([getattr(line, name) for line in self.constraints]) for name in ("low", "high", "weight")
        )
        none = np.empty(0, np.int64)
        lines = Lines(none, none, denominators, low, high, self.settings.bound * weights, 0)
        return ShardedAscent(lines, multipliers, self, symbols, selection)

    def log_likelihood(self, symbols: Symbols, events: Events, selection: Selection) -> float:
        """As ``GrammarText`` says."""
        total = self.engine.sum(_log_likelihood, self._tasks(selection), self.reading, selection, symbols, events)
        return total / self.token_count(selection)

    def moments(self, symbols: Symbols, selection: Selection, grammar: Events, multipliers: np.ndarray) -> Moments:
        """Sums of what the trees of some sentences expect, under a grammar tilted by the lines' multipliers."""
        line = self.constraints, multipliers
        return self.engine.sum(_moments, self._tasks(selection), self.reading, selection, symbols, grammar, line)

    @cached_property
    def _pairs(self) -> Counter[tuple[str, str]]:
        return sum((summary.pairs for summary in self.summaries), Counter())

    def _denominators(self, selection):
        if selection not in self._known:
            self._known[selection] = self.engine.sum(
                _denominators, self._tasks(selection), self.reading, selection, self.constraints
            )
        return self._known[selection]

    @cached_property
    def _known(self) -> dict[Selection, np.ndarray]:
        return {}

    def _firsts(self):
        return np.cumsum([0, *(len(each.lengths) for each in self.summaries)])[:-1].tolist()

    def _chosen(self, selection):
        """The sentences of each shard that are selected."""
        pairs = zip(self.summaries, self._firsts(), strict=True)
        return [selection.of(np.array(each.lengths, np.int64), first) for each, first in pairs]

    def _tasks(self, selection):
        """(shard, number of its first sentence) of those that have a sentence to work on."""
        found = zip(self.pieces, self._firsts(), self._chosen(selection), strict=True)
        return [(piece, first) for piece, first, chosen in found if len(chosen)]


class ShardedAscent(Ascent):
    """Dual ascent whose points are sums over shards."""

    def __init__(
        self, lines: Lines, multipliers: np.ndarray | None, text: ShardedText, symbols: Symbols, selection: Selection
    ):
        self.lines, self.scale, self.multipliers = lines, 1.0, multipliers
        self._text, self._symbols, self._selection = text, symbols, selection
        self.__post_init__()

    @property
    def token_count(self) -> int:
        """Words of the text."""
        return self._text.token_count(self._selection)

    def point(self, grammar: Events, multipliers: np.ndarray) -> Point:
        """The Point at some multipliers."""
        found = self._text.moments(self._symbols, self._selection, grammar, multipliers)
        value = self.lines.gain(multipliers) - found.value
        return Point(multipliers, value, self.lines.shares(found.mass), found.variances, counts=found.counts)

    def count(self, point: Point, grammar: Events) -> Events:
        """Expected counts of the grammar's events at a point."""
        assert point.counts is not None  # ``point`` made it
        return point.counts


def _tags_in_use(piece):
    return TagsInUse.of(piece.columns().bare_treebank())


def _summary(piece, reading):
    text = reading.text(piece)
    return Summary(tuple(text.words.lengths.tolist()), pair_counts(text.words, reading.column), text.counts)


def _selected(task, reading, selection):
    """(Sentences, those selected) of a shard."""
    piece, first = task
    text = reading.text(piece)
    return text, selection.of(text.words.lengths, first)


def _denominators(task, reading, selection, constraints):
    text, chosen = _selected(task, reading, selection)
    matcher = Matcher(text.words.select(chosen), reading.column)
    return np.array([count.denominator for count in matcher.counts(constraints)], np.float64)


def _harmonic(task, reading, selection, symbols):
    text, chosen = _selected(task, reading, selection)
    words = text.words.select(chosen)
    return harmonic_counts(symbols.number(words), words.offsets, symbols.count)


def _log_likelihood(task, reading, selection, symbols, events):
    text, chosen = _selected(task, reading, selection)
    words = text.words.select(chosen)
    return float(expect(TaggedText(symbols.number(words), words.offsets), events).log_likelihoods.sum())


def _moments(task, reading, selection, symbols, grammar, lines):
    text, chosen = _selected(task, reading, selection)
    parts = [
        _Part((reading, selection), (task[0], number), text, some) for number, some in enumerate(text.parts(chosen))
    ]
    return pairwise_sum(part.moments(reading, symbols, grammar, *lines) for part in parts)


@dataclass(frozen=True)
class _Part:
    """Sentences that are worked on at once; what is the same in each round is kept, as long as there is room."""

    owner: tuple
    key: tuple
    text: Sentences
    some: np.ndarray

    def moments(self, reading, symbols, grammar, constraints, multipliers):
        part = self._kept("sentences", lambda: self.text.take(self.some), lambda made: made.size)
        fixed = self._kept("fixed", lambda: part.fixed(reading.price), lambda made: made.nbytes)
        words = part.words
        lines = self._kept(
            constraints,
            lambda: Lines.of(Matcher(words, reading.column).match(constraints), 1.0),
            lambda made: made.arcs.nbytes + made.owner.nbytes,
        )
        numbers = self._kept(("symbols", symbols.words), lambda: symbols.number(words), lambda made: made.nbytes)
        text = TaggedText(numbers, words.offsets, part.brackets, reading.level)
        found = expect(text, grammar, bonus=np.exp(lines.log_weights(multipliers) + fixed))
        possible = found.log_likelihoods[found.log_likelihoods > -np.inf].sum()
        return Moments(float(possible), *lines.moments(found.marginals), count_events(text, found, grammar))

    def _kept(self, what, make, size):
        return kept(self.owner, (what, *self.key), make, size)
