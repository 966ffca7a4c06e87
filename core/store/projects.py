"""Projects: people open, share and authorise them. A deleted one stays in the trash until it is purged."""

import logging
import operator
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import SupportsIndex

from sqlalchemy import Connection, func, select

from core.errors import StoreError
from core.store.batches import abandoned, clear_abandoned, hide, purge
from core.store.database import Database
from core.store.query_cache import cached
from core.store.rights import LOCAL_AUTHOR, person_of, require_role, visible
from core.store.schema import documents, entries, inserted_id, members, now, projects, runs

LONGEST_NAME = 200
FIRST_PROJECT = "My project"
CORPUS = "corpus"  # kind of the documents that list a project's texts
UNFINISHED = ("queued", "running")  # statuses of runs

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Project:
    """A project. Methods that take a project accept this or its ``id``."""

    id: int
    name: str
    created: datetime
    deleted: datetime | None = None  # the time when it was put into the trash

    def __index__(self):
        return self.id


_COLUMNS = (projects.c.id, projects.c.name, projects.c.created, projects.c.deleted)  # the fields of a Project


class Projects:
    """The part of the store for projects."""

    database: Database
    _add_sample: Callable[[Connection, int], None]  # by Corpora

    @cached
    def projects(self) -> list[Project]:
        """All projects that the person may see, oldest first, without those in the trash."""
        with self.database.query() as connection:
            return _listed(connection, projects.c.deleted.is_(None))

    @cached
    def trash(self) -> list[Project]:
        """Deleted projects, oldest first."""
        with self.database.query() as connection:
            return _listed(connection, projects.c.deleted.is_not(None))

    @cached
    def project(self, project: SupportsIndex) -> Project:
        with self.database.query() as connection:
            return require_project(connection, project)

    def create_project(self, name: str) -> Project:
        """A new project with the built-in sample. Raises StoreError if the name is empty or taken."""
        with self.database.write() as connection:
            self.database.lock_names(connection)
            return self.make_project(connection, free_name(connection, name))

    def rename_project(self, project: SupportsIndex, name: str) -> Project:
        with self.database.write() as connection:
            self.database.lock_names(connection)
            current = require_project(connection, project, role="owner")
            name = free_name(connection, name, but=current.id)
            connection.execute(projects.update().where(projects.c.id == current.id).values(name=name))
            return Project(current.id, name, current.created)

    def delete_project(self, project: SupportsIndex) -> Project:
        """Put the project into the trash, from which ``restore_project`` takes it. For owners."""
        with self.database.write() as connection:
            current = require_project(connection, project, role="owner")
            connection.execute(projects.update().where(projects.c.id == current.id).values(deleted=now()))
            return current

    def restore_project(self, project: SupportsIndex) -> Project:
        """Take a project out of the trash; a number is added to its name if that is taken by now."""
        with self.database.write() as connection:
            self.database.lock_names(connection)
            current = require_project(connection, project, role="owner", trashed=True)
            name = free_name(connection, current.name, but=current.id, numbered=True)
            connection.execute(projects.update().where(projects.c.id == current.id).values(name=name, deleted=None))
            return Project(current.id, name, current.created)

    def purge_project(self, project: SupportsIndex) -> None:
        """Delete a project in the trash for good: first hide it from everybody, then delete its rows. For owners."""
        with self.database.write() as connection:
            current = require_project(connection, project, role="owner", trashed=True)
            unfinished = select(runs.c.id).where(runs.c.project_id == current.id, runs.c.status.in_(UNFINISHED))
            if run := connection.execute(unfinished.limit(1)).scalar():
                raise StoreError(f"Run {run} of {current.name!r} is still going on; cancel it, then delete the project")
            hide(connection, current.id)
        purge(self.database, current.id)

    def abandoned(self) -> list[int]:
        """Ids of the projects whose restoring or deletion a dead process did not finish."""
        return [project for project, _ in abandoned(self.database)]

    def clear_abandoned(self) -> list[int]:
        """Delete the abandoned projects for good; returns their ids. Too slow for a page."""
        return clear_abandoned(self.database)

    def clear_in_background(self) -> None:
        """Call ``clear_abandoned`` in a thread of its own, if there are such projects."""
        if self.abandoned():
            threading.Thread(target=self._clear, name="store-clear", daemon=True).start()

    def _clear(self):
        try:
            log.warning("left half done by processes that are gone, and cleared: projects %s", self.clear_abandoned())
        except StoreError as error:  # the next call tries again
            log.warning("projects of processes that are gone were not cleared: %s", error)

    @cached
    def project_size(self, project: SupportsIndex) -> dict[str, int]:
        """Counts of a project's "texts" (without removed ones), "changes" and "runs"."""
        with self.database.read() as connection:
            owner = require_project(connection, project, trashed=None)
            tables = {"texts": documents, "changes": entries, "runs": runs}
            counts = {
                name: select(func.count()).where(table.c.project_id == owner.id) for name, table in tables.items()
            }
            counts["texts"] = counts["texts"].where(documents.c.kind == CORPUS)
            return {name: connection.execute(count).scalar_one() for name, count in counts.items()}

    def default_project(self) -> Project:
        """The oldest project that the person may see; if there is none, a new one with the sample."""
        with self.database.read() as connection:
            oldest = _listed(connection, projects.c.deleted.is_(None), limit=1)
        if not oldest:
            with self.database.write() as connection:
                self.database.lock_names(connection)
                oldest = _listed(connection, projects.c.deleted.is_(None), limit=1)  # now that names are locked
                if not oldest:
                    return self.make_project(connection, FIRST_PROJECT)
        return oldest[0]

    @cached
    def recent_project(self) -> Project:
        """The project that the person last changed, else the oldest one."""
        author = self.database.person or LOCAL_AUTHOR
        query = select(*_COLUMNS).join(entries).where(projects.c.deleted.is_(None), entries.c.author == author)
        with self.database.query() as connection:
            row = connection.execute(query.where(visible(connection)).order_by(entries.c.id.desc()).limit(1)).first()
        return self.default_project() if row is None else Project(*row)

    def make_project(self, connection: Connection, name: str, sample: bool = True) -> Project:
        """A new project of the person of a transaction; the name must be free."""
        created, person = now(), person_of(connection)
        key = inserted_id(connection.execute(projects.insert().values(name=name, created=created)))
        if person is not None:
            connection.execute(members.insert().values(project_id=key, person=person, role="owner"))
        if sample:
            self._add_sample(connection, key)
        return Project(key, name, created)


