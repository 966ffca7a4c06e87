"""A cache of the store's answers, valid until a process writes to the store.

Both databases have a version number that changes with each write, which one query without a transaction reads. A page
asks for the same dozens of small answers on every rerun, and most often nobody has written in between.
"""

import functools
import threading
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError

MOST = 4096  # answers
VERSION = {  # the query for a value that changes with each write, by dialect
    "sqlite": "PRAGMA data_version",
    "postgresql": "SELECT pg_current_snapshot()::text",  # the transactions that have ended
}

T = TypeVar("T")
_MOMENT: ContextVar["Moment | None"] = ContextVar("moment", default=None)


class Moment:
    """A thread's view of one database: the version is read once, and answers stay valid until the thread writes.

    Attributes
    ----------
    is_over : bool
        Whether the thread has written.
    """

    def __init__(self, answers: "QueryCache"):
        self.answers = answers
        self.version: tuple[int, Hashable] | None = None
        self.known: dict[Hashable, Any] = {}
        self.is_over = False


class QueryCache:
    """The answers of one database, shared by all threads.

    Parameters
    ----------
    engine : Engine
    """

    def __init__(self, engine: Any):
        self._engine = engine
        self._version_query = VERSION.get(engine.dialect.name)  # without one no answer is cached
        self._lock = threading.Lock()
        self.watch = None  # a connection that only reads the version: all writes are those of others
        self._version: tuple[int, Hashable] | None = None
        self._known = {}
        self._count = 0  # how often the version was read
        self._openings = 0  # how often the watch was opened: SQLite counts versions anew for each connection

    def begin_moment(self) -> Moment:
        """Let this thread see one version, until it writes."""
        _MOMENT.set(moment := Moment(self))
        return moment

    def end_moment(self) -> None:
        """End the moment of this thread, if it has one, since it has written."""
        moment = _MOMENT.get()
        if moment is not None and moment.answers is self:
            moment.is_over = True
            _MOMENT.set(None)

    def get(self, key: Hashable, read: Callable[[], T], at_once: bool = False) -> T:
        """The cached result of ``read()`` at this thread's moment, or with ``at_once`` at the current version."""
        moment = None if at_once else _MOMENT.get()
        if moment is None or moment.answers is not self:
            moment = Moment(self)
        elif key in moment.known:
            return moment.known[key]
        if self._version_query is None:
            return read()
        count = self._count
        with self._lock:
            if moment.version is None:  # another thread may have read it since this call
                moment.version = self._version if self._count > count else self._read_version()
            version = moment.version
            if version is not None and version == self._version and key in self._known:
                moment.known[key] = answer = self._known[key]
                return answer
        answer = read()  # of this version, or of a newer one, with which the next call forgets it
        with self._lock:
            if version is not None and version == self._version and len(self._known) < MOST:
                self._known[key] = answer
        moment.known[key] = answer
        return answer

    def close(self) -> None:
        """Forget all answers, and close the connection; the next call opens it again."""
        with self._lock:
            self._close_watch()
            self._version, self._known = None, {}

    def _close_watch(self):
        watch, self.watch = self.watch, None
        if watch is not None:
            watch.dbapi_connection.close()  # without a rollback, which a broken connection refuses

    def _read_version(self):
        """The version of the database for this connection, or None; answers of another version are forgotten."""
        self._count += 1
        try:
            if self.watch is None:
                self.watch, self._openings = self._engine.raw_connection(), self._openings + 1
                if self._engine.dialect.name == "sqlite":  # here all threads wait: reads wait for a locked file instead
                    self.watch.driver_connection.execute("PRAGMA busy_timeout = 0")
                else:
                    self.watch.driver_connection.autocommit = True
                self.watch.detach()  # from the pool
            cursor = self.watch.cursor()
            cursor.execute(self._version_query)
            ((counted,),) = cursor.fetchall()
        except (self._engine.dialect.loaded_dbapi.Error, DBAPIError, UnicodeDecodeError):
            self._close_watch()  # locked, damaged or gone: the read that follows raises an error
            self._version, self._known = None, {}
            return None
        version = self._openings, counted
        if version != self._version:
            self._version, self._known = version, {}
        return version


def cached(read: Callable) -> Callable:
    """A reading method of the store with its answers in the QueryCache; callers do not change them."""

    @functools.wraps(read)
    def cached_read(self, *args, **kwargs):
        key = (read.__name__, self.database.person, args, tuple(kwargs.items()))
        answer = self.database.answers.get(key, lambda: read(self, *args, **kwargs))
        return list(answer) if isinstance(answer, list) else answer

    return cached_read
