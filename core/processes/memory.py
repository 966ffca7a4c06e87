"""Memory that is free, given back to the system: Python and the C library otherwise keep it for later.

Where the C library is not GNU's, garbage is collected, and nothing else happens.
"""

import ctypes
import gc
import sys
from functools import cache

from core.threads import core_count

LARGE = 1 << 20  # bytes of an array from which on it is taken from the system by itself
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of mallopt(3)


def take_large_arrays_apart() -> None:
    """From now on, arrays of ``LARGE`` bytes go back to the system as soon as nobody has them any more.

    Else the library raises that limit with each that is given up, up to 32 MB, and those below it leave holes.
    """
    library = _library()
    if library is not None:
        library.mallopt(M_MMAP_THRESHOLD, LARGE)


def share_heaps() -> None:
    """From now on, new threads share a heap for each core: else each thread has its own, with its own holes.

    For servers, which have a thread for each rerun of a page.
    """
    library = _library()
    if library is not None:
        library.mallopt(M_ARENA_MAX, max(2, core_count()))


def give_back() -> None:
    """Collect garbage, and let the system have what is free. Takes a second, in which no other thread runs.

    What the warm-up has left out of the search for garbage is searched too, and what is alive left out again.
    """
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    gc.collect()
    if frozen:
        gc.freeze()
    library = _library()
    if library is not None:
        library.malloc_trim(0)  # bytes to keep


@cache
def _library() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
