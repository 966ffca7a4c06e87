"""Answers of the store that stand for as long as nobody writes to it, in this process or another.

Both databases tell a connection, in one question without a transaction, whether others have written since it last
asked. A page asks for the same dozens of small things on every rerun; between two of them most often nobody has.
"""

import functools
import threading
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError

MOST = 4096  # answers
VERSION = {  # what is another one after each write, by dialect
    "sqlite": "PRAGMA data_version",
    "postgresql": "SELECT pg_current_snapshot()::text",  # which transactions have ended
}

T = TypeVar("T")
_MOMENT: ContextVar["Moment | None"] = ContextVar("the moment at which this thread looks at a store", default=None)


class Moment:
    """A thread's look at one database: the version is asked once, and answers stand until the thread writes.

    Attributes
    ----------
    is_over : bool
        Whether the thread has written since.
    """

    def __init__(self, answers: "QueryCache"):
        self.answers = answers
        self.version = None
        self.known: dict[Hashable, Any] = {}
        self.is_over = False


class QueryCache:
    """The answers of one database, for any number of threads.

    Parameters
    ----------
    engine : Engine
    """

    def __init__(self, engine: Any):
        self._engine = engine
        self._question = VERSION.get(engine.dialect.name)  # without one no answer is kept
        self._lock = threading.Lock()
        self.watch = None  # a connection through which nothing is read or written, so that others do all of it
        self._version, self._known = None, {}
        self._asked = 0  # how often the version was asked

    def begin_moment(self) -> Moment:
        """From now on, and until it writes, this thread sees one version."""
        _MOMENT.set(moment := Moment(self))
        return moment

    def end_moment(self) -> None:
        """This thread has written: its moment, if it has one, is over."""
        moment = _MOMENT.get()
        if moment is not None and moment.answers is self:
            moment.is_over = True
            _MOMENT.set(None)

    def get(self, key: Hashable, read: Callable[[], T], at_once: bool = False) -> T:
        """What ``read()`` gives at this thread's moment, or ``at_once``; not asked where it must be as before."""
        moment = None if at_once else _MOMENT.get()
        if moment is None or moment.answers is not self:
            moment = Moment(self)
        elif key in moment.known:
            return moment.known[key]
        if self._question is None:
            return read()
        asked = self._asked
        with self._lock:
            if moment.version is None:  # where another thread has begun to ask since, what it heard is news enough
                moment.version = self._version if self._asked > asked else self._renew()
            version = moment.version
            if version is not None and version == self._version and key in self._known:
                moment.known[key] = answer = self._known[key]
                return answer
        answer = read()  # as new as the version or newer; what was written since makes it another one when next asked
        with self._lock:
            if version is not None and version == self._version and len(self._known) < MOST:
                self._known[key] = answer
        moment.known[key] = answer
        return answer

    def close(self) -> None:
        """Forget all, and let go of the file; the next question opens it again."""
        with self._lock:
            self._let_go()
            self._version, self._known = None, {}

    def _let_go(self):
        watch, self.watch = self.watch, None
        if watch is not None:
            watch.dbapi_connection.close()  # at once: one that broke has nothing to be rolled back

    def _renew(self):
        """The version of the database, for this connection only; what was known of another is forgotten.

        None where that cannot be told.
        """
        self._asked += 1
        try:
            if self.watch is None:
                self.watch = self._engine.raw_connection()
                if self._engine.dialect.name == "sqlite":  # which knows no transactions but those it is told of
                    # a locked file is waited for by whoever reads, not here, where all wait for one
                    self.watch.driver_connection.execute("PRAGMA busy_timeout = 0")
                else:
                    self.watch.driver_connection.autocommit = True
                self.watch.detach()  # from the pool: it is nobody else's
            cursor = self.watch.cursor()
            cursor.execute(self._question)
            ((version,),) = cursor.fetchall()
        except (self._engine.dialect.loaded_dbapi.Error, DBAPIError, UnicodeDecodeError):
            self._let_go()  # locked, damaged or gone: whoever reads now says so in a sentence
            self._version, self._known = None, {}
            return None
        if version != self._version:
            self._version, self._known = version, {}
        return version


def kept(read: Callable) -> Callable:
    """A reading method of the store whose answer, which nobody changes, stands for as long as nobody writes."""

    @functools.wraps(read)
    def ask(self, *given, **named):
        key = (read.__name__, self.database.person, given, tuple(named.items()))
        answer = self.database.answers.get(key, lambda: read(self, *given, **named))
        return list(answer) if isinstance(answer, list) else answer

    return ask
