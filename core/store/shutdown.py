"""The orderly end of a database: what is under way is waited for, and an SQLite file is whole without its log.

SQLite keeps what was written last in a file of its own (``-wal``). It moves that over now and then, and when the last
connection of all processes is closed. Who is ended by a signal closes none. So each process moves it over at its end.
"""

import logging
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine

from core.errors import StoreError
from core.store.query_cache import QueryCache

PATIENCE = 10.0  # seconds that an end waits for transactions under way

log = logging.getLogger(__name__)


class Ending:
    """Counts the transactions of a database, for any number of threads, and ends them.

    Parameters
    ----------
    engine : Engine
    answers : QueryCache
        The one of the engine, which has a connection of its own.
    place : str
        How messages name the database.
    """

    def __init__(self, engine: Engine, answers: QueryCache, place: str):
        self._engine, self._answers, self._place = engine, answers, place
        self._changed, self._count, self._is_over = threading.Condition(), 0, False
        self._process = os.getpid()
        self.file: Path | None = None  # of SQLite

    def at_exit(self, owner: object) -> None:
        """End it when nobody has ``owner`` any more, at the latest with the interpreter."""
        weakref.finalize(owner, self.end)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Hold for a transaction; StoreError once the database was ended."""
        with self._changed:
            if self._is_over:
                raise StoreError(
                    f"The store {self._place} was closed, for the workbench is being stopped; start it again"
                )
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Let go of the connections; the next transaction opens them again."""
        self._answers.close()
        self._engine.dispose()
        if self.file is not None:
            move_log(self.file)

    def end(self) -> None:
        """Refuse what begins from now on, wait for what is under way, and let go of the connections.

        In a process that was forked from the one that opened the database there is nothing to end.
        """
        if os.getpid() != self._process:
            return
        with self._changed:
            self._is_over = True
            if not self._changed.wait_for(lambda: self._count == 0, PATIENCE):
                log.warning("the store was closed under %d transactions, which will not be kept", self._count)
        self.close()


def move_log(file: Path) -> None:
    """Move over what stands in the log beside an SQLite file, as far as other processes let it."""
    beside = Path(f"{file}-wal")
    try:
        if not beside.stat().st_size:
            return
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except FileNotFoundError:  # the last connection has taken it away
        return
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        # what it holds is on disk all the same, and read by who opens the store
        log.warning("the log beside the store could not be moved over: %s", error)
