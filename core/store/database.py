"""One engine for any number of threads: a short transaction for each call, and the schema's version."""

import copy
import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, create_engine, event, inspect, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from core.errors import StoreError
from core.extras import require
from core.store.copies import sqlite_file
from core.store.endings import Ending
from core.store.failures import DAMAGED, explained, is_damaged
from core.store.places import database_url
from core.store.query_cache import QueryCache
from core.store.schema import SCHEMA_VERSION, members, metadata, schema

MUCH = 1 << 20  # bytes at once
OLDEST = 2  # version of the tables that can be brought up to date: that of release 0.1
SCHEMA_LOCK, NAMES_LOCK = 20091207, 20091208  # numbers of PostgreSQL's advisory locks
BUSY_SECONDS = 10.0  # that a call waits for another program which writes to an SQLite file
INCREMENTAL = 2  # SQLite's auto_vacuum that gives free pages back where it is asked to
PAGES = 1000  # of an SQLite file that are given back at once: others write in between

log = logging.getLogger(__name__)


class Database:
    """An opened database. ``read()`` and ``write()`` give a connection inside a transaction of its own.

    Older tables are brought up to date: those of an SQLite file at once, after a copy of it; those of a server, which
    other processes may be using, only where ``upgrade`` asks for it.
    """

    def __init__(self, url: str | URL | None = None, busy_seconds: float = BUSY_SECONDS, upgrade: bool = False):
        address = database_url(url)
        self.person = None  # on whose behalf transactions run; None is the local user
        self.is_sqlite = address.get_backend_name() == "sqlite"
        self.place: str = _place(address)
        self.address = address.render_as_string(hide_password=False)  # for a process of ours that opens the same
        engine = _engine(address, self.place, busy_seconds)
        # SQLite hands out its one write lock when a transaction begins, not when it first writes: one that reads, then
        # writes, can then neither deadlock nor be refused half-way. Elsewhere a reader sees one state only by asking
        # for it, and a writer sees what is there once it holds its lock.
        self.engine = engine if self.is_sqlite else engine.execution_options(isolation_level="REPEATABLE READ")
        self._asker = (
            engine.execution_options(begin=None)
            if self.is_sqlite
            else engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        self.writer = engine.execution_options(begin="BEGIN IMMEDIATE")
        self.answers = QueryCache(engine)
        self._ending = Ending(engine, self.answers, self.place)
        self._hold = _Hold()  # shared with views: while anybody has it, the database is in use
        self._ending.at_exit(self._hold)
        self.damages: dict[int, dict[tuple[str, str], str]] = {}  # project -> place of a document -> sentence
        self.upgraded_from: int | None = None  # the version that it had, where it was brought up to date
        self.copied_to: str | None = None  # the copy of it as it was
        try:
            self._prepare(address, busy_seconds, upgrade)
        except StoreError:
            self.close()
            raise

    def on_behalf_of(self, person: str | None) -> "Database":
        """The same database, its transactions marked as those of a person, or of the local user by None."""
        view = copy.copy(self)
        view.person = person
        view.engine = self.engine.execution_options(person=person)
        view._asker = self._asker.execution_options(person=person)
        view.writer = self.writer.execution_options(person=person)
        return view

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the store."""
        with self._ending.under_way(), self._explained(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def query(self) -> Iterator[Connection]:
        """A connection for a query that is whole by itself: a server is asked once, without a transaction around it.

        Each statement sees a state of its own.
        """
        with self._ending.under_way(), self._explained(), self._asker.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection whose changes are all kept, on disk, when the block ends, or none when it raises."""
        try:
            with self._ending.under_way(), self._explained(), self.writer.begin() as connection:
                yield connection
        finally:
            self.answers.end_moment()

    def note_damage(self, project: int, kind: str | None, found: dict[tuple[str, str], str]) -> None:
        """Keep what was found when all documents (of a kind) were read, in place of what was found there before."""
        before = self.damages.get(project, {})
        if found or before:
            others = {} if kind is None else {place: its for place, its in before.items() if place[0] != kind}
            self.damages[project] = others | found

    @property
    def folder(self) -> Path | None:
        """Where the file of an SQLite store is; None of a server's."""
        return None if self._ending.file is None else self._ending.file.parent

    def lock_names(self, connection: Connection) -> None:
        """Until the transaction ends nobody else gives a project a name."""
        self._lock(connection, NAMES_LOCK)

    def give_back(self) -> None:
        """Give room that was freed back to the disk, a few pages at a time; PostgreSQL's own autovacuum does.

        An SQLite file made by version 0.1 keeps it, to be filled again, until ``compact`` was called once.
        What cannot be done now is done the next time.
        """
        if not self.is_sqlite:
            return
        outside = self.engine.execution_options(begin=None)
        try:
            with explained(self.place), outside.begin() as connection:
                if connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() == INCREMENTAL:
                    cursor, former = connection.connection.cursor(), float("inf")
                    while 0 < (free := connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()) < former:
                        cursor.execute(f"PRAGMA incremental_vacuum({PAGES})")
                        cursor.fetchall()  # a step a page, of which SQLAlchemy would take the first alone
                        former = free
        except StoreError as error:
            log.warning("freed room stays in the store: %s", error)

    def compact(self) -> tuple[int, int]:
        """Write the whole database anew without free room, and from now on give it back; (bytes before, after).

        Others wait meanwhile, and the disk needs room for a second copy.
        """
        if not self.is_sqlite:
            with explained(self.place), self.engine.connect() as connection:
                raw = connection.execution_options(isolation_level="AUTOCOMMIT")  # VACUUM is no part of a transaction
                sizes = text("SELECT sum(pg_total_relation_size(:name))")

                def taken():
                    return sum(raw.execute(sizes, {"name": name}).scalar_one() for name in metadata.tables)

                before = taken()
                for name in metadata.tables:
                    raw.execute(text(f"VACUUM (FULL) {name}"))
                return int(before), int(taken())
        outside = self.engine.execution_options(begin=None)
        with explained(self.place), outside.begin() as connection:

            def size():
                asked = (connection.exec_driver_sql(f"PRAGMA page_{what}").scalar_one() for what in ("count", "size"))
                return math.prod(asked)

            before = size()
            connection.exec_driver_sql(f"PRAGMA auto_vacuum = {INCREMENTAL}")
            connection.exec_driver_sql("VACUUM")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return before, size()

    def close(self) -> None:
        """Let go of the connections; an SQLite file is whole then, unless others write to it."""
        self._ending.close()

    def end(self) -> None:
        """Close it for good: what is under way is waited for, what comes later refused."""
        self._ending.end()

    @contextmanager
    def _explained(self):
        """StoreError in place of the database's errors, also of those of a damaged file that look like ours."""
        try:
            with explained(self.place):
                yield
        except DBAPIError as error:
            if self.is_sqlite and is_damaged(self.engine):
                raise StoreError(f"The store {self.place} {DAMAGED}") from error
            raise

    def _lock(self, connection, number):
        if not self.is_sqlite:  # whose writers come one after the other anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})

    def _prepare(self, address, busy_seconds, upgrade):
        """Make the tables in an empty database, bring older ones up to date; refuse what is not ours, or newer."""
        with self.read() as connection:
            self._ending.file = sqlite_file(connection) if self.is_sqlite else None
            found = self._version(connection)
        if found is None:
            if self.is_sqlite:
                outside = self.engine.execution_options(begin=None)  # of transactions, as SQLite wants it
                with explained(self.place), outside.begin() as connection:
                    connection.exec_driver_sql(f"PRAGMA auto_vacuum = {INCREMENTAL}")  # before there is a table
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # readers never wait for the writer
            with self.write() as connection:
                self._lock(connection, SCHEMA_LOCK)  # two servers starting at once
                if self._version(connection) is None:
                    metadata.create_all(connection)
                    connection.execute(schema.insert().values(version=SCHEMA_VERSION))
                found = self._known_version(connection)
        if OLDEST <= found < SCHEMA_VERSION and (self.is_sqlite or upgrade):
            found = self._upgrade(address, busy_seconds)
        if found == SCHEMA_VERSION:
            return
        if OLDEST <= found < SCHEMA_VERSION:
            remedy = "keep a copy of it with pg_dump, stop each workbench on it, then run python -m core upgrade"
        else:
            first = "open it with version 0.1.0 of the workbench first, which brings it to version 2"
            remedy = "update the workbench" if found > SCHEMA_VERSION else first
            remedy += ", or name another store in WORKBENCH_DATABASE"
        raise StoreError(
            f"The store {self.place} has schema version {found} and this workbench works with version"
            f" {SCHEMA_VERSION}; {remedy}"
        )

    def _upgrade(self, address, busy_seconds):
        """All steps in one transaction; returns the version reached, by us or by whoever was faster."""
        from core.store.migrations import keep_copy, upgrade  # Alembic is seldom needed

        # SQLite changes a table by making it anew, which foreign keys that are watched would not let it do
        engine = _engine(address, self.place, busy_seconds, upgrade=True)
        try:
            with explained(self.place), engine.execution_options(begin="BEGIN IMMEDIATE").begin() as connection:
                self._lock(connection, SCHEMA_LOCK)
                found = self._known_version(connection)
                if found < SCHEMA_VERSION:
                    self.copied_to = keep_copy(connection, self.place, found) if self.is_sqlite else None
                    upgrade(connection, found)
                    self.upgraded_from = found
                    log.info("store upgraded from schema version %d to %d", found, SCHEMA_VERSION)
                return self._known_version(connection)
        finally:
            engine.dispose()

    def _known_version(self, connection) -> int:
        """The recorded version."""
        return connection.execute(select(schema.c.version)).scalar_one()

    def _version(self, connection) -> int | None:
        """The recorded version, None in an empty database."""
        tables = inspect(connection).get_table_names()
        if schema.name in tables:
            return self._known_version(connection)
        if tables:
            raise StoreError(
                f"The store {self.place} is another program's database (it has a table {tables[0]!r});"
                " name one of its own for the workbench in WORKBENCH_DATABASE"
            )
        return None


class _Hold:
    """Is there for as long as anybody has the database."""


def require_database(url: str | URL | None = None) -> None:
    """Raise StoreError where the URL, by default as ``database_url`` has it, is none that this installation can open.

    Nothing is opened: the server may start later.
    """
    address = database_url(url)
    _engine(address, _place(address), 0).dispose()


def has_members(url: str | URL | None = None) -> bool:
    """Whether somebody has a role in a project of the store, by default that of ``database_url``. Raises StoreError.

    Nothing is made, and nothing brought up to date.
    """
    address = database_url(url)
    place = _place(address)
    if address.get_backend_name() == "sqlite" and not place.startswith("file:") and not Path(place).exists():
        return False
    engine = _engine(address, place, BUSY_SECONDS)
    try:
        with explained(place), engine.begin() as connection:
            is_there = inspect(connection).has_table(members.name)  # not where another program made the database
            return is_there and connection.execute(select(members.c.person).limit(1)).first() is not None
    finally:
        engine.dispose()


def _place(address):
    """How messages name a database: without a password, or options that may hold one."""
    is_sqlite = address.get_backend_name() == "sqlite"
    return (address.database or "") if is_sqlite else address.set(query={}).render_as_string()


def _engine(address, place, busy_seconds, upgrade=False):
    """An engine whose calls end: SQLite's and those that want a lock after ``busy_seconds``, others by ``silence.py``.

    An ``upgrade`` takes as long as it takes, and does not watch foreign keys.
    """
    is_sqlite = address.get_backend_name() == "sqlite"
    try:
        asks_each_time = address.get_driver_name() != "psycopg"  # of which ``try_rested`` asks less often
        of_server = {"pool_use_lifo": True, "pool_pre_ping": asks_each_time}
        settings = {"connect_args": {"timeout": busy_seconds}} if is_sqlite else of_server
        engine = create_engine(address, **settings)
    except (ArgumentError, ImportError) as error:
        if address.get_backend_name() == "postgresql":
            require("postgresql")
        raise StoreError(
            f"The store {place} cannot be opened ({error}); check its URL or install its driver"
        ) from error
    if is_sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        if upgrade:
            event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = OFF"))
    elif engine.dialect.driver == "psycopg":
        from core.store.silence import Pulse, connect, note_use, try_rested  # psycopg is an extra

        event.listen(engine, "do_connect", partial(connect, Pulse(), busy_seconds, not upgrade))
        event.listen(engine, "checkin", note_use)
        event.listen(engine, "checkout", try_rested)
    return engine


def _set_up_sqlite(connection, _record):
    connection.isolation_level = None  # we say BEGIN ourselves, below
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")  # a command shown as saved survives a power cut


def _begin_sqlite(connection):
    statement = connection.get_execution_options().get("begin", "BEGIN")
    if statement is not None:
        connection.exec_driver_sql(statement)


def close_after_much(connection: Connection, data: bytes | None) -> None:
    """Have a connection closed at the end of its transaction where the bytes that it carried are many.

    PostgreSQL's library keeps buffers as large as that for as long as the connection lives.
    """
    if data is not None and len(data) > MUCH and connection.dialect.name != "sqlite":
        connection.detach()
