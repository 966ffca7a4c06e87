"""What takes the room of a project, and how much it may take: by project, and by the person who owns it.

Counted are bytes as they are stored: each content once a project, whether its text is listed or was removed; what runs
left; every change with its values. A content that several projects share counts for each of them.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import SupportsIndex

from sqlalchemy import Connection, String, case, cast, func, literal, select, union_all

from core.errors import StoreError
from core.store.database import Database
from core.store.projects import CORPUS, readable, require_project
from core.store.query_cache import kept
from core.store.rights import person_of
from core.store.schema import (
    commands,
    contents,
    corpora,
    documents,
    entries,
    members,
    projects,
    run_data,
    runs,
    size_of,
    traces,
    versions,
)

PROJECT, PERSON = "WORKBENCH_QUOTA_PROJECT", "WORKBENCH_QUOTA_PERSON"
MEGABYTE = 1_000_000
TEXTS, REMOVED, RUNS, CHANGES = "texts", "removed texts", "runs", "changes"
LARGEST = 3  # parts that a refusal names


@dataclass(frozen=True)
class Taken:
    """Bytes of a project.

    Attributes
    ----------
    texts, removed : int
        Contents of its texts, and of those that were removed.
    runs : dict of str to int
        Traces, checkpoints and results by kind of run, the largest first.
    changes : int
        The log, documents and versions.
    """

    texts: int = 0
    removed: int = 0
    runs: Mapping[str, int] = field(default_factory=dict)
    changes: int = 0

    @property
    def total(self) -> int:
        return self.texts + self.removed + sum(self.runs.values()) + self.changes

    @property
    def parts(self) -> dict[str, int]:
        """The same in words, the largest first."""
        found = {TEXTS: self.texts, REMOVED: self.removed, RUNS: sum(self.runs.values()), CHANGES: self.changes}
        return dict(sorted(found.items(), key=lambda part: -part[1]))


def quota(name: str, environment: Mapping[str, str] = os.environ) -> int | None:
    """The bytes that PROJECT or PERSON may take, None for any number. Raises StoreError for no number of MB."""
    text = environment.get(name, "").strip()
    if not text:
        return None
    try:
        number = float(text)
        if not 0 < number < 1e12:
            raise ValueError
    except ValueError:
        raise StoreError(f"{name} is {text[:20]!r}, no number of MB above 0; correct it, or leave it out") from None
    return int(number * MEGABYTE)


class Room:
    """The part of the store that knows what takes its room."""

    database: Database

    @kept
    def taken(self, project: SupportsIndex) -> Taken:
        """What a project takes, one in the trash too. O(its rows)."""
        with self.database.read() as connection:
            found = require_project(connection, project, trashed=None)
            return _taken(connection, [found.id]).get(found.id, Taken())

    @kept
    def owned(self, person: str) -> dict[str, int]:
        """Bytes of each project that a person owns, by its name and number; those in the trash count."""
        with self.database.read() as connection:
            own = select(projects.c.id, projects.c.name).join(members)
            own = own.where(members.c.person == person, members.c.role == "owner")
            rows = connection.execute(own.order_by(projects.c.id)).all()
            found = _taken(connection, [row.id for row in rows])
            return {f"{row.name!r} ({row.id})": found.get(row.id, Taken()).total for row in rows}

    def require_room(self, project: SupportsIndex, what: str, coming: int = 0) -> None:
        """StoreError where so many bytes more are above what this project, or an owner of it, may take.

        Without a number ``coming``, as of a run, where there is none left. Asks nothing where there is no quota.
        """
        most, most_of_person = quota(PROJECT), quota(PERSON)
        if most is not None:
            taken = self.taken(project)
            _require(what, coming, "this project takes", taken.total, most, taken.parts)
        if most_of_person is not None:
            with self.database.read() as connection:
                number, asker = readable(connection, project), person_of(connection)
                owners = select(members.c.person).where(members.c.project_id == number, members.c.role == "owner")
                people = connection.execute(owners.order_by(members.c.person)).scalars().all()
            for person in people:
                self._require_of_person(person, what, coming, most_of_person, asker in (None, person))

    def require_room_for_project(self, what: str, coming: int) -> None:
        """StoreError where a new project of so many bytes is above what a project, or this person, may take."""
        if (most := quota(PROJECT)) is not None:
            _require(what, coming, "a new project takes", 0, most, {})
        if (most := quota(PERSON)) is not None and self.database.person is not None:
            self._require_of_person(self.database.person, what, coming, most, True)

    def _require_of_person(self, person, what, coming, most, told):
        taken = self.owned(person)
        shown = dict(sorted(taken.items(), key=lambda part: -part[1])) if told else {}
        _require(what, coming, f"the projects of {person} take", sum(taken.values()), most, shown)


def _require(what, coming, who, taken, most, parts):
    if taken + coming <= most and (coming or taken < most):
        return
    size = f" ({coming / MEGABYTE:.1f} MB)" if coming else ""
    largest = [f"{name} {part / MEGABYTE:.1f} MB" for name, part in list(parts.items())[:LARGEST] if part]
    most_of_it = f" ({', '.join(largest)})" if largest else ""
    raise StoreError(
        f"There is no room for {what}{size}: {who} {taken / MEGABYTE:.1f} of {most / MEGABYTE:g} MB{most_of_it};"
        " delete runs on the page Runs or empty the removed texts on Projects, or ask who runs this server for more"
    )


def _taken(connection: Connection, ids: list[int]) -> dict[int, Taken]:
    """Project -> Taken, in one question to the database."""
    found: dict[int, dict] = {}
    for project, what, kind, size in connection.execute(_question(ids)) if ids else ():
        parts = found.setdefault(project, {TEXTS: 0, REMOVED: 0, CHANGES: 0, RUNS: {}})
        if what == RUNS:
            parts[RUNS][kind] = parts[RUNS].get(kind, 0) + int(size)
        else:
            parts[what] += int(size)
    return {
        project: Taken(
            parts[TEXTS], parts[REMOVED], dict(sorted(parts[RUNS].items(), key=lambda part: -part[1])), parts[CHANGES]
        )
        for project, parts in found.items()
    }


def _question(ids):
    """(project, TEXTS and so on, kind of run or "", bytes) of projects."""
    listed = documents.c.key == cast(corpora.c.id, String)
    listed &= (documents.c.kind == CORPUS) & (documents.c.project_id == corpora.c.project_id)
    used = select(corpora.c.project_id, corpora.c.content_id, func.count(documents.c.key).label("listed"))
    used = used.outerjoin_from(corpora, documents, listed).where(corpora.c.project_id.in_(ids))
    used = used.group_by(corpora.c.project_id, corpora.c.content_id).subquery()
    what = case((used.c.listed > 0, TEXTS), else_=REMOVED)
    parts = [
        select(used.c.project_id, what, literal(""), func.sum(size_of(contents.c.data)))
        .join_from(used, contents, contents.c.id == used.c.content_id)
        .group_by(used.c.project_id, what)
    ]
    for table, column in ((run_data, run_data.c.data), (traces, traces.c.entries)):
        of_kind = select(runs.c.project_id, literal(RUNS), runs.c.kind, func.sum(size_of(column)))
        of_kind = of_kind.join_from(runs, table).where(runs.c.project_id.in_(ids))
        parts.append(of_kind.group_by(runs.c.project_id, runs.c.kind))
    both = func.coalesce(size_of(commands.c.before), 0) + func.coalesce(size_of(commands.c.after), 0)
    for source, owner, size in (
        (entries.join(commands, commands.c.entry_id == entries.c.id), entries.c.project_id, both),
        (documents, documents.c.project_id, size_of(documents.c.value)),
        (versions, versions.c.project_id, size_of(versions.c.value)),
    ):
        changes = select(owner, literal(CHANGES), literal(""), func.sum(size)).select_from(source)
        parts.append(changes.where(owner.in_(ids)).group_by(owner))
    return union_all(*parts)
