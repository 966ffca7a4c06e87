"""Gains in accuracy from a change of the training state, measured on held-out known trees.

The scored sentences are divided into ``FOLDS``; those of a fold are parsed by a parser trained without them
(cross-fitting). Two states are compared on the same words. The interval of their difference is that of a bootstrap over
sentences (``core.evaluation.significance``), made ``WIDER`` for the variance of training.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

import numpy as np

from core.advice.training_state import TrainingState, trained
from core.callbacks import Cancel
from core.errors import WorkbenchError
from core.parsers.decoding import PosteriorParser
from core.parsers.protocols import Parser
from core.treebank import Treebank

FOLDS = 3
LEAST_WORDS = 20  # scored words
LEAST_SCORED = 6  # sentences with known trees: two in each fold, and halves of the others to learn from
MOST_SCORED = 150  # more would take longer, and hardly narrow the interval
RESAMPLES = 2_000
MIDDLE = 2.5, 97.5  # percentiles: the ends of the interval
# With this factor 95% of the intervals contained the later gain, in 30 sessions simulated as in
# core.experiments.beyond.sessions, but in Spanish, Japanese, Dutch, Turkish and Chinese; without it 77%.
WIDER = 1.7


@dataclass(frozen=True)
class MeasuredGain:
    """Points of accuracy, and their 95% interval."""

    value: float
    low: float
    high: float


class GainScorer:
    """The sentences on which parsers of a TrainingState are scored, in folds.

    Attributes
    ----------
    sentences : ndarray of shape (k,), dtype int64
    words : ndarray of shape (k,), dtype float64
        Scored words of each sentence.
    fold : ndarray of shape (k,), dtype int64

    Raises
    ------
    WorkbenchError : fewer than ``LEAST_SCORED`` sentences or ``LEAST_WORDS`` words have known heads.
    """

    def __init__(self, state: TrainingState):
        known = np.flatnonzero(state.known)
        if reason := too_few(state):
            raise WorkbenchError(reason)
        if len(known) > MOST_SCORED:
            known = known[np.linspace(0, len(known) - 1, MOST_SCORED).astype(np.int64)]
        self.sentences, self.fold = known, np.arange(len(known)) % FOLDS
        self._text, self._heads, self._rows = state.text, state.heads, state.scored_rows
        self.words = self._of_sentences(known, self._rows)

    def over(self, text: Treebank) -> "GainScorer":
        """The same scorer with the tags of another Treebank of the text."""
        other = copy(self)
        other._text = text
        return other

    def _of_sentences(self, sentences, rows):
        """float64: the number of True ``rows``, bool (rows,), in each of some sentences."""
        sums = np.concatenate(([0.0], np.cumsum(rows)))
        offsets = self._text.offsets
        return sums[offsets[sentences + 1]] - sums[offsets[sentences]]

    def others(self, fold: int) -> np.ndarray:
        """bool (S,): all sentences of the text except those of a fold."""
        outside = np.ones(len(self._text), bool)
        outside[self.sentences[self.fold == fold]] = False
        return outside

    def right(self, train: Callable[[int], Parser]) -> np.ndarray:
        """float64 (k,): right heads in each sentence under the parser ``train(fold)`` of its fold."""
        right_heads = np.zeros(len(self.sentences))
        for fold in range(FOLDS):
            in_fold = self.fold == fold
            right_heads[in_fold] = self.right_of(train(fold), self.sentences[in_fold])
        return right_heads

    def right_of(self, parser: Parser, sentences: np.ndarray) -> np.ndarray:
        """float64: right heads in each of some sentences under a parser."""
        heads = np.full(len(self._heads), -1, np.int32)
        chosen = np.zeros(len(self._text), bool)
        chosen[sentences] = True
        text = self._text.select(sentences)
        heads_suffice = isinstance(parser, PosteriorParser)  # whose relations are not needed
        parsed = parser.best_heads(text) if heads_suffice else parser.parse(text).heads
        heads[np.repeat(chosen, self._text.lengths + 1)] = parsed
        return self._of_sentences(sentences, self._rows & (heads == self._heads))

    def cross_fitted(self, state: TrainingState, start: Parser | None, cancel: Cancel | None = None) -> np.ndarray:
        """float64 (k,): ``right`` of parsers trained without each fold, on a state whose text begins with this one."""
        return self.right(lambda fold: trained(self.without(state, fold), start, cancel))

    def without(self, state: TrainingState, fold: int) -> TrainingState:
        """A TrainingState, whose text begins with this one, without the trees of a fold."""
        learnt = state.learnt.copy()
        learnt[: len(self._text)] &= self.others(fold)
        return state.learning(learnt)

    def resampled(self, *right: np.ndarray) -> tuple[np.ndarray, ...]:
        """Accuracies in percent for each ``right``, float64 (RESAMPLES + 1,): the measured one, then bootstrap samples.

        The same sentences are drawn for all.
        """
        count = len(self.sentences)
        drawn = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn = np.concatenate((np.ones((1, count), np.int64), drawn))
        words = drawn @ self.words
        return tuple(100.0 * (drawn @ heads) / words for heads in right)

    def accuracy(self, right: np.ndarray) -> MeasuredGain:
        """Accuracy in percent with its interval."""
        return measured(self.resampled(right)[0])

    def gain(self, before: np.ndarray, after: np.ndarray) -> MeasuredGain:
        """The gain of ``after`` over ``before`` in points."""
        less, more = self.resampled(before, after)
        return measured(more - less, WIDER)


def measured(values: np.ndarray, wider: float = 1.0) -> MeasuredGain:
    """The first value, with the middle 95% of the others as its interval, made ``wider`` by a factor."""
    value = float(values[0])
    low, high = (wider * (np.percentile(values[1:], MIDDLE) - value) + value).tolist()
    return MeasuredGain(value, low, high)


def too_few(state: TrainingState) -> str:
    """Why there are too few known heads to score on; "" where there are enough."""
    count, words = int(state.known.sum()), int(state.scored_rows.sum())
    if count >= LEAST_SCORED and words >= LEAST_WORDS:
        return ""
    if count >= LEAST_SCORED:
        return f"only {words} words have a known head, too few to score on; correct more sentences"
    if not count:
        return "no sentence has a known tree to score on; correct some under Check 20 and mark them done"
    have = "sentence has a known tree" if count == 1 else "sentences have known trees"
    return f"only {count} {have}, too few to score on; correct {LEAST_SCORED} at least"


def measured_gain(
    present: TrainingState, before: TrainingState, after: TrainingState, cancel: Cancel | None = None
) -> MeasuredGain:
    """The gain between two states, on the trees known now.

    Parameters
    ----------
    present : TrainingState
        The text with all heads known now.
    before, after : TrainingState
        The states without and with a piece of work; their texts begin with that of ``present``.
    cancel : callable, optional
        True raises Cancelled.

    Raises
    ------
    WorkbenchError : too few known trees now.
    """
    score = GainScorer(present)
    right = (
        score.cross_fitted(state, trained(state.learning(np.zeros(len(state.text), bool)), cancel=cancel), cancel)
        for state in (before, after)
    )
    return score.gain(*right)
