"""Map and sum: work on the pieces of a corpus in this process or on Dask's workers, with the same bits.

Training over a corpus is a sum over its sentences and then an update. ``Engine.sum`` is that sum: the values of a
function for each piece, added along a tree over the pieces' numbers, whatever worker made them and when. Only the other
arguments of the function and its results travel; a piece names the file that the worker reads.
"""

import asyncio
import logging
import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from typing import Any, Protocol, TypedDict, TypeVar, Unpack

from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError, quoted
from core.extras import require
from core.shards.cache import Cache, caching_in
from core.threads import limited_to
from core.version import code_version

CLUSTER = "WORKBENCH_CLUSTER"  # the environment's variable with the address of a scheduler to work on
POLL = 0.2  # seconds between two calls of ``cancel``
PATIENCE = 20  # seconds to find a scheduler, and a worker
STARTING = 300  # seconds for our own scheduler and workers to start, even on a busy machine
DEATHS = 100  # workers that may die during one piece before it is given up: most are killed for other reasons
GONE = "the cluster's scheduler is gone; start it again and run the same once more"

T = TypeVar("T")
Indexed = Iterator[tuple[int, T]]  # values with the numbers of their pieces


class Watch(TypedDict, total=False):
    """Options of a call: ``progress(done, pieces)``, and ``cancel``, which is asked at least once a second."""

    progress: Progress | None
    cancel: Cancel | None


