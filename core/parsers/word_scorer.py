"""Scores of all arcs of a text by a parser that reads the words between punctuation marks alone.

A mark hangs on the word before it, or on the one after where it begins the sentence. So it takes part in no choice, and
any projective tree of the other words stays one with it. Brackets hold in the trees, as they do in the parser's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.features.packed import arc_offsets_of
from core.parsers.decoding import PosteriorParser
from core.parsers.punctuation_arcs import over_all_words
from core.parsers.scores import Held, ParserScores
from core.treebank import Treebank
from core.treebank.unpunctuated import attach_marks
from core.trees import Bracket, PackedScores
from core.trees.bracket_charts import bracketed_eisner
from core.trees.brackets import LEVELS, NONE, level_number

BracketsOf = Callable[[Treebank], Sequence[Sequence[Bracket]]]


@dataclass(frozen=True, eq=False)
class WordScorer:
    """A ``Scorer`` over whole texts, whose best trees are those of the parser with the brackets kept.

    Parameters
    ----------
    parser : PosteriorParser
    brackets_of : callable, optional
        Takes a treebank; returns the brackets of each sentence, in numbers that count its marks.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        A sentence without a tree at this level is held at the next softer one, and so on.
    """

    parser: PosteriorParser
    brackets_of: BracketsOf | None = None
    level: str = "none"

    def score(self, treebank: Treebank) -> ParserScores:
        """The scores of the arcs of a text, -inf for those of marks but one each. O(sum of n^3) with brackets."""
        words = treebank.without_punctuation()
        scores = PackedScores(np.full(arc_offsets_of(treebank.lengths)[-1], -np.inf), arc_offsets_of(treebank.lengths))
        if len(words):
            values = self.parser.tree_scores(treebank).values
            places = over_all_words(treebank, words, np.arange(1, len(values) + 1))
            scores.values[places > 0] = values[places[places > 0] - 1]
        scores.values[_arcs_of_marks(treebank, scores.offsets)] = 0.0
        return ParserScores(scores, held=self._held(treebank, scores))

    def _held(self, treebank, scores):
        """The Held of each sentence in which a tree keeps the brackets at some level, by its number."""
        number, held = level_number(self.level), {}
        if self.brackets_of is None or number == NONE:
            return held
        is_mark = treebank.punctuation()
        for i, marks in enumerate(self.brackets_of(treebank)):
            brackets = _around_marks(marks, is_mark[treebank.offsets[i] : treebank.offsets[i + 1]])
            for softer in range(number, NONE, -1) if brackets else ():
                try:
                    bracketed_eisner(scores[i], brackets, LEVELS[softer], threads=1)
                except WorkbenchError:  # no tree, or too many brackets over one word
                    continue
                held[i] = Held(brackets, LEVELS[softer])
                break
        return held


def with_marks(treebank: Treebank, heads: np.ndarray) -> np.ndarray:
    """int32 (rows,): trees of a text, (rows,), whose marks have the heads that parsers of words give them."""
    heads = heads.astype(np.int32)
    attach_marks(treebank.offsets, treebank.punctuation(), heads)
    return heads


def _arcs_of_marks(treebank, offsets):
    """int64: the arc of each mark: from the word before it, else from the next; the first of marks alone is a root."""
    is_mark, numbers = treebank.punctuation(), treebank.numbers
    is_word = treebank.is_word & ~is_mark
    sentences = np.repeat(np.arange(len(treebank)), treebank.lengths + 1)
    words = np.cumsum(is_word)  # up to each row
    first = words[treebank.offsets[:-1]]  # before each sentence: its root is no word
    some = (words[treebank.offsets[1:] - 1] > first)[sentences]
    leads = some & (words == first[sentences])
    rows = np.flatnonzero(is_mark & treebank.is_word)
    heads = numbers[rows] + np.where(leads[rows], 1, -1)
    sides = treebank.lengths[sentences[rows]] + 1
    return offsets[sentences[rows]] + heads * sides + numbers[rows]


def _around_marks(brackets, is_mark):
    """Brackets of a sentence with the marks that hang on their words, and no others. ``is_mark`` begins at the root."""
    words = np.flatnonzero(~is_mark)[1:]
    spans = set()
    for bracket in brackets:
        inside = np.flatnonzero((words >= bracket.start) & (words < bracket.end))
        if len(inside):
            first, last = inside[[0, -1]].tolist()
            start = int(words[first]) if first else 1
            spans.add((start, int(words[last + 1]) if last + 1 < len(words) else len(is_mark)))
    return tuple(Bracket(start, end) for start, end in sorted(spans))
