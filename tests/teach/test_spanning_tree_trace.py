"""Contraction as it is taught is what the production kernel did, and ends in its tree."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.errors import ScoreShapeError
from core.teach.spanning_tree import Contraction, trace_spanning_tree
from core.trees import maximum_spanning_tree, tree_exists
from core.trees.maximum_spanning_tree import CONTRACTED, record_spanning_tree
from tests.teach.problems import check_questions, example, examples


@settings(deadline=None, max_examples=60)
@given(examples(most=6, roots=(True, False)))
def test_what_each_component_takes_is_its_best_arc_and_the_end_is_the_decoders_tree(one):
    assume(tree_exists(one.scores, one.single_root))
    trace = trace_spanning_tree(one)
    contraction = Contraction(one.scores, one.single_root)
    record, n = contraction.record, len(one)
    heads = maximum_spanning_tree(one.scores, one.single_root)
    assert record.heads.tolist() == trace.result["heads"].tolist() == heads.tolist()
    for component in range(1, len(record.parent)):
        inside = contraction.words[component]
        worths = [contraction.worth(h, component)[1] for h in range(1, n + 1) if h not in inside]
        assert record.best[component] == pytest.approx(max(worths, default=-np.inf))
        assert record.root[component] == pytest.approx(contraction.worth(0, component)[1])
    opened = [step for step in trace.steps if step.title.endswith("opened")]
    assert len(opened) == (record.events[:, 0] == CONTRACTED).sum()
    assert [arc.head for arc in trace.steps[-1].picture.arcs] == heads[1:].tolist()
    if opened:  # after the last opening the arcs are those of the tree
        assert sorted((a.modifier, a.head) for a in opened[-1].picture.arcs) == list(enumerate(heads.tolist()))[1:]
    check_questions(trace)


def test_a_cycle_worked_by_hand():
    #         I  saw
    scores = [[0, 1, 4], [0, 0, 9], [0, 8, 0]]
    steps = trace_spanning_tree(example(scores)).steps
    assert [step.title for step in steps] == [
        "No arcs yet", "I (1) takes saw (2)", "saw (2) takes I (1)", "Cycle A contracted", "Component A takes root",
        "Cycle A opened", "The best tree",
    ]  # fmt: skip
    assert "worth 17 nats" in steps[3].caption
    assert "its score 4 minus 9, that of the arcs it replaces, is −5 nats" in steps[4].caption
    assert steps[5].question.answer == "I (1) → saw (2)"
    assert steps[6].numbers["value"] == 12


def test_one_root_is_paid_for_by_who_loses_least():
    #         I  saw
    scores = [[0, 9, 8], [0, 0, 1], [0, 5, 0]]
    steps = trace_spanning_tree(example(scores)).steps
    leaves = next(step for step in steps if step.title.endswith("leaves the root"))
    assert leaves.question.answer == "I (1)" and leaves.numbers["loss"] == 4
    assert not any(step.title.endswith("leaves the root") for step in trace_spanning_tree(example(scores, False)).steps)


def test_bad_values_are_refused_and_ignored_places_are_ignored():
    scores = np.ones((3, 3))
    scores[1, 1] = np.nan
    assert record_spanning_tree(scores).heads.tolist() == maximum_spanning_tree(scores).tolist()
    scores[0, 1] = np.nan
    with pytest.raises(ScoreShapeError, match="is nan"):
        record_spanning_tree(scores)
