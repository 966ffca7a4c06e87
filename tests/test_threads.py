"""Ranges of work cover everything once, in order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.threads import run_ranges, split


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 8))
def test_ranges_cover_all_items_in_order(costs, parts):
    ranges = split(np.array(costs), parts)
    assert [item for begin, end in ranges for item in range(begin, end)] == list(range(len(costs)))
    assert all(begin < end for begin, end in ranges)
    assert len(ranges) <= parts


def test_results_come_in_order_and_errors_come_out():
    assert run_ranges(lambda begin, end: list(range(begin, end)), np.ones(10), threads=3) == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8, 9],
    ]

    def fail(begin, end):
        if begin:
            raise RuntimeError("from the pool")

    with pytest.raises(RuntimeError, match="from the pool"):
        run_ranges(fail, np.ones(4), threads=2)
