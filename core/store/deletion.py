"""Deleting runs: which may go, what that frees, and their rows.

A run cannot be deleted if it is not finished, if another run starts from it, or if a document of the project names it.
Another person's run can be deleted by owners alone. Every transaction deletes whole runs, the newest first, so that a
run never outlives the one that it starts from.
"""

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import SupportsIndex

from sqlalchemy import Connection, Text, func, select, type_coerce

from core.errors import StoreError
from core.store.database import Database
from core.store.log import current_value
from core.store.projects import CORPUS, UNFINISHED, readable, require_project
from core.store.rights import may_manage, person_of
from core.store.runs import Run
from core.store.schema import documents, entries, run_data, runs, size_of, traces
from core.store.shapes import Kinds

AT_ONCE = 16_000_000  # bytes that one transaction deletes; a single run may have more
MOST = 500  # runs in one statement


@dataclass(frozen=True)
class Deletable:
    """Which of some runs can be deleted.

    Attributes
    ----------
    runs : tuple of int
        Their ids, ascending.
    size : int
        Bytes of their traces, checkpoints and results.
    refused : dict of int to str
        The ids of the others, and a sentence on why each cannot be deleted.
    """

    runs: tuple[int, ...]
    size: int = 0
    refused: Mapping[int, str] = field(default_factory=dict)


class Deletions:
    """The part of the store that deletes runs."""

    database: Database
    kinds: Callable[[], Kinds]

    def deletable_runs(self, project: SupportsIndex, wanted: Collection[int], later: bool = False) -> Deletable:
        """Which of the ``wanted`` runs this person may delete now; ``later`` adds runs that start from them.

        O(runs and documents of the project).
        """
        with self.database.read() as connection:
            owner = readable(connection, project)
            deletable = _deletable(connection, self.kinds(), owner, wanted, later)
            return replace(deletable, size=sum(_sizes(connection, deletable.runs).values()))

    def run_sizes(self, wanted: Collection[int]) -> dict[int, int]:
        """Run -> bytes of its trace, checkpoint and result."""
        with self.database.read() as connection:
            return _sizes(connection, wanted)

    def runs_to_purge(self, project: SupportsIndex) -> list[Run]:
        """All runs of a project in the trash, whose files are to be removed too. For owners."""
        with self.database.read() as connection:
            owner = require_project(connection, project, role="owner", trashed=True)
            return [Run(*row) for row in connection.execute(select(runs).where(runs.c.project_id == owner.id))]

    def delete_runs(self, project: SupportsIndex, wanted: Collection[int], later: bool = False) -> Deletable:
        """Delete runs for good, with their traces, checkpoints and results; returns those deleted.

        Raises StoreError, and deletes none, where one of them cannot be deleted: see ``deletable_runs``. One
        transaction deletes ``AT_ONCE`` bytes or one run, so that nobody waits long for the lock.
        """
        number, first, remaining, freed = operator.index(project), True, set(wanted), 0
        deleted: list[int] = []
        while first or remaining:
            with self.database.write() as connection:
                owner = require_project(connection, number, role="annotator")
                deletable = _deletable(connection, self.kinds(), owner.id, remaining, later and first)
                for reason in deletable.refused.values():
                    raise StoreError(reason)
                sizes = _sizes(connection, deletable.runs)
                batch = next_batch(deletable.runs, sizes)
                for table, column in ((traces, traces.c.run_id), (run_data, run_data.c.run_id), (runs, runs.c.id)):
                    connection.execute(table.delete().where(column.in_(batch)))
            deleted += batch
            freed += sum(sizes[run] for run in batch)
            remaining, first = set(deletable.runs) - set(batch), False
        self.database.give_back()
        return Deletable(tuple(sorted(deleted)), freed)


