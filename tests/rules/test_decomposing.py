"""Dual decomposition under rules against every labelled tree of short sentences."""

import random
from functools import partial
from itertools import product

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.rules.arcs import RuleArcs, labelled_values
from core.rules.checking import breaches
from core.rules.decomposing import decompose
from core.rules.factors import CLASSES, FactorSolver, factors_of
from core.rules.reading import parse_rules
from tests.filled import filled
from tests.oracles import rules as oracle
from tests.rules.problems import SIZES, every_tree, less_prices, random_problem, value_of


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize(("words", "count"), SIZES)
def test_no_tree_exceeds_the_bound_and_what_is_certified_is_the_best_of_all_trees(words, count, projective):
    draws, sought, certified = random.Random(f"{words} {count} {projective}"), 0, 0
    for _ in filled(range(60 if words < 4 else 12)):
        tags, plain, known, scores = random_problem(draws, words, count, projective)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, projective)
        most, value = oracle.best(plain, tags, every, partial(value_of, scores))
        found = decompose(known, scores, rules)
        if most < 0:
            assert found.tree is None and not found.certified
            continue
        sought, certified = sought + 1, certified + found.certified
        assert found.bound >= value - 1e-8
        assert found.certified == (found.gap == 0)
        if found.tree is not None:
            assert not list(breaches(rules, found.tree)) and found.value <= value + 1e-8
            assert value_of(scores, found.tree.heads, found.tree.relations) == pytest.approx(found.value)
        if found.certified:
            assert found.value == pytest.approx(value)
    assert certified >= 0.7 * sought > 0


@pytest.mark.parametrize("words", [3, 4])
def test_prices_are_paid_where_it_is_proved_to_be_best(words):
    draws, certified = random.Random(words), 0
    for _ in filled(range(12)):
        tags, plain, known, scores = random_problem(draws, words, 2, True)
        rules, every = parse_rules("\n".join(map(oracle.written, plain))), every_tree(scores, words, True)
        prices = {rule: draws.choice([0.3, 1.0]) for rule in rules}
        worth = less_prices(scores, tags, zip(rules, plain, strict=True), prices)
        best, found = max(worth(*tree) for tree in every), decompose(known, scores, rules, prices)
        assert found.bound >= best - 1e-8 and found.tree is not None
        assert worth(found.tree.heads, found.tree.relations) == pytest.approx(found.value)
        assert not found.certified or found.value == pytest.approx(best)
        certified += found.certified
    assert certified


def test_each_factor_finds_the_best_of_all_combinations_of_classes():
    draws, numbers, blocks = random.Random(5), np.random.default_rng(5), 0
    for _ in filled(range(30)):
        _, plain, known, scores = random_problem(draws, 3, 3, True)
        rules = parse_rules("\n".join(map(oracle.written, plain)))
        prices = {rule: 0.5 for rule in rules if draws.random() < 0.3}
        values = labelled_values(scores)
        solver = FactorSolver(list(factors_of(RuleArcs(known, scores.names), values, rules, prices)), 3)
        multipliers = numbers.integers(-3, 4, 4 * len(solver.word_of)).astype(float)
        for block in range(len(solver.factors)):
            blocks, one = blocks + 1, np.array([block])
            solver.argmax(multipliers, one)
            members = np.arange(solver.offsets[block], solver.offsets[block + 1])
            best = -np.inf
            for classes in product(*(solver.possible(decision) for decision in members.tolist())):
                solver.choice[members] = len(CLASSES) * members + np.array(classes, int)
                worth = solver.value_at(solver.choice, one)[0] + multipliers[solver.choice[members]].sum()
                best = max(best, worth)
            assert solver.values[block] == pytest.approx(best)
    assert blocks > 30


def test_a_rule_that_no_tree_keeps_is_seen_at_once():
    _, _, known, scores = random_problem(random.Random(1), 3, 3, True)
    found = decompose(known, scores, parse_rules("* has at least 4 *"))
    assert found.tree is None and found.bound == -np.inf and found.rounds == 0 and not found.certified


def test_laws_are_not_released():
    solver = FactorSolver([], 2)
    with pytest.raises(WorkbenchError, match="rules that must hold are not released"):
        solver.release(np.zeros(0, bool))
