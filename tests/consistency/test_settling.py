"""What is settled before the search, and what branch and bound finds, against enumeration of all trees and labels."""

import numpy as np
import pytest

from core.consistency import ConsistencySettings, ContextIndex, parse_consistently
from core.consistency.first_pass import FirstPass
from core.consistency.parsing_problem import ParsingProblem
from core.consistency.windows import find
from tests.consistency.test_parsing import SETTINGS, RandomParser, oracle, small_texts
from tests.oracles.consistency import edge
from tests.oracles.higher_order import tree_values


def problem_of(seed, scale, order=2):
    """A text's problem after settling, its contexts and settings."""
    train, test = small_texts(seed)
    changed = {name: scale * getattr(SETTINGS, name) for name in ("delta1", "delta2", "delta3", "step")}
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed})
    contexts, parser = ContextIndex(train, test).select(settings.contexts), RandomParser(order, seed)
    index = contexts.index
    first_pass = FirstPass(
        parser, test, index.test_labels, index.labels.classes, contexts.test_contexts >= 0,
        lambda margin: settings.deltas(settings.scale(margin)), settings.prune,
    )  # fmt: skip
    return ParsingProblem(first_pass, contexts, settings), parser, test, settings


@pytest.mark.parametrize("scale", [0.2, 0.5, 1.0])
def test_settled_trees_are_those_of_the_best_joint_solution(scale):
    """The best joint value stays within reach when every settled sentence has its settled tree."""
    settled = 0
    for seed in range(12):
        problem, parser, test, settings = problem_of(seed, scale)
        value, heads = oracle(parser, problem.contexts, test, settings)
        trees, solver = problem.second.solution.copy(), problem.second
        for sentence in np.flatnonzero(~solver.open):
            rows = slice(*test.offsets[sentence : sentence + 2])
            settled += int(solver.settled[sentence])
            heads[sentence] = trees[rows]
        assert joint_value_of(parser, problem.contexts, test, settings, heads) == pytest.approx(value, abs=1e-8)
    assert settled > 0 or scale == 1.0


def joint_value_of(parser, contexts, test, settings, heads):
    """F(Y) + g(z) of given trees with their best labels, from the oracle's lists."""
    scored, index, total = parser.score(test), contexts.index, 0.0
    classes, deltas = index.labels.classes, (settings.delta1, settings.delta2, settings.delta3)
    for number, tree in enumerate(heads):
        listed, values = tree_values(scored.arcs[number], scored.siblings[number], None)
        total += values[listed.tolist().index(list(tree))]
    votes = contexts.votes(np.concatenate(heads))
    for row in votes:
        labels = np.repeat(np.arange(len(row)), row).tolist()
        total += max(
            sum(edge(label, consensus, deltas, lambda a, b: classes[a] == classes[b]) for label in labels)
            for consensus in (None, *range(len(row)))
        )
    return total


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("scale", [0.5, 2.0])
@pytest.mark.parametrize("close", [True, False])
def test_branch_and_bound_finds_the_best_after_a_single_iteration(order, scale, close):
    branched = 0
    for seed in range(8):
        train, test = small_texts(seed)
        changed = {name: scale * getattr(SETTINGS, name) for name in ("delta1", "delta2", "delta3", "step")}
        changed |= {"iterations": 1, "close": close, "prune": None}
        settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed})
        result = parse_consistently(RandomParser(order, seed), train, test, settings)
        value, _ = oracle(RandomParser(order, seed), result.contexts, test, settings)
        assert result.is_certified and result.status in ("agreed", "certified")
        assert result.primal == pytest.approx(value, abs=1e-8) and result.bound == pytest.approx(value, abs=1e-8)
        branched += result.trace[-1].disagreements > 0
    assert branched > 0


def test_too_many_branches_leave_it_to_released_constraints():
    released = 0
    for seed in range(12):
        train, test = small_texts(seed)
        changed = {"delta1": 3.0, "delta2": 0.0, "delta3": 0.0, "step": 3.0, "iterations": 1, "release_iterations": 1}
        settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed, "branches": 1})
        result = parse_consistently(RandomParser(2, seed), train, test, settings)
        value, _ = oracle(RandomParser(2, seed), result.contexts, test, settings)
        assert not result.certified[result.released].any()
        assert not result.is_certified or result.primal == pytest.approx(value, abs=1e-8)
        released += len(result.released) > 0
    assert released > 0


def test_numbers_are_found_by_their_hashes_as_by_search():
    random = np.random.default_rng(0)
    for size in (0, 1, 2, 50, 1000):
        known = np.unique(random.integers(0, 1 << 60, size))
        wanted = np.concatenate((random.permutation(known), random.integers(-1, 1 << 60, 100), [-1])).reshape(1, -1)
        places = find(known, wanted)
        expected = [[known.tolist().index(number) if number in known else -1 for number in wanted[0].tolist()]]
        assert places.dtype == np.int32 and places.tolist() == expected
