"""Heights of arcs and bars, and row breaks, against enumeration."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.draw.drawing import Span
from core.draw.levels import pair_levels, text_width
from tests.draw.tree_layout import ROW_COST, break_rows, span_levels
from tests.oracles import arcs as oracle

pair = st.tuples(st.integers(0, 7), st.integers(1, 7)).filter(lambda arc: arc[0] != arc[1])
pairs = st.lists(pair, max_size=8)


@given(pairs)
def test_levels_are_valid_for_any_set_of_arcs(arcs):
    levels = pair_levels(arcs)
    assert oracle.is_valid(arcs, levels)
    assert sorted(set(levels)) == list(range(1, max(levels, default=0) + 1))  # no empty level


@given(st.lists(pair, max_size=5))
def test_levels_are_lowest_where_no_arcs_cross(arcs):
    kept = []
    for arc in arcs:
        spans = oracle.spans_of([*kept, arc])
        if not any(oracle.crosses(one, other) for one, other in combinations(spans, 2)):
            kept.append(arc)
    assert max(pair_levels(kept), default=0) == oracle.least_height(kept)


def test_neighbours_are_level_and_the_root_stands_over_its_arcs():
    assert pair_levels([(1, 2), (3, 2), (3, 4)]) == [1, 1, 1]
    assert pair_levels([(2, 1), (0, 2), (2, 3)]) == [1, 2, 1]


def test_equal_arcs_and_no_arcs():
    assert sorted(pair_levels([(1, 3), (3, 1)])) == [1, 2]
    assert pair_levels([]) == []


def test_bars_lie_under_the_bars_they_contain():
    assert span_levels([Span(1, 6), Span(2, 3), Span(3, 5), Span(4, 7)]) == [2, 0, 0, 1]


@given(st.lists(st.tuples(st.floats(5, 60), st.integers(0, 4)), min_size=1, max_size=7), st.floats(40, 200))
def test_rows_fit_and_cost_least(words, limit):
    widths, crossings = zip(*words, strict=True)
    lefts = np.concatenate([[0], np.cumsum(widths)[:-1] + 5 * np.arange(1, len(widths))])
    edges = [(left, left + width) for left, width in zip(lefts, widths, strict=True)]

    def cost(starts):
        rows = list(pairwise([*starts, len(edges)]))
        lengths = [edges[end - 1][1] - edges[start][0] for start, end in rows]
        if any(length > limit and end - start > 1 for length, (start, end) in zip(lengths, rows, strict=True)):
            return float("inf")
        empty = sum((1 - min(length / limit, 1)) ** 2 for length in lengths)
        return ROW_COST * len(rows) + empty + sum(crossings[start - 1] for start in starts[1:])

    found = break_rows(edges, crossings, limit)
    choices = range(1, len(edges))
    all_costs = [cost((0, *cuts)) for count in range(len(edges)) for cuts in combinations(choices, count)]
    assert cost(found) == pytest.approx(min(all_costs))


def test_a_row_breaks_where_no_arc_crosses():
    edges = [(30 * i, 30 * i + 25) for i in range(6)]
    assert break_rows(edges, [3, 0, 3, 3, 3, 0], 130) == [0, 2]


def test_widths_count_wide_letters_twice_and_marks_not_at_all():
    assert text_width("語", 10) == pytest.approx(10)
    assert text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("W", 10) > text_width("a", 10) > text_width("i", 10)
