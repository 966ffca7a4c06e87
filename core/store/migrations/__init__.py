"""Steps from each version of the tables to the next, run by Alembic when an older store is opened.

A new store is made with the tables of ``schema.py``; tests check that the steps lead to the same tables. The version is
in the table ``workbench_schema``, which every workbench reads, and in Alembic's own table.
"""

import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from core.errors import StoreError
from core.store.copies import ERRORS, copy_file, sqlite_file
from core.store.schema import SCHEMA_VERSION, schema

_ALEMBIC_LOCK = threading.Lock()  # Alembic keeps its state in module globals


def upgrade(connection: Connection, version: int) -> None:
    """Upgrade tables from ``version`` to ``SCHEMA_VERSION`` within the connection's transaction."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with _ALEMBIC_LOCK:
        command.stamp(config, str(version), purge=True)
        command.upgrade(config, str(SCHEMA_VERSION))
    connection.execute(schema.update().values(version=SCHEMA_VERSION))


def keep_copy(connection: Connection, location: str, version: int) -> str:
    """Copy the SQLite file that a connection has locked for writing; returns the copy's path.

    The copy is beside the file, with ``version`` in its name, and replaces an earlier copy of that version. It is
    complete or does not exist. Raises StoreError where it cannot be written.
    """
    original = sqlite_file(connection)
    copy = original.with_name(f"{original.stem}.version-{version}{original.suffix}")
    try:
        copy_file(original, copy)
    except ERRORS as error:
        raise StoreError(
            f"The store {location} has schema version {version}, and no copy of it could be kept as {copy.name} before"
            f" it is brought to version {SCHEMA_VERSION} ({error}); make room beside it, and open it again"
        ) from error
    return str(copy)
