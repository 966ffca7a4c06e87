"""One engine for any number of threads: a short transaction for each call, and the schema's version."""

from contextlib import contextmanager

from sqlalchemy import create_engine, event, inspect, select, text
from sqlalchemy.exc import ArgumentError

from core.errors import StoreError
from core.store.failures import explained
from core.store.places import database_url
from core.store.schema import SCHEMA_VERSION, metadata, schema


class Database:
    """An opened database. ``read()`` and ``write()`` give a connection inside a transaction of its own."""

    def __init__(self, url=None, busy_seconds=10.0):
        address = database_url(url)
        self.is_sqlite = address.get_backend_name() == "sqlite"
        self.place = address.database if self.is_sqlite else address.render_as_string(hide_password=True)
        self._engine = _engine(address, self.place, self.is_sqlite, busy_seconds)
        # SQLite hands out its one write lock when a transaction begins, not when it first writes: a transaction
        # that reads, then writes, can then neither deadlock nor be refused half-way.
        self._writer = self._engine.execution_options(begin="BEGIN IMMEDIATE")
        try:
            self._prepare()
        except StoreError:
            self.close()
            raise

    @contextmanager
    def read(self):
        """A connection that sees one state of the store."""
        with explained(self.place), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self):
        """A connection whose changes are all kept, on disk, when the block ends, or none when it raises."""
        with explained(self.place), self._writer.begin() as connection:
            yield connection

    def close(self):
        self._engine.dispose()

    def _prepare(self):
        """Make the tables in an empty database; refuse one that is not ours or of another version."""
        with self.read() as connection:
            found = self._version(connection)
        if found is None:
            if self.is_sqlite:
                outside = self._engine.execution_options(begin=None)  # of transactions, as SQLite wants it
                with explained(self.place), outside.begin() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # readers never wait for the writer
            with self.write() as connection:
                if not self.is_sqlite:  # two servers starting at once
                    connection.execute(text("SELECT pg_advisory_xact_lock(20091207)"))
                if self._version(connection) is None:
                    metadata.create_all(connection)
                    connection.execute(schema.insert().values(version=SCHEMA_VERSION))
                found = self._version(connection)
        if found != SCHEMA_VERSION:
            remedy = "update the workbench" if found > SCHEMA_VERSION else "open it with the older workbench"
            raise StoreError(
                f"The store {self.place} has schema version {found} and this workbench works with version"
                f" {SCHEMA_VERSION}; {remedy}, or name another store in WORKBENCH_DATABASE"
            )

    def _version(self, connection):
        """The recorded version, None in an empty database."""
        tables = inspect(connection).get_table_names()
        if schema.name in tables:
            return connection.execute(select(schema.c.version)).scalar_one()
        if tables:
            raise StoreError(
                f"The store {self.place} is another program's database (it has a table {tables[0]!r});"
                " name one of its own for the workbench in WORKBENCH_DATABASE"
            )
        return None


def _engine(address, place, is_sqlite, busy_seconds):
    settings = {"connect_args": {"timeout": busy_seconds}} if is_sqlite else {"pool_pre_ping": True}
    try:
        engine = create_engine(address, **settings)
    except (ArgumentError, ImportError) as error:
        raise StoreError(
            f"The store {place} cannot be opened ({error}); check its URL or install its driver"
        ) from error
    if is_sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection, _record):
    connection.isolation_level = None  # we say BEGIN ourselves, below
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")  # a command shown as saved survives a power cut


def _begin_sqlite(connection):
    statement = connection.get_execution_options().get("begin", "BEGIN")
    if statement is not None:
        connection.exec_driver_sql(statement)
