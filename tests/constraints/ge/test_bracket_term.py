"""Brackets beside constraints: how probable it is that trees respect mark-up, by enumeration; gradient; training."""

from itertools import combinations
from unittest.mock import Mock

import numpy as np
import pytest

from core.constraints import parse_constraints, train_ge
from core.constraints.authoring.attribution import Attribution
from core.constraints.ge.objective import BracketTerm
from core.constraints.ge.training import GESettings, GETrainer
from core.errors import WorkbenchError
from core.markup import with_brackets
from core.parsers.crf import bracketed
from core.parsers.crf.bracketed import MANY, BracketedSums
from core.parsers.crf.distribution import TreeDistribution
from core.trees import PackedScores
from core.trees.brackets import LEVELS, Bracket, PackedBrackets
from tests.constraints.banks import slope_along, tagged
from tests.oracles import brackets as oracle
from tests.oracles import trees

REAL = LEVELS[1:]


def enumerated(scores, spans, level, single_root, projective):
    """(log-partition, marginals, level) of the trees that respect all brackets, at the hardest level that some do."""
    n = len(scores) - 1
    for number in range(LEVELS.index(level), -1, -1):
        listed = oracle.keep(trees.trees(n, single_root, projective), spans, LEVELS[number])
        if len(listed):
            break
    values = scores[listed[:, 1:], np.arange(1, n + 1)].sum(axis=1)
    total, expected = np.logaddexp.reduce(values), np.zeros_like(scores)
    for tree, probability in zip(listed, np.exp(values - total), strict=True):
        expected[tree[1:], np.arange(1, n + 1)] += probability
    return total, expected, number


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("level", REAL)
def test_sums_and_fallbacks_match_enumeration(level, projective):
    random = np.random.default_rng(len(level))
    for n, single_root in ((1, True), (2, False), (3, True), (4, False), (5, True)):
        found = oracle.all_brackets(n)
        pairs = [*((span,) for span in found), *combinations(found, 2)]
        pairs = [pairs[i] for i in random.permutation(len(pairs))[:14]]
        scores = PackedScores.from_matrices([random.normal(size=(n + 1, n + 1)) for _ in pairs])
        packed = PackedBrackets.from_lists([[Bracket(*span) for span in pair] for pair in pairs])
        sums = BracketedSums(np.full(len(pairs), n), packed, level, projective, single_root)
        totals, marginals = sums(scores)
        held = dict(zip(sums.sentences.tolist(), totals.tolist(), strict=True))
        for i, pair in enumerate(pairs):
            total, expected, number = enumerated(scores[i], pair, level, single_root, projective)
            assert sums.levels[i] == number
            if number:
                assert held[i] == pytest.approx(total, abs=1e-9)
                np.testing.assert_allclose(scores.like(marginals)[i], expected, atol=1e-9)
        assert sum(sums.fallbacks().values()) == len(pairs)


def test_many_masks_are_contracted_and_too_many_fall_back():
    scores = PackedScores.from_matrices([np.random.default_rng(3).normal(size=(6, 6))])
    wide = PackedBrackets.from_lists([[Bracket(1, 4), Bracket(1, 5), Bracket(2, 4)]])
    masked = BracketedSums(np.array([5]), wide, "sprawl")
    assert masked.masks_of(0) is not None
    contracted = BracketedSums(np.array([5]), wide, "sprawl")
    contracted.masks[0, LEVELS.index("sprawl")] = None
    assert masked(scores)[0] == pytest.approx(contracted(scores)[0])
    np.testing.assert_allclose(masked(scores)[1], contracted(scores)[1], atol=1e-9)
    nested = [Bracket(1, end) for end in range(14, 18)]
    loose = BracketedSums(np.array([20]), PackedBrackets.from_lists([nested]), "loose")
    assert MANY < 13 * 14 * 15 * 16
    assert loose.fallbacks() == {"loose": 0, "sprawl": 1, "tear": 0, "none": 0}


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("level", REAL)
def test_the_gradient_is_the_slope(level, projective):
    brackets = [[Bracket(1, 3), Bracket(2, 5)], [], [Bracket(2, 4)], [Bracket(1, 3)]]
    treebank = with_brackets(tagged("ABCBA", "BB", "CAB", "BCA"), brackets)
    settings = GESettings(projective=projective, brackets=level, brackets_weight=3.0, minimum_count=1)
    trainer = GETrainer(treebank, settings)
    constraints = parse_constraints("A <- B = 0.9\nROOT -> B = 0.5")
    objective, plain = trainer.objective(constraints), GETrainer(treebank, GESettings(minimum_count=1)).objective
    random = np.random.default_rng(1)
    weights, direction = random.normal(size=(2, len(trainer.model.index)))
    value, gradient, _ = objective(weights)
    assert gradient @ direction == pytest.approx(slope_along(objective, weights, direction), rel=1e-6, abs=1e-6)
    if not projective:
        scores, missing = trainer.scores(weights), 0.0
        for i, found in enumerate(brackets):
            if found:
                spans = [(one.start, one.end) for one in found]
                missing += trees.partition(scores[i])[0] - enumerated(scores[i], spans, level, True, False)[0]
        assert value - plain(constraints)(weights)[0] == pytest.approx(3.0 * missing / 3, abs=1e-8)


