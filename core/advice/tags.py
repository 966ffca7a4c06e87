"""What correcting the tags of a text would bring: measured where tags were corrected by hand and trees are known."""

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
    """The Advice to correct the tags of the sentences that nobody has looked at.

    Parameters
    ----------
    state : TrainingState
        Its text has the tags that were corrected by hand.
    former : Treebank
        The same sentences with the tags of before.
    looked : ndarray of shape (S,), dtype bool
        Sentences that were done by hand: those of which no tag was wrong count too.
    costs : Costs
        A tag takes as long as a word of a tree.
    cancel : callable, optional
        True raises Cancelled.

    Returns None where nothing but hands has tagged the text, or no sentence is left to look at. The gain is that of the
    sentences looked at: parsers of either tags parse them with these, in folds. Eight trainings.
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
    """Right heads where the text is tagged so, the constraints that match something there learnt from."""
    lines = [counted.constraint for counted in match_counts(state.lines, text, state.settings.tags) if counted.pairs]
    state = replace(state, text=text, lines=tuple(lines))
    plain = trained(state.learning(np.zeros(len(text), bool)), cancel=cancel)
    return score.over(text).cross_fitted(state, plain, cancel)
