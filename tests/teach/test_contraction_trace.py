"""Chu-Liu-Edmonds in rounds ends in a tree of the decoder's value, and each round keeps the value of the best tree."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from core.errors import InfeasibleError
from core.teach.contraction import contraction_rounds, expanded, heads_of, only_root, trace_contraction
from core.trees import maximum_spanning_tree, tree_exists
from tests.filled import filled
from tests.oracles.trees import is_tree, tree_score, tree_scores
from tests.teach.problems import check_questions, example, examples


def best_value(arcs, nodes):
    """The value of the best tree over a round's nodes, by the decoder; any number of them on the root."""
    places = {0: 0} | {node: place for place, node in enumerate(nodes, start=1)}
    scores = np.full((len(places),) * 2, -np.inf)
    for (tail, tip), way in arcs.items():
        scores[places[tail], places[tip]] = way.worth
    return tree_score(scores, maximum_spanning_tree(scores, False))


@settings(deadline=None, max_examples=60)
@given(examples(most=6, roots=(True, False)))
def test_the_end_is_a_tree_of_the_decoders_value(one):
    assume(tree_exists(one.scores, one.single_root))
    trace = trace_contraction(one)
    heads = trace.result["heads"]
    assert is_tree(heads.tolist(), one.single_root)
    best = tree_score(one.scores, maximum_spanning_tree(one.scores, one.single_root))
    assert tree_score(one.scores, heads) == pytest.approx(best)
    assert trace.steps[-1].numbers["value"] == pytest.approx(best)
    tried = trace.steps[0].numbers["tried"]
    assert not tried or one.single_root
    for word, value in tried.items():  # none where the first run has one root word
        assert value == pytest.approx(tree_scores(only_root(one.scores, word)).max())
    check_questions(trace)


@settings(deadline=None, max_examples=60)
@given(examples(most=6, roots=(False,)))
def test_a_contraction_takes_off_what_its_cycle_is_worth_and_no_more(one):
    assume(tree_exists(one.scores, False))
    rounds, n = contraction_rounds(one.scores), len(one)
    best = tree_scores(one.scores, False).max() if n < 6 else best_value(rounds[0].arcs, rounds[0].best)
    taken = 0.0
    for each in filled(rounds):
        assert best_value(each.arcs, each.best) + taken == pytest.approx(best)
        assert all(each.into[node] in each.cycle for node in each.cycle)
        taken += sum(each.best[node].worth for node in each.cycle)
    assert not rounds[-1].cycle and len(expanded(rounds)) == len(rounds)
    assert tree_score(one.scores, heads_of(expanded(rounds)[-1], n)) == pytest.approx(best)


def test_a_cycle_worked_by_hand():
    #         I  saw
    scores = [[0, 1, 4], [0, 0, 9], [0, 8, 0]]
    steps = trace_contraction(example(scores)).steps
    assert [step.title for step in steps] == [
        "No arcs yet", "Round 1: the best arcs", "Node A", "Round 2: the best arcs", "Node A opened", "The best tree",
    ]  # fmt: skip
    assert "I (1) and saw (2) close a cycle" in steps[1].caption and "worth 17 nats" in steps[2].caption
    assert steps[2].numbers["into"] == {"root → saw (2)": -5.0}
    assert steps[4].question.answer == "I (1) → saw (2)" and steps[5].numbers["value"] == 12


def test_where_several_words_would_attach_to_the_root_each_is_tried_as_the_only_one():
    #         I  saw
    scores = [[0, 9, 8], [0, 0, 1], [0, 5, 0]]
    trace = trace_contraction(example(scores))
    assert trace.steps[0].numbers["tried"] == {1: 10.0, 2: 13.0} and trace.result["heads"].tolist() == [-1, 2, 0]
    assert "2 root words and one is wanted" in trace.steps[0].caption
    assert trace_contraction(example(scores, False)).result["heads"].tolist() == [-1, 0, 0]


def test_words_that_no_arc_reaches_are_refused():
    scores = np.full((3, 3), -np.inf)
    scores[0, 1] = 1.0
    with pytest.raises(InfeasibleError):
        trace_contraction(example(scores))