def next_batch(ids: Collection[int], sizes: Mapping[int, int]) -> list[int]:
    """The newest of some runs, as many as one transaction deletes."""
    batch, size = [], 0
    for run in sorted(ids, reverse=True):
        size += sizes[run]
        if batch and (size > AT_ONCE or len(batch) == MOST):
            break
        batch.append(run)
    return batch


def _deletable(connection: Connection, kinds: Kinds, project: int, wanted: Collection[int], later: bool) -> Deletable:
    """A Deletable without its size."""
    query = select(runs.c.id, runs.c.kind, runs.c.status, runs.c.author, runs.c.settings)
    rows = connection.execute(query.where(runs.c.project_id == project).order_by(runs.c.id))
    known = {row.id: row for row in rows}
    followers: dict[int, list[int]] = {}  # run -> those whose settings name it
    for row in known.values():
        for named in kinds.runs_of_run(row.kind, row.settings) - {row.id}:
            followers.setdefault(named, []).append(row.id)
    asked, refused = set(wanted), {}
    waiting = list(asked) if later else []
    while waiting:
        more = set(followers.get(waiting.pop(), ())) - asked
        asked |= more
        waiting += more
    users = _users(connection, kinds, project)
    person = None if may_manage(connection, project) else person_of(connection)
    for run in sorted(asked):
        if reason := _refusal(run, known.get(run), person, users.get(run)):
            refused[run] = reason
    count = len(asked) + 1
    while len(asked - refused.keys()) < count:  # a refused run needs the one that it starts from
        count = len(asked - refused.keys())
        for run in sorted(asked - refused.keys()):
            needed = [other for other in followers.get(run, ()) if other not in asked or other in refused]
            if needed:
                refused[run] = f"Run {run} cannot be deleted: run {needed[0]} begins from it; delete both, or keep both"
    return Deletable(tuple(sorted(asked - refused.keys())), refused=refused)


def _refusal(run, row, person, user):
    """Why a run cannot be deleted, whatever else is; "" if it can."""
    if row is None:
        return f"There is no run {run} in this project, or it was deleted; choose one from the list of runs"
    if row.status in UNFINISHED:
        return f"Run {run} cannot be deleted: it is {row.status}; cancel it first"
    if person is not None and row.author != person:
        return f"Run {run} cannot be deleted: it is {row.author}'s; ask one of the project's owners to delete it"
    if user:
        return f"Run {run} cannot be deleted: {user} names it; choose something else there first"
    return ""


def _users(connection, kinds, project) -> dict[int, str]:
    """Run -> a document of the project that names it. View settings (``remember``) do not count."""
    text = type_coerce(documents.c.value, Text)
    may_name = documents.c.kind.not_in(kinds.without_run_ids) | text.contains("run-") | text.contains("by-")
    query = select(documents.c.kind, documents.c.key, documents.c.value).join(entries)
    query = query.where(documents.c.project_id == project, entries.c.undoable, may_name)
    users: dict[int, str] = {}
    for row in connection.execute(query):
        named = kinds.runs_of_document(row.kind, row.key, row.value)
        corpus = kinds.corpus_of(row.kind, row.key) if named else None
        text_value = None if corpus is None else current_value(connection, project, CORPUS, str(corpus))
        if corpus is not None and text_value is None:
            continue  # the text was removed
        of = "" if text_value is None else f" of {text_value['name']}"
        users |= dict.fromkeys(named, f"{row.kind!r}{of}")
    return users


def _sizes(connection, ids: Iterable[int]) -> dict[int, int]:
    """Run -> bytes of its trace, checkpoint and result."""
    ids = list(ids)
    sizes = dict.fromkeys(ids, 0)
    for start in range(0, len(ids), MOST):
        part = ids[start : start + MOST]
        for table, column in ((traces, traces.c.entries), (run_data, run_data.c.data)):
            query = select(table.c.run_id, func.sum(size_of(column))).where(table.c.run_id.in_(part))
            for run, size in connection.execute(query.group_by(table.c.run_id)):
                sizes[run] += size
    return sizes
