"""Ranges of work cover everything once, in order."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Cancelled
from core.threads import run_ranges, split, unless_cancelled


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 8))
def test_ranges_cover_all_items_in_order(costs, parts):
    ranges = split(np.array(costs), parts)
    assert [item for begin, end in ranges for item in range(begin, end)] == list(range(len(costs)))
    assert all(begin < end for begin, end in ranges)
    assert len(ranges) <= parts


@pytest.mark.parametrize(
    "costs, parts, ranges",
    [
        ([1, 1], 2, [(0, 1), (1, 2)]),
        ([9, 1], 2, [(0, 1), (1, 2)]),
        ([1, 9], 2, [(0, 1), (1, 2)]),
        ([1, 1, 1, 1], 4, [(0, 1), (1, 2), (2, 3), (3, 4)]),
        ([2, 2, 1, 1, 1, 1], 2, [(0, 2), (2, 6)]),
        ([0, 0], 1, [(0, 2)]),
    ],
)
def test_ranges_are_as_equal_as_the_items_let_them_be(costs, parts, ranges):
    assert split(np.array(costs), parts) == ranges


def test_results_come_in_order_and_errors_come_out():
    assert run_ranges(lambda begin, end: list(range(begin, end)), np.ones(10), threads=3) == [
        [0, 1, 2],
        [3, 4, 5, 6],
        [7, 8, 9],
    ]

    def fail(begin, end):
        if begin:
            raise RuntimeError("from the pool")

    with pytest.raises(RuntimeError, match="from the pool"):
        run_ranges(fail, np.ones(4), threads=2)


def test_work_within_work_goes_on_where_it_is():
    def inner(begin, end):
        return end - begin

    found = run_ranges(lambda begin, end: sum(run_ranges(inner, np.ones(8), 4)), np.ones(16), threads=16)
    assert len(found) > 2 and set(found) == {8}


def test_what_loads_is_not_waited_for_after_a_cancel():
    gate, loaded = threading.Event(), threading.Event()

    def load():
        assert gate.wait(timeout=20)
        loaded.set()
        return "model"

    answers = iter([False, True])
    with pytest.raises(Cancelled):
        unless_cancelled(load, lambda: next(answers))
    assert not loaded.is_set()
    gate.set()
    assert loaded.wait(timeout=20), "it goes on to its end"
    assert unless_cancelled(load, lambda: False) == unless_cancelled(load) == "model"
    with pytest.raises(ZeroDivisionError):
        unless_cancelled(lambda: 1 / 0, lambda: False)
