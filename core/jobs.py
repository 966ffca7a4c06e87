"""Background jobs: progress, cancel, checkpoint, result. One ``Jobs`` a process; tabs only watch it.

def work(job):
    for iteration in range(job.iteration + 1, rounds + 1):
        ...  # one round in at most a few tenths of a second
        job.report(iteration, fraction=iteration / rounds, figures={"objective": value})
        job.checkpoint(lambda: to_npz(weights))
        if job.cancelled():
            break
    return {"objective": value}, to_npz(weights)  # figures and result, or None

run = jobs.start(project, "ge", settings, work)
jobs.snapshot(run)  # status, iteration, fraction, figures, seconds left
jobs.cancel(run)
jobs.resume(run, work)  # goes on from job.resumed, the bytes of the checkpoint
"""

import copy
import json
import logging
import operator
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import SupportsIndex

from core.compilation.compiling import Warming, compiler, kernels_of, progress
from core.errors import Cancelled, StoreError, WorkbenchError, unexpected
from core.store import UNFINISHED, Store
from core.store.schema import canonical_json
from core.threads import lower_priority
from core.version import code_version

TRACE_SECONDS = 0.25  # at most four writes a second
CHECKPOINT_SECONDS = 1.0
CHECKPOINT_SHARE = 10  # and at most a tenth of the time goes into writing checkpoints
BEAT_SECONDS = 2.0
RATE_WINDOW = 20  # the last so many reports say how fast it goes
LOOK_SECONDS = 5.0  # between two looks for runs whose process has died
SILENCE = 2.0  # a job silent for so many seconds while the compiler is at work waits for it

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Snapshot:
    """How a run stands; made under a lock, so its fields belong together."""

    run: int
    project: int
    kind: str
    status: str  # as Run.status
    iteration: int = 0
    fraction: float | None = None  # of the work, 0..1, None if unknown
    figures: dict = field(default_factory=dict)  # of the last iteration; of the result once done
    message: str = ""
    detail: str = ""  # how far it is within an iteration
    error: str = ""
    seconds: float = 0.0  # since it began to run
    seconds_left: float | None = None
    stopping: bool = False  # cancelled, and about to end

    @property
    def active(self) -> bool:
        return self.status in UNFINISHED


