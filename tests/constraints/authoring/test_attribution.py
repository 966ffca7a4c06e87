"""Contributions of constraints to scores: they add up, they are the gradients, and taking one away moves heads."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.authoring.attribution import Attribution
from core.constraints.ge.training import PRESETS, GESettings, GETrainer
from core.errors import Cancelled, ConstraintError, WorkbenchError
from tests.constraints.banks import tagged

TEXT = """A <- B = 0.9
ROOT -> B = 0.3..0.4
B -> C dist 1 = 0.25 weight 2
* -- C per modifier = 0.8
A -> B per head = 0.2
"""
TIGHT = replace(PRESETS["best"], tolerance=1e-15, max_evaluations=3000, minimum_count=1)

BANK = tagged("ABCAB", "CBA", "ABAC", "BBCA")
KINDS = [{}, {"projective": True}, {"covariance": "approximate"}, {"covariance": "pairwise", "single_root": False}]


def random_weights(trainer, seed=0):
    return np.random.default_rng(seed).normal(size=len(trainer.model.index))


def pulls(attribution):
    """The part of the weights that each constraint accounts for: (C, F)."""
    return -attribution.trainer.settings.variance * attribution.slopes[:, None] * attribution.jacobian


def residual(attribution):
    """The weights that nothing accounts for: (F,)."""
    return attribution.weights - attribution.tree_pull - pulls(attribution).sum(axis=0)


def trained(constraints, **settings):
    """The account of a model that has learnt the constraints."""
    trainer = GETrainer(BANK, GESettings(**settings))
    return Attribution(trainer, constraints, trainer.train(constraints).optimum.weights)


@pytest.fixture(scope="module")
def account():
    """That of the lines, and of random weights."""
    trainer = GETrainer(BANK)
    return Attribution(trainer, parse_constraints(TEXT), random_weights(trainer, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_at_the_optimum_constraints_explain_every_score(kind):
    attribution = trained(parse_constraints(TEXT), **vars(replace(TIGHT, **kind)))
    exact = kind.get("covariance") != "approximate"  # whose gradient is not that of the value: the search stops early
    scores = attribution.trainer.scores(attribution.weights)
    for sentence in range(len(BANK)):
        for head, modifier in ((0, 1), (2, 1), (1, 3)):
            told = attribution.of_arc(sentence, head, modifier)
            assert told.score == pytest.approx(scores[sentence][head, modifier], abs=1e-12)
            assert told.contributions.sum() + told.residual == pytest.approx(told.score, abs=1e-12)
            assert told.contributions.sum() == pytest.approx(told.score, abs=5e-3) or not exact


@given(st.sampled_from(KINDS), st.sampled_from(["squared", "kl"]), st.integers(0, 2**31))
def test_the_residual_is_variance_times_the_gradient(kind, score, seed):
    trainer = GETrainer(BANK, GESettings(**kind, score=score, variance=3.0))
    constraints = parse_constraints(TEXT)[:4]  # KL knows no shares of heads
    heads = np.full(len(BANK.heads), -1)
    heads[1:6] = [2, 0, 2, 5, 2]
    weights = random_weights(trainer, seed)
    attribution = Attribution(trainer, constraints, weights, trees=heads)
    gradient = trainer.objective(constraints, heads)(weights)[1]
    np.testing.assert_allclose(residual(attribution), 3.0 * gradient, atol=1e-9)
    told = attribution.of_arc(0, 2, 1)
    assert told.contributions.sum() + told.trees + told.residual == pytest.approx(told.score, abs=1e-9)
    assert told.trees != 0
    total = np.abs(told.contributions).sum() + abs(told.trees) + abs(told.residual)
    np.testing.assert_allclose(told.shares, told.contributions / total)


def test_pulls_are_the_gradients_of_the_shares(account):
    trainer, weights, direction = account.trainer, account.weights, random_weights(account.trainer, 2)
    expectations, step = trainer.objective(account.constraints).expectations, 1e-5
    np.testing.assert_allclose(account.expectations, expectations(weights), atol=1e-12)
    slopes = (expectations(weights + step * direction) - expectations(weights - step * direction)) / (2 * step)
    np.testing.assert_allclose(account.jacobian @ direction, slopes, atol=1e-8)
    for c, constraint in enumerate(account.constraints):
        share = account.expectations[c]
        outside = share - np.clip(share, constraint.low, constraint.high)
        slope = 2 * trainer.settings.strength * constraint.weight * outside
        np.testing.assert_allclose(pulls(account)[c], -10.0 * slope * account.jacobian[c], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_one_product_gives_what_the_jacobian_gives(kind):
    trainer = GETrainer(BANK, GESettings(**kind))
    attribution = Attribution(trainer, parse_constraints(TEXT), random_weights(trainer))
    asked = (3, 2, 1), (3, 1, 3, 0)
    alone = [attribution.of_arc(*arc) for arc in asked]
    assert attribution.jacobian.any()
    for before, arc in zip(alone, asked, strict=True):
        np.testing.assert_allclose(attribution.of_arc(*arc).contributions, before.contributions, atol=1e-9)
        assert attribution.of_arc(*arc).residual == pytest.approx(before.residual, abs=1e-9)


def test_leads_are_differences_of_scores(account):
    lead = account.of_arc(0, 2, 1, against=0)
    first, second = account.of_arc(0, 2, 1), account.of_arc(0, 0, 1)
    np.testing.assert_allclose(lead.contributions, first.contributions - second.contributions)
    assert lead.score == pytest.approx(first.score - second.score)
    assert lead.probability == first.probability
    assert list(np.abs(lead.contributions[lead.strongest])) == sorted(np.abs(lead.contributions[lead.strongest]))[::-1]


@pytest.mark.parametrize("projective", [False, True])
def test_flips_are_what_changes_without_one_pull(projective):
    attribution = trained(parse_constraints(TEXT), projective=projective)
    trainer, constraints = attribution.trainer, attribution.constraints
    best, scores = trainer.model.distribution.best, trainer.scores(attribution.weights)
    before = best(scores)
    for c in range(len(constraints)):
        flips = attribution.flips(c)
        after = best(scores.like(scores.values - trainer.scores(pulls(attribution)[c]).values))
        expected = [
            (i, m, int(before[i][m]), int(after[i][m]))
            for i in range(len(BANK))
            for m in range(1, int(BANK.lengths[i]) + 1)
            if before[i][m] != after[i][m]
        ]
        found = [flips.sentences, flips.modifiers, flips.heads_with, flips.heads_without]
        assert list(zip(*(each.tolist() for each in found), strict=True)) == expected
        matches = set(trainer.matcher.match([constraints[c]]).arcs.tolist())
        for k, (i, m, head, _) in enumerate(expected):
            arc = int(scores.offsets[i]) + head * (int(BANK.lengths[i]) + 1) + m
            assert flips.own[k] == (arc in matches)
    assert sum(len(attribution.flips(c)) for c in range(len(constraints))) > 0


def test_without_pulls_nothing_is_attributed():
    trainer = GETrainer(tagged("AB"))
    attribution = Attribution(trainer, parse_constraints("A -> B = 0.0..1.0"), np.zeros(len(trainer.model.index)))
    told = attribution.of_arc(0, 1, 2)
    assert told.score == 0 and told.shares.tolist() == [0.0] and told.strongest == []
    assert len(attribution.flips(0)) == 0


@pytest.mark.parametrize(
    ("arc", "message"),
    [
        ((9, 0, 1), "there is no sentence 9; the text has 4"),
        ((1, 4, 1), r"sentence 1 has no arc 4 -> 1; heads are 0 \(root\)\.\.3"),
        ((1, 1, 1), "no word heads itself"),
    ],
)
def test_arcs_that_are_none(account, arc, message):
    with pytest.raises(WorkbenchError, match=message):
        account.of_arc(*arc)


def test_what_cannot_be_attributed(account):
    trainer, constraints, weights = account.trainer, account.constraints, account.weights
    with pytest.raises(WorkbenchError, match=r"features, but weights of shape \(3,\) came"):
        Attribution(trainer, constraints, np.zeros(3))
    for text, message in (("", "no constraint"), ("X -> Y = 1", "no line matches two words")):
        with pytest.raises(ConstraintError, match=message):
            Attribution(trainer, parse_constraints(text), weights)
    with pytest.raises(Cancelled):
        _ = Attribution(trainer, constraints, weights, cancel=lambda: True).jacobian


def leads_and_losses(strength):
    """(contributions to each word's lead of best over second head, what it loses without each line): (K, C) each."""
    constraints = parse_constraints(TEXT)
    attribution = trained(constraints, **vars(replace(TIGHT, strength=strength)))
    trainer, scores = attribution.trainer, attribution.trainer.scores(attribution.weights)
    retrained = []
    for c in range(len(constraints)):
        without = [replace(each, weight=0.0) if k == c else each for k, each in enumerate(constraints)]
        retrained.append(trainer.scores(trainer.train(without).optimum.weights))
    told, lost = [], []
    for i in range(len(BANK)):
        for m in range(1, int(BANK.lengths[i]) + 1):
            others = [h for h in range(int(BANK.lengths[i]) + 1) if h != m]
            second, first = sorted(others, key=lambda h, i=i, m=m: scores[i][h, m])[-2:]
            told.append(attribution.of_arc(i, first, m, against=second).contributions)
            lead = scores[i][first, m] - scores[i][second, m]
            lost.append([lead - (each[i][first, m] - each[i][second, m]) for each in retrained])
    return np.array(told), np.array(lost)


def test_weak_contributions_are_what_retraining_without_the_line_takes_away():
    told, lost = leads_and_losses(0.01)
    assert np.abs(lost).max() > 1e-3
    np.testing.assert_allclose(told, lost, atol=0.1 * np.abs(lost).max())


def test_strong_contributions_have_the_sign_and_order_of_retraining():
    """Other lines make up for part of what is dropped, so sizes differ; signs and order seldom do."""
    told, lost = leads_and_losses(10.0)
    strong = np.abs(told) > 0.2 * np.abs(told).max(axis=1, keepdims=True)
    assert (np.sign(told) == np.sign(lost))[strong].mean() > 0.8
    ranks = [np.corrcoef(a.argsort().argsort(), b.argsort().argsort())[0, 1] for a, b in zip(told, lost, strict=True)]
    assert np.mean(ranks) > 0.6
