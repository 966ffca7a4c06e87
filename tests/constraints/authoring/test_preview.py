"""What one more line would change, against the list of all trees and, for a grammar, against its own chart."""

import numpy as np
import pytest

from core.constraints import GrammarSettings, Matcher, parse_constraints, train_grammar
from core.constraints.authoring.preview import GrammarArcs, ScoredArcs, preview
from core.parsers.crf.distribution import TreeDistribution
from core.trees import PackedScores
from tests.constraints.banks import tagged
from tests.filled import filled
from tests.oracles import trees as oracle

SENTENCES = "ABC", "BA", "AACB", "CC"


@pytest.fixture(scope="module")
def matcher():
    return Matcher(tagged(*SENTENCES), "xpos")


@pytest.fixture(scope="module", params=[False, True], ids=["all trees", "projective"])
def model(request, matcher):
    rng = np.random.default_rng(3)
    scores = PackedScores.from_matrices([rng.normal(0, 1.5, (len(tags) + 1,) * 2) for tags in SENTENCES])
    return ScoredArcs(TreeDistribution(projective=request.param), scores)


def tilted(model, candidates, multiplier):
    """(expected number of candidates among the arcs, best trees), sentence by sentence over all trees."""
    expected, best = 0.0, []
    for i in range(len(model.scores)):
        scores, own = model.scores[i], candidates[i]
        listed = oracle.trees(len(scores) - 1, projective=model.distribution.projective)
        arcs = [[(tree[m], m) for m in range(1, len(tree))] for tree in listed]
        counts = np.array([sum(own[arc] for arc in some) for some in arcs])
        values = np.array([sum(scores[arc] for arc in some) for some in arcs]) + multiplier * counts
        weights = np.exp(values - values.max())
        expected += weights @ counts / weights.sum()
        best.append(listed[int(values.argmax())])
    return expected, best


@pytest.mark.parametrize(
    "line",
    [
        "A -> C per modifier = 0.45",
        "A -- B per modifier = 0.1..0.2",
        "ROOT -> C per head = 0.8",
        "A -> * per head = 1.1..3",
    ],
)
def test_the_tilt_meets_the_line_and_changes_the_trees_that_it_changes(matcher, model, line):
    (constraint,) = parse_constraints(line)
    found, matches = preview(model, matcher, constraint), matcher.match([constraint])
    candidates = PackedScores(matches.scatter(np.ones(1)), matches.arc_offsets)
    total = matches.denominators[0]
    (before, trees), (after, others) = (tilted(model, candidates, x) for x in (0.0, found.multiplier))
    assert found.expectation == pytest.approx(before / total) and found.reached == pytest.approx(after / total)
    assert found.met and constraint.low - 0.005 <= found.reached <= constraint.high + 0.005
    changed = [i for i, (one, other) in enumerate(zip(trees, others, strict=True)) if list(one) != list(other)]
    assert sorted(found.sentences.tolist()) == changed
    offsets = matcher.treebank.offsets
    for i in filled(np.flatnonzero(np.diff(np.searchsorted(matches.arcs, matches.arc_offsets)))):
        assert found.before[offsets[i] : offsets[i + 1]].tolist() == list(trees[i])
        assert found.after[offsets[i] : offsets[i + 1]].tolist() == list(others[i])


def test_a_line_that_holds_already_changes_nothing_and_one_beyond_reach_ends_at_its_bound(matcher, model):
    held, hard, absent = parse_constraints("A -- C = 0.0..1.0\n{A B} -> * per head = 9.0\nX -> Y = 0.5")
    found = preview(model, matcher, held)
    assert found.multiplier == 0 and found.met and not len(found.sentences) and found.moved == 0
    found = preview(model, matcher, hard)
    assert found.multiplier == 6.0 and not found.met
    assert not len(preview(model, matcher, absent).sentences)


def test_a_grammar_answers_by_its_own_chart():
    text = tagged("DNV", "DJNVN", "NVDN")
    root, line = parse_constraints("ROOT -> V per head = 1.0\nD <- V per modifier = 0.9")
    grammar = train_grammar(text, [root], GrammarSettings(lengths=(9,), iterations=(3,), words="no")).model
    matches = Matcher(text, "xpos").match([line])
    none = PackedScores(np.zeros(matches.arc_offsets[-1]), matches.arc_offsets)
    found = preview(GrammarArcs(grammar, text, none), Matcher(text, "xpos"), line)
    votes = found.multiplier * matches.scatter(np.ones(1))
    mass = grammar.marginals(text, votes=votes)[1].values[matches.arcs].sum()
    assert mass / matches.denominators[0] == pytest.approx(found.reached)
    assert found.met and found.multiplier > 0 and abs(found.reached - 0.9) <= 0.005
    assert (found.before == grammar.parse(text).heads)[found.before >= 0].all()
