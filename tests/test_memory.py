"""Memory that nothing uses goes back to the system."""

import gc
import sys
import weakref

import numpy as np
import psutil
import pytest

from core.memory import give_back


class Node:
    def __init__(self):
        self.me = self


def test_garbage_is_collected():
    gone = weakref.ref(Node())
    give_back()
    assert gone() is None


@pytest.mark.skipif(sys.platform != "linux", reason="only GNU's C library can be asked to")
def test_what_is_free_between_what_is_not_goes_back():
    held, free = [], []
    for _ in range(20_000):  # of a size that the C library takes from the midst of what it has
        free.append(np.ones(1000))
        held.append(np.ones(8))
    del free
    gc.collect()
    before = psutil.Process().memory_info().rss
    give_back()
    assert before - psutil.Process().memory_info().rss > 50e6
