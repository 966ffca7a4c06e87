"""One engine for any number of threads: a short transaction for each call, and the schema's version."""

import copy
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Connection, create_engine, event, inspect, select, text
from sqlalchemy.exc import ArgumentError

from core.errors import StoreError
from core.extras import require
from core.store.failures import explained
from core.store.places import database_url
from core.store.query_cache import QueryCache
from core.store.schema import SCHEMA_VERSION, metadata, schema

MUCH = 1 << 20  # bytes at once
OLDEST = 1  # version of the tables that can be brought up to date
SCHEMA_LOCK, NAMES_LOCK = 20091207, 20091208  # numbers of PostgreSQL's advisory locks

log = logging.getLogger(__name__)


class Database:
    """An opened database. ``read()`` and ``write()`` give a connection inside a transaction of its own.

    Older tables are brought up to date: those of an SQLite file at once, after a copy of it; those of a server, which
    other processes may be using, only where ``upgrade`` asks for it.
    """

    def __init__(self, url: str | URL | None = None, busy_seconds: float = 10.0, upgrade: bool = False):
        address = database_url(url)
        self.person = None  # on whose behalf transactions run; None is the local user
        self.is_sqlite = address.get_backend_name() == "sqlite"
        self.place: str = _place(address)
        self.address = address.render_as_string(hide_password=False)  # for a process of ours that opens the same
        engine = _engine(address, self.place, busy_seconds)
        # SQLite hands out its one write lock when a transaction begins, not when it first writes: one that reads, then
        # writes, can then neither deadlock nor be refused half-way. Elsewhere a reader sees one state only by asking
        # for it, and a writer sees what is there once it holds its lock.
        self._engine = engine if self.is_sqlite else engine.execution_options(isolation_level="REPEATABLE READ")
        self._writer = engine.execution_options(begin="BEGIN IMMEDIATE")
        self.answers = QueryCache(engine)
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
        view._engine = self._engine.execution_options(person=person)
        view._writer = self._writer.execution_options(person=person)
        return view

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the store."""
        with explained(self.place), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection whose changes are all kept, on disk, when the block ends, or none when it raises."""
        try:
            with explained(self.place), self._writer.begin() as connection:
                yield connection
        finally:
            self.answers.end_moment()

    def lock_names(self, connection: Connection) -> None:
        """Until the transaction ends nobody else gives a project a name."""
        self._lock(connection, NAMES_LOCK)

    def close(self) -> None:
        self.answers.close()
        self._engine.dispose()

    def _lock(self, connection, number):
        if not self.is_sqlite:  # whose writers come one after the other anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})

    def _prepare(self, address, busy_seconds, upgrade):
        """Make the tables in an empty database, bring older ones up to date; refuse what is not ours, or newer."""
        with self.read() as connection:
            found = self._version(connection)
        if found is None:
            if self.is_sqlite:
                outside = self._engine.execution_options(begin=None)  # of transactions, as SQLite wants it
                with explained(self.place), outside.begin() as connection:
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
            remedy = "update the workbench" if found > SCHEMA_VERSION else "open it with the older workbench"
            remedy += ", or name another store in WORKBENCH_DATABASE"
        raise StoreError(
            f"The store {self.place} has schema version {found} and this workbench works with version"
            f" {SCHEMA_VERSION}; {remedy}"
        )

    def _upgrade(self, address, busy_seconds):
        """All steps in one transaction; returns the version reached, by us or by whoever was faster."""
        from core.store.migrations import keep_copy, upgrade  # Alembic is seldom needed

        # SQLite changes a table by making it anew, which foreign keys that are watched would not let it do
        engine = _engine(address, self.place, busy_seconds, foreign_keys=False)
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


def require_database(url: str | URL | None = None) -> None:
    """Raise StoreError where the URL, by default as ``database_url`` has it, is none that this installation can open.

    Nothing is opened: the server may start later.
    """
    address = database_url(url)
    _engine(address, _place(address), 0).dispose()


def _place(address):
    """How messages name a database: without a password, or options that may hold one."""
    is_sqlite = address.get_backend_name() == "sqlite"
    return (address.database or "") if is_sqlite else address.set(query={}).render_as_string()


def _engine(address, place, busy_seconds, foreign_keys=True):
    is_sqlite = address.get_backend_name() == "sqlite"
    settings = {"connect_args": {"timeout": busy_seconds}} if is_sqlite else {"pool_pre_ping": True}
    try:
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
        if not foreign_keys:
            event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = OFF"))
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
