"""Files that are read in processes of their own, while pages ask for progress and other work goes on.

A page asks again and again. It gets the result from the workspace's cache, or Reading with the progress. The reading is
cancelled when all pages that asked are closed.
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

SMALL = 1 << 16  # bytes that any reader reads without a noticeable delay
AT_ONCE = 2  # processes that read
CONVERT = "python -m core corpus convert FILE --out FILE.conllu reads any size on the command line"
LIMITS = ApartLimits(seconds=120, memory=2 << 30, instead=f"cut it into parts; {CONVERT}")

T = TypeVar("T")


@dataclass(frozen=True)
class Asker:
    """A widget that waits for a file; ``is_here()`` says whether its page is still open."""

    widget: Hashable
    is_here: Callable[[], bool] = lambda: True


class Reading(Exception):
    """The progress of reading a file; raised in place of a result while it is being read.

    Attributes
    ----------
    name : str
        Of the file.
    waits : bool
        Whether it waits for other files to be read.
    seconds : float
        For which it has been read, or has waited.
    ended : bool
        Whether there is a result, or an error, that the widget has not asked for yet.
    error : exception or None
        The error that the reading ended with.
    """

    def __init__(self, name: str, waits: bool, seconds: float, ended: bool, error: BaseException | None):
        super().__init__(f"{name} is being read")
        self.name, self.waits, self.seconds, self.ended, self.error = name, waits, seconds, ended, error


class Stopped(WorkbenchError):
    """Raised in place of a result after ``Readings.stop``."""


class Readings:
    """The files being read for this process, by kind and key of their results in a cache.

    Parameters
    ----------
    cache : ProcessCache
    limit : int
        How many are read at once; others wait.
    """

    def __init__(self, cache: ProcessCache, limit: int = AT_ONCE):
        self._cache, self._pool = cache, ApartPool(limit)
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, Hashable], _Work] = {}  # by kind and key
        self._asked: dict[Hashable, tuple[Asker, _Work]] = {}  # by widget

    def find(self, kind: str, key: Hashable, asker: Asker, name: str, read: Callable[[Cancel], T]) -> T:
        """The cached result of a kind under ``key``.

        If there is none, a thread calls ``read(cancel)``, which works in a process of its own; Reading is raised until
        it has ended. A widget waits for one result: asking for another one gives up the first.

        Raises
        ------
        Reading : there is no result yet; ``name`` is that of the file.
        Stopped : after ``stop``, until the widget leaves.
        WorkbenchError : what ``read`` raised, each time that the widget asks.
        """
        with self._lock:
            _, work = self._asked.get(asker.widget, (None, None))
        if work is None or work.key != (kind, key):
            try:
                result = self._cache.get(kind, key, _absent)
            except _Absent:
                work = self._start((kind, key), asker, name, read)
            else:
                self.leave(asker.widget)
                return result
        if work.error is not None:
            raise work.error.with_traceback(None)
        if not work.results:
            raise work.reading()
        self.leave(asker.widget)
        results = work.results
        return self._cache.get(kind, key, lambda: results[0])

    def look(self, widget: Hashable) -> Reading | None:
        """The progress of the reading that a widget waits for; None without one, or once it got the result."""
        with self._lock:
            _, work = self._asked.get(widget, (None, None))
        return None if work is None else work.reading()

    def stop(self, widget: Hashable) -> None:
        """End a widget's reading, if no other waits for it; from now on ``find`` raises Stopped there."""
        with self._lock:
            if widget in self._asked:
                asker, work = self._asked[widget]
                stopped = Stopped(f"reading {work.name} was stopped")
                self._asked[widget] = asker, _Work(work.key, work.name, stopped)

    def leave(self, widget: Hashable) -> None:
        """End a widget's waiting, and forget the result or error that it waited for."""
        with self._lock:
            self._asked.pop(widget, None)

    def _start(self, key, asker, name, read):
        """The _Work that a widget now waits for, in a new thread if there is none yet."""
        with self._lock:
            self._asked = {widget: entry for widget, entry in self._asked.items() if entry[0].is_here()}
            work = self._under_way.get(key)
            if work is None:
                work = self._under_way[key] = _Work(key, name)
                threading.Thread(target=self._read, args=(work, read), name="reading", daemon=True).start()
            self._asked[asker.widget] = asker, work
            return work

    def _read(self, work, read):
        """Runs in a thread; however it ends, the next widget to ask starts a new one."""

        def is_given_up():
            with self._lock:
                asked = list(self._asked.values())
            return not any(other is work and asker.is_here() for asker, other in asked)

        results: list = []
        error: BaseException | None = None
        try:
            with self._pool.place(is_given_up):
                work.started = time.monotonic()
                results.append(read(is_given_up))
            kind, key = work.key
            self._cache.get(kind, key, lambda: results[0])
        except Cancelled:
            pass  # a widget that waits since then asks again
        except BaseException as problem:  # the thread ends here: those who ask get its error
            error = problem
        with self._lock:
            del self._under_way[work.key]
            work.results, work.error = results, error
            if error is None and not results:
                self._asked = {widget: entry for widget, entry in self._asked.items() if entry[1] is not work}


@dataclass(eq=False)
class _Work:
    """One reading by kind and key, with its result or the error that it ended with."""

    key: tuple[str, Hashable]
    name: str
    error: BaseException | None = None
    results: list = field(default_factory=list)
    asked: float = field(default_factory=time.monotonic)
    started: float | None = None

    def reading(self):
        since = self.asked if self.started is None else self.started
        ended = bool(self.results) or self.error is not None
        return Reading(self.name, self.started is None, time.monotonic() - since, ended, self.error)


class _Absent(Exception):
    """The result is not in the cache."""


def _absent():
    raise _Absent
