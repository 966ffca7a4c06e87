"""Results that a process keeps by sort and key, as many as fit into so many bytes, for threads that may ask at once.

    cache = ProcessCache(256 << 20)
    cache.get("statistics", treebank.content_hash, lambda: statistics(treebank))

Results share what they are made of: a parse its text, and all parses of a text the same. So now and then all are
measured together, the last used first, and what is shared counts once.
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
IN_USE = 32  # the last used stay, whatever they take: a page that draws a large text needs its own again and again
ROOM = 8  # once there is too much, an eighth of the limit is made free: else each new result would measure all

T = TypeVar("T")


def cache_bytes(environment: Mapping[str, str]) -> int:
    """How many bytes a process keeps: ``WORKBENCH_CACHE`` in MB, else ``MEGABYTES``. Raises WorkbenchError."""
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
    """What a process knows. The first to ask for a result makes it, others that ask meanwhile wait for it.

    A computation that raises leaves nothing behind, so that the next one to ask tries again.

    Parameters
    ----------
    limit : int
        Bytes. Where results come to more, those that were not asked for the longest are let go, except the last
        ``IN_USE``.
    outside : tuple of type
        What results may refer to and is none of theirs: the store, for one.
    """

    def __init__(self, limit: int, outside: tuple[type, ...] = ()):
        self._limit, self._outside = limit, (*outside, ProcessCache)
        self._lock = threading.Lock()  # guards the fields below; never held while a result is made or measured
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()  # the last used last
        self._size = 0  # about; too much where new results share what the others have
        self._measuring = threading.Lock()

    def get(self, sort: str, key: Hashable, make: Callable[[], T]) -> T:
        """The result of a sort under ``key``, made by ``make()`` where it is not there."""
        place = sort, key
        with self._lock:
            entry = self._entries.setdefault(place, _Entry())
            self._entries.move_to_end(place)
        with entry.lock:
            if entry.made:
                return entry.value
            try:
                entry.value = make()
            except BaseException:
                self._remove([(place, entry)])
                raise
            entry.made = True
        self._make_room(place, entry)
        return entry.value

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """About how many bytes all results take; never less."""
        return self._size

    def clear(self) -> None:
        """Let all go: nobody is at work."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def _make_room(self, place, entry):
        added = size_of(place) + size_of(entry, self._outside)
        with self._lock:
            self._entries[place] = entry  # which may have been let go while it was made
            self._size += added
            if self._size <= self._limit:
                return
        if self._measuring.acquire(blocking=False):
            try:
                self._let_go()
            finally:
                self._measuring.release()

    def _let_go(self):
        """Measure all together, the last used first, and let go what does not fit."""
        with self._lock:
            found = list(reversed(self._entries.items()))
        seen, total, most = set(), 0, self._limit - self._limit // ROOM
        for number, (place, entry) in enumerate(found):
            size = size_of(place, (), seen) + size_of(entry, self._outside, seen)
            if number >= IN_USE and total + size > most:
                self._remove(found[number:])
                break
            total += size
        with self._lock:
            self._size = total

    def _remove(self, entries):
        with self._lock:
            for place, entry in entries:
                if self._entries.get(place) is entry:
                    del self._entries[place]
