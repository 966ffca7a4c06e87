"""The one thread pool: whole-corpus work runs here, over kernels that release the interpreter lock.

Nothing else in the project starts threads for computation (jobs have a thread of their own and call this).
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import numpy as np
from threadpoolctl import threadpool_limits

# Matrix libraries that start threads of their own fight with ours over the cores: a dot product of 100,000 numbers
# then takes up to ten times as long as on one thread. The object must live as long as the limit.
BLAS_LIMIT = threadpool_limits(1, user_api="blas")


def core_count():
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        return os.cpu_count() or 1


def split(costs, parts):
    """Cut 0..len(costs) into at most ``parts`` contiguous ranges of about equal total cost.

    Parameters
    ----------
    costs : ndarray of shape (S,)
        Non-negative cost of each item.
    parts : int

    Returns
    -------
    list of (begin, end)
        Non-empty ranges that cover 0..S in order; the list is empty when S is 0.
    """
    count = len(costs)
    if count == 0:
        return []
    total = np.cumsum(np.asarray(costs, dtype=np.float64))
    targets = total[-1] * np.arange(1, parts) / parts
    cuts = np.unique(np.concatenate(([0], np.searchsorted(total, targets), [count])))
    return [(int(begin), int(end)) for begin, end in pairwise(cuts)]


def run_ranges(function, costs, threads=None):
    """Run ``function(begin, end)`` over ranges of items in the pool; returns the results in order.

    ``threads=None`` uses all cores; ``threads=1`` runs in the calling thread. The first exception is raised
    again here. ``function`` must spend its time in kernels compiled with ``nogil=True``.
    """
    ranges = split(costs, threads or core_count())
    if len(ranges) <= 1:
        return [function(begin, end) for begin, end in ranges]
    futures = [_pool().submit(function, begin, end) for begin, end in ranges[1:]]
    first = function(*ranges[0])  # the calling thread works too
    return [first, *(future.result() for future in futures)]


@cache
def _pool():
    return ThreadPoolExecutor(max_workers=max(1, core_count()), thread_name_prefix="core")
