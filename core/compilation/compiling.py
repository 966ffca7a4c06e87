"""Which kernels a kind of work needs, how many of them are ready, whether one is being compiled; a second compiler.

Numba compiles a kernel when it is first called on a machine, and keeps it. It says so by events, and only then: what
is loaded from its cache costs this module nothing.
"""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from numba.core import event
from numba.core.dispatcher import Dispatcher

from core.compilation.kernels import is_ours
from core.threads import core_count

log = logging.getLogger(__name__)


class Warming(NamedTuple):
    """How the kernels of a kind of work are made ready, as the room of its algorithm says.

    Attributes
    ----------
    steps : tuple of callable
        Functions of a module that run the kernels once, on a few words, in the order in which the work calls them:
        where two compile from both ends, few of a step meet in it.
    modules : tuple of str
        Those that hold what the work may call, which is counted while it is compiled; without any, all are.
    """

    steps: tuple[Callable[[], object], ...]
    modules: tuple[str, ...] = ()

    def run(self) -> None:
        """Compile or load them."""
        for step in self.steps:
            step()


def kernels_of(warming: Warming | None = None) -> list:
    """The kernels that a kind of work may call, or all of them: list of Dispatcher, of the modules that are loaded."""
    names = (warming and warming.modules) or [name for name in list(sys.modules) if name.startswith("core.")]
    modules = [sys.modules[name] for name in names if name in sys.modules]
    return [
        kernel
        for module in modules
        for kernel in vars(module).values()
        if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == module.__name__
    ]


class Compiler(event.Listener):
    """Which kernels are being compiled now, by whichever thread of the process; ``compiler()`` is the one in use."""

    def __init__(self):
        self._lock = threading.Lock()
        self._pending = []

    def on_start(self, event: Any) -> None:
        with self._lock:
            self._pending.append(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._pending.remove(event.data["dispatcher"])

    def at_work(self, kernels: Collection | None = None) -> bool:
        """Whether one of these kernels is being compiled, or one of this project's at all."""
        with self._lock:
            pending = list(self._pending)
        if kernels is None:
            return any(is_ours(kernel) for kernel in pending)
        return any(kernel in pending for kernel in kernels)


@cache
def compiler() -> Compiler:
    """The Compiler of this process."""
    listener = Compiler()
    event.register("numba:compile", listener)
    return listener


@contextmanager
def compiled_from_both_ends(warming: Warming) -> Iterator[None]:
    """Within the block, the first kernel that must be compiled starts a process that compiles those of a Warming, too.

    That process takes its steps from the last to the first, so that both meet in the middle. Kernels
    that it has compiled are loaded here; it ends with the block. Where there is one core, or no process can be started,
    this process compiles alone. Two processes may compile the same kernel: each file is put into its place whole, and
    both write the same, since a kernel has one signature. Of the few that have several one may be compiled again.
    """
    second = _Second(warming.steps)
    with event.install_listener("numba:compile", second):
        try:
            yield
        finally:
            second.end()


class _Second(event.Listener):
    """Starts the second process when the first kernel is compiled."""

    def __init__(self, steps):
        self._steps = [f"{step.__module__}:{step.__qualname__}" for step in reversed(steps)]
        self._lock, self._process = threading.Lock(), None
        self._alone = core_count() < 2

    def on_start(self, event):
        with self._lock:
            if self._alone or self._process is not None or not is_ours(event.data["dispatcher"]):
                return
            path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)  # both import the same modules
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "core.compilation.warm", *self._steps], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path},
                )  # fmt: skip
            except OSError as error:  # no memory, no more processes
                self._alone = True
                log.info("the kernels are compiled by one process: %s", error)

    def on_end(self, event):
        pass

    def end(self):
        """End the second process, whose work nobody needs any more."""
        with self._lock:
            self._alone = True
            if self._process is not None:
                self._process.terminate()
                self._process.wait()


@contextmanager
def compiling_shown(warming: Warming | None, show: Callable[[int, int], object]) -> Iterator[None]:
    """Within the block, ``show(ready, most)`` is called whenever the compiler begins or ends with a kernel: how many of
    those of a Warming are ready, of how many; of all kernels without one."""
    shown = _Shown(warming, show)
    with event.install_listener("numba:compile", shown):
        yield


class _Shown(event.Listener):
    """Calls ``show`` for every kernel of ours."""

    def __init__(self, warming, show):
        self._warming, self._show = warming, show

    def on_start(self, event):
        if is_ours(event.data["dispatcher"]):
            self._show(*ready_of(kernels_of(self._warming)))

    on_end = on_start


def ready_of(kernels: Collection) -> tuple[int, int]:
    """How many of these kernels are compiled or loaded, and how many there are."""
    return sum([bool(kernel.signatures) for kernel in kernels]), len(kernels)


def progress(kernels: Collection) -> str:
    """How far the compiler is with kernels, as a person reads it."""
    ready, most = ready_of(kernels)
    return f"Compiling, once: {ready:,} of at most {most:,} functions"
