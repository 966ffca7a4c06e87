"""Runs on large texts, each in a process of its own: what it takes goes back to the system, and no page waits for it.

The run belongs to the process that started it, as any other. The one apart opens the same store, does what *Resume*
would do from the run's record, and says by pipes how far it is; ``core.apart`` has the rest.
"""

import io
import json
import logging
import math
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.apart import ApartLimits, call_apart
from core.apart_worker import Apart
from core.compiling import compiling_shown, kernels_of, progress
from core.errors import Cancelled, WorkbenchError
from core.jobs import Job, Snapshot, unexpected
from core.memory import take_large_arrays_apart
from core.store import Run, Store
from core.store.schema import canonical_json
from core.workspace.workspace import Workspace

log = logging.getLogger(__name__)
NO_LIMIT = ApartLimits(
    seconds=None, memory=None, grace=math.inf, instead="resume the run when there is more, or train on part of the text"
)


def work_apart(workspace: Workspace) -> Callable[[Job], tuple[dict, bytes | None]]:
    """``work(job)`` for ``Jobs``: what the run's record says, done by another process.

    Raises WorkbenchError in one sentence where that process is ended or cannot be started, and for what the work
    itself refuses.
    """
    database = workspace.store.database

    def work(job: Job):
        messages = _Messages(workspace, job)
        call = {"store": database.address, "person": database.person, "run": job.run, "author": job.person}
        try:
            found, parts = call_apart(
                "core.workspace.run_apart:carry_out", call | {"iteration": job.iteration},
                [] if job.resumed is None else [job.resumed], doing="the computation", limits=NO_LIMIT,
                cancel=messages.cancelled, report=messages.take,
            )  # fmt: skip
        finally:
            workspace.show_live(job.run, None, None)
        if "fault" in found:
            log.error(f"run {job.run} failed: {found['fault']} at {', '.join(found['at'])}", extra={"run": job.run})
            raise WorkbenchError(unexpected(found["fault"]))
        return found["figures"], parts[0] if parts else None

    return work


class _Messages:
    """What the process says, told to its Job and to the workspace."""

    def __init__(self, workspace, job):
        self.workspace, self.job, self.begun = workspace, job, False

    def cancelled(self):
        """Whether it is to stop; one that has not begun leaves nothing, and is ended. Raises Cancelled."""
        if self.job.cancelled() and not self.begun:
            raise Cancelled
        return self.job.cancelled()

    def take(self, message, parts):
        self.begun = True
        if "report" in message:
            self.job.report(*message["report"])
        elif "detail" in message:
            self.job.set_detail(message["detail"])
        elif "checkpoint" in message:
            self.job.checkpoint(parts[0])
        elif "live" in message:
            self.workspace.show_live(self.job.run, message["live"], np.load(io.BytesIO(parts[0]), allow_pickle=False))


def carry_out(
    apart: Apart, parts: list[bytes], store: str, person: str | None, run: int, author: str, iteration: int
) -> tuple[dict, list[bytes]]:
    """Do the work of a run, which another process began on behalf of a person, in the store at an address.

    ``parts`` has the checkpoint to go on from, where there is one. Returns ``{"figures": ...}`` and the result; of an
    error that nobody foresaw ``{"fault": its kind, "at": places}``, which hold no word of a text.
    """
    take_large_arrays_apart()
    relay = _Relay(apart)
    workspace = _RelayedWorkspace(relay, Store.open(store)).on_behalf_of(person)
    found = workspace.store.run(run)
    job = _RelayedJob(relay, workspace.store, found, parts[0] if parts else None, iteration, author)
    compiling = compiling_shown(found.kind, lambda *_: job.set_detail(progress(kernels_of(found.kind))))
    try:
        with compiling:
            figures, result = work_of(workspace, found)(job) or ({}, None)
    except (WorkbenchError, Cancelled):
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        at = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        return {"fault": type(error).__name__, "at": at}, []
    return {"figures": json.loads(canonical_json(figures))}, [] if result is None else [result]


def work_of(workspace: Workspace, run: Run) -> Callable[[Job], tuple[dict, bytes | None] | None]:
    """What *Resume* would do with a run. Raises WorkbenchError where its texts are others now."""
    from core.workspace.compare.curves import LearningCurve  # these know systems, whose tasks know this module
    from core.workspace.registry import Systems

    systems = Systems(workspace)
    if run.kind == LearningCurve.kind:
        curve = LearningCurve(systems)
        return curve.work(*curve.inputs_of(run))
    return systems.of(run).repeated(run)[0]


class _Relay:
    """Hands messages to the process that began the run; threads may, one at a time."""

    def __init__(self, apart):
        self._apart, self._lock = apart, threading.Lock()
        self.cancelled = apart.cancelled

    def __call__(self, message, *parts):
        with self._lock:
            self._apart.report(message, parts)


class _RelayedWorkspace(Workspace):
    """A Workspace whose trees to look at are looked at elsewhere."""

    def __init__(self, relay, store):
        super().__init__(store)
        self._relay = relay

    def show_live(self, run_id: int, iteration: int | None, heads: np.ndarray | None) -> None:
        if heads is not None:  # they are taken away with the process
            file = io.BytesIO()
            np.save(file, heads, allow_pickle=False)
            self._relay({"live": iteration}, file.getvalue())


class _RelayedJob(Job):
    """A Job that is told elsewhere how far it is, and kept there."""

    def __init__(self, relay, store, run, resumed, iteration, author):
        start = Snapshot(run.id, run.project, run.kind, "running")
        trace = [{"iteration": iteration, "seconds": 0.0}] if iteration else []
        super().__init__(store, start, resumed, trace, time.monotonic, author)
        self._relay = relay

    def cancelled(self) -> bool:
        return self._relay.cancelled()

    def report(
        self, iteration: int, fraction: float | None = None, figures: dict | None = None, message: str = ""
    ) -> None:
        copied = json.loads(canonical_json(figures or {}))
        with self._lock:
            self._snapshot = replace(self._snapshot, iteration=int(iteration))
        self._relay({"report": [int(iteration), fraction if fraction is None else float(fraction), copied, message]})

    def set_detail(self, detail: str) -> None:
        self._relay({"detail": detail})

    def checkpoint(self, data: bytes | Callable[[], bytes]) -> None:
        super().checkpoint(data) if callable(data) else self._keep(data)

    def _keep(self, data):
        self._relay({"checkpoint": True}, data)
