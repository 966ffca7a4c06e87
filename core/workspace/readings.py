"""Files that are read in processes of their own, while pages ask how far they are and others work on.

A page asks again and again: it gets the result from the workspace's cache, or hears that it is still being read. The
reading ends when nobody who asked is there any more.
"""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError
from core.processes.apart import ApartLimits, ApartPool
from core.workspace.cache import ProcessCache

SMALL = 1 << 16  # bytes that any reader is done with before somebody else notices
AT_ONCE = 2  # processes that read
CONVERT = "python -m core corpus convert FILE --out FILE.conllu reads any size on the command line"
LIMITS = ApartLimits(seconds=120, memory=2 << 30, instead=f"cut it into parts; {CONVERT}")

T = TypeVar("T")


@dataclass(frozen=True)
class Asker:
    """Who waits for a file: ``place`` names it, such as a field of a tab, which exists while ``is_here()`` says so."""

    place: Hashable
    is_here: Callable[[], bool] = lambda: True


class Reading(Exception):
    """How far it is with a file; raised in place of a result while it is being read.

    Attributes
    ----------
    name : str
        The file's.
    waits : bool
        Whether it waits for others to be read.
    seconds : float
        For how long it has been read, or has waited.
    ended : bool
        Whether there is a result, or an error, that the place has not asked for yet.
    error : exception or None
        What there is instead of a result.
    """

    def __init__(self, name: str, waits: bool, seconds: float, ended: bool, error: BaseException | None):
        super().__init__(f"{name} is being read")
        self.name, self.waits, self.seconds, self.ended, self.error = name, waits, seconds, ended, error


class Stopped(WorkbenchError):
    """Raised in place of a result: somebody did not want to wait for it."""


class Readings:
    """What is being read by this process, by kind and key of its results in a cache.

    Parameters
    ----------
    cache : ProcessCache
    limit : int
        How many are read at once; others wait.
    """

    def __init__(self, cache: ProcessCache, limit: int = AT_ONCE):
        self._cache, self._pool = cache, ApartPool(limit)
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, Hashable], _Work] = {}
        self._asked: dict[Hashable, tuple[Asker, _Work]] = {}  # by place

    def find(self, kind: str, key: Hashable, asker: Asker, name: str, read: Callable[[Cancel], T]) -> T:
        """The result of a kind under ``key``, as the cache has it.

        Where it is not there, a thread begins with ``read(cancel)``, which is to work in a process of its own. Until it
        has ended, Reading is raised. A place waits for one thing: what it asked for before is given up.

        Raises
        ------
        Reading : not yet; ``name`` is what is read.
        Stopped : after ``stop``, until the place leaves.
        WorkbenchError : what ``read`` raised, as often as the place asks.
        """
        at = kind, key
        work = self._waited_for(asker.place, at)
        if work is None:
            try:
                found = self._cache.get(kind, key, _absent)
            except _Absent:
                work = self._begun(at, asker, name, read)
            else:
                self.leave(asker.place)
                return found
        if work.error is not None:
            raise work.error.with_traceback(None)
        if not work.results:
            raise work.reading()
        self.leave(asker.place)
        results = work.results
        return self._cache.get(kind, key, lambda: results[0])

    def look(self, place: Hashable) -> Reading | None:
        """How far the reading is that a place waits for; None where it waits for none, or has heard of the result."""
        with self._lock:
            _, work = self._asked.get(place, (None, None))
        return None if work is None else work.reading()

    def stop(self, place: Hashable) -> None:
        """Let a place's reading end, if nobody else waits for it, and say so there."""
        with self._lock:
            if place in self._asked:
                asker, work = self._asked[place]
                stopped = Stopped(f"reading {work.name} was stopped")
                self._asked[place] = asker, _Work(work.at, work.name, stopped)

    def leave(self, place: Hashable) -> None:
        """A place waits for nothing any more, and what became of what it waited for is forgotten."""
        with self._lock:
            self._asked.pop(place, None)

    def _waited_for(self, place, at):
        with self._lock:
            _, work = self._asked.get(place, (None, None))
        return work if work is not None and work.at == at else None

    def _begun(self, at, asker, name, read):
        """The _Work that a place now waits for."""
        with self._lock:
            self._asked = {place: held for place, held in self._asked.items() if held[0].is_here()}
            work = self._under_way.get(at)
            if work is None:
                work = self._under_way[at] = _Work(at, name)
                threading.Thread(target=self._read, args=(work, read), name="reading", daemon=True).start()
            self._asked[asker.place] = asker, work
            return work

    def _read(self, work, read):
        """In a thread: whatever happens in here, the next one to ask has it read again."""

        def is_given_up():
            with self._lock:
                held = list(self._asked.values())
            return not any(of is work and asker.is_here() for asker, of in held)

        found: list = []
        error: BaseException | None = None
        try:
            with self._pool.place(is_given_up):
                work.begun = time.monotonic()
                found.append(read(is_given_up))
            kind, key = work.at
            self._cache.get(kind, key, lambda: found[0])
        except Cancelled:
            pass  # a place that has come since asks again
        except BaseException as problem:  # the end of a thread: who asks hears of it
            error = problem
        with self._lock:
            del self._under_way[work.at]
            work.results, work.error = found, error
            if error is None and not found:
                self._asked = {place: held for place, held in self._asked.items() if held[1] is not work}


@dataclass(eq=False)
class _Work:
    """One reading: what is read, and its result or the error that it ended with, until the places have heard of it."""

    at: tuple[str, Hashable]
    name: str
    error: BaseException | None = None
    results: list = field(default_factory=list)
    asked: float = field(default_factory=time.monotonic)
    begun: float | None = None

    def reading(self):
        since = self.asked if self.begun is None else self.begun
        ended = bool(self.results) or self.error is not None
        return Reading(self.name, self.begun is None, time.monotonic() - since, ended, self.error)


class _Absent(Exception):
    """It is not in the cache."""


def _absent():
    raise _Absent