class Job:
    """The argument of ``work``. Its methods are called from the worker's thread, and never wait for a tab."""

    def __init__(
        self, store: Store, snapshot: Snapshot, resumed: bytes | None, trace: list[dict], clock: Callable[[], float],
        person: str,
    ):  # fmt: skip
        self.run = snapshot.run
        self.resumed = resumed  # the checkpoint to go on from, None at a fresh start
        self.person = person  # who started or resumed it
        self.warming: Warming | None = None  # the kernels of its work, which names them
        self._store, self._clock = store, clock
        self._lock = threading.Lock()  # guards every field below; never held while the store writes
        self._writing = threading.Lock()  # one writer of the trace at a time keeps its order
        self._cancel = threading.Event()
        self._snapshot = replace(snapshot, iteration=trace[-1]["iteration"] if trace else 0)
        self._earlier = trace[-1]["seconds"] if trace else 0.0  # what the run took before it was resumed
        self._trace = list(trace)
        self._written = len(trace)
        self._began = self._traced = self._saved = clock()
        self._save_seconds = 0.0
        self._unsaved = None
        self._rate = deque(maxlen=RATE_WINDOW)
        self._reported = self._began
        self._compiler = compiler()  # listens from now on

    @property
    def iteration(self) -> int:
        """The last iteration reported; after a resume, the one the checkpoint has seen."""
        with self._lock:
            return self._snapshot.iteration

    def cancelled(self) -> bool:
        """Whether somebody asked to stop: ask after each iteration, then return what there is or raise Cancelled."""
        return self._cancel.is_set()

    def report(
        self, iteration: int, fraction: float | None = None, figures: dict | None = None, message: str = ""
    ) -> None:
        """Tell how far it is; writes at most every quarter of a second.

        The figures (JSON values, NumPy's too) are copied, and those of every iteration stay in the trace.
        """
        time_now = self._clock()
        iteration, copied = int(iteration), json.loads(canonical_json(figures or {}))
        with self._lock:
            seconds = self._earlier + time_now - self._began
            self._snapshot = replace(
                self._snapshot, iteration=iteration, fraction=fraction, figures=copied, message=message, detail=""
            )
            self._trace.append({**copied, "iteration": iteration, "seconds": seconds})
            if fraction is not None:
                self._rate.append((time_now, fraction))
            self._reported = time_now
            due = time_now - self._traced >= TRACE_SECONDS
        if due:
            self._try_flush()

    def set_detail(self, detail: str) -> None:
        """Tell how far it is within an iteration, to be seen until the next report; writes nothing."""
        with self._lock:
            self._snapshot = replace(self._snapshot, detail=detail)
            self._reported = self._clock()

    def checkpoint(self, data: bytes | Callable[[], bytes]) -> None:
        """Store the state from which the work can go on, about once a second.

        Bytes that come between two writes are written at the end if the run is cancelled or fails. A function is
        called only when its bytes will be written: now, or never; after a cancel, always.
        """
        time_now = self._clock()
        pause = max(CHECKPOINT_SECONDS, CHECKPOINT_SHARE * self._save_seconds)
        if time_now - self._saved < pause and not self.cancelled():
            if not callable(data):
                self._unsaved = (data, self.iteration)
            return
        self._unsaved = (data() if callable(data) else data, self.iteration)
        try:
            self._save()
        except StoreError as error:  # it is written at the end
            log.warning("checkpoint of run %s put off: %s", self.run, error)
        self._saved = self._clock()
        self._save_seconds = self._saved - time_now

    def _save(self):
        """Write the trace up to the checkpoint, then the checkpoint."""
        if self._unsaved is not None:
            self._flush()
            self._store.checkpoint(self.run, *self._unsaved)
            self._unsaved = None

    def _flush(self):
        with self._writing:
            with self._lock:
                entries = self._trace[self._written :]
                self._traced = self._clock()
            self._store.append_trace(self.run, entries)
            self._written += len(entries)

    def _try_flush(self):
        """Write new entries of the trace to the store; a store that refuses for now is tried again later."""
        try:
            self._flush()
        except StoreError as error:
            log.warning("trace of run %s put off: %s", self.run, error)

    def _begin(self):
        with self._lock:
            self._began = self._traced = self._saved = self._reported = self._clock()
            self._snapshot = replace(self._snapshot, status="running")

    def _look(self):
        """The snapshot with its times as of now."""
        with self._lock:
            running = self._snapshot.status == "running"
            seconds = self._earlier + (self._clock() - self._began if running else 0.0)
            left = self._seconds_left()
            message = self._compiling() if running else ""
            message = message or self._snapshot.message
            return replace(
                self._snapshot, seconds=seconds, seconds_left=left, stopping=self._cancel.is_set(), message=message
            )

    def _compiling(self):
        """The message while the compiler is at work on a kernel of this work, or keeps the run waiting."""
        if not self.warming or not self._compiler.at_work():
            return ""
        kernels, silent = kernels_of(self.warming), self._clock() - self._reported > SILENCE
        return progress(kernels) if silent or self._compiler.at_work(kernels) else ""

    def _seconds_left(self):
        if len(self._rate) < 2 or self._rate[-1][1] <= self._rate[0][1]:
            return None
        (first, low), (last, high) = self._rate[0], self._rate[-1]
        left = (1 - high) * (last - first) / (high - low)
        return max(0.0, left - (self._clock() - last))


