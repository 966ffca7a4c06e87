"""Memory that nothing uses goes back to the system."""

import gc
import sys
import weakref

import numpy as np
import psutil
import pytest

from core.memory import LARGE, give_back, take_large_arrays_apart


class Node:
    def __init__(self):
        self.me = self


def test_garbage_is_collected():
    gone = weakref.ref(Node())
    give_back()
    assert gone() is None


GNU = pytest.mark.skipif(sys.platform != "linux", reason="only GNU's C library can be asked to")


def resident():
    return psutil.Process().memory_info().rss


@GNU
def test_large_arrays_go_back_when_nobody_has_them():
    take_large_arrays_apart()
    for _ in range(3):  # the first would raise the library's own limit
        arrays = [np.ones(2 * LARGE, np.uint8) for _ in range(50)]
        between, before = [np.ones(LARGE // 100, np.uint8) for _ in range(50)], resident()
        del arrays
        assert before - resident() > 90 * LARGE
        del between


@GNU
def test_what_is_free_between_what_is_not_goes_back():
    held, free = [], []
    for _ in range(20_000):  # of a size that the C library takes from the midst of what it has
        free.append(np.ones(1000))
        held.append(np.ones(8))
    del free
    gc.collect()
    before = resident()
    give_back()
    assert before - resident() > 50e6
