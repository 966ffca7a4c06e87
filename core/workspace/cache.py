"""A cache of results by kind and key, bounded by bytes; several threads may ask at once.

    cache = ProcessCache(256 << 20)
    cache.get("statistics", treebank.content_hash, lambda: statistics(treebank))

Results share what they are made of: all parses of a text hold the same text. So all are measured together now and then,
the last used first, and what they share counts once.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.errors import WorkbenchError, quoted
from core.workspace.sizes import size_of

MEGA = 1 << 20
ENVIRONMENT, MEGABYTES = "WORKBENCH_CACHE", 256
IN_USE = 32  # results used last stay, however large: a page that draws a large text needs its own again and again
FREED = 8  # a full cache frees an eighth of its limit, so that not every new result has all measured

T = TypeVar("T")


def cache_bytes(environment: Mapping[str, str]) -> int:
    """The limit of the cache in bytes: ``WORKBENCH_CACHE`` in MB, else ``MEGABYTES``. Raises WorkbenchError."""
    text = environment.get(ENVIRONMENT) or str(MEGABYTES)
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise WorkbenchError(
            f"{ENVIRONMENT} is how many MB of results a process keeps, such as {MEGABYTES}, not {quoted(text)!r}"
        )
    return int(text) * MEGA


@dataclass(eq=False)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    made: bool = False
    value: Any = None


class ProcessCache:
    """The cache of a process. The first thread to ask for a result makes it; others that ask meanwhile wait for it.

    A computation that raises leaves nothing behind, so that the next thread to ask tries again.

    Parameters
    ----------
    limit : int
        Bytes. Above it, results are evicted that were not asked for the longest, except the last ``IN_USE``.
    outside : tuple of type
        Instances of these, such as the store, do not count as part of a result that refers to them.
    """

    def __init__(self, limit: int, outside: tuple[type, ...] = ()):
        self._limit, self._outside = limit, (*outside, ProcessCache)
        self._lock = threading.Lock()  # guards the fields below; never held while a result is made or measured
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()  # the last used last
        self._size = 0  # an upper bound: new results may share what the others hold
        self._measuring = threading.Lock()

    def get(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        """The result of a kind under ``key``, made by ``make()`` if it is not there."""
        entry_key = kind, key
        with self._lock:
            entry = self._entries.setdefault(entry_key, _Entry())
            self._entries.move_to_end(entry_key)
        with entry.lock:
            if entry.made:
                return entry.value
            try:
                entry.value = make()
            except BaseException:
                self._remove([(entry_key, entry)])
                raise
            entry.made = True
        added = size_of(entry_key) + size_of(entry, self._outside)
        with self._lock:
            self._entries[entry_key] = entry  # which may have been evicted while it was made
            self._size += added
            is_full = self._size > self._limit
        if is_full and self._measuring.acquire(blocking=False):
            try:
                self._evict()
            finally:
                self._measuring.release()
        return entry.value

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """An upper bound of the bytes that all results take."""
        return self._size

    def clear(self) -> None:
        """Forget all results."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def _evict(self):
        """Measure all results together, the last used first, and remove those that do not fit."""
        with self._lock:
            entries = list(reversed(self._entries.items()))
        seen, total, most = set(), 0, self._limit - self._limit // FREED
        for number, (key, entry) in enumerate(entries):
            size = size_of(key, (), seen) + size_of(entry, self._outside, seen)
            if number >= IN_USE and total + size > most:
                self._remove(entries[number:])
                break
            total += size
        with self._lock:
            self._size = total

    def _remove(self, entries):
        with self._lock:
            for key, entry in entries:
                if self._entries.get(key) is entry:
                    del self._entries[key]
