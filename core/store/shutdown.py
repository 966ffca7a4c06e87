"""The orderly shutdown of a database: running transactions end, and an SQLite file is complete without its log.

SQLite writes recent changes to a log (``-wal``). It copies them to the store now and then, and when the last connection
of all processes is closed. A process that ends by a signal closes none. So each process copies the log at its end.
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

PATIENCE = 10.0  # seconds that a shutdown waits for transactions

log = logging.getLogger(__name__)


class Shutdown:
    """Counts the running transactions of a database, in all threads, and waits for their end.

    Parameters
    ----------
    engine : Engine
    answers : QueryCache
        The cache of the engine, which has a connection of its own.
    location : str
        The name of the database in messages.
    """

    def __init__(self, engine: Engine, answers: QueryCache, location: str):
        self._engine, self._answers, self._location = engine, answers, location
        self._changed, self._count, self._is_over = threading.Condition(), 0, False
        self._process = os.getpid()
        self.file: Path | None = None  # of SQLite

    def at_exit(self, owner: object) -> None:
        """End the database when ``owner`` is garbage-collected, at the latest with the interpreter."""
        weakref.finalize(owner, self.end)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Count a transaction. Raises StoreError once the database has ended."""
        with self._changed:
            if self._is_over:
                raise StoreError(
                    f"The store {self._location} was closed, for the workbench is being stopped; start it again"
                )
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Close the connections; the next transaction opens them again."""
        self._answers.close()
        self._engine.dispose()
        if self.file is not None:
            copy_log(self.file)

    def end(self) -> None:
        """Refuse new transactions, wait for running ones, and close the connections.

        Does nothing in a process forked from the one that opened the database.
        """
        if os.getpid() != self._process:
            return
        with self._changed:
            self._is_over = True
            if not self._changed.wait_for(lambda: self._count == 0, PATIENCE):
                log.warning("the store was closed under %d transactions, which will not be kept", self._count)
        self.close()


def copy_log(file: Path) -> None:
    """Copy the log beside an SQLite file into it, as far as other processes allow."""
    try:
        if not Path(f"{file}-wal").stat().st_size:
            return
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except FileNotFoundError:  # the last connection has removed it
        return
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        log.warning(
            "the log beside the store could not be moved over: %s", error
        )  # it stays, and is read with the store
