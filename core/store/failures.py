"""Errors of a database as one sentence with its remedy."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, exc, inspect

from core.errors import StoreError
from core.store.schema import metadata

DAMAGED = "is damaged; restore a backup, or move the file away to begin anew"
# SQLite's result codes by prefix of their names, without SQLITE_.
SQLITE_SENTENCES = (
    (("BUSY", "LOCKED"), "is locked by another program; close what else is writing to it, then try again"),
    ("READONLY", "is read-only; allow writing to the file and its folder, or name another place in WORKBENCH_DATABASE"),
    (
        ("FULL", "IOERR_SHMSIZE"),
        "has no room left on its disk; free some space and repeat the last step (earlier ones are kept)",
    ),
    (
        "IOERR",
        "cannot be read or written because its disk fails or may hold no more; check the disk and its connection",
    ),
    ("CANTOPEN", "cannot be opened; check that its folder exists and that you may write there"),
    ("PERM", "may not be opened; allow reading and writing the file and its folder"),
    ("NOTADB", "is not a database; name another file in WORKBENCH_DATABASE, or move this one away"),
    ("CORRUPT", DAMAGED),
    ("TOOBIG", "cannot hold a value this large; split the text into smaller files"),
)

# Codes of the SQL standard, which PostgreSQL uses.
SERVER_SENTENCES = {
    "08006": "does not answer: its server, or the network to it, stands still; all goes on here once it answers",
    "22003": "has nothing of that number; choose from its lists",
    "23505": "was given the same name by somebody else at the same moment; try again",
    "25006": "is read-only; ask who runs the server to allow writing, or name another store in WORKBENCH_DATABASE",
    "40001": "was changed by somebody else at the same moment; try again",
    "40P01": "was changed by somebody else at the same moment; try again",
    "53100": "has no room left on its disk; free some space and repeat the last step (earlier ones are kept)",
    "53300": "has no room for one more connection; try again in a moment",
    "55P03": "is locked by another program; close what else is writing to it, then try again",
    "57014": "took longer than a minute over one step; try again when less is going on, or with less at once",
}


@contextmanager
def explained(location: str) -> Iterator[None]:
    """Raise StoreError in place of the database's errors; errors that only a bug can cause pass through."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreError(
            f"The store {location} is busy with too many requests at once; try again in a moment"
        ) from error
    except UnicodeDecodeError as error:  # SQLite quotes bytes of a damaged table
        raise StoreError(f"The store {location} {DAMAGED}") from error
    except OverflowError as error:
        raise StoreError(f"The store {location} has nothing of that number; choose from its lists") from error
    except exc.StatementError as error:
        if isinstance(error.orig, StoreError):  # from writing a value as JSON
            raise error.orig from None
        sentence = _sentence(error)
        if sentence is None:
            raise
        raise StoreError(f"The store {location} {sentence}") from error


def is_damaged(engine: Engine) -> bool:
    """Whether an SQLite file is damaged, or its tables are not those of this workbench."""
    try:
        with engine.connect() as connection:
            if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
                return True
            inspector = inspect(connection)
            names = set(inspector.get_table_names())
            for table in metadata.sorted_tables:
                columns = {column["name"] for column in inspector.get_columns(table.name)}
                targets = {key["referred_table"] for key in inspector.get_foreign_keys(table.name)}
                if not set(table.columns.keys()) <= columns or not targets <= names:
                    return True
    except (exc.SQLAlchemyError, UnicodeDecodeError):
        return True
    return False


def _sentence(error):
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        code = name.removeprefix("SQLITE_")
        return next((sentence for prefix, sentence in SQLITE_SENTENCES if code.startswith(prefix)), None)
    if isinstance(error.orig, sqlite3.OperationalError) and "decode" in str(
        error.orig
    ):  # a text column holds other bytes
        return DAMAGED
    first = str(error.orig).strip().partition("\n")[0]
    if (code := getattr(error.orig, "sqlstate", None)) in SERVER_SENTENCES:
        return SERVER_SENTENCES[code]
    if isinstance(error, exc.DataError):
        return f"cannot hold such a value ({first}); shorten or correct it"
    if isinstance(error, exc.OperationalError | exc.InterfaceError):
        return f"does not answer ({first}); check that the server runs and that the address and password are right"
    return None