class Engine(Protocol):
    """Executes functions on the pieces of a corpus: a ``LocalEngine`` or a ``Cluster``."""

    def each(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> Indexed[T]:
        """Yield (number, ``function(piece, *shared)``) of each piece, as they are done.

        Raises Cancelled; WorkbenchError where a cluster cannot be reached or breaks off.
        """
        ...

    def sum(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> T:
        """The sum of ``function(piece, *shared)`` over the pieces, with ``+``, as ``pairwise_sum`` adds."""
        ...


def pairwise_sum(values: Iterable[T]) -> T:
    """The values added along a binary tree: neighbours, then neighbouring sums; an odd one comes last.

    Holds O(log n) values at a time. Raises WorkbenchError if there is none.
    """
    waiting: list[tuple[int, T]] = []  # (height of its tree, sum), ever lower
    for value in values:
        height = 0
        while waiting and waiting[-1][0] == height:
            value, height = waiting.pop()[1] + value, height + 1  # pyright: ignore[reportOperatorIssue]
        waiting.append((height, value))
    if not waiting:
        raise WorkbenchError("there is nothing to add up; give a folder with at least one shard")
    total = waiting.pop()[1]
    while waiting:
        total = waiting.pop()[1] + total  # pyright: ignore[reportOperatorIssue]
    return total


class LocalEngine:
    """Work in this process: one piece after the other, each on all cores where its function uses ``core.threads``."""

    def __init__(self, cache: Cache | None = None):
        self.cache = cache or Cache()

    def each(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> Indexed[T]:
        for number, piece in enumerate(pieces):
            if (cancel := watch.get("cancel")) and cancel():
                raise Cancelled
            with caching_in(self.cache):
                value = function(piece, *shared)
            yield number, value
            if progress := watch.get("progress"):
                progress(number + 1, len(pieces))

    def sum(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> T:
        return pairwise_sum(value for _, value in self.each(function, pieces, *shared, **watch))


class Reporting:
    """An engine with default ``progress`` and ``cancel`` for calls that give none; they are as for ``Engine.each``."""

    def __init__(self, engine: Engine, progress: Progress, cancel: Cancel | None = None):
        self._engine, self._watch = engine, Watch(progress=progress, cancel=cancel)

    def _filled(self, watch: Watch) -> Watch:
        """The options of a call, completed by those of this engine."""
        return Watch(
            progress=watch.get("progress") or self._watch.get("progress"),
            cancel=watch.get("cancel") or self._watch.get("cancel"),
        )

    def each(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> Indexed[T]:
        return self._engine.each(function, pieces, *shared, **self._filled(watch))

    def sum(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> T:
        return self._engine.sum(function, pieces, *shared, **self._filled(watch))


class Cluster:
    """Dask's workers, on this machine or of a given scheduler. Close it, or use it in ``with``.

    Parameters
    ----------
    address : str, optional
        A scheduler's, such as ``tcp://host:8786``. Its workers must have this code and see the same files.
    workers : int, optional
        How many to start on this machine, without an address.

    Raises
    ------
    WorkbenchError : dask is not installed; nobody answers; there is no worker.
    """

    def __init__(self, address: str | None = None, workers: int | None = None):
        require("cluster")
        from dask import config
        from distributed import Client, LocalCluster

        self._client: Any = None  # distributed names what its methods return for each way to wait
        self.local_cluster: Any = None
        self.worker_process: subprocess.Popen | None = None
        count = 1 if workers is None else workers
        try:
            if address is None:
                with config.set({"distributed.scheduler.allowed-failures": DEATHS}):
                    quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
                    self.local_cluster = LocalCluster(n_workers=0, **quiet)
                self.worker_process = _workers_of(self.local_cluster.scheduler_address, count)
            else:
                with ThreadPoolExecutor(1) as aside:  # a notebook's thread has a loop of its own
                    aside.submit(asyncio.run, _reach(address)).result()
            patience = STARTING if address is None else PATIENCE
            self._client = Client(self.local_cluster or address, timeout=patience, set_as_default=False)
            if address is None:
                self._await_own(count)
            else:
                self._client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            if address is None:
                raise WorkbenchError(f"this machine started no {count} workers; begin with fewer") from error
            raise WorkbenchError(
                f"no cluster with a worker answers at {address}; start dask scheduler and dask worker, and give the "
                f"scheduler's address ({quoted(str(error))})"
            ) from error
        if address is not None:
            self._require_code(address)

    def _await_own(self, count):
        """Wait for our own workers while the process that runs them lives. Raises TimeoutError."""
        deadline = time.monotonic() + STARTING
        while True:
            try:
                return self._client.wait_for_workers(count, timeout=1)
            except TimeoutError:
                if time.monotonic() > deadline or (self.worker_process and self.worker_process.poll() is not None):
                    raise

    def _require_code(self, address):
        """Raise WorkbenchError if the scheduler or a worker lacks this code, for it would crash at our messages."""
        specs = {"its scheduler": self._client.run_on_scheduler(find_spec, "core")}
        specs |= {f"the worker {worker}": spec for worker, spec in self.everywhere(partial(find_spec, "core")).items()}
        lacking = next((who for who, spec in specs.items() if spec is None), None)
        if lacking is not None:
            self.close()
            raise WorkbenchError(f"{address}: {lacking} lacks this code; install the workbench of this version there")

    def everywhere(self, function: Callable[[], T]) -> dict[str, T]:
        """The result of a function on each worker, by the worker's address."""
        return dict(self._client.run(function))

    def close(self) -> None:
        """Disconnect, and end the workers that were started here."""
        if self._client is not None:
            self._client.close()
        if self.worker_process is not None:
            self.worker_process.terminate()
            self.worker_process.wait()
        if self.local_cluster is not None:
            self.local_cluster.close()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def each(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> Indexed[T]:
        """As for ``Engine.each``. A piece whose worker dies is worked on again by another one."""
        futures = self._map(function, pieces, shared)
        numbers = {future.key: number for number, future in enumerate(futures)}
        try:
            for future in self._finished(futures, watch.get("progress"), watch.get("cancel")):
                yield numbers[future.key], self._result(future)
        finally:
            self._client.cancel(futures)

    def sum(self, function: Callable[..., T], pieces: Sequence, *shared: object, **watch: Unpack[Watch]) -> T:
        """As for ``Engine.sum``. The workers add, too, and only the total comes back."""
        if not len(pieces):
            return pairwise_sum(iter(()))
        futures = self._map(function, pieces, shared)
        level, every = futures, list(futures)
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=False)
            level = [self._client.submit(_add, *pair, pure=False) for pair in pairs] + level[len(level) & ~1 :]
            every += level
        try:
            for future in self._finished(futures, watch.get("progress"), watch.get("cancel")):
                if future.status == "error":
                    self._result(future)
            for _ in self._finished(level, None, watch.get("cancel")):
                pass
            return self._result(level[0])
        finally:
            self._client.cancel(every)

    def _map(self, function, pieces, shared):
        """Futures of the pieces. Data goes through the scheduler, which outlives any worker."""
        from dask import config

        self._require_scheduler()
        packed = [pack((function, piece)) for piece in pieces]  # a worker checks its version before it unpacks them
        work = partial(_work, code_version())
        with config.set({"distributed.admin.large-graph-warning-threshold": "1GB"}):  # grammars are large on purpose
            sent = self._client.submit(bytes, pack(shared), pure=False)  # a task, which is repeated if its worker dies
        return self._client.map(work, packed, shared=sent, pure=False, batch_size=100)

    def _require_scheduler(self):
        if self._client.status != "running":
            raise WorkbenchError(GONE)

    def _finished(self, futures, progress, cancel):
        """Futures as they are done. Raises Cancelled, and WorkbenchError once the scheduler is gone."""
        done = queue.SimpleQueue()
        for future in futures:
            future.add_done_callback(done.put)
        for count in range(1, len(futures) + 1):
            while True:
                if cancel and cancel():
                    raise Cancelled
                self._require_scheduler()
                try:
                    yield done.get(timeout=POLL)
                    break
                except queue.Empty:
                    continue
            if progress:
                progress(count, len(futures))

    def _result(self, future):
        if future.cancelled():
            raise WorkbenchError(GONE)
        try:
            return unpack(future.result())
        except WorkbenchError:
            raise
        except ImportError as error:
            raise WorkbenchError(
                f"a worker lacks this code ({quoted(str(error))}); install the same version there"
            ) from error


def _workers_of(scheduler, count):
    """A process that runs workers. Workers that Dask starts itself would run this process' main script again, which may
    be an app or start a cluster."""
    path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # workers import from the same places
    return subprocess.Popen(
        [sys.executable, "-m", "dask", "worker", scheduler, "--nworkers", str(count), "--nthreads", "1",
         "--host", "127.0.0.1", "--no-dashboard", "--death-timeout", str(STARTING)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


async def _reach(address):
    """Raise OSError or ValueError if no scheduler answers, before a Client is made. A Client without a scheduler closes
    when it is garbage-collected, perhaps while the next one waits for the same lock."""
    from distributed.comm.core import connect

    connection = await connect(address, timeout=PATIENCE)
    await connection.close()


def _work(version, packed, shared):
    """``function(piece, *shared)`` on a worker, which must have the caller's version of the code."""
    from distributed import get_worker

    worker: Any = get_worker()
    if code_version() != version:
        raise WorkbenchError(
            f"the worker {worker.address} has version {code_version()}, not {version}; install the same there"
        )
    function, piece = unpack(packed)
    cache = vars(worker).setdefault("workbench_cache", Cache())  # it ends with the worker
    with limited_to(worker.state.nthreads), caching_in(cache):
        return pack(function(piece, *unpack(shared)))


def _add(left, right):
    return pack(unpack(left) + unpack(right))


def pack(thing: object) -> bytes:
    """One bytes object, pickled as by Dask. Arrays that travel apart arrive read-only and unaligned: kernels are then
    compiled again, and the last bits of sums change."""
    from distributed.protocol.pickle import dumps

    return dumps(thing)


def unpack(data: bytes):
    """The object that ``pack`` packed."""
    from distributed.protocol.pickle import loads

    return loads(data)
