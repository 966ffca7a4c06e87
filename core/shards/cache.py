"""A cache of values made from the parts of a text, which each iteration of training needs again."""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

CACHE_BYTES = 400 << 20

T = TypeVar("T")


class Cache:
    """Values by owner and key, at most ``limit`` bytes of them; an engine has one in each process."""

    def __init__(self, limit: float = CACHE_BYTES):
        self.limit = limit
        self._lock, self._entries, self._used = threading.Lock(), {}, 0

    def get(self, owner: Hashable, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """The value under a key, as for ``cached``."""
        with self._lock:
            if (owner, key) in self._entries:
                return self._entries[owner, key][0]
        value = make()
        needed = size(value)
        with self._lock:
            if self._used + needed > self.limit:  # values of other owners make room
                self._entries = {name: entry for name, entry in self._entries.items() if name[0] == owner}
                self._used = sum(entry_size for _, entry_size in self._entries.values())
            if self._used + needed <= self.limit and (owner, key) not in self._entries:
                self._entries[owner, key] = value, needed
                self._used += needed
        return value


_current: ContextVar[Cache | None] = ContextVar("_current", default=None)


@contextmanager
def caching_in(cache: Cache) -> Iterator[None]:
    """Within the block, ``cached`` uses this cache."""
    token = _current.set(cache)
    try:
        yield
    finally:
        _current.reset(token)


def cached(owner: Hashable, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """``make()``, or its value from the cache of the engine that is at work, if any.

    Parameters
    ----------
    owner : hashable
        Such as the settings of a training; where room is short, values of other owners are dropped.
    key : hashable
    make : callable
        Returns the same value each time; the value is never written to.
    size : callable
        The bytes of a value.
    """
    cache = _current.get()
    return make() if cache is None else cache.get(owner, key, make, size)
