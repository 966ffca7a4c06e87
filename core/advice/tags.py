"""The gain from correcting the tags of a text, measured where tags were corrected by hand and trees are known."""

from dataclasses import replace

import numpy as np

from core.advice.measure import GainScorer, too_few
from core.advice.training_state import TrainingState, trained
from core.advice.work import TAGS, Advice, Costs
from core.callbacks import Cancel
from core.constraints import match_counts
from core.treebank import Treebank

NONE_BY_HAND = "no tag was corrected by hand; correct tags too where you correct trees"


def tags_advice(
    state: TrainingState, former: Treebank, looked: np.ndarray, costs: Costs, cancel: Cancel | None = None
) -> Advice | None:
    """The Advice to correct the tags of the remaining sentences.

    Parameters
    ----------
    state : TrainingState
        Its text has the tags corrected by hand.
    former : Treebank
        The same sentences with the former tags.
    looked : ndarray of shape (S,), dtype bool
        Sentences checked by hand, whether or not a tag was wrong.
    costs : Costs
        A tag costs as much as a word of a tree.
    cancel : callable, optional
        True raises Cancelled.

    Returns None where the text was tagged only by hand, or no sentence remains. The gain is that on the checked
    sentences, which parsers trained and applied with either tags parse in folds. Eight trainings.
    """
    text, column = state.text, state.settings.tags or "upos"
    if not getattr(former, column).filled:
        return None
    changed = np.not_equal(getattr(text, column).strings(), getattr(former, column).strings())
    looked = looked | np.logical_or.reduceat(changed, text.offsets[:-1])
    left, wrong = int(text.lengths[~looked].sum()), int(changed.sum())
    if not left:
        return None
    if not wrong:
        return Advice(TAGS, "", costs.word * left, reason=NONE_BY_HAND)
    advice = Advice(TAGS, "", costs.word * left * wrong / int(text.lengths[looked].sum()))
    shown = replace(state, heads=np.where(np.repeat(looked, text.lengths + 1), state.heads, -1).astype(np.int32))
    if reason := too_few(shown):
        return replace(advice, reason=f"where tags were corrected, {reason}")
    score = GainScorer(shown)
    measured = score.gain(*(_right(score, state, tagged, cancel) for tagged in (former, text)))
    return replace(advice, gain=measured.value, low=measured.low, high=measured.high)


def _right(score, state, text, cancel):
    """Right heads with the tags of ``text``, under the constraints that match something there."""
    lines = [counted.constraint for counted in match_counts(state.lines, text, state.settings.tags) if counted.pairs]
    state = replace(state, text=text, lines=tuple(lines))
    plain = trained(state.learning(np.zeros(len(text), bool)), cancel=cancel)
    return score.over(text).cross_fitted(state, plain, cancel)
