"""Transition-based parsing as it is taught ends in the best tree by the scores, and says what each move costs."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.parsers.transitions.greedy import GreedyParser, word_codes
from core.parsers.transitions.oracles import Oracle
from core.parsers.transitions.systems import EAGER, HYBRID, SWAPPING, SYSTEMS
from core.teach.algorithms import ALGORITHMS
from core.teach.greedy import FOLDS, GREEDY, LONGEST, fold_of, taught_greedy
from core.teach.scores import tree_scores
from core.teach.step import Example
from core.teach.transitions import NAMES, derivation_count, moves_of, trace_transitions, wanted_tree
from core.treebank import load_sample
from core.trees import tree_exists
from tests.filled import filled
from tests.oracles.transitions import all_derivations
from tests.oracles.trees import trees
from tests.teach.problems import check_questions, example, examples

SAMPLE = load_sample()


def scored(heads):
    """An Example whose best tree is the given one, heads from 0 on with -1 at the root."""
    scores = np.zeros((len(heads),) * 2)
    scores[heads[1:], range(1, len(heads))] = 1
    return example(scores)


@settings(deadline=None, max_examples=40)
@given(examples(most=5), st.sampled_from(list(SYSTEMS.values())))
def test_the_end_is_the_best_tree(one, system):
    assume(tree_exists(one.scores, True, projective=system.projective))
    trace = trace_transitions(system, one)
    assert list(trace.result["heads"]) == wanted_tree(system, one)
    assert all(step.numbers.get("cost", 0) == 0 for step in trace.steps)
    *_, final = system.replay(len(one), moves_of(trace.path))
    assert final == trace.steps[-1].numbers["configuration"] and len(trace.path) == len(trace) - 1
    check_questions(trace)


@settings(deadline=None, max_examples=40)
@given(st.data(), st.sampled_from(list(SYSTEMS.values())))
def test_chosen_moves_are_followed_and_what_they_cost_is_said(data, system):
    one, chosen = scored([-1, 3, 3, 4, 0]), ""
    for _ in range(data.draw(st.integers(1, 5))):
        step = trace_transitions(system, one.__class__(one.words, one.tags, one.scores, moves=chosen)).steps[
            len(chosen)
        ]
        if not step.moves:
            break
        chosen += data.draw(st.sampled_from([move.letter for move in step.moves]))
    trace = trace_transitions(system, one.__class__(one.words, one.tags, one.scores, moves=chosen))
    assert trace.path.startswith(chosen)
    wrong = sum(a != b for a, b in zip(trace.result["heads"], wanted_tree(system, one), strict=True))
    assert sum(step.numbers.get("cost", 0) for step in trace.steps) == wrong
    assert ("another head than is wanted" in trace.steps[-1].caption) == bool(wrong)
    check_questions(trace)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_derivations_of_a_tree_are_counted(system):
    built = [final.heads for _, final in all_derivations(system, 4)] if system is not SWAPPING else []
    n = 4 if built else 3
    built = built or [final.heads for _, final in all_derivations(system, n)]
    counted = [derivation_count(Oracle(system, (-1, *heads[1:]))) for heads in trees(n, False, system.projective)]
    assert counted == [built.count((-1, *heads[1:])) for heads in trees(n, False, system.projective)]
    assert max(counted) > 1


def test_several_right_answers_and_a_costly_move():
    one = scored([-1, 2, 0, 2])
    steps = trace_transitions(SYSTEMS["arc-standard"], one).steps
    questions = [step.question for step in steps if step.question is not None and step.question.also]
    assert [question.right for question in questions] == ["Left-Arc or Shift"]
    assert "2 derivations of Arc-standard build it" in steps[-1].caption
    trace = trace_transitions(EAGER, example(one.scores, moves="R"))
    assert trace.steps[1].caption == (
        "Right-Arc: root → I (1), and I (1) goes onto the stack. It costs 1: saw (2) → I (1) can no longer be built."
    )
    assert trace.steps[-1].caption.endswith("1 word has another head than is wanted.")


def test_words_that_eager_leaves_without_a_head_are_said():
    trace = trace_transitions(EAGER, example(scored([-1, 2, 0]).scores, moves="SS"))
    assert trace.steps[-1].caption.endswith("2 words have another head than is wanted, 2 of them none.")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("X", "move 1 is 'X'; moves are the letters"),
        ("LS", "Left-Arc cannot be taken as move 1"),
        ("SRD", "Reduce cannot be taken as move 3 of Arc-hybrid on this sentence, only Shift can"),
    ],
)
def test_moves_that_cannot_be_taken_are_refused(moves, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_transitions(HYBRID, example(np.zeros((4, 4)), moves=moves))


def test_static_oracle_advises_where_costs_are_not_known():
    heads = [-1, 3, 4, 0, 3, 4, 5, 6, 7]
    trace = trace_transitions(SWAPPING, example(scored(heads).scores, moves="SR"))
    assert "The static oracle would have taken Shift" in trace.steps[2].caption
    assert not any("cost" in step.caption for step in trace.steps)
    assert trace_transitions(SWAPPING, scored(heads)).result["heads"] == tuple(heads)


@pytest.fixture(scope="module")
def taught():
    return {system.key: taught_greedy(system, None, 0) for system in (EAGER, SWAPPING)}


def greedy(at, **more):
    """A sentence of the sample under its own tree, whose moves the greedy parser takes."""
    one = SAMPLE[at]
    return Example(tuple(one.forms), tuple(one.upos), tree_scores(one.heads), constraint=GREEDY, **more)


@pytest.mark.parametrize("system", [EAGER, SWAPPING], ids=lambda system: system.key)
def test_a_greedy_parser_takes_the_moves_and_its_errors_are_said(system, taught):
    erred = 0
    for at in filled([at for at in range(0, len(SAMPLE), 5) if 5 <= len(SAMPLE[at]) <= 6]):
        one = greedy(at, greedy=taught[system.key])
        trace, parser = trace_transitions(system, one), taught[system.key].parser
        names = parser.derivation(one.words, one.tags)
        assert moves_of(trace.path) == names == [step.numbers["taken"] for step in trace.steps[1:]]
        *_, final = system.replay(len(one), names)
        assert trace.result["heads"] == final.heads
        for before, step in pairwise(trace.steps):
            scores = parser.scores(word_codes(one.words, one.tags), before.numbers["configuration"])
            assert step.numbers["scores"] == scores
            assert step.question is None or step.question.answer == max(scores, key=lambda name: scores[name])
            assert ("The oracle would take" in step.caption) == bool(step.numbers["cost"])
        wrong = sum(a != b for a, b in zip(final.heads, wanted_tree(system, one), strict=True))
        assert sum(step.numbers["cost"] for step in trace.steps[1:]) == wrong
        assert trace.steps[-1].caption.endswith(taught[system.key].conditions)
        check_questions(trace)
        erred += wrong > 0
    assert erred


def test_beyond_the_chosen_moves_the_greedy_parser_goes_on(taught):
    one = greedy(next(at for at in range(0, len(SAMPLE), 5) if len(SAMPLE[at]) == 7), greedy=taught[EAGER.key])
    usual = trace_transitions(EAGER, one).path
    chosen = usual[:2] + next(letter for letter in "SR" if letter != usual[2])
    trace = trace_transitions(EAGER, replace(one, moves=chosen))
    assert trace.path.startswith(chosen) and trace.steps[3].numbers["taken"] == NAMES[chosen[2]]
    assert trace.steps[4].numbers["taken"] == max(
        trace.steps[4].numbers["scores"], key=lambda name: trace.steps[4].numbers["scores"][name]
    )


def test_the_greedy_parser_did_not_learn_from_the_sentence_and_is_scored_on_what_it_did_not_see(taught):
    fold = fold_of(None, tuple(SAMPLE[8].forms))
    assert fold == 8 % FOLDS and fold_of(None, ("", "never", "written")) == 0
    found = taught[EAGER.key]
    own = np.arange(len(SAMPLE)) % FOLDS == 0
    held = SAMPLE.select(np.flatnonzero(own & (SAMPLE.lengths <= LONGEST)))
    assert found.scores == attachment_scores(held, found.parser.parse(held))
    assert f"Of {found.scores.words:,} words in {len(held)} other such sentences" in found.conditions
    assert f"{found.scores.uas:.0f}% get the right head" in found.conditions
    others = GreedyParser.fit(EAGER, SAMPLE.select(np.flatnonzero(~own & (SAMPLE.lengths <= LONGEST))))
    assert np.array_equal(others.weights, found.parser.weights)


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (Example(("", "a"), ("", ""), np.zeros((2, 2)), constraint=GREEDY), "a word of this sentence has none"),
        (
            Example(("", "a"), ("", "X"), np.zeros((2, 2)), constraint=GREEDY, text=SAMPLE.select([])),
            "there are none; type an English sentence, or open a text with trees",
        ),
    ],
)
def test_where_no_greedy_parser_can_be_learnt_it_is_said(one, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_transitions(EAGER, one)


def test_every_system_can_be_stepped_through():
    assert set(SYSTEMS) < set(ALGORITHMS) and set(NAMES) == set("SLRDW")
