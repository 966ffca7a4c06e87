"""Advice on what to do next: what is known of it, why not where it is not, what is left when it is stopped."""

import numpy as np
import pytest

from core.advice import LINE, TEXT, TREEBANK, TREES, OtherText, TrainingState, estimate, next_line
from core.advice.estimating import STOPPED, TOO_FEW_LEARNT, resolve_source, scored_words, shortened
from core.constraints import parse_constraints
from core.errors import WorkbenchError
from core.treebank import Treebank, load_sample
from core.trees import Bracket
from tests.advice.conftest import SETTINGS
from tests.advising import SET


def by_kind(found):
    return {each.kind: each for each in found.advice}


@pytest.fixture(scope="module")
def sources(others):
    bare = others.select(np.arange(17, 37))
    return [
        OtherText("more", bare.with_heads(np.full(len(bare.heads), -1)), 7),
        OtherText("trees", others.limit(17), 8),
    ]


@pytest.fixture(scope="module")
def alone(state):
    """What is advised for twelve known trees and no other text."""
    return estimate(state(12), count=5)


def test_each_kind_of_work_has_a_gain_with_its_interval(state, sources):
    said = []
    found = estimate(state(24), sources, 5, progress=lambda share, message: said.append((share, message)))
    kinds = by_kind(found)
    assert set(kinds) == {TREES, LINE, TEXT, TREEBANK} and found.scored == found.learnt == 24 and not found.stopped
    assert all(each.low <= each.gain <= each.high and not each.reason for each in found.advice)
    assert found.accuracy.low < found.accuracy.value < found.accuracy.high
    assert len(kinds[TREES].sentences) == 5 and min(kinds[TREES].sentences) >= 24
    assert kinds[TEXT].source_corpus == 7 and kinds[TREEBANK].what == "trees" and kinds[LINE].what
    rates = [each.per_hour[0] for each in found.advice]
    assert rates == sorted(rates, reverse=True)
    assert kinds[TREEBANK].gain > 0 and found.notes == ()
    shares = [share for share, _ in said]
    assert said[0] == (0, "What there is") and shares == sorted(set(shares)) and 0.9 < shares[-1] < 1


def test_a_sentence_that_is_scored_is_not_learnt_from_in_another_text(state, gold, alone):
    known, new = OtherText("copy", gold.limit(12), 8), OtherText("copy", gold.select(np.arange(12, 20)), 8)
    both = OtherText("copy", gold.limit(20), 8)
    found, expected = (estimate(state(12), [each], 5) for each in (both, new))
    assert found.advice == expected.advice and expected.notes == ()
    assert found.notes == ("Left out: 12 of the 20 sentences of copy, which are in this text too, with known trees.",)
    taken = estimate(state(12), [known], 5, taken=[both])
    assert taken.accuracy == estimate(state(12), count=5, taken=[new]).accuracy and taken.notes == found.notes
    assert by_kind(taken)[TREEBANK].reason == "all its sentences are in this text too, with known trees"
    assert estimate(state(12), count=5, taken=[known]).accuracy == alone.accuracy


def test_a_long_source_is_shortened_with_its_brackets_and_a_note(state, gold, monkeypatch):
    monkeypatch.setattr("core.advice.estimating.MOST_SENTENCES", 5)
    brackets = [[Bracket(1, 2)] * k for k in range(20)]
    source, notes = resolve_source(scored_words(state(3)), OtherText("long", gold.limit(20), brackets=brackets))
    assert source.treebank.picks.tolist() == [3, 4, 5, 6, 7] and [len(each) for each in source.brackets] == [
        3,
        4,
        5,
        6,
        7,
    ]
    assert notes[1:] == ["Measured with 5 of the 20 sentences of long; training takes them all."]


@pytest.mark.parametrize(("learnt", "count", "trainings"), [(4, 9, 3), (4, 20, 0), (8, 20, 6)])
def test_so_many_trees_are_tried_as_are_advised(state, learnt, count, trainings):
    said = []
    now = state(18, learnt=np.arange(40) < learnt)
    trees = by_kind(estimate(now, count=count, progress=lambda share, message: said.append((share, message))))[TREES]
    assert [message for _, message in said].count("More trees") == trainings
    assert (trees.reason, trees.gain is None) == (("", False) if trainings else (TOO_FEW_LEARNT, True))
    assert all(share < 1 for share, _ in said) and len(trees.sentences) == count


def test_it_is_the_same_each_time(state, alone):
    assert estimate(state(12), count=5) == alone


@pytest.mark.parametrize(("trees", "said"), [(0, "no sentence has a known tree"), (2, "only 2 sentences have known")])
def test_too_few_trees_tell_nothing_but_the_work_is_named(state, sources, trees, said):
    found = estimate(state(trees), sources, 5)
    assert found.accuracy is None and all(each.gain is None and each.reason for each in found.advice)
    assert said in by_kind(found)[TREES].reason and len(by_kind(found)[TREES].sentences) == 5


