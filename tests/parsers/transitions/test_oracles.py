"""Dynamic oracles against all derivations of short sentences."""

import numpy as np
import pytest

from core.parsers.transitions.oracles import SEARCHED, Oracle, projective_places
from core.parsers.transitions.systems import EAGER, SWAPPING, SYSTEMS, start_configuration
from tests.filled import filled
from tests.oracles.transitions import all_derivations, enumerated_loss
from tests.oracles.trees import trees


def reachable_configurations(system, n):
    """All configurations of all derivations of n words."""
    found, new = set(), {start_configuration(n)}
    while new:
        found |= new
        new = {move.apply(configuration) for configuration in new for move in system.allowed(configuration)} - found
    return sorted(found)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_loss_is_that_of_the_best_derivation(system, n):
    generator = np.random.default_rng(n)
    configurations = reachable_configurations(system, n)
    golds = [(-1, *heads[1:]) for heads in trees(n, single_root=False, projective=system.projective)]
    pairs = [(configuration, gold) for configuration in configurations for gold in golds]
    for at in filled(generator.permutation(len(pairs))[: 20_000 if n < 4 else 500]):
        configuration, gold = pairs[at]
        known = tuple(-1 if m and generator.random() < 0.1 else head for m, head in enumerate(gold))
        assert Oracle(system, known).loss(configuration) == enumerated_loss(system, configuration, known)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_costs_are_differences_of_losses(system):
    gold = (-1, 2, 0, 2) if system is SWAPPING else (-1, 2, 0, 2, 3)
    every = reachable_configurations(system, len(gold) - 1)
    for configuration in filled(one for one in every if not system.is_final(one)):
        before = enumerated_loss(system, configuration, gold)
        costs = Oracle(system, gold).costs(configuration)
        assert min(costs.values()) == 0
        assert costs == {
            move.name: enumerated_loss(system, move.apply(configuration), gold) - before
            for move in system.allowed(configuration)
        }


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("n", [1, 3, 4, 5])
def test_static_derivation_builds_the_tree(system, n):
    for heads in filled(trees(n, projective=system.projective)[:: 1 if n < 5 else 7]):
        gold = (-1, *heads[1:])
        *_, final = system.replay(n, Oracle(system, gold).derivation())
        assert final.heads == gold


def test_static_oracle_of_swap_builds_any_tree_of_more_words_than_are_searched():
    generator, n = np.random.default_rng(5), SEARCHED + 3
    for _ in range(40):
        order = generator.permutation(np.arange(1, n + 1))
        heads = np.full(n + 1, -1)
        for at, word in enumerate(order):
            heads[word] = 0 if not at else order[generator.integers(at)]
        *_, final = SWAPPING.replay(n, Oracle(SWAPPING, heads).derivation())
        assert final.heads == tuple(heads.tolist())


def test_lost_arcs_are_those_that_no_derivation_has_any_more():
    oracle, told = Oracle(EAGER, (-1, 2, 0, 2)), 0
    for configuration in filled(reachable_configurations(EAGER, 3)):
        for name, cost in oracle.costs(configuration).items():
            assert len(oracle.lost_arcs(configuration, name)) == cost
            told += cost
    assert told


def test_projective_places_sort_a_crossing_tree():
    assert projective_places((-1, 2, 0, 2)) == [0, 1, 2, 3]
    assert projective_places((-1, 3, 0, 2, 1)) == [0, 2, 1, 4, 3]


def test_several_derivations_build_one_tree():
    gold = (-1, 2, 0, 2)
    counts = [sum(final.heads == gold for _, final in all_derivations(system, 3)) for system in SYSTEMS.values()]
    assert counts == [2, 1, 1, 14]
