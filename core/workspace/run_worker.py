"""The worker process that carries out a run for another process: see ``run_apart``."""

import io
import json
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.compilation.compiling import compiling_shown, kernels_of, progress
from core.errors import Cancelled, WorkbenchError
from core.jobs import Job, Snapshot
from core.processes.apart_worker import Apart
from core.processes.memory import take_large_arrays_apart
from core.store import Run, Store
from core.store.schema import canonical_json
from core.workspace.compare.curves import LearningCurve
from core.workspace.registry import Systems
from core.workspace.workspace import Workspace


def carry_out(
    apart: Apart, parts: list[bytes], store: str, person: str | None, run: int, author: str, iteration: int
) -> tuple[dict, list[bytes]]:
    """Do the work of a run that another process started on behalf of a person, in the store at an address.

    ``parts`` has the checkpoint to resume from, if there is one. Returns ``{"figures": ...}`` and the result, or for an
    unexpected error ``{"fault": its class, "at": its stack}``, which hold no word of a text.
    """
    take_large_arrays_apart()
    relay = _Relay(apart)
    workspace = _RelayedWorkspace(relay, Store.open(store)).on_behalf_of(person)
    record = workspace.store.run(run)
    job = _RelayedJob(relay, workspace.store, record, parts[0] if parts else None, iteration, author)
    system = Systems(workspace).get(record.kind)
    warming = None if system is None else system.warming
    compiling = compiling_shown(warming, lambda *_: job.set_detail(progress(kernels_of(warming))))
    try:
        with compiling:
            figures, result = work_of(workspace, record)(job) or ({}, None)
    except (WorkbenchError, Cancelled):
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        at = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        return {"fault": type(error).__name__, "at": at}, []
    return {"figures": json.loads(canonical_json(figures))}, [] if result is None else [result]


def work_of(workspace: Workspace, run: Run) -> Callable[[Job], tuple[dict, bytes | None] | None]:
    """The work that resumes a run. Raises WorkbenchError where its texts have changed."""
    systems = Systems(workspace)
    if run.kind == LearningCurve.kind:
        curve = LearningCurve(systems)
        return curve.work(*curve.inputs_of(run))
    return systems.of(run).repeated(run)[0]


class _Relay:
    """Sends messages to the process that started the run; several threads may call it."""

    def __init__(self, apart):
        self._apart, self._lock = apart, threading.Lock()
        self.cancelled = apart.cancelled

    def __call__(self, message, *parts):
        with self._lock:
            self._apart.report(message, parts)


class _RelayedWorkspace(Workspace):
    """A Workspace whose live trees are shown by the other process."""

    def __init__(self, relay, store):
        super().__init__(store)
        self._relay = relay

    def show_live(self, run_id: int, iteration: int | None, heads: np.ndarray | None) -> None:
        if heads is not None:  # the other process removes them when this one ends
            file = io.BytesIO()
            np.save(file, heads, allow_pickle=False)
            self._relay({"live": iteration}, file.getvalue())


class _RelayedJob(Job):
    """A Job that sends its progress and checkpoints to the other process."""

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