def test_where_nothing_can_be_scored_a_treebank_is_likely_to_help_if_its_tags_follow_one_another_alike():
    sample = load_sample()
    text, trees = sample.limit(100), sample.select(np.arange(100, 200))
    turned = Treebank.from_sentences(
        {"forms": tags, "upos": tags, "heads": [0] * len(tags)} for tags in (each.upos[:0:-1] for each in trees)
    )
    near, far, short = OtherText("near", trees, 8), OtherText("far", turned, 9), OtherText("short", trees.limit(20), 7)
    bare = TrainingState.of(text, parse_constraints(SET), np.full(len(text.heads), -1), SETTINGS)
    advice = estimate(bare, [far, short, near], 5).advice
    assert [each.what for each in advice if each.kind == TREEBANK] == ["near", "far", "short"]
    assert advice[0].what == "near" and advice[0].likely and "follow one another much as in this" in advice[0].reason
    assert not any(each.likely for each in advice[1:])
    reasons = {each.what: each.reason for each in advice}
    assert "otherwise than in this text" in reasons["far"] and "tags" not in reasons["short"]
    assert all("no sentence has a known tree" in each.reason and each.gain is None for each in advice)


def test_what_can_be_scored_is_not_called_likely(state, others):
    advice = estimate(state(24), [OtherText("others", others, 8)], 5).advice
    assert all(each.gain is not None and not each.likely for each in advice)


def test_without_lines_a_text_teaches_nothing(state, sources):
    kinds = by_kind(estimate(state(12, ""), sources, 5))
    assert "without lines a text that has no trees teaches nothing" in kinds[TEXT].reason
    assert kinds[TREES].gain is not None and kinds[TREEBANK].gain is not None


def test_a_text_with_other_tags_is_said_and_the_rest_is_measured(state, gold):
    other = type(gold).from_sentences([{"forms": ["a", "b"], "upos": ["X1", "X2"]}])
    kinds = by_kind(estimate(state(12), [OtherText("strange", other)], 5))
    assert "strange has another tag set" in kinds[TEXT].reason and kinds[TREES].gain is not None


def test_trees_of_the_text_that_are_not_learnt_from_are_tried(state):
    learnt = np.arange(40) < 4
    found = estimate(state(40, learnt=learnt), count=10)
    assert found.scored == 40 and found.learnt == 4 and by_kind(found)[TREES].gain is not None
    all_learnt = by_kind(estimate(state(40), count=10))[TREES]
    assert all_learnt.reason == "every sentence looked at is learnt from already" and not all_learnt.sentences


def test_a_stopped_estimate_keeps_what_was_measured(state, sources):
    shares = []

    def cancel():
        return bool(shares) and shares[-1] > 0.7

    found = estimate(state(24), sources, 5, progress=lambda share, _: shares.append(share), cancel=cancel)
    known, missing = (
        [each for each in found.advice if (each.reason == STOPPED) == is_missing] for is_missing in (False, True)
    )
    assert found.stopped and known and missing and all(each.gain is not None for each in known)
    assert len(found.advice) == 4
    at_once = estimate(state(24), sources, 5, cancel=lambda: True)
    assert at_once.stopped and all(each.reason == STOPPED for each in at_once.advice) and at_once.accuracy is None


def test_what_is_learnt_from_already_is_scored_on_the_own_text_alone(state, sources):
    found = estimate(state(12), count=5, taken=sources)
    assert found.scored == found.learnt == 12 and max(by_kind(found)[TREES].sentences) < 40


def test_a_long_text_is_shortened_to_what_is_known_first(state, monkeypatch):
    monkeypatch.setattr("core.advice.estimating.MOST_SENTENCES", 15)
    learnt = np.arange(40) >= 38
    short, notes = shortened(state(40, learnt=learnt))
    assert short.text.picks.tolist() == [*range(13), 38, 39] and short.learnt.sum() == 2
    assert notes == ["Measured on 15 of the 40 sentences, those with known trees first."]
    assert np.array_equal(short.heads, short.text.heads)
    assert shortened(state(3))[0].text.picks.tolist() == [0, 1, 2, *range(3, 15)]


def test_a_line_that_parts_of_the_trees_do_not_propose_is_not_judged(state, monkeypatch):
    def of_all_alone(now, model, errors):
        return next_line(now, model, errors) if errors.sum() == 24 else None

    monkeypatch.setattr("core.advice.estimating.next_line", of_all_alone)
    line = by_kind(estimate(state(24), count=5))[LINE]
    assert line.what and line.gain is None and line.reason.startswith("too few known trees: no line could be tried")


def test_no_sentences_are_no_work(state):
    with pytest.raises(WorkbenchError, match="at least one sentence must be corrected, got 0"):
        estimate(state(12), count=0)
