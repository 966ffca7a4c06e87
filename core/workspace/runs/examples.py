"""Runs of the sample to look at where a project has none of its own yet.

Each is made once, in the background, in a store of its own beside the user's: so it stands in nobody's list of runs,
and whoever may only read has it too. It is a run like the user's own, with the settings that a text begins with.
"""

import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.jobs import Jobs, Snapshot
from core.store import Store
from core.store.locations import workbench_home
from core.workspace.system import Outcome, System
from core.workspace.workspace import Workspace

FILE = "examples.sqlite"
KINDS = ("consensus", "scl")
QUIET = 5.0  # seconds without a page drawn after which there is time for an example nobody asked for
LOOK = 1.0  # seconds between two looks whether it is quiet


class Examples:
    """The examples of one folder, the workbench's by default; any thread may ask. All of it raises StoreError."""

    def __init__(self, folder: Path | None = None):
        self._folder = folder or workbench_home()
        self._lock = threading.Lock()  # guards the fields below
        self._systems = None
        self._begun = set()  # kinds that this process has begun to make; a failed one is not tried twice
        self._drawn = time.monotonic()

    def outcome(self, kind: str) -> Outcome | None:
        """The Outcome of a kind's example, or None while there is none. It belongs to no text of a project."""
        system, inputs, _ = self._planned(kind)
        run = self._finished(system, inputs)
        if run is None:
            return None
        outcome = system.load(run)
        return replace(outcome, inputs=replace(outcome.inputs, corpus=None))

    def under_way(self, kind: str) -> Snapshot | None:
        """The Snapshot of the running job that makes a kind's example; None where none is running."""
        return next(iter(self.system_of(kind).workspace.jobs.running(kind=kind)), None)

    def ask(self, kind: str) -> None:
        """Begin to make a kind's example, unless there is one or it was tried already."""
        system, inputs, plan = self._planned(kind)
        with self._lock:
            if kind in self._begun or self._finished(system, inputs) is not None:
                return
            self._begun.add(kind)
        system.start(inputs, plan)

    def forget(self) -> None:
        """Empty the cache of the examples."""
        with self._lock:
            if self._systems is not None:
                self._systems.workspace.cache.clear()

    def drawn(self) -> None:
        """Note that a page was drawn: somebody is at work."""
        self._drawn = time.monotonic()

    def prepare(self, kinds: Iterable[str], jobs: Jobs) -> None:
        """Make examples one after the other, each when it is quiet and no user's job runs; for the background."""
        for kind in kinds:
            while jobs.running() or time.monotonic() - self._drawn < QUIET:
                time.sleep(LOOK)
            self.ask(kind)
            self.wait(kind)

    def wait(self, kind: str, timeout: float | None = None) -> Snapshot | None:
        """Wait up to ``timeout`` seconds for the job that makes a kind's example: its Snapshot, None without a job."""
        job = self.under_way(kind)
        return None if job is None else self.system_of(kind).workspace.jobs.wait(job.run, timeout)

    def _planned(self, kind):
        """(system, inputs, plan) of a kind's example on the built-in sample."""
        system = self.system_of(kind)
        corpora = system.store.corpora(system.store.default_project())
        corpus = next(corpus for corpus in corpora if corpus.reference == "sample")
        plan = system.plan(corpus)
        return system, system.inputs(corpus, plan), plan

    def _finished(self, system, inputs):
        """The newest Run that came to its end on today's sample, or None."""
        return next((run for run in system.finished(inputs) if run.status == "done"), None)

    def system_of(self, kind: str) -> System:
        """The system that makes an example, in a store of its own."""
        with self._lock:
            if self._systems is None:
                from core.workspace.registry import Systems  # loads every system, which the first page does not need

                store = Store.open(f"sqlite:///{self._folder / FILE}")
                # one job at a time, in a process of its own, which gives its memory back
                self._systems = Systems(Workspace(store, limit=1, large=0))
            return self._systems[kind]
