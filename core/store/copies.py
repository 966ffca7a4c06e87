"""Copies of a whole store: of an SQLite file, which may be in use meanwhile, and back in its place.

A server's database is copied by its own programs. Files are checked and copied as they are: what an older workbench
left stays of its version until a workbench opens it.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from sqlalchemy import URL, Connection

from core.errors import StoreError, quoted
from core.store.places import database_url
from core.store.schema import SCHEMA_VERSION, now, schema

ERRORS = (sqlite3.Error, OSError, UnicodeDecodeError)
CHOOSE = "nothing was changed; choose a file that python -m core store backup made, or a store that was not in use"


def sqlite_file(connection: Connection) -> Path:
    """The file of a connection to SQLite."""
    return Path(next(row[2] for row in connection.exec_driver_sql("PRAGMA database_list") if row[1] == "main"))


def copy_file(original: Path, copy: Path) -> None:
    """Copy an SQLite file with all that is committed, whoever reads and writes it meanwhile.

    The copy is whole or not there. Raises sqlite3.Error or OSError.
    """
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    try:
        reader = sqlite3.connect(f"{original.as_uri()}?mode=rw", uri=True)  # a copy waits for its own writer for ever
        with closing(reader), closing(sqlite3.connect(part)) as target:
            reader.backup(target)
        part.replace(copy)
    finally:
        part.unlink(missing_ok=True)


def backup_store(out: Path, url: str | None = None) -> Path:
    """Write a copy of the whole SQLite store to ``out``, and check it; returns the store's file.

    StoreError where there is none, it is a server's, it is damaged, or the copy cannot be written: then an earlier
    file of that name is still there.
    """
    original = _file(database_url(url), "copy", "pg_dump")
    if not original.is_file():
        raise StoreError(f"There is no store {original}; name one with --store, or in WORKBENCH_DATABASE")
    if out.exists() and out.samefile(original):
        raise StoreError(f"{out} is the store itself; name another file for the backup")
    _require_room(out.parent, original)
    made = out.with_name(f"{out.name}.unchecked")
    try:
        copy_file(original, made)
        _require_store(made, f"The store {original}", "restore an earlier backup")
        made.replace(out)
    except ERRORS as error:
        raise StoreError(
            f"The store {original} cannot be copied to {out} ({_reason(error)}); choose another place"
        ) from error
    finally:
        made.unlink(missing_ok=True)
    return original


def restore_store(file: Path, url: str | None = None) -> tuple[Path, Path | None]:
    """Put a copy in the place of the SQLite store; returns the store's file, and where what it held is kept, if any.

    It is one transaction: a process that is killed meanwhile leaves the store as it was. StoreError, and nothing is
    changed, where the copy is damaged, of a newer or another program, or any process has the store open.
    """
    place = _file(database_url(url), "restore", "pg_restore")
    if not file.is_file():
        raise StoreError(f"There is no file {file}; {CHOOSE}")
    if place.exists() and place.samefile(file):
        raise StoreError(f"{file} is the store itself; {CHOOSE}")
    try:
        _require_store(file, f"The file {file}", CHOOSE)
        _require_room(place.parent, file, *([place] if place.is_file() else []))
        kept = _keep(place) if place.is_file() and place.stat().st_size else None
        with (
            _alone(place) as target,
            closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source,
        ):
            source.backup(target)
    except ERRORS as error:
        raise StoreError(f"The store {place} cannot be restored ({_reason(error)}); it is as it was") from error
    return place, kept


def _keep(place):
    """Where the store was copied to, or, if it is too damaged for that, moved to."""
    kept = place.with_name(f"{place.stem}.before-{now():%Y%m%d-%H%M%S-%f}{place.suffix}")
    try:
        with _alone(place) as source, closing(sqlite3.connect(kept)) as target:
            source.backup(target)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if _code(error) not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            kept.unlink(missing_ok=True)
            raise
        kept.unlink(missing_ok=True)
        for beside in ("-wal", "-shm", ""):
            if (moved := Path(f"{place}{beside}")).exists():
                moved.rename(f"{kept}{beside}")
    return kept


@contextmanager
def _alone(place: Path) -> Iterator[sqlite3.Connection]:
    """A connection that no other process has the file open beside; StoreError where one has.

    A store is kept in the mode (WAL) in which every open connection holds a lock on the file. A server has connections
    open from its first visit to its end.
    """
    with closing(sqlite3.connect(place, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")  # the lock stays until the connection is closed
        except sqlite3.OperationalError as error:
            if _code(error) not in ("SQLITE_BUSY", "SQLITE_LOCKED"):
                raise
            raise StoreError(
                f"The store {place} is open in another process; stop each workbench on it, and nothing was changed"
            ) from error
        yield connection


def _untouched(file):
    """A connection to read a copy; SQLite makes files beside it only where there is a log to read."""
    beside = Path(f"{file}-wal")
    mode = "mode=rw" if beside.exists() and beside.stat().st_size else "immutable=1"
    return sqlite3.connect(f"{file.resolve().as_uri()}?{mode}", uri=True)


def _require_store(file, what, remedy):
    """StoreError where a file is no undamaged SQLite store of this workbench or an older one."""
    try:
        with closing(_untouched(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if schema.name not in tables:
                raise StoreError(f"{what} holds no projects of the workbench; {remedy}")
            (version,) = connection.execute(f"SELECT version FROM {schema.name}").fetchone() or (None,)
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if _code(error) not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            raise
        found, version = str(error), SCHEMA_VERSION
    if found != "ok":
        raise StoreError(f"{what} is damaged ({quoted(found.rpartition(chr(10))[2])}); {remedy}")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise StoreError(f"{what} is of a newer workbench (schema version {version}); update this one, {remedy}")


def _require_room(folder, *files):
    """StoreError where a folder has no room for as much as some SQLite files hold, with the logs beside them."""
    beside = [Path(f"{file}-wal") for file in files]
    needed = sum(each.stat().st_size for each in (*files, *beside) if each.is_file())
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be used ({error.strerror}); choose another place") from error
    if free < needed:
        raise StoreError(
            f"{folder} has {free / 1e6:,.0f} MB free and {needed / 1e6:,.0f} MB are needed; make room there"
        )


def _file(address: URL, doing, program):
    """The file of an SQLite store."""
    if address.get_backend_name() != "sqlite":
        raise StoreError(f"The store is a server's database; {doing} it with {program}, as the guide says under Server")
    name = address.database or ""
    return Path(os.path.abspath(url2pathname(urlsplit(name).path) if name.startswith("file:") else name))


def _code(error):
    """SQLite's name of an error, as far as there is one."""
    if isinstance(error, UnicodeDecodeError):  # what SQLite quotes of a damaged table is no text
        return "SQLITE_CORRUPT"
    code = getattr(error, "sqlite_errorname", None) or ""
    return next((name for name in ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_BUSY") if code.startswith(name)), code)


def _reason(error):
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
