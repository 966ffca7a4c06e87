"""Memory that nothing uses goes back to the system."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import psutil
import pytest

from core.processes.memory import give_back
from core.threads import core_count

HEAPS = """
import ctypes, sys, threading
from core.processes.memory import share_heaps
from core.threads import core_count

library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
library.malloc_info.argtypes, library.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
share_heaps()
together = threading.Barrier(20 * core_count())

def work():
    taken = [bytes(1000) for _ in range(100)]
    together.wait()

threads = [threading.Thread(target=work) for _ in range(together.parties)]
[each.start() for each in threads]
[each.join() for each in threads]
file = library.fopen(sys.argv[1].encode(), b"w")
library.malloc_info(0, file)
library.fclose(file)
"""

ARRAYS = """
import numpy as np
import psutil
from core.processes.memory import LARGE, take_large_arrays_apart

def resident():
    return psutil.Process().memory_info().rss

take_large_arrays_apart()
for _ in range(3):  # the first would raise the library's own limit
    arrays, between = [], []
    for _ in range(50):
        arrays.append(np.ones(2 * LARGE, np.uint8))
        between.append(np.ones(LARGE // 4, np.uint8))
    before = resident()
    del arrays
    assert before - resident() > 90 * LARGE
    del between
"""


class Node:
    def __init__(self):
        self.me = self


def test_garbage_is_collected_also_where_it_was_left_out_of_the_search():
    for leave_out in (lambda: None, gc.freeze):
        node = Node()
        leave_out()
        gone, frozen = weakref.ref(node), gc.get_freeze_count() > 0
        del node
        give_back()
        assert gone() is None and (gc.get_freeze_count() > 0) == frozen
    gc.unfreeze()


GNU = pytest.mark.skipif(sys.platform != "linux", reason="only GNU's C library can be asked to")


def resident():
    return psutil.Process().memory_info().rss


@GNU
def test_large_arrays_go_back_when_nobody_has_them():
    """In a process of its own: in one that has much free, arrays are made of that."""
    subprocess.run([sys.executable, "-c", ARRAYS], check=True)


@GNU
def test_threads_share_heaps(tmp_path):
    path = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", HEAPS, path], check=True)
    assert 1 <= path.read_text().count("<heap nr") <= max(2, core_count()) + 1


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
