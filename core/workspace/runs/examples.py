"""Runs of the sample to look at where a project has none of its own yet.

Each is made once, in the background, in a store of its own beside the user's: so it stands in nobody's list of runs,
and whoever may only read has it too.
"""

import threading
import time

from core.store.places import workbench_home

FILE = "examples.sqlite"
KINDS = ("consensus", "scl")
QUIET = 5.0  # seconds without a page drawn after which there is time for an example nobody asked for
LOOK = 1.0  # seconds between two looks whether it is quiet


class Examples:
    """The examples of one folder, the workbench's by default; any thread may ask. All of it raises StoreError."""

    def __init__(self, folder=None):
        self._folder = folder or workbench_home()
        self._lock = threading.Lock()  # guards the fields below
        self._makers = {}
        self._begun = set()  # kinds that this process began to make: what failed is not tried twice
        self._drawn = time.monotonic()

    def outcome(self, kind):
        """The outcome of a kind's example, or None while there is none. It belongs to no text of a project."""
        return self._maker(kind).outcome()

    def under_way(self, kind):
        """The Snapshot of the job that makes a kind's example, or None."""
        return next(iter(self._maker(kind).jobs.running(kind=kind)), None)

    def ask(self, kind):
        """Begin to make a kind's example, unless there is one or it was tried already."""
        maker = self._maker(kind)
        with self._lock:
            if kind in self._begun or maker.finished() is not None:
                return
            self._begun.add(kind)
        maker.start()

    def drawn(self):
        """Note that a page was drawn: somebody is at work."""
        self._drawn = time.monotonic()

    def prepare(self, kinds, jobs):
        """Make examples one after the other, each when it is quiet and no user's job runs; for the background."""
        for kind in kinds:
            while jobs.running() or time.monotonic() - self._drawn < QUIET:
                time.sleep(LOOK)
            self.ask(kind)
            self.wait(kind)

    def wait(self, kind, timeout=None):
        """The Snapshot of the job that makes a kind's example, once it has ended; None where none is under way."""
        made = self.under_way(kind)
        return None if made is None else self._maker(kind).jobs.wait(made.run, timeout)

    def _maker(self, kind):
        with self._lock:
            if not self._makers:
                from core.workspace.runs.example_runs import makers  # a second, and the first page has no use for it

                self._makers = makers(f"sqlite:///{self._folder / FILE}")
            return self._makers[kind]
