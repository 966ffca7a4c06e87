"""Training from constraints: the objective against enumeration, its gradient, what training achieves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.constraints import parse_constraints, train_ge
from core.constraints.objective import Objective, TreeTerm
from core.constraints.penalties import PENALTIES
from core.constraints.train import PRESETS, GESettings, GETrainer
from core.errors import ConstraintError, InfeasibleError, WorkbenchError
from core.treebank import Treebank
from tests.oracles import trees as oracle

TEXT = """A <- B = 0.9
ROOT -> B = 0.5..0.7
B -> C dist 1 = 0.25 weight 2
* -- C per modifier = 0.8
"""
PROJECTIVE = GESettings(projective=True)
sequences = st.lists(st.lists(st.sampled_from("ABC"), min_size=1, max_size=5), min_size=1, max_size=3)


def treebank_of(tag_sequences):
    return Treebank.from_sentences([{"forms": list(tags), "xpos": list(tags)} for tags in tag_sequences])


def usable(constraints, treebank):
    """The constraints that match something."""
    matches = GETrainer(treebank).matcher.match(constraints)
    return [c for c, denominator in zip(constraints, matches.denominators, strict=True) if denominator]


def enumerated_value(trainer, constraints, weights):
    """The objective by summing over every tree."""
    scores = trainer.scores(weights)
    matches = trainer.matcher.match(constraints)
    marginals = scores.like(np.zeros(len(scores.values)))
    distribution = trainer.model.distribution
    for i in range(len(scores)):
        marginals[i][:] = oracle.partition(scores[i], distribution.single_root, distribution.projective)[1]
    value = weights @ weights / (2 * trainer.settings.variance)
    for c, constraint in enumerate(constraints):
        share = marginals.values[matches.of(c)].sum() / matches.denominators[c]
        miss = max(constraint.low - share, share - constraint.high, 0)
        value += trainer.settings.strength * constraint.weight * miss**2
    return value


@settings(deadline=None, max_examples=30)
@given(sequences, st.booleans(), st.booleans(), st.integers(0, 2**31))
def test_the_gradient_is_that_of_the_enumerated_objective(tag_sequences, projective, single_root, seed):
    treebank = treebank_of(tag_sequences)
    constraints = usable(parse_constraints(TEXT), treebank)
    assume(constraints)
    trainer = GETrainer(treebank, GESettings(projective=projective, single_root=single_root))
    objective = trainer.objective(constraints)
    random = np.random.default_rng(seed)
    weights = random.normal(size=len(trainer.model.index))
    value, gradient, _ = objective(weights)
    assert value == pytest.approx(enumerated_value(trainer, constraints, weights), abs=1e-9)
    direction = random.normal(size=len(weights))
    direction /= np.linalg.norm(direction)
    step = 1e-5
    slope = (objective(weights + step * direction)[0] - objective(weights - step * direction)[0]) / (2 * step)
    assert gradient @ direction == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("score", PENALTIES)
def test_every_score_has_the_right_slope(score):
    expectations, targets = np.array([0.2, 0.7, 0.4, 0.9]), np.array([0.5, 0.0, 1.0, 0.9])
    values, slopes = PENALTIES[score](expectations, targets)
    step = 1e-6
    above, below = (PENALTIES[score](expectations + s, targets)[0] for s in (step, -step))
    np.testing.assert_allclose(slopes, (above - below) / (2 * step), rtol=1e-6, atol=1e-6)
    assert values[3] == pytest.approx(0)


@settings(deadline=None, max_examples=15)
@given(sequences, st.sampled_from(list(PENALTIES)), st.booleans(), st.integers(0, 2**31))
def test_the_gradient_of_other_scores_and_of_known_heads(tag_sequences, score, projective, seed):
    treebank = treebank_of(tag_sequences)
    constraints = usable(parse_constraints(TEXT), treebank)
    assume(constraints)
    random = np.random.default_rng(seed)
    trainer = GETrainer(treebank, GESettings(projective=projective, score=score, complete_weight=0.3))
    heads = np.concatenate([oracle.trees(n, True, True)[0] for n in treebank.lengths])
    heads = np.where(random.random(len(heads)) < 0.5, heads, -1)
    matches = trainer.matcher.match(constraints)
    distribution = trainer.model.distribution
    term = TreeTerm(trainer.arc_features, heads, distribution, 0.3, 2.0)
    objective = Objective(trainer.arc_features, distribution, matches, trainer.settings, trees=term)
    zeros = np.zeros(len(trainer.model.index))
    shares = objective.expectations(zeros)
    assume(score == "squared" or ((shares > 0) & (shares < 1)).all())  # no KL to a target that no tree can give
    weights, direction = random.normal(size=(2, len(trainer.model.index)))
    direction /= np.linalg.norm(direction)
    step = 1e-5
    gradient = objective(weights)[1]
    slope = (objective(weights + step * direction)[0] - objective(weights - step * direction)[0]) / (2 * step)
    assert gradient @ direction == pytest.approx(slope, abs=1e-5)


@pytest.mark.parametrize("single_root", [True, False])
def test_the_likelihood_of_a_partial_tree_is_the_share_of_trees_that_have_it(single_root):
    treebank = treebank_of(["ABCA", "BA", "CAB"])
    trainer = GETrainer(treebank, GESettings(single_root=single_root))
    heads = np.array([-1, 2, -1, -1, 3, -1, 2, 0, -1, -1, -1, -1], dtype=np.int32)
    term = TreeTerm(trainer.arc_features, heads, trainer.model.distribution, 1.0, 0.5)
    weights = np.random.default_rng(5).normal(size=len(trainer.model.index))
    scores = trainer.scores(weights)
    expected = 0
    for i, (begin, end) in enumerate(zip(treebank.offsets, treebank.offsets[1:], strict=False)):
        known = heads[begin:end]
        totals = oracle.tree_scores(scores[i], single_root)
        fits = (oracle.trees(end - begin - 1, single_root)[:, known >= 0] == known[known >= 0]).all(axis=1)
        share = np.exp(totals[fits]).sum() / np.exp(totals).sum()
        expected -= (0.5, 1.0, 0.0)[i] * np.log(share)
    assert term(weights)[0] == pytest.approx(expected)


def test_known_heads_are_learnt_beside_constraints():
    treebank = treebank_of(["AB", "AB", "CB"])
    heads = np.array([-1, 2, 0, -1, -1, -1, -1, -1, -1])
    settings = GESettings(partial_weight=100.0, complete_weight=100.0)
    trainer = GETrainer(treebank, settings)
    constraints = parse_constraints("C <- B = 0.0")
    result = trainer.train(constraints, trees=heads)
    assert trainer.parse(result.model.weights).heads.tolist() == [-1, 2, 0, -1, 2, 0, -1, 0, 1]
    other = treebank_of(["AB"]).with_heads([-1, 0, 1])
    result = trainer.train(constraints, trees=other)
    assert trainer.parse(result.model.weights).heads.tolist() == [-1, 0, 1, -1, 0, 1, -1, 0, 1]


def test_scores_that_do_not_apply_are_refused():
    treebank = treebank_of(["AB"])
    with pytest.raises(ConstraintError, match="line 1: A -> B per head is a share of heads"):
        train_ge(treebank, parse_constraints("A -> B per head = 0.5"), settings=GESettings(score="kl"))
    with pytest.raises(WorkbenchError, match="no score called 'cubed': choose one of squared, kl"):
        train_ge(treebank, parse_constraints("A -> B = 0.5"), settings=GESettings(score="cubed"))
    with pytest.raises(ConstraintError, match="line 1: ROOT -> A: no tree gives a share other than 1, so KL"):
        train_ge(treebank_of(["A"]), parse_constraints("ROOT -> A = 0.5"), settings=GESettings(score="kl"))
    with pytest.raises(WorkbenchError, match="sentence 1: no word has head 0; make one the root"):
        train_ge(treebank, parse_constraints("A -> B = 0.5"), trees=np.array([-1, 2, 1]))
    with pytest.raises(WorkbenchError, match="sentence 1: word 1 is part of a cycle"):
        train_ge(treebank_of(["ABC"]), parse_constraints("A -> B = 0.5"), trees=np.array([-1, 2, 1, -1]))
    crossing = np.array([-1, 3, -1, 0, 2])
    with pytest.raises(InfeasibleError, match="sentence 0"):
        train_ge(treebank_of(["ABCA"]), parse_constraints("A -> B = 0.5"), trees=crossing, settings=PROJECTIVE)


@settings(deadline=None, max_examples=20)
@given(sequences, st.booleans(), st.integers(0, 2**31))
def test_the_pairwise_covariance_gives_the_same_gradient(tag_sequences, single_root, seed):
    treebank = treebank_of(tag_sequences)
    constraints = usable(parse_constraints(TEXT), treebank)
    assume(constraints)
    gradients = []
    for covariance in ("exact", "pairwise"):
        trainer = GETrainer(treebank, GESettings(covariance=covariance, single_root=single_root))
        weights = np.random.default_rng(seed).normal(size=len(trainer.model.index))
        gradients.append(trainer.objective(constraints)(weights)[1])
    np.testing.assert_allclose(gradients[0], gradients[1], atol=1e-9)


@pytest.mark.parametrize("projective", [False, True])
def test_training_meets_its_targets(projective):
    treebank = treebank_of(["ABAB", "BABA", "AABB"] * 5)
    constraints = parse_constraints("A <- B dist 1 = 0.9\nROOT -> B per modifier = 0.5")
    settings = replace(PRESETS["best"], strength=1000.0, projective=projective)
    result = train_ge(treebank, constraints, settings=settings)
    assert result.status == "converged"
    np.testing.assert_allclose(result.expectations, [0.9, 0.5], atol=0.01)
    assert result.trace[-1]["value"] <= result.trace[0]["value"]
    assert len(result.trace[0]["expectations"]) == 2


def test_a_range_is_satisfied_anywhere_inside():
    treebank = treebank_of(["ABAB"])
    result = train_ge(treebank, parse_constraints("A -> B = 0.0..1.0"))
    assert result.optimum.value == 0
    assert (result.model.weights == 0).all()


def test_a_warm_start_needs_fewer_evaluations():
    treebank = treebank_of(["ABCAB", "CBA", "ABAC"] * 4)
    trainer = GETrainer(treebank)
    first = trainer.train(parse_constraints(TEXT))
    edited = parse_constraints(TEXT.replace("0.25", "0.3"))
    warm = trainer.train(edited, start=first.optimum.weights)
    assert warm.optimum.evaluations < trainer.train(edited).optimum.evaluations


def test_threads_do_not_change_the_result():
    treebank = treebank_of(["ABCAB", "CBA", "ABAC"] * 4)
    values = [GETrainer(treebank, threads=n).train(parse_constraints(TEXT)).optimum.value for n in (1, 2)]
    assert values[0] == pytest.approx(values[1], rel=1e-6)


def test_cancelling_returns_what_was_learnt():
    treebank = treebank_of(["ABCAB", "CBA", "ABAC"] * 4)
    seen = []
    result = train_ge(treebank, parse_constraints(TEXT), progress=seen.append, cancel=lambda: len(seen) >= 2)
    assert result.status == "cancelled"
    assert len(result.trace) == 2


@pytest.mark.parametrize("score", ["squared", "kl"])
def test_a_line_that_matches_nothing_is_left_out(score):
    treebank, settings = treebank_of(["ABCAB", "CBA"] * 3), GESettings(score=score)
    plain, more = (
        train_ge(treebank, parse_constraints(text), settings=settings)
        for text in ("A -> B = 0.9", "A -> B = 0.9\nD -> A = 0.8 per modifier")
    )
    np.testing.assert_array_equal(more.model.weights, plain.model.weights)
    assert more.expectations.tolist() == [plain.expectations[0], 0.0]
    assert [line.name for line in more.skipped] == ["D -> A per modifier"] and plain.skipped == ()


def test_nothing_to_train_on_refuses():
    treebank = treebank_of(["AB"])
    with pytest.raises(ConstraintError, match="no line matches two words of this text"):
        train_ge(treebank, parse_constraints("C -> A = 1"))
    with pytest.raises(ConstraintError, match="no constraint to train on"):
        train_ge(treebank, [])
