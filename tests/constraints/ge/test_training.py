"""Training from constraints: the objective against enumeration, its gradient, what training achieves."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

from core.constraints import parse_constraints, train_ge
from core.constraints.ge.penalties import PENALTIES
from core.constraints.ge.training import PRESETS, GESettings, GETrainer
from core.errors import ConstraintError, InfeasibleError, WorkbenchError
from tests.constraints.banks import slope_along, tagged
from tests.oracles import trees as oracle

TEXT = """A <- B = 0.9
ROOT -> B = 0.5..0.7
B -> C dist 1 = 0.25 weight 2
* -- C per modifier = 1.0
"""
BANK = tagged(*["ABCAB", "CBA", "ABAC"] * 4)
sequences = st.lists(st.lists(st.sampled_from("ABC"), min_size=1, max_size=5), max_size=2)


def enumerated_value(trainer, constraints, heads, weights):
    """The objective by summing over every tree, that of known heads included."""
    settings, scores = trainer.settings, trainer.scores(weights)
    kinds, matches = (settings.single_root, settings.projective), trainer.matcher.match(constraints)
    marginals, value = scores.like(np.zeros(len(scores.values))), weights @ weights / (2 * settings.variance)
    for i, (begin, end) in enumerate(pairwise(trainer.treebank.offsets)):
        marginals[i][:] = oracle.partition(scores[i], *kinds)[1]
        n, given_heads = end - begin - 1, heads[begin:end]
        known, totals = given_heads >= 0, np.exp(oracle.tree_scores(scores[i], *kinds))
        fits = (oracle.trees(n, *kinds)[:, known] == given_heads[known]).all(axis=1)
        weight = settings.complete_weight if known.sum() == n else settings.partial_weight
        value -= weight * np.log(totals[fits].sum() / totals.sum())
    for c, constraint in enumerate(constraints):
        share = marginals.values[matches.of(c)].sum() / matches.denominators[c]
        target = np.clip(share, constraint.low, constraint.high)
        kl = rel_entr([target, 1 - target], [share, 1 - share])
        penalty = {"squared": (target - share) ** 2, "kl": sum(kl), "kl-one-sided": kl[0]}[settings.score]
        value += settings.strength * constraint.weight * penalty
    return value


@given(sequences, st.sampled_from(list(PENALTIES)), st.booleans(), st.booleans(), st.integers(0, 2**31))
def test_value_and_gradient_are_those_of_the_enumerated_objective(drawn, score, projective, single_root, seed):
    settings = GESettings(
        projective=projective, single_root=single_root, score=score, complete_weight=0.3, partial_weight=2.0
    )
    treebank, random = tagged("AB", *drawn), np.random.default_rng(seed)
    trainer, lines = GETrainer(treebank, settings), parse_constraints(TEXT)
    matched = trainer.matcher.match(lines).denominators > 0
    lines = [line for line, matches in zip(lines, matched, strict=True) if matches]
    heads = np.concatenate([oracle.trees(n, True, True)[0] for n in treebank.lengths])
    heads = np.where(random.random(len(heads)) < 0.5, heads, -1)
    objective = trainer.objective(lines, heads)
    weights, direction = random.normal(scale=0.3, size=(2, len(trainer.model.index)))
    direction /= np.linalg.norm(direction)
    value, gradient, _ = objective(weights)
    assert value == pytest.approx(enumerated_value(trainer, lines, heads, weights), abs=1e-9)
    assert gradient @ direction == pytest.approx(slope_along(objective, weights, direction), abs=1e-6)
    if not projective:
        pairwise_trainer = GETrainer(treebank, replace(settings, covariance="pairwise"))
        np.testing.assert_allclose(pairwise_trainer.objective(lines, heads)(weights)[1], gradient, atol=1e-9)


def test_known_heads_are_learnt_beside_constraints():
    trainer = GETrainer(tagged("AB", "AB", "CB"), GESettings(partial_weight=100.0, complete_weight=100.0))
    for trees, learnt in (
        (np.array([-1, 2, 0, -1, -1, -1, -1, -1, -1]), [-1, 2, 0]),
        (tagged("AB", heads=[[0, 1]]), [-1, 0, 1]),
    ):
        result = trainer.train(parse_constraints("C <- B = 0.0"), trees=trees)
        assert trainer.parse(result.model.weights).heads.tolist() == [*learnt, *learnt, -1, 0, 1]


@pytest.mark.parametrize(
    ("error", "message", "tags", "line", "settings", "heads"),
    [
        (ConstraintError, "line 1: A -> B per head is a share", "AB", "A -> B per head", {"score": "kl"}, None),
        (WorkbenchError, "no score called 'cubed': choose one of", "AB", "A -> B", {"score": "cubed"}, None),
        (ConstraintError, "line 1: ROOT -> A: no tree gives a share", "A", "ROOT -> A", {"score": "kl"}, None),
        (WorkbenchError, "sentence 1: no word has head 0; make one the root", "AB", "A -> B", {}, [-1, 2, 1]),
        (WorkbenchError, "sentence 1: word 1 is part of a cycle", "ABC", "A -> B", {}, [-1, 2, 1, -1]),
        (InfeasibleError, "sentence 0", "ABCA", "A -> B", {"projective": True}, [-1, 3, -1, 0, 2]),
        (ConstraintError, "no line matches two words of this text", "AB", "C -> A", {}, None),
    ],
)
def test_what_cannot_be_learnt_is_refused(error, message, tags, line, settings, heads):
    lines, trees = parse_constraints(f"{line} = 0.5"), None if heads is None else np.array(heads)
    with pytest.raises(error, match=message):
        train_ge(tagged(tags), lines, settings=GESettings(**settings), trees=trees)


def test_nothing_to_train_on_refuses():
    with pytest.raises(ConstraintError, match="no constraint to train on"):
        train_ge(BANK, [])


@pytest.mark.parametrize("projective", [False, True])
def test_training_meets_its_targets(projective):
    treebank = tagged(*["ABAB", "BABA", "AABB"] * 5)
    constraints = parse_constraints("A <- B dist 1 = 0.9\nROOT -> B per modifier = 0.5")
    settings = replace(PRESETS["best"], strength=1000.0, projective=projective)
    result = train_ge(treebank, constraints, settings=settings)
    assert result.status == "converged"
    np.testing.assert_allclose(result.expectations, [0.9, 0.5], atol=0.01)
    assert result.trace[-1]["value"] <= result.trace[0]["value"]
    assert len(result.trace[0]["expectations"]) == 2


def test_a_warm_start_needs_fewer_evaluations_and_threads_do_not_change_the_result():
    trainer = GETrainer(BANK)
    first = trainer.train(parse_constraints(TEXT))
    edited = parse_constraints(TEXT.replace("0.25", "0.3"))
    warm = trainer.train(edited, start=first.optimum.weights)
    assert warm.optimum.evaluations < trainer.train(edited).optimum.evaluations
    for threads in (1, 2):
        again = GETrainer(BANK, threads=threads).train(parse_constraints(TEXT))
        assert again.optimum.value == pytest.approx(first.optimum.value, rel=1e-6)


def test_cancelling_returns_what_was_learnt():
    seen = []
    result = train_ge(BANK, parse_constraints(TEXT), progress=seen.append, cancel=lambda: len(seen) >= 2)
    assert (result.status, len(result.trace)) == ("cancelled", 2)


@pytest.mark.parametrize("score", ["squared", "kl"])
def test_a_line_that_matches_nothing_is_left_out(score):
    plain, more = (
        train_ge(tagged(*["ABCAB", "CBA"] * 3), parse_constraints(text), settings=GESettings(score=score))
        for text in ("A -> B = 0.9", "A -> B = 0.9\nD -> A = 0.8 per modifier")
    )
    np.testing.assert_array_equal(more.model.weights, plain.model.weights)
    assert more.expectations.tolist() == [plain.expectations[0], 0.0]
    assert [line.name for line in more.skipped] == ["D -> A per modifier"] and plain.skipped == ()
