"""Projects: the unit that people open, share and authorise. A deleted one waits in the trash until it is purged."""

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
from core.store.query_cache import kept
from core.store.rights import LOCAL_AUTHOR, person_of, require_role, visible
from core.store.schema import documents, entries, inserted_id, members, now, projects, runs

LONGEST_NAME = 200
FIRST_PROJECT = "My project"
CORPUS = "corpus"  # kind of the documents that list a project's texts
UNFINISHED = ("queued", "running")  # statuses of runs

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Project:
    """A project; wherever a method asks for a project, this or its ``id`` will do."""

    id: int
    name: str
    created: datetime
    deleted: datetime | None = None  # in the trash since

    def __index__(self):
        return self.id


_COLUMNS = (projects.c.id, projects.c.name, projects.c.created, projects.c.deleted)  # a Project


class Projects:
    """The part of the store that knows projects."""

    database: Database
    _add_sample: Callable[[Connection, int], None]  # by Corpora

    @kept
    def projects(self) -> list[Project]:
        """All projects that the person may see, oldest first; those in the trash are not among them."""
        with self.database.query() as connection:
            return _listed(connection, projects.c.deleted.is_(None))

    @kept
    def trash(self) -> list[Project]:
        """Deleted projects, oldest first."""
        with self.database.query() as connection:
            return _listed(connection, projects.c.deleted.is_not(None))

    @kept
    def project(self, project: SupportsIndex) -> Project:
        with self.database.query() as connection:
            return require_project(connection, project)

    def create_project(self, name: str) -> Project:
        """A new project holding the built-in sample; StoreError if the name is empty or taken."""
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
        """Put the project into the trash, whole; ``restore_project`` takes it out again. For owners."""
        with self.database.write() as connection:
            current = require_project(connection, project, role="owner")
            connection.execute(projects.update().where(projects.c.id == current.id).values(deleted=now()))
            return current

    def restore_project(self, project: SupportsIndex) -> Project:
        """Take a project out of the trash; where its name is taken by now, a number is added."""
        with self.database.write() as connection:
            self.database.lock_names(connection)
            current = require_project(connection, project, role="owner", trashed=True)
            name = free_name(connection, current.name, but=current.id, numbered=True)
            connection.execute(projects.update().where(projects.c.id == current.id).values(name=name, deleted=None))
            return Project(current.id, name, current.created)

    def purge_project(self, project: SupportsIndex) -> None:
        """Delete for good a project that is in the trash: at once for everybody, and row by row on disk. For owners."""
        with self.database.write() as connection:
            current = require_project(connection, project, role="owner", trashed=True)
            going_on = select(runs.c.id).where(runs.c.project_id == current.id, runs.c.status.in_(UNFINISHED))
            if run := connection.execute(going_on.limit(1)).scalar():
                raise StoreError(f"Run {run} of {current.name!r} is still going on; cancel it, then delete the project")
            hide(connection, current.id)
        purge(self.database, current.id)

    def abandoned(self) -> list[int]:
        """Ids of the projects that dead processes left half restored or half deleted."""
        return [project for project, _ in abandoned(self.database)]

    def clear_abandoned(self) -> list[int]:
        """Delete those projects for good; returns their ids. As long as a deletion takes: not for a page."""
        return clear_abandoned(self.database)

    def clear_behind(self) -> None:
        """The same, where there are any, in a thread of its own."""
        if self.abandoned():
            threading.Thread(target=self._clear, name="store-clear", daemon=True).start()

    def _clear(self):
        try:
            log.warning("left half done by processes that are gone, and cleared: projects %s", self.clear_abandoned())
        except StoreError as error:  # the next look goes on with it
            log.warning("projects of processes that are gone were not cleared: %s", error)

    @kept
    def project_size(self, project: SupportsIndex) -> dict[str, int]:
        """What would be lost with it: numbers of "texts" (removed ones not counted), "changes" and "runs"."""
        with self.database.read() as connection:
            found = require_project(connection, project, trashed=None)
            tables = {"texts": documents, "changes": entries, "runs": runs}
            counts = {
                name: select(func.count()).where(table.c.project_id == found.id) for name, table in tables.items()
            }
            counts["texts"] = counts["texts"].where(documents.c.kind == CORPUS)
            return {name: connection.execute(count).scalar_one() for name, count in counts.items()}

    def default_project(self) -> Project:
        """The oldest project that the person may see; the first call makes one, sample included."""
        with self.database.read() as connection:
            found = _listed(connection, projects.c.deleted.is_(None), limit=1)
        if not found:
            with self.database.write() as connection:
                self.database.lock_names(connection)
                found = _listed(connection, projects.c.deleted.is_(None), limit=1)  # another may have been faster
                if not found:
                    return self.make_project(connection, FIRST_PROJECT)
        return found[0]

    @kept
    def recent_project(self) -> Project:
        """The project that the person changed last, else the oldest one."""
        author = self.database.person or LOCAL_AUTHOR
        query = select(*_COLUMNS).join(entries).where(projects.c.deleted.is_(None), entries.c.author == author)
        with self.database.query() as connection:
            row = connection.execute(query.where(visible(connection)).order_by(entries.c.id.desc()).limit(1)).first()
        return self.default_project() if row is None else Project(*row)

    def make_project(self, connection: Connection, name: str, sample: bool = True) -> Project:
        """A new project inside a transaction, owned by whom it is for; the name must be free."""
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
    """The project, or StoreError where it is not there, is not for this person's eyes, or she lacks the role.

    ``lock=True`` makes other writers of this project wait until the transaction ends, and asks for an annotator;
    ``role`` asks for more, and locks too. ``trashed`` says which are meant: those in the trash, those that are not,
    or None for both.
    """
    role = role or ("annotator" if lock else "reader")
    query = select(*_COLUMNS).where(projects.c.id == operator.index(project), visible(connection))
    row = connection.execute(query if role == "reader" else query.with_for_update(key_share=True)).first()
    if row is None or (row.deleted is not None and trashed is False) or (row.deleted is None and trashed is True):
        where = "in the trash" if trashed else "in this store"
        lost = "; look for it in the trash" if row is not None and row.deleted else "; choose one from the list"
        raise StoreError(f"There is no project {operator.index(project)} {where}{lost}")
    found = Project(*row)
    require_role(connection, found.id, found.name, role)
    return found


def readable(connection: Connection, project: SupportsIndex) -> int:
    """The id of a project, or StoreError where this person may not see it; the local user costs no query."""
    return operator.index(project) if person_of(connection) is None else require_project(connection, project).id


def free_name(connection: Connection, name: str, but: int | None = None, numbered: bool = False) -> str:
    """The name cleaned; StoreError where another project has it, or with ``numbered`` the next one free."""
    name = clean_name(name, "project")
    taken = {each.name for each in _listed(connection, projects.c.deleted.is_(None)) if each.id != but}
    if name in taken and not numbered:
        raise StoreError(f"There is a project named {name!r} already; choose another name")
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name[: LONGEST_NAME - 8]} ({number})"
    return free


def clean_name(name: str, what: str) -> str:
    """The name without space around it, or StoreError."""
    name = name.strip()
    if not name:
        raise StoreError(f"Give the {what} a name")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise StoreError(f"{name[:40]!r} cannot be the name of a {what}; use at most {LONGEST_NAME} signs on one line")
    return name


def _listed(connection, condition, limit=None):
    query = select(*_COLUMNS).where(condition, visible(connection)).order_by(projects.c.id).limit(limit)
    return [Project(*row) for row in connection.execute(query)]
