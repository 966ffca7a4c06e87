"""Sentences that one of the parses learnt from are scored for none; parses are compared on them all the same."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.workspace.applied import AvailableParse
from core.workspace.compare import side_by_side as module
from core.workspace.compare.scoring import conditions_said
from core.workspace.compare.side_by_side import EACH_OTHER, side_by_side
from core.workspace.registry import Systems

OFFERS = [AvailableParse("left", "attach left"), AvailableParse("right", "attach right")]


@pytest.fixture
def compared(workspace, sample, monkeypatch):
    """compared(sentences, against="own") -> the baselines side by side, had attach right learnt from these."""

    def compare(sentences, against="own"):
        learnt = {"left": np.zeros(0, np.int64), "right": np.array(sentences, np.int64)}
        monkeypatch.setattr(module, "learnt_from", lambda _, corpus, key: learnt[key])
        return side_by_side(Systems(workspace), sample, OFFERS, against)

    return compare


def test_sentences_that_one_learnt_from_are_scored_for_none(compared):
    whole, found = compared([]), compared([0, 3])
    text = found.comparison.text
    assert (whole.sentences, found.sentences, found.of) == (whole.of, whole.of - 2, whole.of)
    assert text.picks[:3].tolist() == [1, 2, 4] and (found.gold.picks == text.picks).all()
    assert conditions_said(whole) == [f"{whole.of} sentences of the file"]
    sentences = f"{whole.of - 2} sentences of the file, without 2 sentences learnt from by attach right"
    assert conditions_said(found) == [sentences]
    assert compared([0, 3], "left").sentences == whole.of - 2


def test_relations_that_were_learnt_from_these_trees_are_not_scored(compared, monkeypatch):
    monkeypatch.setattr(module, "has_relations", lambda bank: True)
    both = compared([])
    learnt = {"left": np.array([0, 3, 5]), "right": np.zeros(0, np.int64)}
    monkeypatch.setattr(module, "relations_learnt_from", lambda _, corpus, key: learnt[key])
    one = compared([5])
    assert both.labelled == {"attach left": True, "attach right": True}
    assert both.conditions["attach left"].doubts == ()
    assert one.labelled == {"attach left": False, "attach right": True}
    no_las = "attach left: no LAS, since its relations were learnt from 2 of them"
    assert conditions_said(one)[1:] == [no_las]


def test_what_was_learnt_is_compared_without_scores(compared):
    found = compared([0, 3], EACH_OTHER)
    assert found.sentences == found.of and conditions_said(found) == []
    everything = range(found.of)
    assert compared(everything, EACH_OTHER).sentences == found.of
    with pytest.raises(WorkbenchError, match=f"attach right trained on all {found.of} sentences .* with each other"):
        compared(everything)
