"""One line's multiplier on one sentence, as it is taught, against the list of all trees."""

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.errors import WorkbenchError
from core.teach.posterior import BOUND, matching_lines, trace_posterior
from core.teach.step import Example
from tests.oracles import posterior
from tests.teach.problems import check_questions
from tests.teach.test_induction_trace import corpus

WORDS, TAGS = ("", "the", "old", "man", "sleeps", "well"), ("", "DET", "ADJ", "NOUN", "VERB", "ADV")


def one(line, n=5):
    return Example(WORDS[: n + 1], TAGS[: n + 1], np.zeros((n + 1, n + 1)), constraint=line, text=corpus())


def listed(trace, pairs, denominator, multiplier):
    """(expectation, KL to the grammar, marginals, log-probabilities by tree) by enumeration."""
    grammar = trace.result["grammar"]
    numbers = np.array([grammar.symbols.tags.index(TAGS[m]) for m in range(1, len(trace.words))])
    candidates = np.zeros((len(trace.words),) * 2)
    candidates[tuple(np.transpose(pairs))] = 1
    found, logs, _ = posterior.distribution(numbers, grammar.events.arrays, multiplier * candidates)
    _, plain, _ = posterior.distribution(numbers, grammar.events.arrays, 0 * candidates)
    share = sum(np.exp(log) * posterior.matched(tree, candidates) for tree, log in zip(found, logs, strict=True))
    marginals = np.zeros_like(candidates)
    for tree, log in zip(found, logs, strict=True):
        marginals[tree[1:], np.arange(1, len(tree))] += np.exp(log)
    by_tree = {tuple(tree[1:].tolist()): log for tree, log in zip(found, logs, strict=True)}
    return share / denominator, float(np.exp(logs) @ (logs - plain)), marginals, by_tree


@pytest.mark.parametrize(
    ("line", "n", "pairs", "denominator"),
    [
        ("DET <- NOUN = 0.9", 4, [(3, 1)], 1),
        ("* -- ADV per modifier = 0.0..0.2 weight 0.5", 5, [(1, 5), (2, 5), (3, 5), (4, 5)], 1),
        ("* -> VERB = 0.25", 4, [(1, 4), (2, 4), (3, 4)], 3),
        ("ROOT -> {NOUN VERB} per head = 0.1", 4, [(0, 3), (0, 4)], 1),
    ],
)
def test_every_multiplier_does_what_the_list_of_trees_says(line, n, pairs, denominator):
    trace = trace_posterior(one(line, n))
    constraint = parse_constraints(line)[0]
    multipliers = [step.numbers["multiplier"] for step in trace.steps]
    assert multipliers == sorted(multipliers) and multipliers[trace.first] == 0.0
    assert (multipliers[0], multipliers[-1]) == (-BOUND * constraint.weight, BOUND * constraint.weight)
    shares = []
    for step in trace.steps:
        found = step.numbers
        share, divergence, marginals, by_tree = listed(trace, pairs, denominator, found["multiplier"])
        assert found["expectation"] == pytest.approx(share, abs=1e-9)
        assert found["divergence"] == pytest.approx(divergence, abs=1e-9)
        np.testing.assert_allclose(found["marginals"], marginals, atol=1e-9)
        assert by_tree[tuple(found["heads"][1:].tolist())] == pytest.approx(max(by_tree.values()))
        shares.append(share)
    assert shares == sorted(shares)
    check_questions(trace)


@pytest.mark.parametrize(("target", "side"), [("0.9", 1), ("0.0..0.02", -1)])
def test_the_multiplier_that_meets_the_target_is_the_one_nearest_to_0_and_is_marked(target, side):
    trace = trace_posterior(one(f"DET <- NOUN = {target}", 4))
    met, edge = trace.result["multiplier"], float(target.split("..")[-1])
    assert trace.result["met"] and np.sign(met) == side
    assert listed(trace, [(3, 1)], 1, met)[0] == pytest.approx(edge, abs=1e-8)
    marked = [mark for mark in trace.marks if mark.endswith("meets the target")]
    assert len(marked) == 1 and len(trace.marks) == len(trace)
    step = trace.steps[trace.marks.index(marked[0])]
    assert step.numbers["multiplier"] == met and "meets its target" in step.caption
    table = step.table
    assert (
        sum(table["best tree"].count(word) for word in ("yes",)) == 4
        and table["the constraint matches"].count("yes") == 1
    )


def test_a_target_that_is_met_already_stays_and_one_out_of_reach_is_said():
    trace = trace_posterior(one("DET <- NOUN = 0.0..1.0", 4))
    assert trace.result == trace.result | {"multiplier": 0.0, "met": True}
    assert "nothing needs to move" in trace.steps[trace.first].caption and len(trace) == 25
    trace = trace_posterior(one("DET -- * per modifier = 1.0", 3))  # at most one of the others heads a word without DET
    assert not trace.result["met"] and trace.result["multiplier"] == BOUND
    assert "below its target of 1.0 even at its bound" in trace.steps[-1].caption
    assert not any("meets" in mark for mark in trace.marks)


def test_lines_of_a_set_are_those_that_match_the_sentence():
    lines = parse_constraints("DET <- NOUN = 0.9\nPART -> VERB = 1.0\nROOT -> VERB = 0.5\n")
    assert matching_lines(lines, WORDS, TAGS) == ["DET <- NOUN = 0.9", "ROOT -> VERB = 0.5"]
    assert matching_lines([], WORDS, TAGS) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("PART -> VERB = 1.0", "PART -> VERB = 1.0 matches no pair of words in this sentence; change one side"),
        ("DET <- NOUN = 0.9\nADJ <- NOUN = 0.9", "only one constraint can be shown at a time, got 2"),
        ("DET <- NOUN = 0.9 weight 100", "weighs too much to be drawn; give it a weight of at most 16"),
        ("DET <- ", "line 1"),
    ],
)
def test_a_line_that_cannot_be_shown_is_one_sentence(line, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_posterior(one(line, 4))


def test_a_sentence_without_tags_is_refused():
    with pytest.raises(WorkbenchError, match="a word of this sentence has none; choose a tagged sentence"):
        trace_posterior(Example(WORDS[:3], ("", "DET", ""), np.zeros((3, 3)), text=corpus()))
