"""Steps from each version of the tables to the next, run by Alembic when an older store is opened.

A new store is made at once with the tables of ``schema.py``; tests hold the steps to the same result. The version
stands in the table ``workbench_schema``, which every workbench reads; Alembic's own table follows.
"""

import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from core.errors import StoreError
from core.store.copies import ERRORS, copy_file, sqlite_file
from core.store.schema import SCHEMA_VERSION, schema

_ONE_AT_A_TIME = threading.Lock()  # Alembic keeps what it works on in module globals


def upgrade(connection: Connection, found: int) -> None:
    """Bring tables of version ``found`` to ``SCHEMA_VERSION`` within the connection's transaction."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with _ONE_AT_A_TIME:
        command.stamp(config, str(found), purge=True)
        command.upgrade(config, str(SCHEMA_VERSION))
    connection.execute(schema.update().values(version=SCHEMA_VERSION))


def keep_copy(connection: Connection, place: str, found: int) -> str:
    """Copy the SQLite file that a connection has locked for writing; returns the copy's path.

    The copy lies beside the file, the version ``found`` in its name, and takes the place of an earlier copy of that
    version. It is whole or not there. StoreError where it cannot be written.
    """
    original = sqlite_file(connection)
    copy = original.with_name(f"{original.stem}.version-{found}{original.suffix}")
    try:
        copy_file(original, copy)
    except ERRORS as error:
        raise StoreError(
            f"The store {place} has schema version {found}, and no copy of it could be kept as {copy.name} before it is"
            f" brought to version {SCHEMA_VERSION} ({error}); make room beside it, and open it again"
        ) from error
    return str(copy)
