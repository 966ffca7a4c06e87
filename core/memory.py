"""Memory that is free, given back to the system: Python and the C library otherwise keep it for later."""

import ctypes
import gc
import sys
from functools import cache


def give_back() -> None:
    """Collect garbage, and let the system have what is free. Takes a tenth of a second, in any thread.

    The second only where the C library can be asked to, which is GNU's.
    """
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)  # bytes to keep


@cache
def _trim():
    if sys.platform != "linux":
        return None
    try:
        return ctypes.CDLL(None).malloc_trim
    except AttributeError:  # another C library
        return None
