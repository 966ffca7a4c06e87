"""Dual decomposition of two parsers against the list of all pairs of trees."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.joint.certified import parse_certified, solve_pairs
from core.parsers.scores import ParserScores
from core.trees import PackedScores, PackedTriples
from tests.oracles.joint import best_pair


def scores(random, n):
    side = n + 1
    return [random.normal(size=(side, side)), random.normal(size=(side,) * 3) / 2, random.normal(size=(side,) * 3) / 2]


def packed(sentences, order):
    arcs = PackedScores.from_matrices([each[0] for each in sentences])
    cubes = [PackedTriples.from_arrays([each[place] for each in sentences]) for place in range(1, order)]
    return ParserScores(arcs, *cubes)


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("reward", [0.0, 0.8, "each arc"])
def test_the_certified_pair_is_the_best_of_all_pairs(order, reward):
    random = np.random.default_rng(order)
    lengths = [1, 2, 3, 3, 4, 4]
    one, other = ([scores(random, n) for n in lengths] for _ in range(2))
    bonus = [
        random.normal(size=(n + 1, n + 1)) if reward == "each arc" else np.full((n + 1, n + 1), reward) for n in lengths
    ]
    pair = packed(one, order), packed(other, order)
    result = solve_pairs(pair, PackedScores.from_matrices(bonus).values)
    proved = result.certified_blocks[: len(lengths)]
    assert proved.mean() >= 0.8
    values = result.state.best_primal[result.state.component_second[: len(lengths)]]
    bounds = result.state.best_dual[result.state.component_second[: len(lengths)]]
    first, second = np.split(result.solution, 2)
    begin = 0
    for at, n in enumerate(lengths):
        parts = [each[at][:order] + [None] * (3 - order) for each in (one, other)]
        value, y, z = best_pair(*parts, bonus[at])
        assert bounds[at] >= value - 1e-9 >= values[at] - 2e-9
        if proved[at]:
            assert values[at] == pytest.approx(value)
            np.testing.assert_array_equal(first[begin + 1 : begin + n + 1], y[1:])
            np.testing.assert_array_equal(second[begin + 1 : begin + n + 1], z[1:])
        begin += n + 1


def test_a_great_reward_makes_one_tree_of_two():
    random = np.random.default_rng(4)
    pair = tuple(packed([scores(random, 5)], 3) for _ in range(2))
    apart, together = (np.split(solve_pairs(pair, np.full(36, reward)).solution, 2) for reward in (0.0, 50.0))
    assert (apart[0] != apart[1]).any()
    np.testing.assert_array_equal(together[0], together[1])
    np.testing.assert_array_equal(apart[0], pair[0].decode().values)


def test_what_cannot_be_joined_is_said():
    with pytest.raises(WorkbenchError, match="joins two parsers, got 3"):
        parse_certified([None] * 3, [1.0] * 3, None, 1.0)
    with pytest.raises(WorkbenchError, match="reward for a shared arc must be a number, got nan"):
        parse_certified([None] * 2, [1.0] * 2, None, float("nan"))