class Jobs:
    """The jobs of one process: at most ``limit`` run at once, the others wait their turn.

    Hold exactly one (in Streamlit, under ``st.cache_resource``). Making it marks the runs that a dead process
    left behind as interrupted.
    """

    def __init__(self, store: Store, limit: int = 2, *, clock: Callable[[], float] = time.monotonic):
        self._store, self._limit, self._clock = store, limit, clock
        self._starting = threading.Lock()  # one start at a time, so that a replaced job is never overlooked
        self._lock = threading.Lock()  # guards the fields below; never held while the store is asked
        self._jobs = {}  # run id -> (Job, work), waiting or running, in the order of their start
        self._running = {}  # run id -> Thread, of those that run
        self._tally = Counter()  # how many ended, by status
        self._ended = {}  # run id -> last Snapshot, only of runs whose end could not be written
        self._changed = threading.Condition(self._lock)
        self._beating = threading.Event()
        self._asker = store  # the store of the person who asks; see on_behalf_of
        self._code = code_version()  # now: the files may change under a running process
        self._looked = [self._clock()]  # when runs of dead processes were looked for; views share it
        store.recover()
        store.clear_in_background()

    def on_behalf_of(self, store: Store) -> "Jobs":
        """The same jobs, for the person of ``store``: what she may not start, stop or see is a StoreError.

        A job that runs does not depend on the person who started it, who may leave the project meanwhile.
        """
        view = copy.copy(self)
        view._asker = store
        return view

    def start(
        self, project: SupportsIndex, kind: str, settings: dict,
        work: Callable[[Job], tuple[dict, bytes | None] | None], *, constraint_text: str = "", data_hash: str = "",
        replace: bool = False,
    ) -> int:  # fmt: skip
        """Run ``work(job)`` in the background; returns the run's id at once.

        ``replace=True`` cancels the older jobs of the same project and kind: an edit trains anew. One of the very same
        settings and texts is this one already: a click that a page hears twice begins one run. ``work`` returns
        (figures, result bytes or None), or None. It ends a job as cancelled by returning or raising ``Cancelled``
        after ``job.cancelled()``; any other exception makes the run failed.
        """
        owner = operator.index(project)
        with self._starting:
            if replace:
                asked = json.loads(canonical_json(settings)), constraint_text, data_hash
                for snapshot in self.running(owner, kind):
                    run = self._store.run(snapshot.run)
                    if not snapshot.stopping and (run.settings, run.constraint_text, run.data_hash) == asked:
                        self._asker.authorise_run(snapshot.run, "annotator")
                        return snapshot.run
                    self.cancel(snapshot.run)
            run_id = self._asker.create_run(owner, kind, settings, constraint_text=constraint_text, data_hash=data_hash)
            self._enqueue(Snapshot(run_id, owner, kind, "queued"), work)
        return run_id

    def resume(self, run_id: int, work: Callable[[Job], tuple[dict, bytes | None] | None]) -> int:
        """Go on with a cancelled, failed or interrupted run, from ``job.resumed`` if it has a checkpoint."""
        checkpoint = self._asker.requeue_run(run_id)  # of two tabs that resume at once, the second is refused
        run = self._store.run(run_id)
        self._enqueue(Snapshot(run_id, run.project, run.kind, "queued"), work, checkpoint, self._store.trace(run_id))
        return run_id

    def cancel(self, run_id: int) -> None:
        """Ask a run to stop: at once where it waits, after its iteration where it runs. Its checkpoint stays."""
        self._asker.authorise_run(run_id, "annotator")
        with self._lock:
            ours = run_id in self._jobs
            waiting = ours and run_id not in self._running
            if ours:
                self._jobs[run_id][0]._cancel.set()
            if waiting:
                del self._jobs[run_id]
                self._changed.notify_all()
        if waiting:
            self._store.finish_run(run_id, "cancelled")
        elif not ours and (run := self._store.run(run_id)).status in UNFINISHED:
            raise StoreError(f"Run {run_id} belongs to another workbench process ({run.process}); cancel it there")

    def snapshot(self, run_id: int) -> Snapshot:
        """How any run of the store stands, live where it is one of ours."""
        self._asker.authorise_run(run_id, "reader")
        with self._lock:
            if run_id in self._jobs:
                return self._jobs[run_id][0]._look()
            if run_id in self._ended:
                return self._ended[run_id]
        run = self._store.run(run_id)
        trace = self._store.trace(run_id)
        details = {"figures": run.figures, "error": run.error, "seconds": run.seconds or 0.0}
        iteration = trace[-1]["iteration"] if trace else 0
        return Snapshot(run_id, run.project, run.kind, run.status, iteration, **details)

    def trace(self, run_id: int) -> list[dict]:
        """Every iteration so far, live where the run is one of ours: {"iteration", "seconds", figures...}."""
        self._asker.authorise_run(run_id, "reader")
        with self._lock:
            if run_id in self._jobs:
                job = self._jobs[run_id][0]
                with job._lock:
                    return list(job._trace)
        return self._store.trace(run_id)

    def running(self, project: SupportsIndex | None = None, kind: str | None = None) -> list[Snapshot]:
        """The jobs of this process that run or wait (of one project and kind), oldest first.

        Now and then, what a process that died meanwhile left unfinished is marked as interrupted.
        """
        self._look_for_dead()
        with self._lock:
            live = [job._look() for job, _ in self._jobs.values()]
        owner = None if project is None else operator.index(project)
        return [job for job in live if owner in (None, job.project) and kind in (None, job.kind)]

    def lost(self) -> list[int]:
        """Runs of this process that count as running but whose thread has ended; there should be none."""
        with self._lock:
            return [run_id for run_id, thread in self._running.items() if not thread.is_alive()]

    def tally(self) -> dict[str, int]:
        """How many jobs of this process are "running" and "queued", and how many have ended, by their status."""
        with self._lock:
            running = len(self._running)
            return {**self._tally, "running": running, "queued": len(self._jobs) - running}

    def wait(self, run_id: int, timeout: float | None = None) -> Snapshot:
        """Block until the run has ended, or the time is up: for the command line and tests, never for a page."""
        with self._lock:
            self._changed.wait_for(lambda: run_id not in self._jobs, timeout)
        return self.snapshot(run_id)

    def _look_for_dead(self):
        with self._lock:
            if self._clock() - self._looked[0] < LOOK_SECONDS:
                return
            self._looked[0] = self._clock()
        try:
            for run_id in self._store.recover():
                log.warning("run interrupted: its process is gone", extra={"run": run_id})
            self._store.clear_in_background()
        except StoreError as error:
            log.warning("runs of dead processes were not looked for: %s", error)

    def _enqueue(self, snapshot, work, checkpoint=None, trace=()):
        job = Job(self._store, snapshot, checkpoint, list(trace), self._clock, self._asker.author)
        with self._lock:
            self._ended.pop(snapshot.run, None)
            self._jobs[snapshot.run] = (job, work)
            if not self._beating.is_set():
                self._beating.set()
                threading.Thread(target=self._beat, name="jobs-beat", daemon=True).start()
            self._start_next()

    def _start_next(self):
        """Start waiting jobs while there is room; the lock is held."""
        for run_id, (job, work) in self._jobs.items():
            if len(self._running) >= self._limit:
                return
            if run_id not in self._running:
                thread = threading.Thread(target=self._run, args=(job, work), name=f"job-{run_id}", daemon=True)
                self._running[run_id] = thread
                thread.start()

    def _run(self, job, work):
        """The worker's thread: whatever happens in here, the run gets an end and its place becomes free."""
        ended, status = None, "failed"
        try:
            status, *left = self._work(job, work)
            ended = self._finish(job, status, *left)
        finally:
            # one line for each job: who started it and how long it took; nothing about its texts
            last = job._look()
            ended_as = status if ended is None else ended.status
            about = {"run": job.run, "kind": last.kind, "project": last.project, "person": job.person}
            log.info("run ended", extra=about | {"status": ended_as, "seconds": last.seconds})
            with self._lock:
                self._tally[ended_as] += 1
                if ended is not None:
                    self._ended[job.run] = ended
                if self._jobs[job.run][0] is job:  # else it was resumed in between, and waits for this place
                    del self._jobs[job.run]
                del self._running[job.run]
                self._start_next()
                self._changed.notify_all()

    def _work(self, job, work):
        """Call ``work``; returns (status, figures, result, error) whatever it does."""
        try:
            lower_priority()
            self._store.start_run(job.run)
            job._begin()
            if job.cancelled():
                raise Cancelled
            figures, result = work(job) or ({}, None)
            if not isinstance(result, bytes | None):
                raise TypeError(f"the result of a job must be bytes, not {type(result).__name__}")
            return "cancelled" if job.cancelled() else "done", figures, result, ""
        except Cancelled:
            return "cancelled", {}, None, ""
        except WorkbenchError as error:
            return "failed", {}, None, str(error)
        except BaseException as error:  # in a thread, no caller would see it
            log.exception("run %s failed", job.run)
            return "failed", {}, None, unexpected(type(error).__name__)

    def _finish(self, job, status, figures, result, error):
        """Write the end; where even a failure cannot be written, return the snapshot to keep in memory."""
        try:
            job._flush()
            if status != "done":
                job._save()
            self._store.finish_run(job.run, status, {**figures, "code": self._code}, result, error)
            return None
        except StoreError as problem:
            log.error("the end of run %s could not be written: %s", job.run, problem)
            error = f"The result could not be kept. {problem}"
        try:
            self._store.finish_run(job.run, "failed", error=error)
            return None
        except StoreError:  # the same problem; the store says "running" until recover() in the next process
            return replace(job._look(), status="failed", error=error)

    def _beat(self):
        """While there are jobs: send a heartbeat to the store, and write entries of the trace that still wait."""
        while True:
            time.sleep(BEAT_SECONDS)
            with self._lock:
                jobs = [job for job, _ in self._jobs.values()]
                if not jobs:
                    self._beating.clear()
                    return
            for job in jobs:
                job._try_flush()
            try:
                self._store.heartbeat()
            except StoreError as error:
                log.warning("no heartbeat: %s", error)
