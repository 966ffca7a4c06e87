"""Groups of constraints that no trees meet, against enumeration of trees."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.constraints import Matcher, check_together, parse_constraints
from core.constraints.matching.conflicts import conflicts
from tests.constraints.banks import constraints, corners, matching, tagged, treebanks


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("A <- B = 0.7\nB -> C = 0.9\nA <- C = 0.7", [(0, 2)]),  # each is attainable alone
        ("A <- B = 0.1\nROOT -> A = 0.9\nA <- C = 0.4\nROOT -> B = 0.4", [(1, 2), (1, 3)]),
        ("A <- B = 0.8\nB -> C = 0.9\nA <- C = 0.8\nD <- E = 1\nD <- F = 1", [(0, 2), (3, 4)]),
    ],
)
def test_groups_by_hand(text, groups):
    assert conflicts(parse_constraints(text), tagged("ABC", "DEF")).groups == groups


def test_projective_trees_meet_less():
    lines = parse_constraints("A -> C = 1.0\nB -> D = 1.0")
    groups = [conflicts(lines, tagged("ABCD"), projective=projective).groups for projective in (False, True)]
    assert groups == [[], [(0, 1)]]


def test_the_warning_names_the_other_lines():
    text = "A <- B = 0.4\nB -> C = 0.9\nA <- C = 0.4\nROOT -> A = 0.4"
    problems = check_together(parse_constraints(text), tagged("ABC"))
    assert [each.line for each in problems] == [1, 3, 4]
    found = "no trees meet the target 0.4 together with lines 3 and 4; the nearest possible share is 0.33"
    assert found in problems[0].message and "together with lines 1 and 3;" in problems[2].message


def is_feasible(shares, low, high):
    """Whether some mixture of the corners, (K, C), lies in the box: a linear program."""
    count = len(shares)
    rows = np.concatenate((shares.T, -shares.T))
    found = linprog(np.zeros(count), A_ub=rows, b_ub=np.concatenate((high, -low)), A_eq=np.ones((1, count)), b_eq=[1.0])
    return found.status == 0


@given(treebanks(size=1), st.lists(constraints(), min_size=1, max_size=3, unique_by=lambda each: each.name))
def test_groups_are_smallest_infeasible_sets(treebank, some):
    """The trees of one short sentence are the corners of all that is attainable."""
    some, matcher = matching(some, treebank), Matcher(treebank, "xpos")
    shares = corners(treebank, matcher.match(some))
    low, high = (np.clip(end, shares.min(axis=0), shares.max(axis=0)) for end in (0.25, 0.75))

    def feasible(chosen, room):
        chosen = list(chosen)
        return is_feasible(shares[:, chosen], low[chosen] - room, high[chosen] + room)

    groups = conflicts(some, matcher).groups
    everything = range(len(some))
    if feasible(everything, 0):
        assert groups == []
    if not feasible(everything, 0.02):
        assert groups
    for group in groups:
        assert len(group) > 1 and not feasible(group, 1e-6)
        for part in combinations(group, len(group) - 1):
            assert feasible(part, 0.02)
