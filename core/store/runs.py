"""Runs: the records of trainings, with settings, figures, trace, checkpoint and result."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import SupportsIndex

from sqlalchemy import select

from core.errors import StoreError
from core.store.database import Database, close_after_large
from core.store.processes import is_alive, store_time, this_process
from core.store.projects import UNFINISHED, readable, require_project
from core.store.query_cache import cached
from core.store.rights import author_of, person_of
from core.store.schema import inserted_id, now, run_data, runs, traces

FINISHED = ("done", "cancelled", "failed", "interrupted")
RESUMABLE = ("cancelled", "failed", "interrupted")


@dataclass(frozen=True)
class Run:
    """A run, without its trace, checkpoint and result, which have methods of their own."""

    id: int
    project: int
    kind: str
    settings: dict
    constraint_text: str
    data_hash: str
    author: str
    status: str  # queued, running, done, cancelled, failed or interrupted
    created: datetime
    started: datetime | None
    finished: datetime | None
    figures: dict
    error: str
    process: str = field(repr=False)
    heartbeat: datetime = field(repr=False)

    @property
    def corpus(self) -> int | None:
        """The id of its corpus, if its settings have one."""
        corpus = self.settings.get("corpus")
        return corpus if type(corpus) is int else None

    @property
    def seconds(self) -> float | None:
        """The time from its first start to its end, or None."""
        return (self.finished - self.started).total_seconds() if self.started and self.finished else None


class Runs:
    """The part of the store for runs."""

    database: Database
    require_space: Callable[..., None]  # by Quotas

    def create_run(
        self, project: SupportsIndex, kind: str, settings: dict, *, constraint_text: str = "", data_hash: str = "",
        size: int = 0,
    ) -> int:  # fmt: skip
        """Create a queued run of this process; returns its id.

        ``size`` is that of its result, if it is known. Raises StoreError where that exceeds a quota, or where no space
        is left. Later checkpoints and results are always stored.
        """
        time = now()
        self.require_space(project, str(settings["name"]) if size else "a run", size)
        values = {"kind": kind, "settings": settings, "constraint_text": constraint_text, "data_hash": data_hash}
        values |= {"status": "queued", "created": time, "figures": {}, "error": ""}
        with self.database.write() as connection:
            owner = require_project(connection, project, role="annotator")
            values |= {"author": author_of(connection), "project_id": owner.id}
            values |= {"process": this_process(), "heartbeat": store_time(connection)}
            return inserted_id(connection.execute(runs.insert().values(**values)))

    def start_run(self, run_id: int) -> None:
        """Mark a queued run as running."""
        with self.database.write() as connection:
            run = _require(connection, run_id, "started", ("queued",))
            beat = {"heartbeat": store_time(connection)}
            _update(connection, run_id, status="running", started=run.started or now(), **beat)

    def finish_run(
        self, run_id: int, status: str, figures: dict | None = None, result: bytes | None = None, error: str = ""
    ) -> None:
        """End a run with a status of ``FINISHED``; the checkpoint of a run that is done is deleted."""
        if status not in FINISHED:
            raise StoreError(f"A run cannot end as {status!r}; say one of {', '.join(FINISHED)}")
        with self.database.write() as connection:
            # "interrupted" too: its process may have been alive all the time
            _require(connection, run_id, "finished", (*UNFINISHED, "interrupted"))
            _update(connection, run_id, status=status, figures=figures or {}, error=error, finished=now())
            if result is not None:
                _put(connection, run_id, "result", result, None)
            if status == "done":
                connection.execute(run_data.delete().where(_data(run_id, "checkpoint")))

    def requeue_run(self, run_id: int) -> bytes | None:
        """Queue a stopped run to resume in this process; returns its checkpoint, or None.

        The trace is cut back to the checkpoint's iteration, so that no iteration repeats.
        """
        with self.database.write() as connection:
            _require(connection, run_id, "resumed", RESUMABLE)
            row = connection.execute(select(run_data).where(_data(run_id, "checkpoint"))).first()
            trace = []
            if row is not None:
                trace = [entry for entry in _trace(connection, run_id) if entry["iteration"] <= row.iteration]
            connection.execute(traces.delete().where(traces.c.run_id == run_id))
            if trace:
                connection.execute(traces.insert().values(run_id=run_id, entries=trace))
            _update(connection, run_id, status="queued", finished=None, error="", process=this_process())
            _update(connection, run_id, heartbeat=store_time(connection))
            return None if row is None else row.data

    def append_trace(self, run_id: int, entries: list[dict]) -> None:
        """Append iterations to the trace; each entry has its "iteration". O(entries)."""
        if entries:
            with self.database.write() as connection:
                _require_role(connection, run_id, "annotator")
                connection.execute(traces.insert().values(run_id=run_id, entries=entries))

    def trace(self, run_id: int) -> list[dict]:
        with self.database.query() as connection:
            _require(connection, run_id)
            return _trace(connection, run_id)

    def checkpoint(self, run_id: int, data: bytes, iteration: int = 0) -> None:
        """Store the checkpoint after ``iteration``, in place of the former one."""
        with self.database.write() as connection:
            _require_role(connection, run_id, "annotator")
            _put(connection, run_id, "checkpoint", data, iteration)

    def checkpoint_bytes(self, run_id: int) -> bytes | None:
        return self._bytes(run_id, "checkpoint")

    def result_bytes(self, run_id: int) -> bytes | None:
        return self._bytes(run_id, "result")

    def authorise_run(self, run_id: int, role: str) -> None:
        """Raise StoreError where the person lacks a role in the run's project; needs no query for the local user."""
        if self.database.person is not None:
            with self.database.read() as connection:
                _require_role(connection, run_id, role)

    @cached
    def run(self, run_id: int) -> Run:
        with self.database.query() as connection:
            return _require(connection, run_id)

    @cached
    def runs(self, project: SupportsIndex, kind: str | None = None, limit: int | None = None) -> list[Run]:
        """The project's runs (of one kind), newest first."""
        query = select(runs) if kind is None else select(runs).where(runs.c.kind == kind)
        with self.database.query() as connection:
            query = query.where(runs.c.project_id == readable(connection, project))
            return [Run(*row) for row in connection.execute(query.order_by(runs.c.id.desc()).limit(limit))]

    def heartbeat(self) -> None:
        """Write the heartbeat of this process's unfinished runs; to be called every few seconds."""
        is_ours = runs.c.process == this_process()
        with self.database.write() as connection:
            beat = runs.update().where(is_ours, runs.c.status.in_(UNFINISHED)).values(heartbeat=store_time(connection))
            connection.execute(beat)

    def recover(self) -> list[int]:
        """Mark the unfinished runs of dead processes as interrupted; returns their ids."""
        with self.database.read() as connection:
            if not _dead(connection):  # most often, and without a lock
                return []
        with self.database.write() as connection:
            dead = _dead(connection)
            for run_id in dead:
                _update(connection, run_id, status="interrupted", finished=now())
        return dead

    def _bytes(self, run_id, kind):
        with self.database.read() as connection:
            _require_role(connection, run_id, "reader")
            data = connection.execute(select(run_data.c.data).where(_data(run_id, kind))).scalar()
            close_after_large(connection, data)
            return data


