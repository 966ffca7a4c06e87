"""The nearest distribution over trees that keeps constraints, against the list of all trees of short sentences."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import InfeasibleError
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.projection import ArcWeightSums, TreeProjection, cell
from core.trees import Bracket, PackedScores
from core.trees.brackets import LEVELS, PackedBrackets
from tests.oracles import brackets as bracket_oracle
from tests.oracles import trees

LENGTHS = (1, 2, 3, 4, 4)
RANGES = np.array([[0.8, 0.9], [0.0, 0.1], [0.4, 0.6], [0.95, 1.0]])


class Case:
    """Random log-weights and candidates; all trees of each sentence with their arcs."""

    def __init__(self, seed, limit=0.5, level="none"):
        rng = np.random.default_rng(seed)
        self.weights = PackedScores.from_matrices([2 * rng.normal(size=(n + 1, n + 1)) for n in LENGTHS])
        self.candidates = rng.random((4, len(self.weights.values))) < 0.4
        owner, arcs = np.nonzero(self.candidates)
        denominators = np.array([2.0, 5.0, 3.0, 6.0])
        self.constraints = PosteriorConstraints(
            arcs, owner, denominators, *RANGES.T, np.full(4, limit), len(self.weights.values)
        )
        spans = [bracket_oracle.all_brackets(n)[:1] for n in LENGTHS]
        brackets = PackedBrackets.from_lists([[Bracket(*span) for span in some] for some in spans])
        self.sums = ArcWeightSums(self.weights, self.constraints, brackets, level)
        self.trees = []
        for i, n in enumerate(LENGTHS):
            listed = trees.trees(n, True, True)
            if level != "none":
                listed = bracket_oracle.keep(listed, spans[i], level)
            self.trees.append([self.arcs_of(i, heads) for heads in listed])

    def arcs_of(self, i, heads):
        """The places of a tree's arcs among all."""
        words = np.arange(1, len(heads))
        return self.weights.offsets[i] + np.asarray(heads)[1:] * len(heads) + words

    def log_partition(self, multipliers):
        """(log Z, E[n_c]) over the listed trees."""
        values, mass, total = self.weights.values + multipliers @ self.candidates, np.zeros(4), 0.0
        for listed in self.trees:
            scores = np.array([values[arcs].sum() for arcs in listed])
            shares = np.exp(scores - np.logaddexp.reduce(scores))
            total += np.logaddexp.reduce(scores)
            mass += sum(
                share * self.candidates[:, arcs].sum(axis=1) for share, arcs in zip(shares, listed, strict=True)
            )
        return total, mass

    def dual(self, multipliers):
        lines = self.constraints
        gain = lines.denominators @ (lines.low * np.maximum(multipliers, 0) + lines.high * np.minimum(multipliers, 0))
        return gain - self.log_partition(multipliers)[0] + self.log_partition(np.zeros(4))[0]

    def projected(self, start=None):
        projection = TreeProjection(self.sums, start)
        for _ in range(200):
            if projection.climb(1e-9):
                break
        return projection


@pytest.mark.parametrize("level", LEVELS)
def test_dual_and_shares_are_those_of_the_listed_trees(level):
    case = Case(1, level=level)
    projection = case.projected()
    total, mass = case.log_partition(projection.point.multipliers)
    assert projection.point.moments.value == pytest.approx(total)
    np.testing.assert_allclose(projection.point.expectations * case.constraints.denominators, mass, atol=1e-9)
    assert projection.dual == pytest.approx(case.dual(projection.point.multipliers), abs=1e-9)
    _, alone = case.log_partition(np.zeros(4))
    np.testing.assert_allclose(projection.untrained.expectations * case.constraints.denominators, alone, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("limit", [0.2, 0.5, 20.0])
def test_no_multipliers_within_their_bounds_have_a_higher_dual(seed, limit):
    case, rng = Case(seed, limit), np.random.default_rng(seed)
    best = case.projected().point.multipliers
    assert (np.abs(best) <= limit).all() and np.any(best != 0)
    for size in (0.01, 0.1, 1.0):
        for _ in range(20):
            other = np.clip(best + size * rng.normal(size=4), -limit, limit)
            assert case.dual(other) <= case.dual(best) + 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_trees_that_keep_the_constraints_are_no_less_probable(seed):
    case = Case(seed)
    rng = np.random.default_rng(seed)
    true = [listed[rng.integers(len(listed))] for listed in case.trees]
    arcs = np.concatenate(true)
    shares = case.candidates[:, arcs].sum(axis=1) / case.constraints.denominators
    constraints = replace(case.constraints, low=np.maximum(shares - 0.05, 0), high=shares + 0.05)
    projection = TreeProjection(replace(case.sums, constraints=constraints))
    for _ in range(5):  # stopped early, too
        done = projection.climb(1e-9)
        m = projection.point.multipliers
        gain = (m @ case.candidates)[arcs].sum() - case.log_partition(m)[0] + case.log_partition(np.zeros(4))[0]
        assert gain >= projection.dual - 1e-9 and projection.dual >= -1e-9
        if done:
            break
    assert gain > 0


def test_it_begins_where_an_earlier_one_ended_and_forgets_what_is_undone():
    case = Case(2)
    cold = case.projected()
    warm = TreeProjection(case.sums, cold.point.multipliers)
    assert warm.climb(1e-9)
    np.testing.assert_allclose(warm.point.multipliers, cold.point.multipliers, atol=1e-6)
    far = case.projected(np.array([5.0, -5.0, 5.0, -5.0]))  # beyond their bounds
    assert far.dual == pytest.approx(cold.dual, abs=1e-6)


def test_a_number_stands_for_the_shares_that_round_to_it():
    assert [cell(share) for share in (0.0, 0.1, 0.5, 1.0)] == [(0.0, 0.05), (0.05, 0.175), (0.375, 0.625), (0.875, 1.0)]
    assert cell(0.9) == pytest.approx((0.85, 0.95)) and cell(0.02) == pytest.approx((0.0, 0.07))
    assert cell(0.97) == pytest.approx((0.92, 1.0)) and cell(1.5) == pytest.approx((1.45, 1.55))


def test_a_sentence_without_a_tree_is_named_as_such():
    case = Case(3)
    case.weights.values[:] = -np.inf
    with pytest.raises(InfeasibleError):
        TreeProjection(case.sums)
