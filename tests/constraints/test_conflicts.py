"""Groups of constraints that no trees meet, against enumeration of trees."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.constraints import check_together, match_constraints, match_counts, parse_constraints
from core.constraints.conflicts import conflicts
from core.errors import Cancelled
from core.treebank import Treebank
from tests.constraints.banks import TREES, constraints, treebanks

BANK = Treebank.from_sentences([{"forms": list("abc"), "xpos": ["A", "B", "C"], "heads": [2, 0, 2]}])


def groups_of(text, treebank=BANK, **options):
    return conflicts(parse_constraints(text), treebank, **options).groups


def test_two_lines_that_are_attainable_alone():
    assert groups_of("A <- B = 0.7\nB -> C = 0.9\nA <- C = 0.7") == [(0, 2)]
    assert groups_of("A <- B = 0.5\nB -> C = 0.9\nA <- C = 0.5") == []


def test_a_line_may_exclude_several():
    assert groups_of("A <- B = 0.1\nROOT -> A = 0.9\nA <- C = 0.4\nROOT -> B = 0.4") == [(1, 2), (1, 3)]


def test_three_lines_of_which_any_two_are_fine():
    assert groups_of("A <- B = 0.4\nB -> C = 0.9\nA <- C = 0.4\nROOT -> A = 0.4") == [(0, 2, 3)]


def test_two_groups_that_have_nothing_to_do_with_each_other():
    text = "A <- B = 0.8\nB -> C = 0.9\nA <- C = 0.8\n"
    bank = Treebank.from_sentences(
        [{"forms": list("abc"), "xpos": ["A", "B", "C"]}, {"forms": list("def"), "xpos": ["D", "E", "F"]}]
    )
    assert groups_of(text + "D <- E = 1\nD <- F = 1", bank) == [(0, 2), (3, 4)]


def test_a_target_beyond_its_own_limit_is_brought_within_it_first():
    bank = Treebank.from_sentences([{"forms": list("abc"), "xpos": ["A", "A", "B"], "heads": [3, 1, 0]}])
    found = conflicts(parse_constraints("ROOT -> A = 1.0\nA -> B = 0.5"), bank)
    assert found.limits[0].most == 0.5 and found.groups == []
    assert groups_of("ROOT -> A = 1.0\nROOT -> B = 0.1", bank) == [(0, 1)]


def test_projective_trees_meet_less():
    bank = Treebank.from_sentences([{"forms": list("abcd"), "xpos": ["A", "B", "C", "D"]}])
    text = "A -> C = 1.0\nB -> D = 1.0"
    assert groups_of(text, bank) == []
    assert groups_of(text, bank, projective=True) == [(0, 1)]


def test_the_warning_names_the_other_lines():
    text = "A <- B = 0.4\nB -> C = 0.9\nA <- C = 0.4\nROOT -> A = 0.4"
    problems = check_together(parse_constraints(text), BANK)
    assert [each.line for each in problems] == [1, 3, 4]
    assert (
        "no trees meet the target 0.4 together with lines 3 and 4; the nearest possible share is 0.33"
        in problems[0].message
    )
    assert "together with lines 1 and 3;" in problems[2].message
    (first, second) = check_together(parse_constraints("A <- B = 0.7\nA <- C = 0.7"), BANK)
    assert "together with line 2; the nearest possible share is 0.50" in first.message
    assert "together with line 1;" in second.message


def test_cancelling():
    with pytest.raises(Cancelled):
        groups_of("A <- B = 0.7\nA <- C = 0.7", cancel=lambda: True)


def is_feasible(corners, low, high):
    """Whether some mixture of the corners, (K, C), lies in the box: a linear program."""
    count = len(corners)
    rows = np.concatenate((corners.T, -corners.T))
    found = linprog(np.zeros(count), A_ub=rows, b_ub=np.concatenate((high, -low)), A_eq=np.ones((1, count)), b_eq=[1.0])
    return found.status == 0


@settings(deadline=None, max_examples=20)
@given(treebanks(size=1), st.lists(constraints(), min_size=2, max_size=4, unique_by=lambda each: each.name))
def test_groups_are_smallest_infeasible_sets(treebank, some):
    """The trees of one short sentence are the corners of all that is attainable."""
    some = [each.constraint for each in match_counts(some, treebank) if each.pairs]
    assume(some)
    matches = match_constraints(some, treebank)
    n = int(treebank.lengths[0])
    sets = [set(matches.of(c).tolist()) for c in range(len(some))]
    counts = [[sum(h * (n + 1) + m in arcs for m, h in enumerate(tree) if m) for arcs in sets] for tree in TREES[n]]
    corners = np.array(counts) / matches.denominators
    low = np.clip(0.25, corners.min(axis=0), corners.max(axis=0))
    high = np.clip(0.75, corners.min(axis=0), corners.max(axis=0))

    def feasible(chosen, room):
        chosen = list(chosen)
        return is_feasible(corners[:, chosen], low[chosen] - room, high[chosen] + room)

    groups = conflicts(some, treebank).groups
    everything = range(len(some))
    if feasible(everything, 0):
        assert groups == []
    if not feasible(everything, 0.02):
        assert groups
    for group in groups:
        assert len(group) > 1 and not feasible(group, 1e-6)
        for part in combinations(group, len(group) - 1):
            assert feasible(part, 0.02)
