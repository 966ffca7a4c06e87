"""The database engine, shared by all threads: short transactions, and the schema's version."""

import copy
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, create_engine, event, inspect, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from core.errors import StoreError
from core.extras import require
from core.store.copies import sqlite_file
from core.store.failures import DAMAGED, explained, is_damaged
from core.store.locations import database_url
from core.store.query_cache import QueryCache
from core.store.schema import SCHEMA_VERSION, members, metadata, schema
from core.store.shutdown import Shutdown

LARGE = 1 << 20  # bytes after which a connection is closed
OLDEST = 2  # schema version that can be upgraded: that of release 0.1
SCHEMA_LOCK, NAMES_LOCK = 20091207, 20091208  # numbers of PostgreSQL's advisory locks
BUSY_SECONDS = 10.0  # for which a call waits for another program that writes to an SQLite file
INCREMENTAL = 2  # SQLite's auto_vacuum that frees pages on request
PAGES = 1000  # of an SQLite file that are freed at a time, so that others can write in between

log = logging.getLogger(__name__)


class Database:
    """An opened database. ``read()`` and ``write()`` give a connection inside a transaction of its own.

    Older tables are upgraded: those of an SQLite file at once, after it was copied; those of a server, which other
    processes may be using, only with ``upgrade``.
    """

    def __init__(self, url: str | URL | None = None, busy_seconds: float = BUSY_SECONDS, upgrade: bool = False):
        address = database_url(url)
        self.person = None  # for whom transactions run; None is the local user
        self.is_sqlite = address.get_backend_name() == "sqlite"
        self.location: str = _location(address)
        self.address = address.render_as_string(hide_password=False)  # for other processes of the workbench
        engine = _engine(address, self.location, busy_seconds)
        # In SQLite a writing transaction takes the lock when it begins, not when it first writes. So it can neither
        # deadlock nor fail half-way. On a server a reader has to ask for one state, and a writer sees the newest one
        # once it holds its lock.
        self.engine = engine if self.is_sqlite else engine.execution_options(isolation_level="REPEATABLE READ")
        self._query_engine = (
            engine.execution_options(begin=None)
            if self.is_sqlite
            else engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        self.writer = engine.execution_options(begin="BEGIN IMMEDIATE")
        self.answers = QueryCache(engine)
        self._shutdown = Shutdown(engine, self.answers, self.location)
        self._hold = _Hold()  # shared with views; the database ends when it is garbage-collected
        self._shutdown.at_exit(self._hold)
        self.damages: dict[int, dict[tuple[str, str], str]] = {}  # project -> (kind, key) of a document -> sentence
        self.upgraded_from: int | None = None  # the version before an upgrade
        self.copied_to: str | None = None  # the copy of the file before an upgrade
        try:
            self._prepare(address, busy_seconds, upgrade)
        except StoreError:
            self.close()
            raise

    def on_behalf_of(self, person: str | None) -> "Database":
        """The same database with transactions for a person, or for the local user (None)."""
        view = copy.copy(self)
        view.person = person
        view.engine = self.engine.execution_options(person=person)
        view._query_engine = self._query_engine.execution_options(person=person)
        view.writer = self.writer.execution_options(person=person)
        return view

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the store."""
        with self._shutdown.transaction(), self._explained(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def query(self) -> Iterator[Connection]:
        """A connection for a single query, which a server answers without a transaction around it.

        Each statement sees a state of its own.
        """
        with self._shutdown.transaction(), self._explained(), self._query_engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection whose changes are all on disk when the block ends, or undone when it raises."""
        try:
            with self._shutdown.transaction(), self._explained(), self.writer.begin() as connection:
                yield connection
        finally:
            self.answers.end_moment()

    def note_damage(self, project: int, kind: str | None, damages: dict[tuple[str, str], str]) -> None:
        """Note the damages found when all documents (of a kind) were read, in place of those noted before."""
        before = self.damages.get(project, {})
        if damages or before:
            others = {} if kind is None else {item: text for item, text in before.items() if item[0] != kind}
            self.damages[project] = others | damages

    @property
    def folder(self) -> Path | None:
        """The folder of an SQLite store; None for a server."""
        return None if self._shutdown.file is None else self._shutdown.file.parent

    def lock_names(self, connection: Connection) -> None:
        """Until the transaction ends, no other one can name a project."""
        self._lock(connection, NAMES_LOCK)

    def give_back(self) -> None:
        """Return freed pages of an SQLite file to the disk, some at a time; PostgreSQL's autovacuum does it itself.

        A file made by version 0.1 reuses its free pages, until ``compact`` was called once. Pages that cannot be freed
        now are freed the next time.
        """
        if not self.is_sqlite:
            return
        outside = self.engine.execution_options(begin=None)
        try:
            with explained(self.location), outside.begin() as connection:
                if connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() == INCREMENTAL:
                    cursor, former = connection.connection.cursor(), float("inf")
                    while 0 < (free := connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()) < former:
                        cursor.execute(f"PRAGMA incremental_vacuum({PAGES})")
                        cursor.fetchall()  # one step for each page; SQLAlchemy would fetch only the first
                        former = free
        except StoreError as error:
            log.warning("freed room stays in the store: %s", error)

    def compact(self) -> tuple[int, int]:
        """Rewrite the whole database without free pages, which from now on are freed; (bytes before, after).

        Others wait meanwhile, and the disk needs space for a second copy.
        """
        if not self.is_sqlite:
            with explained(self.location), self.engine.connect() as connection:
                raw = connection.execution_options(isolation_level="AUTOCOMMIT")  # VACUUM runs outside of transactions
                sizes = text("SELECT sum(pg_total_relation_size(:name))")

                def total_size():
                    return sum(raw.execute(sizes, {"name": name}).scalar_one() for name in metadata.tables)

                before = total_size()
                for name in metadata.tables:
                    raw.execute(text(f"VACUUM (FULL) {name}"))
                return int(before), int(total_size())
        outside = self.engine.execution_options(begin=None)
        with explained(self.location), outside.begin() as connection:

            def size():
                pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
                return pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one()

            before = size()
            connection.exec_driver_sql(f"PRAGMA auto_vacuum = {INCREMENTAL}")
            connection.exec_driver_sql("VACUUM")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return before, size()

    def close(self) -> None:
        """Close the connections; an SQLite file is then complete without its log, unless others write to it."""
        self._shutdown.close()

    def end(self) -> None:
        """Close the database for good: wait for running transactions, refuse later ones."""
        self._shutdown.end()

    @contextmanager
    def _explained(self):
        """Raise StoreError in place of the database's errors; also of those that look like bugs but are damage."""
        try:
            with explained(self.location):
                yield
        except DBAPIError as error:
            if self.is_sqlite and is_damaged(self.engine):
                raise StoreError(f"The store {self.location} {DAMAGED}") from error
            raise

    def _lock(self, connection, number):
        if not self.is_sqlite:  # which has one writer at a time anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})

    def _prepare(self, address, busy_seconds, upgrade):
        """Make the tables of an empty database, or upgrade older ones; refuse another program's, and newer ones."""
        with self.read() as connection:
            self._shutdown.file = sqlite_file(connection) if self.is_sqlite else None
            version = self._version(connection)
        if version is None:
            if self.is_sqlite:
                outside = self.engine.execution_options(begin=None)  # SQLite sets these outside of transactions
                with explained(self.location), outside.begin() as connection:
                    connection.exec_driver_sql(
                        f"PRAGMA auto_vacuum = {INCREMENTAL}"
                    )  # takes effect only before the first table
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # readers never wait for the writer
            with self.write() as connection:
                self._lock(connection, SCHEMA_LOCK)  # two servers starting at once
                if self._version(connection) is None:
                    metadata.create_all(connection)
                    connection.execute(schema.insert().values(version=SCHEMA_VERSION))
                version = self._known_version(connection)
        if OLDEST <= version < SCHEMA_VERSION and (self.is_sqlite or upgrade):
            version = self._upgrade(address, busy_seconds)
        if version == SCHEMA_VERSION:
            return
        if OLDEST <= version < SCHEMA_VERSION:
            remedy = "keep a copy of it with pg_dump, stop each workbench on it, then run python -m core upgrade"
        else:
            first = "open it with version 0.1.0 of the workbench first, which brings it to version 2"
            remedy = "update the workbench" if version > SCHEMA_VERSION else first
            remedy += ", or name another store in WORKBENCH_DATABASE"
        raise StoreError(
            f"The store {self.location} has schema version {version} and this workbench works with version"
            f" {SCHEMA_VERSION}; {remedy}"
        )

    def _upgrade(self, address, busy_seconds):
        """Upgrade the tables in one transaction; returns the new version, which another process may have made."""
        from core.store.migrations import keep_copy, upgrade  # Alembic is seldom needed

        # SQLite replaces a table to change it, which foreign keys would forbid
        engine = _engine(address, self.location, busy_seconds, upgrade=True)
        try:
            with explained(self.location), engine.execution_options(begin="BEGIN IMMEDIATE").begin() as connection:
                self._lock(connection, SCHEMA_LOCK)
                version = self._known_version(connection)
                if version < SCHEMA_VERSION:
                    self.copied_to = keep_copy(connection, self.location, version) if self.is_sqlite else None
                    upgrade(connection, version)
                    self.upgraded_from = version
                    log.info("store upgraded from schema version %d to %d", version, SCHEMA_VERSION)
                return self._known_version(connection)
        finally:
            engine.dispose()

    def _known_version(self, connection) -> int:
        """The schema version of a database with tables."""
        return connection.execute(select(schema.c.version)).scalar_one()

    def _version(self, connection) -> int | None:
        """The schema version, None of an empty database."""
        tables = inspect(connection).get_table_names()
        if schema.name in tables:
            return self._known_version(connection)
        if tables:
            raise StoreError(
                f"The store {self.location} is another program's database (it has a table {tables[0]!r});"
                " name one of its own for the workbench in WORKBENCH_DATABASE"
            )
        return None


class _Hold:
    """Lives as long as the database or a view of it."""


def require_database(url: str | URL | None = None) -> None:
    """Raise StoreError where this installation cannot open a URL, by default that of ``database_url``.

    Nothing is opened: the server may start later.
    """
    address = database_url(url)
    _engine(address, _location(address), 0).dispose()


def has_members(url: str | URL | None = None) -> bool:
    """Whether somebody has a role in a project of the store, by default that of ``database_url``. Raises StoreError.

    No database is made or upgraded.
    """
    address = database_url(url)
    location = _location(address)
    if address.get_backend_name() == "sqlite" and not location.startswith("file:") and not Path(location).exists():
        return False
    engine = _engine(address, location, BUSY_SECONDS)
    try:
        with explained(location), engine.begin() as connection:
            has_table = inspect(connection).has_table(members.name)  # not in another program's database
            return has_table and connection.execute(select(members.c.person).limit(1)).first() is not None
    finally:
        engine.dispose()


def _location(address):
    """The name of a database in messages: without a password, or options that may hold one."""
    is_sqlite = address.get_backend_name() == "sqlite"
    return (address.database or "") if is_sqlite else address.set(query={}).render_as_string()


def _engine(address, location, busy_seconds, upgrade=False):
    """An engine with timeouts: ``busy_seconds`` for locks, and on a server those of ``silence.py``.

    For an ``upgrade`` there is no limit of time, and SQLite does not check foreign keys.
    """
    is_sqlite = address.get_backend_name() == "sqlite"
    try:
        if is_sqlite:
            engine = create_engine(address, connect_args={"timeout": busy_seconds})
        else:
            pre_ping = address.get_driver_name() != "psycopg"  # whose connections ``try_rested`` checks, less often
            engine = create_engine(address, pool_use_lifo=True, pool_pre_ping=pre_ping)
    except (ArgumentError, ImportError) as error:
        if address.get_backend_name() == "postgresql":
            require("postgresql")
        raise StoreError(
            f"The store {location} cannot be opened ({error}); check its URL or install its driver"
        ) from error
    if is_sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        if upgrade:
            event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = OFF"))
    elif engine.dialect.driver == "psycopg":
        from core.store.silence import ServerProbe, connect, note_use, try_rested  # psycopg is an extra

        event.listen(engine, "do_connect", partial(connect, ServerProbe(), busy_seconds, not upgrade))
        event.listen(engine, "checkin", note_use)
        event.listen(engine, "checkout", try_rested)
    return engine


def _set_up_sqlite(connection, _record):
    connection.isolation_level = None  # ``_begin_sqlite`` begins transactions
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")  # a command shown as saved survives a power cut


def _begin_sqlite(connection):
    statement = connection.get_execution_options().get("begin", "BEGIN")
    if statement is not None:
        connection.exec_driver_sql(statement)


def close_after_large(connection: Connection, data: bytes | None) -> None:
    """Have a connection closed at the end of its transaction if it carried more than ``LARGE`` bytes.

    PostgreSQL's library keeps buffers of that size as long as the connection lives.
    """
    if data is not None and len(data) > LARGE and connection.dialect.name != "sqlite":
        connection.detach()
