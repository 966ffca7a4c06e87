"""Ranges of work cover everything once, in order."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import threads
from core.errors import Cancelled
from core.threads import run_cancellable, run_ranges, split
from tests.patience import PATIENCE


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
    found = run_ranges(lambda begin, end: list(range(begin, end)), np.ones(10), threads=3)
    assert found == [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]]

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


@pytest.fixture
def pool(monkeypatch):
    """A pool of one thread in place of the usual one."""
    with ThreadPoolExecutor(1, thread_name_prefix=threads.NAME) as one:
        monkeypatch.setattr(threads, "shared_pool", lambda: one)
        yield one


def test_what_no_thread_has_begun_with_the_caller_does(pool):
    gate = threading.Event()
    pool.submit(gate.wait, PATIENCE)
    found = run_ranges(lambda begin, end: (begin, threading.current_thread()), np.ones(5), threads=5)
    assert found == [(begin, threading.current_thread()) for begin in range(5)]
    gate.set()


@pytest.mark.parametrize("fails", [False, True])
def test_the_caller_does_the_last_range_while_the_pool_is_at_the_one_before(pool, fails):
    begun, gate = threading.Event(), threading.Event()

    def work(begin, end):
        if begin == 0:
            assert begun.wait(PATIENCE)
        elif begin == 1:
            begun.set()
            assert gate.wait(PATIENCE)
        else:
            gate.set()
        if fails and begin:
            raise RuntimeError(f"range {begin}")
        return begin

    if fails:
        with pytest.raises(RuntimeError, match="range 1"):
            run_ranges(work, np.ones(3), threads=3)
    else:
        assert run_ranges(work, np.ones(3), threads=3) == [0, 1, 2]


def test_what_loads_is_not_waited_for_after_a_cancel():
    gate, loaded = threading.Event(), threading.Event()

    def load():
        assert gate.wait(PATIENCE)
        loaded.set()
        return "model"

    answers = iter([False, True])
    with pytest.raises(Cancelled):
        run_cancellable(load, lambda: next(answers))
    assert not loaded.is_set()
    gate.set()
    assert loaded.wait(PATIENCE), "it goes on to its end"
    assert run_cancellable(load, lambda: False) == run_cancellable(load) == "model"
    with pytest.raises(ZeroDivisionError):
        run_cancellable(lambda: 1 / 0, lambda: False)
