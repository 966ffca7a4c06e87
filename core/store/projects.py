"""Projects: the unit that people open, share and authorise."""

import operator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.errors import StoreError
from core.store.database import Database
from core.store.schema import now, projects

LONGEST_NAME = 200
FIRST_PROJECT = "My project"


@dataclass(frozen=True)
class Project:
    """A project; wherever a method asks for a project, this or its ``id`` will do."""

    id: int
    name: str
    created: datetime

    def __index__(self):
        return self.id


class Projects:
    """The part of the store that knows projects."""

    database: Database

    def projects(self) -> list[Project]:
        """All projects, oldest first."""
        with self.database.read() as connection:
            return [Project(*row) for row in connection.execute(select(projects).order_by(projects.c.id))]

    def project(self, project) -> Project:
        with self.database.read() as connection:
            return require_project(connection, project)

    def create_project(self, name: str) -> Project:
        """A new project holding the built-in sample; StoreError if the name is empty or taken."""
        name = clean_name(name, "project")
        with self.database.write() as connection:
            if connection.execute(select(projects.c.id).where(projects.c.name == name)).first():
                raise StoreError(f"There is a project named {name!r} already; choose another name")
            return self._create(connection, name)

    def rename_project(self, project, name: str) -> Project:
        name = clean_name(name, "project")
        with self.database.write() as connection:
            current = require_project(connection, project, lock=True)
            taken = select(projects.c.id).where(projects.c.name == name, projects.c.id != current.id)
            if connection.execute(taken).first():
                raise StoreError(f"There is a project named {name!r} already; choose another name")
            connection.execute(projects.update().where(projects.c.id == current.id).values(name=name))
            return Project(current.id, name, current.created)

    def default_project(self) -> Project:
        """The oldest project; the first call on a new store makes it, sample included."""
        query = select(projects).order_by(projects.c.id).limit(1)
        with self.database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            with self.database.write() as connection:
                row = connection.execute(query).first()  # another thread may have been faster
                if row is None:
                    return self._create(connection, FIRST_PROJECT)
        return Project(*row)

    def _create(self, connection, name):
        created = now()
        key = connection.execute(projects.insert().values(name=name, created=created)).inserted_primary_key[0]
        self._add_sample(connection, key)
        return Project(key, name, created)


def require_project(connection, project, lock=False) -> Project:
    """The project, or StoreError. ``lock=True`` makes other writers of this project wait until the transaction ends."""
    query = select(projects).where(projects.c.id == operator.index(project))
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise StoreError(f"There is no project {operator.index(project)} in this store; choose one from the list")
    return Project(*row)


def clean_name(name, what):
    """The name without space around it, or StoreError."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise StoreError(
            f"{name[:40]!r} cannot name a {what}; use 1 to {LONGEST_NAME} letters, digits or signs on one line"
        )
    return name
