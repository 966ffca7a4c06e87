"""The text that a grammar learns from, by what training asks of it; here in memory, in ``grammar_shards`` in shards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from core.constraints.grammar_settings import GrammarSettings
from core.constraints.language import Constraint
from core.constraints.marks import marks_between
from core.constraints.matching import Matcher
from core.constraints.objective import contradicting_arcs
from core.constraints.posterior import Ascent, Lines
from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of, selected_arcs
from core.markup.marked import marked_sentences
from core.parsers.dmv.parameters import Events, harmonic_counts
from core.parsers.dmv.symbols import Symbols, pair_counts, tagged_throughout
from core.parsers.dmv.text import TaggedText, expect
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.marks import words_between
from core.trees import Bracket
from core.trees.brackets import PackedBrackets, level_number
from core.trees.inside_outside import inside_outside
from core.trees.packed import PackedScores

HELD_OUT = 10  # every tenth sentence tells whether words help


@dataclass(frozen=True)
class Selection:
    """Some sentences: of at most ``longest`` words; those held out, the others (``held`` False), or both (None)."""

    longest: int | None = None
    held: bool | None = None

    def of(self, lengths: np.ndarray, first: int = 0) -> np.ndarray:
        """int64: which of the sentences of these lengths, that count from ``first`` on."""
        chosen = np.ones(len(lengths), bool) if self.longest is None else lengths <= self.longest
        if self.held is not None:
            chosen &= ((first + np.arange(len(lengths))) % HELD_OUT == HELD_OUT - 1) == self.held
        return np.flatnonzero(chosen)


ALL = Selection()


class GrammarText(Protocol):
    """Sentences without punctuation, with a tag on each word; lines, once ``keep`` was told them.

    Attributes
    ----------
    column : {"xpos", "upos"}
    untagged : int
        Sentences left out because a word has no tag.
    """

    column: str
    untagged: int

    def sentence_count(self, selection: Selection) -> int:
        """How many sentences are selected."""
        ...

    def token_count(self) -> int:
        """Words of all sentences."""
        ...

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """float64 (C,): what each line's target is a share of; 0 for one that matches nothing."""
        ...

    def keep(self, constraints: Sequence[Constraint]) -> None:
        """The lines to train on."""
        ...

    def symbols(self, threshold: int | None = None) -> Symbols:
        """Those of all sentences."""
        ...

    def harmonic(self, symbols: Symbols, selection: Selection) -> Events:
        """Counts of ``parameters.harmonic_counts``."""
        ...

    def ascent(self, symbols: Symbols, selection: Selection, multipliers: np.ndarray | None = None) -> Ascent:
        """The dual ascent over some sentences, from these multipliers."""
        ...

    def log_likelihood(self, symbols: Symbols, events: Events, selection: Selection) -> float:
        """Of some sentences under a grammar without lines, in nats a word."""
        ...


