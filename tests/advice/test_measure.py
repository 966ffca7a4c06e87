"""Scoring on trees that a parser has not seen, against counts by hand; intervals; what came true."""

import numpy as np
import pytest

from core.advice import measured_gain, trained
from core.advice.measure import FOLDS, MOST_SCORED, WIDER, GainScorer, measured
from core.errors import WorkbenchError


class Gold:
    """Knows some sentences by heart, and hangs the words of all others on the root."""

    def __init__(self, bank, known):
        self.trees = {bank[i].text: bank[i].heads for i in known}

    def parse(self, treebank):
        heads = [self.trees.get(each.text, np.r_[-1, np.zeros(len(each), int)]) for each in treebank]
        return treebank.with_heads(np.concatenate(heads))


def test_right_heads_are_counted_by_sentence_without_punctuation(state, gold):
    score = GainScorer(state(12))
    assert score.sentences.tolist() == list(range(12)) and set(score.fold) == set(range(FOLDS))
    right = score.right(lambda fold: Gold(gold, [0, 4]))
    for k in range(12):
        sentence, marks = gold[k], gold.punctuation()[gold.offsets[k] + 1 : gold.offsets[k + 1]]
        words = int((~marks).sum())
        roots = int(((sentence.heads[1:] == 0) & ~marks).sum())
        assert score.words[k] == words and right[k] == (words if k in (0, 4) else roots)


def test_a_fold_is_not_learnt_from(state):
    score, now = GainScorer(state(12)), state(12)
    for fold in range(FOLDS):
        without = score.without(now, fold).learnt
        assert not without[score.sentences[score.fold == fold]].any() and without.sum() == 8
        assert (score.others(fold)[12:]).all()


def test_a_gain_is_paired_and_has_an_interval(state):
    score = GainScorer(state(12))
    before, after = np.zeros(12), score.words.copy()
    assert score.gain(before, after) == measured(np.full(9, 100.0))
    half = np.where(np.arange(12) < 6, score.words, 0.0)
    found = score.gain(before, half)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(100 * half.sum() / score.words.sum())
    plain = measured(score.resampled(half)[0])
    assert (found.high - found.value) / (plain.high - plain.value) == pytest.approx(WIDER)
    assert (found.value - found.low) / (plain.value - plain.low) == pytest.approx(WIDER)
    same = score.gain(half, half)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("trees", "said"),
    [(0, "no sentence has a known tree"), (1, "only 1 sentence has a known tree"), (2, "only 2 sentences have known")],
)
def test_too_few_trees_cannot_be_scored_on(state, trees, said):
    with pytest.raises(WorkbenchError, match=said):
        GainScorer(state(trees))


def test_many_trees_are_sampled(state, monkeypatch):
    monkeypatch.setattr("core.advice.measure.MOST_SCORED", 10)
    assert len(GainScorer(state(40)).sentences) == 10 < MOST_SCORED


def test_what_came_true_is_what_the_known_trees_say_of_both(state):
    own, then, now = state(18), state(0, ""), state(18)
    found = measured_gain(own, then, now)
    score = GainScorer(own)
    plain = trained(state(0))
    expected = score.gain(score.cross_fitted(then, None), score.cross_fitted(now, plain))
    assert found == expected and found.low <= found.value <= found.high
    same = measured_gain(own, now, now)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