def require_project(
    connection: Connection, project: SupportsIndex, *, lock: bool = False, role: str | None = None,
    trashed: bool | None = False,
) -> Project:  # fmt: skip
    """The project. Raises StoreError where it does not exist, or the person may not see it or lacks the role.

    ``lock=True`` makes other writers of this project wait until the transaction ends, and requires an annotator;
    ``role`` requires another role, and locks too. ``trashed`` is True for projects in the trash, False for others, None
    for both.
    """
    role = role or ("annotator" if lock else "reader")
    query = select(*_COLUMNS).where(projects.c.id == operator.index(project), visible(connection))
    row = connection.execute(query if role == "reader" else query.with_for_update(key_share=True)).first()
    if row is None or (row.deleted is not None and trashed is False) or (row.deleted is None and trashed is True):
        where = "in the trash" if trashed else "in this store"
        lost = "; look for it in the trash" if row is not None and row.deleted else "; choose one from the list"
        raise StoreError(f"There is no project {operator.index(project)} {where}{lost}")
    owner = Project(*row)
    require_role(connection, owner.id, owner.name, role)
    return owner


def readable(connection: Connection, project: SupportsIndex) -> int:
    """The id of a project. Raises StoreError where the person may not see it; needs no query for the local user."""
    return operator.index(project) if person_of(connection) is None else require_project(connection, project).id


def free_name(connection: Connection, name: str, but: int | None = None, numbered: bool = False) -> str:
    """The cleaned name, with a number if ``numbered`` and taken. Raises StoreError where it is taken otherwise."""
    name = clean_name(name, "project")
    taken = {other.name for other in _listed(connection, projects.c.deleted.is_(None)) if other.id != but}
    if name in taken and not numbered:
        raise StoreError(f"There is a project named {name!r} already; choose another name")
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name[: LONGEST_NAME - 8]} ({number})"
    return free


def clean_name(name: str, noun: str) -> str:
    """The name without space around it. Raises StoreError, which calls the thing by ``noun``."""
    name = name.strip()
    if not name:
        raise StoreError(f"Give the {noun} a name")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise StoreError(f"{name[:40]!r} cannot be the name of a {noun}; use at most {LONGEST_NAME} signs on one line")
    return name


def _listed(connection, condition, limit=None):
    query = select(*_COLUMNS).where(condition, visible(connection)).order_by(projects.c.id).limit(limit)
    return [Project(*row) for row in connection.execute(query)]