class WholeText:
    """A text in memory.

    Parameters
    ----------
    treebank, settings, brackets, trees, threads
        As for ``train_grammar``.

    Attributes
    ----------
    words : Treebank
        The sentences to train on, without punctuation.
    arcs : ndarray of shape (S + 1,), dtype int64
        Where the arcs of each begin.
    fixed : ndarray of shape (A,), dtype float64
        Log-weights of arcs in nats: the price of punctuation, -inf for arcs that contradict known trees, and votes.
    marked : list of lists of Bracket
    known : int array of shape (rows of ``words``,), or None
        Known heads.
    weights : ndarray of shape (S,), dtype float64, or None
        What each sentence counts when the grammar is estimated, where heads are known.
    crossing : tuple of int
        Sentences whose known heads no projective tree has.
    """

    def __init__(
        self, treebank: Treebank, settings: GrammarSettings, brackets: Sequence[Sequence[Bracket]] | None = None,
        trees: np.ndarray | None = None, threads: int | None = None,
    ):  # fmt: skip
        self.settings, self.threads, self.constraints = settings, threads, ()
        column = treebank.tag_column(settings.tags)
        self.column = settings.tags or ("xpos" if column is treebank.xpos else "upos")
        words = treebank.without_punctuation()
        if not len(words):
            raise WorkbenchError("the text is all punctuation; give one with words")
        tagged = tagged_throughout(words, self.column)
        if not tagged.any():
            raise WorkbenchError("no sentence has a tag on each of its words; tag the text first")
        longest = longest_of(settings)
        chosen = Selection(longest).of(words.lengths)
        if not len(chosen):
            raise WorkbenchError(too_long(len(treebank), longest, int(words.lengths.min())))
        self.untagged = int((~tagged[chosen]).sum())
        chosen = chosen[tagged[chosen]]
        self.words, self.arcs = words.select(chosen), arc_offsets_of(words.lengths[chosen])
        cells = selected_arcs(arc_offsets_of(words.lengths), chosen)[0]
        self.fixed = -settings.price * marks_between(treebank, words)[cells]
        self.level, self.crossing, self.known = level_number(settings.level), (), None
        self.weights = None
        marked = words_between(treebank, marked_sentences(treebank, brackets)) if self.level else [()] * len(words)
        self.marked = [marked[index] for index in chosen.tolist()]
        self.brackets = PackedBrackets.from_lists(self.marked)
        if trees is not None:
            self._hold(treebank.with_heads(checked_heads(treebank.offsets, trees)).without_punctuation().select(chosen))

    def sentence_count(self, selection: Selection) -> int:
        """As ``GrammarText`` says."""
        return len(selection.of(self.words.lengths))

    def token_count(self) -> int:
        """As ``GrammarText`` says."""
        return self.words.token_count

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """As ``GrammarText`` says."""
        return Matcher(self.words, self.column).match(constraints).denominators

    def keep(self, constraints: Sequence[Constraint]) -> None:
        """As ``GrammarText`` says."""
        self.constraints = tuple(constraints)

    def symbols(self, threshold: int | None = None) -> Symbols:
        """As ``GrammarText`` says."""
        return Symbols.counted(self._pairs, self.column, threshold)

    def harmonic(self, symbols: Symbols, selection: Selection) -> Events:
        """As ``GrammarText`` says."""
        text = self._tagged(symbols, selection.of(self.words.lengths))
        return harmonic_counts(text.tags, text.offsets, symbols.count)

    def ascent(self, symbols: Symbols, selection: Selection, multipliers: np.ndarray | None = None) -> Ascent:
        """As ``GrammarText`` says."""
        chosen = selection.of(self.words.lengths)
        whole = len(chosen) == len(self.words)
        fixed = self.fixed if whole else self.fixed[selected_arcs(self.arcs, chosen)[0]]
        lines = self._lines if whole else self._lines_of(self.words.select(chosen))
        weights = None if self.weights is None else self.weights[chosen]
        return Ascent(self._tagged(symbols, chosen), lines, fixed, self.threads, multipliers, weights=weights)

    def log_likelihood(self, symbols: Symbols, events: Events, selection: Selection) -> float:
        """As ``GrammarText`` says."""
        words = self.words.select(selection.of(self.words.lengths))
        text = TaggedText(symbols.number(words), words.offsets)
        return float(expect(text, events, threads=self.threads).log_likelihoods.sum() / text.token_count)

    def _tagged(self, symbols, chosen):
        whole = len(chosen) == len(self.words)
        words = self.words if whole else self.words.select(chosen)
        brackets = self.brackets if whole else self.brackets.select(chosen)
        return TaggedText(symbols.number(words), words.offsets, brackets, self.level)

    @cached_property
    def _pairs(self) -> Counter[tuple[str, str]]:
        return pair_counts(self.words, self.column)

    @cached_property
    def _lines(self):
        return self._lines_of(self.words)

    def _lines_of(self, words):
        return Lines.of(Matcher(words, self.column).match(self.constraints), self.settings.bound)

    def _hold(self, known):
        """Forbid the arcs that contradict known heads, where these leave a projective tree."""
        offsets = arc_offsets_of(known.lengths)
        forbidden = contradicting_arcs(known.heads, known.lengths + 1, offsets)
        scores = PackedScores(np.where(forbidden, -np.inf, 0.0), offsets)
        possible = inside_outside(scores, errors="mark", threads=self.threads)[0] > -np.inf
        self.crossing = tuple(np.flatnonzero(~possible).tolist())
        self.fixed[forbidden & np.repeat(possible, np.diff(offsets))] = -np.inf
        self.known = np.where(np.repeat(possible, known.lengths + 1), known.heads, -1)
        has_heads = np.logical_or.reduceat(self.known >= 0, known.offsets[:-1])
        self.weights = np.where(has_heads, self.settings.known_weight, 1.0)


def longest_of(settings: GrammarSettings) -> int | None:
    """The longest sentences of any stage; None for all."""
    return None if None in settings.lengths else max(settings.lengths)


def too_long(sentences: int, longest: int | None, shortest: int) -> str:
    """The sentence that says that no sentence is short enough."""
    return (
        f"none of the {sentences:,} sentences is within the maximum length of {longest}; raise it: the shortest has "
        f"{shortest}"
    )
