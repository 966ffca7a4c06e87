"""What is left to do above the universal parser, by the parser's own probabilities, where no tree is known to score on.

A word is expected to be wrong by 1 - m, m the probability of its arc in the parser's tree under the constraints. A
question concerns that in so far as the present arc, or else arcs that may be right, are of its kind. A tree that is
corrected rights all that is wrong in it. Parsers can be surer than they are right, so these are no measured gains.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.advice.estimating import shortened
from core.advice.training_state import TrainingState, trained
from core.advice.work import QUESTIONS, TREES, Advice, Costs, TurnedArcs
from core.callbacks import Cancel
from core.constraints.authoring.questions import AT_ONCE, ArcQuestions
from core.constraints.matching.matcher import as_matcher
from core.features.packed import arc_offsets_of
from core.parsers.decoding import PosteriorParser
from core.parsers.punctuation_arcs import marks_between
from core.treebank import Treebank
from core.treebank.unpunctuated import heads_between_words
from core.trees import eisner


@dataclass(frozen=True, eq=False)
class ExpectedErrors:
    """How probable it is that a parser's heads are wrong, word by word.

    Attributes
    ----------
    words : Treebank
        The text without punctuation, N words.
    marginals : ndarray of shape (A,), dtype float64
        The probability of every arc.
    chosen : ndarray of shape (N,), dtype int64
        The arc that each word has in the parser's tree.
    wrong : ndarray of shape (N,), dtype float64
        0 where the head is known.
    """

    words: Treebank
    marginals: np.ndarray
    chosen: np.ndarray
    wrong: np.ndarray

    @classmethod
    def of(cls, state: TrainingState, parser: PosteriorParser) -> "ExpectedErrors":
        """Those of a parser on a text that has words. O(sum of n^3)."""
        text, words = state.text, state.text.without_punctuation()
        paid = -parser.price * marks_between(text, words)
        marginals = parser.marginals(words, votes=paid, whole=text)[1].values
        rows, lengths = np.flatnonzero(words.is_word), words.lengths
        heads = eisner(parser.tree_scores(text)).values[rows]
        starts, sides = np.repeat([arc_offsets_of(lengths)[:-1], lengths + 1], lengths, axis=1)
        chosen = starts + heads * sides + words.numbers[rows]
        learnt = np.where(np.repeat(state.learnt, text.lengths + 1), state.heads, -1)
        known = heads_between_words(text.with_heads(learnt), words)[rows] >= 0
        return cls(words, marginals, chosen, np.where(known, 0.0, 1 - marginals[chosen]))

    @property
    def sentences(self) -> np.ndarray:
        """int64 (N,): the sentence of each word."""
        return np.repeat(np.arange(len(self.words)), self.words.lengths)

    def concerned(self, arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(bool (N,): the words of which some arcs, bool (A,), are candidates; float64 (N,): how wrong by these)."""
        places = np.flatnonzero(arcs)
        offsets, sides = arc_offsets_of(self.words.lengths), self.words.lengths + 1
        sentences = np.searchsorted(offsets, places, side="right") - 1
        firsts = np.cumsum(self.words.lengths) - self.words.lengths
        words = firsts[sentences] + (places - offsets[sentences]) % sides[sentences] - 1
        masses = np.bincount(words, self.marginals[places], minlength=len(self.wrong))
        by_these = np.where(arcs[self.chosen], self.wrong, np.minimum(masses, self.wrong))
        return np.bincount(words, minlength=len(self.wrong)) > 0, by_these

    def turned(self, words: np.ndarray, wrong: np.ndarray) -> TurnedArcs:
        """The TurnedArcs of some words, bool (N,), that are expected to be so wrong, float64 (N,)."""
        is_open = words & (self.wrong > 0)
        return TurnedArcs(
            int(is_open.sum()), len(np.unique(self.sentences[is_open])), float(wrong[is_open].sum()), len(self.wrong),
            len(self.words), float(self.wrong.sum()),
        )  # fmt: skip


def expected_advice(
    state: TrainingState, advice: Sequence[Advice], costs: Costs, passed: Collection[str] = (),
    cancel: Cancel | None = None,
) -> list[Advice]:  # fmt: skip
    """Advice with what the parser expects: of trees whose gain is not known, and of the next questions of *Ask me*.

    Parameters
    ----------
    state : TrainingState
        With a prior; others have the advice as it is.
    advice : sequence of Advice
    costs : Costs
    passed : collection of str
        Names of questions that are not asked.
    cancel : callable, optional
        True raises Cancelled.

    Notes
    -----
    One training on the sentences that ``shortened`` leaves.
    """
    state, _ = shortened(state)
    if state.prior is None or not len(state.text.without_punctuation()):
        return list(advice)
    parser = trained(state, cancel=cancel)
    assert isinstance(parser, PosteriorParser)  # as all that begin with a prior
    found = ExpectedErrors.of(state, parser)
    matcher = as_matcher(found.words, state.settings.tags, state.lines)
    asked = ArcQuestions(found.words, found.words.tag_name(matcher.tags)).ranked(
        found.marginals, {*passed, *(line.name for line in state.lines)}, AT_ONCE
    )
    with_trees = [_with_expected(piece, found) for piece in advice]
    if not asked:
        return with_trees
    arcs = np.zeros(len(found.marginals), bool)
    arcs[matcher.match([question.constraint for question in asked]).arcs] = True
    turned = found.turned(*found.concerned(arcs))
    return [*with_trees, Advice(QUESTIONS, str(len(asked)), len(asked) * costs.answer, turned=turned)]


def _with_expected(advice, found):
    if advice.kind != TREES or advice.gain is not None or not advice.sentences:
        return advice
    words = np.isin(found.words.picks[found.sentences], advice.sentences)
    return replace(advice, turned=found.turned(words, found.wrong))
