"""The one thread pool: whole-corpus work runs here, over kernels that release the interpreter lock.

Nothing else in the project starts threads for computation (jobs have a thread of their own and call this). What is
only waited for, a library or a model that loads, gets a daemon thread of its own.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from core.errors import Cancelled, WorkbenchError, quoted

# Matrix libraries that start threads of their own fight with ours over the cores: a dot product of 100,000 numbers
# then takes up to ten times as long as on one thread. The object must live as long as the limit.
BLAS_LIMIT = threadpool_limits(1, user_api="blas")
NAME = "pool of core.threads"
ENVIRONMENT, NICE = "WORKBENCH_NICE", 19  # of the scale from 0, the usual priority, to 19, the lowest
LOOK = 0.1  # seconds between two looks at ``cancel``
_LIMIT: ContextVar[int | None] = ContextVar("cores", default=None)

T = TypeVar("T")


def core_count() -> int:
    """How many cores this process may use, or the caller of ``limited_to``."""
    limit = _LIMIT.get()
    if limit is not None:
        return limit
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        return os.cpu_count() or 1


@contextmanager
def limited_to(count: int) -> Iterator[None]:
    """Work started inside takes at most so many cores: others work beside it on the rest."""
    token = _LIMIT.set(max(1, count))
    try:
        yield
    finally:
        _LIMIT.reset(token)


def niceness(environment: Mapping[str, str]) -> int:
    """The niceness of jobs, 0 to 19: ``WORKBENCH_NICE``, else ``NICE``. Raises WorkbenchError."""
    text = environment.get(ENVIRONMENT) or str(NICE)
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) < 20):
        raise WorkbenchError(f"{ENVIRONMENT} is how far jobs stand behind pages, 0 to 19, not {quoted(text)!r}")
    return int(text)


def lower_priority() -> None:
    """Lower the priority of the calling thread, so that answers to people come first where all cores are busy.

    On Linux, where threads have priorities of their own; elsewhere, and where a sandbox forbids it, nothing happens.
    Raises WorkbenchError as ``niceness``.
    """
    least = niceness(os.environ)
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):  # work goes on at the usual priority
            os.setpriority(os.PRIO_PROCESS, thread, max(least, os.getpriority(os.PRIO_PROCESS, thread)))


def split(costs: np.ndarray, parts: int) -> list[tuple[int, int]]:
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
    ends = np.concatenate(([0.0], np.cumsum(np.asarray(costs, dtype=np.float64))))
    targets = ends[-1] * np.arange(1, parts) / parts
    after = np.clip(np.searchsorted(ends, targets), 1, count)
    nearest = after - (targets - ends[after - 1] < ends[after] - targets)
    cuts = np.unique(np.concatenate(([0], nearest, [count])))
    return [(int(begin), int(end)) for begin, end in pairwise(cuts)]


def batches(sizes: np.ndarray, most: int, begin: int = 0) -> Iterator[tuple[int, int]]:
    """(first, end) of runs of items, numbered from ``begin``, whose sizes come to ``most``; or of one larger item."""
    first, total = begin, 0
    for at, size in enumerate(sizes.tolist(), start=begin):
        if at > first and total + size > most:
            yield first, at
            first, total = at, 0
        total += size
    if len(sizes):
        yield first, begin + len(sizes)


def run_ranges(function: Callable[[int, int], T], costs: np.ndarray, threads: int | None = None) -> list[T]:
    """Run ``function(begin, end)`` over ranges of items in the pool; returns the results in order.

    ``threads=None`` uses all cores; ``threads=1`` runs in the calling thread, which also does what no thread of the
    pool has begun with. The first exception is raised again here. ``function`` must spend its time in kernels compiled
    with ``nogil=True``. Within a function that runs in the pool, another call stays in that thread: were all of them to
    wait for the pool, nothing would go on.
    """
    if len(costs) == 1:  # a sentence alone should not wait for the questions below
        return [function(0, 1)]
    inside = threading.current_thread().name.startswith(NAME)
    ranges = split(costs, 1 if inside else threads or core_count())
    if len(ranges) <= 1:
        return [function(begin, end) for begin, end in ranges]
    futures = [shared_pool().submit(function, begin, end) for begin, end in ranges[1:]]
    first = function(*ranges[0])  # the calling thread works too
    for number, bounds in enumerate(ranges[1:]):
        if futures[number].cancel():  # others have the cores
            futures[number] = Future()
            _settle(futures[number], function, *bounds)
            if futures[number].exception() is not None:
                break
    return [first, *(future.result() for future in futures)]


def run_cancellable(function: Callable[[], T], cancel: Callable[[], bool] | None = None) -> T:
    """``function()``; Cancelled as soon as ``cancel()`` says so, whatever the function has still to do.

    For loading libraries and models and indexing a text, which takes seconds, nothing can interrupt and leaves no
    half-done work: what is loaded after a cancel is there for the next time. Without ``cancel`` it runs in the calling
    thread.
    """
    if cancel is None:
        return function()
    loading = Future()
    threading.Thread(target=_settle, args=(loading, function), name="loading", daemon=True).start()
    while not wait([loading], LOOK).done:
        if cancel():
            raise Cancelled
    return loading.result()


def _settle(future, function, *arguments):
    """Call the function; the future gets its result or exception."""
    try:
        future.set_result(function(*arguments))
    except BaseException as error:
        future.set_exception(error)


@cache
def shared_pool() -> ThreadPoolExecutor:
    """The one pool of the process."""
    return ThreadPoolExecutor(max_workers=max(1, core_count()), thread_name_prefix=NAME, initializer=lower_priority)
