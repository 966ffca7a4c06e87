"""Named snapshots of a document, to compare with and to restore."""

from dataclasses import dataclass
from datetime import datetime
from typing import SupportsIndex

from sqlalchemy import select

from core.errors import StoreError
from core.store.database import Database
from core.store.log import Command, Entry, append, current_value
from core.store.projects import clean_name, readable, require_project
from core.store.rights import author_of
from core.store.schema import inserted_id, now, versions


@dataclass(frozen=True)
class Version:
    id: int
    project: int
    kind: str
    key: str
    name: str
    value: object
    author: str
    time: datetime


class Versions:
    """The part of the store for named versions."""

    database: Database

    def save_version(
        self, project: SupportsIndex, kind: str, key: str, name: str, *, author: str | None = None
    ) -> Version:
        """Store the document's value under a name. Raises StoreError if there is no document, or the name is taken."""
        name = clean_name(name, "version")
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            value = current_value(connection, owner.id, kind, key)
            if value is None:
                raise StoreError("There is nothing to save a version of yet; write it first")
            taken = _of(owner.id, kind, key).where(versions.c.name == name)
            if connection.execute(taken).first():
                raise StoreError(f"There is a version named {name!r} already; choose another name")
            values = {"kind": kind, "key": key, "name": name, "value": value, "time": now()}
            values |= {"author": author_of(connection, author)}
            row = connection.execute(versions.insert().values(project_id=owner.id, **values))
            return Version(inserted_id(row), owner.id, **values)

    def versions(self, project: SupportsIndex, kind: str, key: str) -> list[Version]:
        """The named versions of a document, oldest first."""
        with self.database.read() as connection:
            query = _of(readable(connection, project), kind, key).order_by(versions.c.id)
            return [Version(*row) for row in connection.execute(query)]

    def restore_version(self, version_id: int) -> Entry | None:
        """Set the document to its value in a version, undoably."""
        with self.database.write() as connection:
            row = connection.execute(select(versions).where(versions.c.id == version_id)).first()
            if row is None:
                raise StoreError(f"There is no version {version_id} in this store; choose one from the list")
            version = Version(*row)
            require_project(connection, version.project, lock=True)
            current = current_value(connection, version.project, version.kind, version.key)
            change = Command(version.kind, version.key, current, version.value)
            return append(connection, version.project, [change], label=f"returning to {version.name!r}")


def _of(project, kind, key):
    return select(versions).where(versions.c.project_id == project, versions.c.kind == kind, versions.c.key == key)
