"""MIRA as it is taught: each step worked out anew, and a list of all trees for what it ends in."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.teach.mira import PASSES, trace_mira, wanted_heads
from core.trees import tree_exists
from tests.filled import filled
from tests.oracles.trees import tree_score, tree_scores, trees
from tests.teach.problems import check_questions, example, examples


def losses(wanted, listed):
    return (listed[:, 1:] != np.asarray(wanted)[1:]).sum(axis=1)


@settings(deadline=None, max_examples=60)
@given(examples(most=4, roots=(True, False)), st.data())
def test_each_pass_closes_the_gap_to_the_tree_that_was_found(one, data):
    assume(tree_exists(one.scores, one.single_root))
    listed = trees(len(one), one.single_root)
    allowed = listed[tree_scores(one.scores, one.single_root) > -np.inf]
    wanted = data.draw(st.sampled_from(allowed.tolist()))
    text = " ".join(str(head) for head in wanted[1:])
    trace = trace_mira(example(one.scores, one.single_root, constraint=text))
    assert trace.result["wanted"].tolist() == wanted
    for each in filled(trace.result["passes"]):
        worths = tree_scores(each.scores, one.single_root)
        loss = int((np.asarray(wanted)[1:] != each.found[1:]).sum())
        assert tree_score(each.scores, each.found) + loss == pytest.approx((worths + losses(wanted, listed)).max())
        assert len(each.wrong) == loss
        assert each.margin == pytest.approx(tree_score(each.scores, wanted) - tree_score(each.scores, each.found))
        closed = tree_score(each.after, wanted) - tree_score(each.after, each.found)
        assert each.size == pytest.approx(min(1.0, (loss - each.margin) / (2 * loss)) if loss else 0.0)
        assert closed == pytest.approx(loss if each.size < 1.0 else each.margin + 2 * loss)
    last = trace.steps[-1].numbers
    if last["won"]:
        gaps = tree_score(last["scores"], wanted) - tree_scores(last["scores"], one.single_root)
        assert (gaps >= losses(wanted, listed) - 1e-6).all()
        assert last["heads"].tolist() == wanted
    else:
        assert len(trace.result["passes"]) == PASSES
    check_questions(trace)


def test_a_step_worked_by_hand():
    #         I  saw
    scores = [[0, 3, 1], [0, 0, 2], [0, 2, 0]]
    trace = trace_mira(example(scores, constraint="2 0"))  # worth 3, and root → I → saw is worth 5
    assert [step.title for step in trace.steps] == [
        "The wanted tree", "Pass 1: the search", "Pass 1: the step", "Pass 2: the search", "The best tree",
    ]  # fmt: skip
    assert "wins by −2 nats: τ = (2 − (−2)) / 4 = 1, at most 1, so 4 arcs move by 1." in trace.steps[2].caption
    assert trace.steps[-1].numbers["scores"].tolist() == [[0, 2, 2], [0, 0, 1], [0, 3, 0]]
    assert (
        trace.steps[-1].question.answer == "Yes" and "After 1 step the wanted tree, 5 nats" in trace.steps[-1].caption
    )


def test_what_is_far_away_is_not_reached():
    scores = np.zeros((3, 3))
    scores[0, 1] = 500.0
    trace = trace_mira(example(scores, constraint="2 0"))
    assert trace.steps[-1].title == "Not yet" and f"After {PASSES} steps" in trace.steps[-1].caption


def test_the_usual_wanted_tree_is_the_second_best():
    trace = trace_mira(example([[0, 3, 1], [0, 0, 2], [0, 2, 0]]))
    assert trace.result["wanted"].tolist() == [-1, 2, 0] and "here the second best" in trace.steps[0].caption


@pytest.mark.parametrize("text", ["1", "2 0 0", "x 0", "9 0", "2 0.5"])
def test_heads_that_cannot_be_read_are_refused(text):
    with pytest.raises(WorkbenchError, match="the wanted tree of 2 words needs 2 numbers, the head of each word"):
        wanted_heads(text, np.zeros((3, 3)), True)


@pytest.mark.parametrize("text", ["2 1", "1 0", "0 0"])
def test_heads_that_are_no_tree_are_refused(text):
    with pytest.raises(WorkbenchError, match="are no tree of allowed arcs with one root word; correct them"):
        wanted_heads(text, np.zeros((3, 3)), True)
