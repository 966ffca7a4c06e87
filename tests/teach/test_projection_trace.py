"""A constraint above a parser, as it is taught, against the list of all trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.grammar.projected import target_range
from core.errors import WorkbenchError
from core.teach.projection import BOUND, TOLERANCE, trace_projection
from core.teach.step import Example
from tests.filled import filled
from tests.oracles.trees import tree_scores, trees
from tests.teach.problems import check_questions

WORDS, TAGS = ("", "the", "old", "man", "sleeps", "well"), ("", "DET", "ADJ", "NOUN", "VERB", "ADV")


def one(line, n=4, seed=0, single_root=True):
    scores = np.random.default_rng(seed).normal(scale=2.0, size=(n + 1, n + 1))
    return Example(WORDS[: n + 1], TAGS[: n + 1], scores, single_root, constraint=line)


def listed(example, pairs):
    """(trees, their log-probabilities, how many arcs of each the constraint matches) by enumeration."""
    found = trees(len(example), example.single_root, True)
    logs = tree_scores(example.scores, example.single_root, True)
    counts = np.array([sum((int(tree[m]), m) in pairs for m in range(1, len(tree))) for tree in found])
    return found, logs - np.logaddexp.reduce(logs), counts


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize(
    ("line", "denominator"),
    [
        ("DET <- NOUN = 0.9", 1),
        ("* -- ADJ per modifier = 0.0..0.2 weight 0.5", 1),
        ("* -> VERB = 0.25", 3),
        ("ROOT -> {NOUN VERB} per head = 0.1", 1),
    ],
)
def test_every_evaluation_is_that_of_the_list_of_trees(line, denominator, single_root):
    example = one(line, single_root=single_root)
    trace, constraint = trace_projection(example), parse_constraints(line)[0]
    found, logs, counts = listed(example, trace.result["pairs"])
    low, high = target_range(constraint)
    assert trace.steps[0].numbers["multiplier"] == trace.steps[0].numbers["dual"] == 0.0
    for step in trace.steps:
        numbers = step.numbers
        multiplier = numbers["multiplier"]
        weights = logs + multiplier * counts
        total = np.logaddexp.reduce(weights)
        probabilities = np.exp(weights - total)
        share = probabilities @ counts / denominator
        assert numbers["expectation"] == pytest.approx(share, abs=1e-9)
        assert numbers["divergence"] == pytest.approx(probabilities @ (weights - total - logs), abs=1e-9)
        gain = denominator * (low * max(multiplier, 0) + high * min(multiplier, 0))
        assert numbers["dual"] == pytest.approx(gain - total, abs=1e-9)
        distance = max(low - share, share - high, 0.0)
        penalty = BOUND * constraint.weight * denominator * distance
        assert numbers["primal"] == pytest.approx(numbers["divergence"] + penalty, abs=1e-9)
        best = max(range(len(found)), key=lambda k: weights[k])
        assert numbers["heads"].tolist() == found[best].tolist()
        expected = np.zeros_like(example.scores)
        for tree, probability in zip(found, probabilities, strict=True):
            expected[tree[1:], np.arange(1, len(tree))] += probability
        np.testing.assert_allclose(numbers["marginals"], expected, atol=1e-9)
    check_questions(trace)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["DET <- NOUN = 0.9", "DET <- NOUN = 0.1", "DET -> ADJ = 0.5"]))
def test_no_distribution_that_keeps_the_constraint_is_nearer(seed, line):
    example = one(line, 3, seed)
    trace = trace_projection(example)
    low, high = target_range(parse_constraints(line)[0])
    _, logs, counts = listed(example, trace.result["pairs"])
    end = next(step for step in trace.steps if step.title == "The nearest trees").numbers
    assert end["primal"] - end["dual"] <= TOLERANCE * 3 + 1e-9 or len(trace) > 24
    if not trace.result["met"]:
        return
    random, has = np.random.default_rng(seed), counts > 0  # one pair of words: a tree has the arc or not
    for share in random.uniform(low, high, 20):
        other = np.exp(logs) * random.uniform(0.5, 2.0, len(logs))  # some of them near to the parser
        for some, mass in ((has, share), (~has, 1 - share)):
            other[some] *= mass / other[some].sum()
        assert np.sum(other * (np.log(other) - logs)) >= end["dual"] - 1e-9


def test_a_constraint_that_is_kept_stays_and_one_out_of_reach_is_said():
    trace = trace_projection(one("DET <- NOUN = 0.0..1.0"))
    assert len(trace) == 2 and "nothing needs to move" in trace.steps[0].caption
    assert trace.result["met"] and trace.result["multiplier"] == 0.0
    trace = trace_projection(one("* -> VERB = 1.0"))  # three arcs into one word
    assert not trace.result["met"] and abs(trace.result["multiplier"]) == BOUND
    assert "is out of reach" in trace.steps[-2].caption


def test_the_last_step_pulls_as_far_as_at_work():
    for line, limit in (
        ("DET <- NOUN = 0.9", 0.5),
        ("DET <- NOUN = 0.9 weight 2", 1.0),
        ("DET <- NOUN = 0.99..1.0", 0.2),
    ):
        last = trace_projection(one(line)).steps[-1]
        assert last.numbers["multiplier"] == limit and f"λ is at most {limit:g} nat" in last.caption


def test_of_many_arcs_the_less_probable_are_folded_and_all_of_the_constraint_are_in_the_table():
    words, tags = ("", *("the man " * 6).split()), ("", *("DET NOUN " * 6).split())
    trace = trace_projection(Example(words, tags, np.zeros((13, 13)), constraint="DET <- NOUN = 0.9"))
    pairs = trace.result["pairs"]
    assert len(pairs) == 21
    for step in filled(trace.steps):
        (picture, _), table = step.picture.pictures, step.table
        drawn = {(arc.head, arc.modifier) for arc in picture.arcs} & pairs
        assert len(drawn) < len(pairs) == table["the constraint matches"].count("yes")
        assert picture.note.endswith(" less probable arcs in the table")
    for step in filled(trace_projection(one("DET <- NOUN = 0.9")).steps):
        assert not step.picture.pictures[0].note


def test_without_a_line_one_is_taken_that_the_parser_breaks():
    example = one("", 5)
    trace = trace_projection(example)
    constraint, (low, high) = trace.result["constraint"], target_range(trace.result["constraint"])
    assert constraint.target_text == "0.9" and not low <= trace.steps[0].numbers["expectation"] <= high
    kept = Example(*(("", "so", "it"), ("", "", "")), np.zeros((3, 3)))
    assert "so" in trace_projection(kept).result["constraint"].text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("PART -> VERB = 1.0", "PART -> VERB = 1.0 matches no pair of words in this sentence; change one side"),
        ("DET <- NOUN = 0.9\nADJ <- NOUN = 0.9", "only one constraint can be shown at a time, got 2"),
        ("DET <- NOUN = 0.9 weight 100", "weighs too much to be drawn; give it a weight of at most 16"),
    ],
)
def test_a_line_that_cannot_be_shown_is_one_sentence(line, message):
    with pytest.raises(WorkbenchError, match=message):
        trace_projection(one(line))