def test_training_makes_marked_words_a_phrase():
    brackets, shares = [[Bracket(2, 4)]] * 4, []
    treebank = with_brackets(tagged(*["ABAB"] * 4), brackets)
    sums = BracketedSums(treebank.lengths, PackedBrackets.from_lists(brackets), "strict")
    for level, weight in (("none", 1.0), ("strict", 20.0), ("strict", 200.0)):
        settings = GESettings(brackets=level, brackets_weight=weight, minimum_count=1)
        result = train_ge(treebank, parse_constraints("ROOT -> A = 1.0"), settings=settings)
        scores = result.model.scores(treebank)
        shares.append(float(np.exp(sums(scores)[0] - TreeDistribution().marginals(scores)[0]).mean()))
    assert shares[0] < 0.4 < shares[1] < shares[2]
    assert result.bracket_levels == {"strict": 4, "loose": 0, "sprawl": 0, "tear": 0, "none": 0}


def test_what_brackets_pull_is_accounted_for():
    treebank = with_brackets(tagged(*["ABAB"] * 3), [[Bracket(2, 4)]] * 3)
    settings = GESettings(brackets="loose", brackets_weight=6.0, minimum_count=1, tolerance=1e-13)
    trainer, constraints = GETrainer(treebank, settings), parse_constraints("ROOT -> A = 1.0")
    result = trainer.train(constraints)
    told = Attribution(trainer, constraints, result.model.weights)
    assert np.abs(told.tree_pull).max() > 0.01
    residual = told.weights - told.tree_pull - told.slopes @ told.jacobian * -settings.variance
    assert np.abs(residual).max() < 1e-3 * np.abs(result.model.weights).max()


def test_no_mark_up_and_odd_levels_are_refused():
    constraints = parse_constraints("A <- B = 0.9")
    with pytest.raises(WorkbenchError, match="this text has no mark-up to respect"):
        train_ge(tagged("AB"), constraints, settings=GESettings(brackets="loose"))
    with pytest.raises(WorkbenchError, match="there is no level 'firm'"):
        train_ge(with_brackets(tagged("ABC"), [[Bracket(1, 3)]]), constraints, settings=GESettings(brackets="firm"))


def test_a_term_without_a_level_is_nothing():
    sums = BracketedSums(np.array([2]), PackedBrackets.from_lists([[]]))
    scores = PackedScores.from_matrices([np.zeros((3, 3))])
    value, change = BracketTerm(sums)(scores, *TreeDistribution().marginals(scores))
    assert value == 0.0 and not change.any()


def test_masks_are_summed_over_a_bounded_number_of_arcs_at_a_time(monkeypatch):
    marks = PackedBrackets.from_lists([[Bracket(2, 5), Bracket(6, 9)]] * 6)
    scores = PackedScores.from_matrices(list(np.random.default_rng(1).normal(size=(6, 10, 10))))
    whole = BracketedSums(np.full(6, 9), marks, "loose")(scores)
    summed = Mock(wraps=bracketed.matrix_tree)
    monkeypatch.setattr(bracketed, "matrix_tree", summed)
    monkeypatch.setattr(bracketed, "ARCS", 1_500)  # each sentence has 9 masks of 100 arcs
    parts = BracketedSums(np.full(6, 9), marks, "loose")(scores)
    assert max(len(call.args[0].values) for call in summed.call_args_list) == 1_800
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
