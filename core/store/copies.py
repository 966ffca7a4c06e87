"""Backup and restoring of a whole SQLite store, which may be in use during the backup.

A server's database is copied by its own programs. A copy keeps its schema version until a workbench opens it.
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
from core.store.locations import database_url
from core.store.schema import SCHEMA_VERSION, now, schema

ERRORS = (sqlite3.Error, OSError, UnicodeDecodeError)
CHOOSE = "nothing was changed; choose a file that python -m core store backup made, or a store that was not in use"


def sqlite_file(connection: Connection) -> Path:
    """The file of a connection to SQLite."""
    return Path(next(row[2] for row in connection.exec_driver_sql("PRAGMA database_list") if row[1] == "main"))


def copy_file(original: Path, copy: Path) -> None:
    """Copy an SQLite file with all committed changes, while others may read and write it.

    The copy is complete or does not exist. Raises sqlite3.Error or OSError.
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

    Raises StoreError where there is no store, it is a server's, it is damaged, or the copy cannot be written. An
    earlier file of that name stays then.
    """
    original = _file(database_url(url), "copy", "pg_dump")
    if not original.is_file():
        raise StoreError(f"There is no store {original}; name one with --store, or in WORKBENCH_DATABASE")
    if out.exists() and out.samefile(original):
        raise StoreError(f"{out} is the store itself; name another file for the backup")
    _require_space(out.parent, original)
    copy = out.with_name(f"{out.name}.unchecked")
    try:
        copy_file(original, copy)
        _require_store(copy, f"The store {original}", "restore an earlier backup")
        copy.replace(out)
    except ERRORS as error:
        raise StoreError(
            f"The store {original} cannot be copied to {out} ({_reason(error)}); choose another place"
        ) from error
    finally:
        copy.unlink(missing_ok=True)
    return original


def restore_store(file: Path, url: str | None = None) -> tuple[Path, Path | None]:
    """Replace the SQLite store by a copy; returns the store's file, and the file of the former store, if there was one.

    It is one transaction: a process that is killed meanwhile leaves the store as it was. Raises StoreError, and changes
    nothing, where the copy is damaged, of a newer or another program, or any process has the store open.
    """
    store = _file(database_url(url), "restore", "pg_restore")
    if not file.is_file():
        raise StoreError(f"There is no file {file}; {CHOOSE}")
    if store.exists() and store.samefile(file):
        raise StoreError(f"{file} is the store itself; {CHOOSE}")
    try:
        _require_store(file, f"The file {file}", CHOOSE)
        _require_space(store.parent, file, *([store] if store.is_file() else []))
        former = _set_aside(store) if store.is_file() and store.stat().st_size else None
        with (
            _exclusive(store) as target,
            closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source,
        ):
            source.backup(target)
    except ERRORS as error:
        raise StoreError(f"The store {store} cannot be restored ({_reason(error)}); it is as it was") from error
    return store, former


def _set_aside(store):
    """Copy a store to a file beside it, or move it there if it is too damaged; returns that file."""
    former = store.with_name(f"{store.stem}.before-{now():%Y%m%d-%H%M%S-%f}{store.suffix}")
    try:
        with _exclusive(store) as source, closing(sqlite3.connect(former)) as target:
            source.backup(target)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        former.unlink(missing_ok=True)
        if _code(error) not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            raise
        for ending in ("-wal", "-shm", ""):
            if (file := Path(f"{store}{ending}")).exists():
                file.rename(f"{former}{ending}")
    return former


@contextmanager
def _exclusive(store: Path) -> Iterator[sqlite3.Connection]:
    """The only connection to a store's file. Raises StoreError where another process has one.

    In the journal mode of a store (WAL) every open connection holds a lock on the file. A server has connections open
    from its first visit to its end.
    """
    with closing(sqlite3.connect(store, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")  # the lock stays until the connection is closed
        except sqlite3.OperationalError as error:
            if _code(error) not in ("SQLITE_BUSY", "SQLITE_LOCKED"):
                raise
            raise StoreError(
                f"The store {store} is open in another process; stop each workbench on it, and nothing was changed"
            ) from error
        yield connection


def _require_store(file, name, remedy):
    """Raise StoreError where a file is no undamaged SQLite store of this workbench or an older one."""
    try:
        log = _log_of(file)
        mode = "mode=rw" if log.exists() and log.stat().st_size else "immutable=1"  # which makes no files beside it
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?{mode}", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if schema.name not in tables:
                raise StoreError(f"{name} holds no projects of the workbench; {remedy}")
            (version,) = connection.execute(f"SELECT version FROM {schema.name}").fetchone() or (None,)
            (check,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if _code(error) not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            raise
        check, version = str(error), SCHEMA_VERSION
    if check != "ok":
        raise StoreError(f"{name} is damaged ({quoted(check.rpartition(chr(10))[2])}); {remedy}")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise StoreError(f"{name} is of a newer workbench (schema version {version}); update this one, {remedy}")


def _log_of(file):
    return Path(f"{file}-wal")


def _require_space(folder, *files):
    """Raise StoreError where a folder has no space for copies of some SQLite files with their logs."""
    needed = sum(path.stat().st_size for path in (*files, *map(_log_of, files)) if path.is_file())
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
    """SQLite's name of an error, or ""."""
    if isinstance(error, UnicodeDecodeError):  # SQLite quotes bytes of a damaged table
        return "SQLITE_CORRUPT"
    code = getattr(error, "sqlite_errorname", None) or ""
    return next((name for name in ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_BUSY") if code.startswith(name)), code)


def _reason(error):
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
