"""The disk space of projects and its limits: for a project, and for all projects that a person owns.

Bytes are counted as they are stored: the contents of texts, removed ones included; traces, checkpoints and results of
runs; all changes with their values; exercises with their answers. A content that several projects share counts for each
of them.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import SupportsIndex

from sqlalchemy import Connection, String, case, cast, func, literal, select, union_all

from core.errors import StoreError
from core.store.database import Database
from core.store.projects import CORPUS, readable, require_project
from core.store.query_cache import cached
from core.store.rights import person_of
from core.store.schema import (
    answers,
    commands,
    contents,
    corpora,
    documents,
    entries,
    exercises,
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
TEXTS, REMOVED, RUNS, CHANGES, EXERCISES = "texts", "removed texts", "runs", "changes", "exercises"
LARGEST = 3  # parts that an error message lists


@dataclass(frozen=True)
class Usage:
    """The disk space of a project in bytes.

    Attributes
    ----------
    texts, removed : int
        Contents of its texts, and of removed ones.
    runs : dict of str to int
        Traces, checkpoints and results by kind of run, the largest first.
    changes : int
        The log, documents and versions.
    exercises : int
        Tasks and answers.
    """

    texts: int = 0
    removed: int = 0
    runs: Mapping[str, int] = field(default_factory=dict)
    changes: int = 0
    exercises: int = 0

    @property
    def total(self) -> int:
        return self.texts + self.removed + sum(self.runs.values()) + self.changes + self.exercises

    @property
    def parts(self) -> dict[str, int]:
        """The bytes by name, the largest first."""
        parts = {TEXTS: self.texts, REMOVED: self.removed, RUNS: sum(self.runs.values()), CHANGES: self.changes}
        parts |= {EXERCISES: self.exercises}
        return _largest_first(parts)


def _largest_first(sizes):
    return dict(sorted(sizes.items(), key=lambda part: -part[1]))


def quota(name: str, environment: Mapping[str, str] = os.environ) -> int | None:
    """The limit in bytes of PROJECT or PERSON, or None. Raises StoreError for a bad setting."""
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


class Quotas:
    """The part of the store for disk space and its limits."""

    database: Database

    @cached
    def usage(self, project: SupportsIndex) -> Usage:
        """The Usage of a project, in the trash or not. O(its rows)."""
        with self.database.read() as connection:
            owner = require_project(connection, project, trashed=None)
            return _usage(connection, [owner.id]).get(owner.id, Usage())

    @cached
    def usage_by_project(self, person: str) -> dict[str, int]:
        """Bytes of each project that a person owns, in the trash or not, by its name and id."""
        with self.database.read() as connection:
            query = select(projects.c.id, projects.c.name).join(members)
            query = query.where(members.c.person == person, members.c.role == "owner")
            rows = connection.execute(query.order_by(projects.c.id)).all()
            usage = _usage(connection, [row.id for row in rows])
            return {f"{row.name!r} ({row.id})": usage.get(row.id, Usage()).total for row in rows}

    def require_space(self, project: SupportsIndex, name: str, added: int = 0) -> None:
        """Raise StoreError where ``added`` bytes would exceed the quota of this project, or of an owner of it.

        For 0, where the size is not known yet, raise where no space is left. Needs no query without a quota.
        """
        most, most_of_person = quota(PROJECT), quota(PERSON)
        if most is not None:
            usage = self.usage(project)
            _require(name, added, "this project takes", usage.total, most, usage.parts)
        if most_of_person is not None:
            with self.database.read() as connection:
                number, user = readable(connection, project), person_of(connection)
                owners = select(members.c.person).where(members.c.project_id == number, members.c.role == "owner")
                people = connection.execute(owners.order_by(members.c.person)).scalars().all()
            for person in people:
                self._require_of_person(person, name, added, most_of_person, user in (None, person))

    def require_space_for_project(self, name: str, added: int) -> None:
        """Raise StoreError where a new project of ``added`` bytes would exceed a project's or this person's quota."""
        if (most := quota(PROJECT)) is not None:
            _require(name, added, "a new project takes", 0, most, {})
        if (most := quota(PERSON)) is not None and self.database.person is not None:
            self._require_of_person(self.database.person, name, added, most, True)

    def _require_of_person(self, person, name, added, most, may_see_projects):
        usage = self.usage_by_project(person)
        parts = _largest_first(usage) if may_see_projects else {}
        _require(name, added, f"the projects of {person} take", sum(usage.values()), most, parts)


def _require(name, added, subject, taken, most, parts):
    if taken + added <= most and (added or taken < most):
        return
    size = f" ({added / MEGABYTE:.1f} MB)" if added else ""
    largest = [
        f"{part} {part_size / MEGABYTE:.1f} MB" for part, part_size in list(parts.items())[:LARGEST] if part_size
    ]
    most_of_it = f" ({', '.join(largest)})" if largest else ""
    raise StoreError(
        f"There is no room for {name}{size}: {subject} {taken / MEGABYTE:.1f} of {most / MEGABYTE:g} MB{most_of_it};"
        " delete runs on the page Runs or empty the removed texts on Projects, or ask who runs this server for more"
    )


def _usage(connection: Connection, ids: list[int]) -> dict[int, Usage]:
    """Project -> Usage, by one query."""
    sizes: dict[int, dict] = {}
    for project, part, kind, size in connection.execute(_usage_query(ids)) if ids else ():
        parts = sizes.setdefault(project, {TEXTS: 0, REMOVED: 0, CHANGES: 0, EXERCISES: 0, RUNS: {}})
        if part == RUNS:
            parts[RUNS][kind] = parts[RUNS].get(kind, 0) + int(size)
        else:
            parts[part] += int(size)
    return {
        project: Usage(parts[TEXTS], parts[REMOVED], _largest_first(parts[RUNS]), parts[CHANGES], parts[EXERCISES])
        for project, parts in sizes.items()
    }


def _usage_query(ids):
    """(project, TEXTS and so on, kind of run or "", bytes) of projects."""
    listed = documents.c.key == cast(corpora.c.id, String)
    listed &= (documents.c.kind == CORPUS) & (documents.c.project_id == corpora.c.project_id)
    used = select(corpora.c.project_id, corpora.c.content_id, func.count(documents.c.key).label("listed"))
    used = used.outerjoin_from(corpora, documents, listed).where(corpora.c.project_id.in_(ids))
    used = used.group_by(corpora.c.project_id, corpora.c.content_id).subquery()
    part = case((used.c.listed > 0, TEXTS), else_=REMOVED)
    parts = [
        select(used.c.project_id, part, literal(""), func.sum(size_of(contents.c.data)))
        .join_from(used, contents, contents.c.id == used.c.content_id)
        .group_by(used.c.project_id, part)
    ]
    for table, column in ((run_data, run_data.c.data), (traces, traces.c.entries)):
        of_kind = select(runs.c.project_id, literal(RUNS), runs.c.kind, func.sum(size_of(column)))
        of_kind = of_kind.join_from(runs, table).where(runs.c.project_id.in_(ids))
        parts.append(of_kind.group_by(runs.c.project_id, runs.c.kind))
    both = func.coalesce(size_of(commands.c.before), 0) + func.coalesce(size_of(commands.c.after), 0)
    of_exercises, of_all = exercises.c.project_id, exercises.join(answers, answers.c.exercise_id == exercises.c.id)
    for source, owner, part, size in (
        (exercises, of_exercises, EXERCISES, size_of(exercises.c.tasks)),
        (of_all, of_exercises, EXERCISES, size_of(answers.c.answer)),
        (entries.join(commands, commands.c.entry_id == entries.c.id), entries.c.project_id, CHANGES, both),
        (documents, documents.c.project_id, CHANGES, size_of(documents.c.value)),
        (versions, versions.c.project_id, CHANGES, size_of(versions.c.value)),
    ):
        sums = select(owner, literal(part), literal(""), func.sum(size)).select_from(source)
        parts.append(sums.where(owner.in_(ids)).group_by(owner))
    return union_all(*parts)
