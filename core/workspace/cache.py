"""A few results kept by key, for threads that may ask for the same one at once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class BoundedCache:
    """The last ``size`` results by key; the first to ask computes one, others that ask meanwhile wait for it.

    A computation that raises leaves nothing behind, so that the next one to ask tries again.
    """

    def __init__(self, size: int):
        self._size = size
        self._lock = threading.Lock()  # guards the dict; never held while a result is computed
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result under ``key``, made by ``make()`` where it is not there yet."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                entry = self._entries[key] = _Entry()
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        with entry.lock:
            if not entry.made:
                entry.value = make()
                entry.made = True
            return entry.value

    def __len__(self):
        return len(self._entries)


class ProcessCache:
    """What a process knows: of each kind of results the last few.

    Parameters
    ----------
    **sizes : int
        How many of a kind are kept.
    """

    def __init__(self, **sizes: int):
        self._kinds = {kind: BoundedCache(size) for kind, size in sizes.items()}

    def get(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        """As ``BoundedCache.get`` among the results of a kind."""
        return self._kinds[kind].get(key, make)


class _Entry:
    def __init__(self):
        self.lock = threading.Lock()
        self.made = False
        self.value: Any = None
