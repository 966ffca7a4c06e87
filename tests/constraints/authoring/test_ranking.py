"""Proposals in the order of what trees gain by them: one beside the other, and one after the other."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import Matcher, parse_constraints
from core.constraints.authoring.preview import ScoredArcs, preview
from core.constraints.authoring.proposals import propose
from core.constraints.authoring.ranking import rank, verdict
from core.parsers.crf.distribution import TreeDistribution
from core.trees import PackedScores
from tests.constraints.banks import tagged

GOLD = {"DNV": (2, 3, 0), "DJNV": (3, 3, 4, 0), "NVDN": (2, 0, 4, 2)}
LIKED = {("V", "D"): 2.0, ("V", "J"): 1.0, ("V", "N"): 3.0, ("", "V"): 4.0}  # the model hangs all words on the verb


@pytest.fixture(scope="module")
def bank():
    return tagged(*[*GOLD] * 4, heads=[*GOLD.values()] * 4)


@pytest.fixture(scope="module")
def model(bank):
    tagged_words = [("", *each.xpos[1:]) for each in bank]
    scores = [np.array([[LIKED.get((head, word), 0.0) for word in tags] for head in tags]) for tags in tagged_words]
    return ScoredArcs(TreeDistribution(projective=True), PackedScores.from_matrices(scores))


@pytest.fixture(scope="module")
def proposals(bank, model):
    none = np.zeros(len(model.scores.values))
    shares = model.scores.like(model.marginals(none))
    found = propose(bank, bank.heads, model.heads(none), shares, count=1)
    lines = parse_constraints(
        "V -> D per modifier = 0.9\nJ <- N per modifier = 0.9\nD <- N dist 1 per modifier = 0.6..0.7\n"
        "D <- N per modifier = 0.9..1.0\n"
    )
    return [replace(found[0], constraint=line) for line in lines] + found


def right(bank, heads):
    return int(((heads == bank.heads) & (bank.heads >= 0)).sum())


def test_each_verdict_is_what_the_trees_gain_beside_those_before(bank, model, proposals):
    matcher, weights = Matcher(bank, "xpos"), np.zeros(len(model.scores.values))
    ranked = rank(proposals, model, matcher, bank.heads, 4)
    assert len(ranked) == len(proposals) > 4 and ranked[4:] == proposals[4:]
    assert {each.constraint for each in ranked[:4]} == {each.constraint for each in proposals[:4]}
    before = right(bank, model.heads(weights))
    for each in ranked[:4]:
        tilted = replace(model, scores=model.scores.like(model.scores.values + weights))
        found = preview(tilted, matcher, each.constraint)
        weights[matcher.match([each.constraint]).arcs] += found.multiplier
        after = right(bank, model.heads(weights))
        gained, lost = each.verdict
        assert gained - lost == after - before and verdict(bank, found) == each.verdict
        before = after
    nets = [np.subtract(*verdict(bank, preview(model, matcher, each.constraint))) for each in proposals[:4]]
    assert np.subtract(*ranked[0].verdict) == max(nets) > 0


def test_what_one_line_brings_the_same_in_other_words_does_not(bank, model, proposals):
    (line,) = parse_constraints("{D J} <- N per modifier = 0.9..1.0")
    twice = [replace(proposals[0], constraint=each) for each in (line, replace(line, distance=(1, 9)))]
    first, second = rank(twice, model, Matcher(bank, "xpos"), bank.heads)
    assert first.verdict[0] >= 12 > second.verdict[0] and first.constraint == line


def test_only_sentences_with_known_heads_are_looked_at(bank, model, proposals):
    known = np.where(np.arange(len(bank.heads)) < bank.offsets[3], bank.heads, -1)
    few = rank(proposals[-1:], model, Matcher(bank, "xpos"), known)[0].verdict
    all_known = rank(proposals[-1:], model, Matcher(bank, "xpos"), bank.heads)[0].verdict
    assert 0 < few[0] < all_known[0]
