"""Deleting runs: which may go, what that frees, and their rows.

A run stays that is not finished, that another run begins from, or that something chosen in the project names; so does
another person's, except for an owner. Every transaction takes away whole runs, the newest first, so that none is ever
left whose beginning is gone.
"""

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
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

AT_ONCE = 16_000_000  # bytes that one transaction takes away; more where a single run has more
MOST = 500  # runs in one statement


@dataclass(frozen=True)
class Deletable:
    """Which of some runs can be deleted.

    Attributes
    ----------
    runs : tuple of int
        Their ids, ascending.
    size : int
        Bytes of what they left.
    kept : dict of int to str
        The others' ids, and the sentence that says why each stays.
    """

    runs: tuple[int, ...]
    size: int = 0
    kept: Mapping[int, str] = field(default_factory=dict)


class Deletions:
    """The part of the store that deletes runs."""

    database: Database
    kinds: Callable[[], Kinds]

    def deletable_runs(self, project: SupportsIndex, wanted: Collection[int], later: bool = False) -> Deletable:
        """Which of the ``wanted`` runs this person may delete now; ``later`` adds those that begin from them.

        O(runs and documents of the project).
        """
        with self.database.read() as connection:
            owner = readable(connection, project)
            found = _deletable(connection, self.kinds(), owner, wanted, later)
            sizes = _sizes(connection, found.runs)
            return Deletable(found.runs, sum(sizes.values()), found.kept)

    def run_sizes(self, wanted: Collection[int]) -> dict[int, int]:
        """Run -> bytes of what it left: trace, checkpoint and result."""
        with self.database.read() as connection:
            return _sizes(connection, wanted)

    def runs_to_purge(self, project: SupportsIndex) -> list[Run]:
        """All runs of a project that is in the trash, for its owners: what they left elsewhere goes with it."""
        with self.database.read() as connection:
            owner = require_project(connection, project, role="owner", trashed=True)
            return [Run(*row) for row in connection.execute(select(runs).where(runs.c.project_id == owner.id))]

    def delete_runs(self, project: SupportsIndex, wanted: Collection[int], later: bool = False) -> Deletable:
        """Delete runs for good, with their traces, checkpoints and results; returns what went.

        StoreError, and all stay, where one of them cannot go: see ``deletable_runs``. One transaction takes away
        ``AT_ONCE`` bytes or one run, so nobody waits long for the lock.
        """
        number, first, going, freed = operator.index(project), True, set(wanted), 0
        gone: list[int] = []
        while first or going:
            with self.database.write() as connection:
                owner = require_project(connection, number, role="annotator")
                found = _deletable(connection, self.kinds(), owner.id, going, later and first)
                for reason in found.kept.values():
                    raise StoreError(reason)
                sizes = _sizes(connection, found.runs)
                batch = next_batch(found.runs, sizes)
                for table, column in ((traces, traces.c.run_id), (run_data, run_data.c.run_id), (runs, runs.c.id)):
                    connection.execute(table.delete().where(column.in_(batch)))
            gone += batch
            freed += sum(sizes[run] for run in batch)
            going, first = set(found.runs) - set(batch), False
        self.database.give_back()
        return Deletable(tuple(sorted(gone)), freed)


def next_batch(ids: Collection[int], sizes: Mapping[int, int]) -> list[int]:
    """The newest of some runs, as many as one transaction takes away."""
    batch, size = [], 0
    for run in sorted(ids, reverse=True):
        size += sizes[run]
        if batch and (size > AT_ONCE or len(batch) == MOST):
            break
        batch.append(run)
    return batch


def _deletable(connection: Connection, kinds: Kinds, project: int, wanted: Collection[int], later: bool) -> Deletable:
    """A Deletable without its size."""
    query = select(runs.c.id, runs.c.kind, runs.c.status, runs.c.author, runs.c.settings).where(
        runs.c.project_id == project
    )
    known = {row.id: row for row in connection.execute(query.order_by(runs.c.id))}
    followers: dict[int, list[int]] = {}  # run -> those whose settings name it
    for row in known.values():
        for named in kinds.runs_of_run(row.kind, row.settings) - {row.id}:
            followers.setdefault(named, []).append(row.id)
    going, kept = set(wanted), {}
    waiting = list(going) if later else []
    while waiting:
        more = set(followers.get(waiting.pop(), ())) - going
        going |= more
        waiting += more
    chosen = _chosen(connection, kinds, project)
    person = None if may_manage(connection, project) else person_of(connection)
    for run in sorted(going):
        if reason := _reason(run, known.get(run), person, chosen.get(run)):
            kept[run] = reason
    left = len(going) + 1
    while len(going - kept.keys()) < left:  # what stays keeps what it begins from
        left = len(going - kept.keys())
        for run in sorted(going - kept.keys()):
            needed = [each for each in followers.get(run, ()) if each not in going or each in kept]
            if needed:
                kept[run] = f"Run {run} cannot be deleted: run {needed[0]} begins from it; delete both, or keep both"
    return Deletable(tuple(sorted(going - kept.keys())), kept=kept)


def _reason(run, row, person, chosen):
    """Why a run stays whatever else is deleted; "" where nothing keeps it."""
    if row is None:
        return f"There is no run {run} in this project, or it was deleted; choose one from the list of runs"
    if row.status in UNFINISHED:
        return f"Run {run} cannot be deleted: it is {row.status}; cancel it first"
    if person is not None and row.author != person:
        return f"Run {run} cannot be deleted: it is {row.author}'s; ask one of the project's owners to delete it"
    if chosen:
        return f"Run {run} cannot be deleted: {chosen} names it; choose something else there first"
    return ""


def _chosen(connection, kinds, project) -> dict[int, str]:
    """Run -> what was chosen in the project that names it. What was only looked at (``remember``) names nothing."""
    text = type_coerce(documents.c.value, Text)
    may_name = documents.c.kind.not_in(kinds.without_run_ids) | text.contains("run-") | text.contains("by-")
    query = select(documents.c.kind, documents.c.key, documents.c.value).join(entries)
    query = query.where(documents.c.project_id == project, entries.c.undoable, may_name)
    named: dict[int, str] = {}
    for row in connection.execute(query):
        found = kinds.runs_of_document(row.kind, row.key, row.value)
        corpus = kinds.corpus_of(row.kind, row.key) if found else None
        text_value = None if corpus is None else current_value(connection, project, CORPUS, str(corpus))
        if corpus is not None and text_value is None:
            continue  # of a text that was removed
        of = "" if text_value is None else f" of {text_value['name']}"
        named |= dict.fromkeys(found, f"{row.kind!r}{of}")
    return named


def _sizes(connection, ids: Iterable[int]) -> dict[int, int]:
    """Bytes of what each run left."""
    ids = list(ids)
    found = dict.fromkeys(ids, 0)
    for begin in range(0, len(ids), MOST):
        some = ids[begin : begin + MOST]
        for table, column in ((traces, traces.c.entries), (run_data, run_data.c.data)):
            query = select(table.c.run_id, func.sum(size_of(column))).where(table.c.run_id.in_(some))
            for run, size in connection.execute(query.group_by(table.c.run_id)):
                found[run] += size
    return found