def _dead(connection):
    """Ids of the unfinished runs of dead processes."""
    query = select(runs.c.id, runs.c.process, runs.c.heartbeat).where(runs.c.status.in_(UNFINISHED))
    rows = connection.execute(query).all()
    if not rows:
        return []
    time = store_time(connection)
    return [row.id for row in rows if not is_alive(row.process, row.heartbeat, time)]


def _require(connection, run_id, doing="", statuses=()):
    """The run. Raises StoreError where it is missing, or its status is none of the ``statuses``."""
    query = select(runs).where(runs.c.id == run_id)
    row = connection.execute(query.with_for_update() if statuses else query).first()
    if row is None:
        raise StoreError(f"There is no run {run_id} in this store, or it was deleted; choose one from the list")
    run = Run(*row)
    if person_of(connection) is not None:
        require_project(connection, run.project, role="annotator" if statuses else "reader")
    if statuses and run.status not in statuses:
        raise StoreError(f"Run {run_id} cannot be {doing}: it is {run.status}, not {' or '.join(statuses)}")
    return run


def _require_role(connection, run_id, role):
    if person_of(connection) is not None:
        require_project(connection, _require(connection, run_id).project, role=role)


def _update(connection, run_id, **values):
    connection.execute(runs.update().where(runs.c.id == run_id).values(**values))


def _trace(connection, run_id):
    query = select(traces.c.entries).where(traces.c.run_id == run_id).order_by(traces.c.id)
    return [entry for batch in connection.execute(query).scalars() for entry in batch]


def _data(run_id, kind):
    return (run_data.c.run_id == run_id) & (run_data.c.kind == kind)


def _put(connection, run_id, kind, data, iteration):
    close_after_large(connection, data)
    values = {"data": data, "iteration": iteration}
    if connection.execute(run_data.update().where(_data(run_id, kind)).values(**values)).rowcount == 0:
        connection.execute(run_data.insert().values(run_id=run_id, kind=kind, **values))
