"""Whether a kernel is being compiled, how many of those that a kind of run needs are ready, and a second compiler.

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
from typing import Any

from numba.core import event
from numba.core.dispatcher import Dispatcher

from core.threads import core_count

log = logging.getLogger(__name__)
_PARSER = ("core.parsers.mst.kernels", "core.parsers.mst.update_kernels", "core.parsers.tagger.features")
_LINES = (
    "core.constraints.kernels", "core.features.kernels", "core.parsers.lbfgs", "core.trees.arc_weights",
    "core.trees.chart_sums", "core.trees.checks", "core.trees.eisner", "core.trees.elimination",
)  # fmt: skip
_DMV = ("core.parsers.dmv.chart", "core.parsers.dmv.text", "core.trees.brackets", "core.trees.bracket_kernels")
_GRAMMAR = (*_DMV, *_LINES, *_PARSER, "core.constraints.marks", "core.trees.sibling_chart")
_READING = (
    "core.treebank.marks", "core.treebank.punctuation", "core.treebank.retag", "core.treebank.scan",
    "core.treebank.statistics",
)  # fmt: skip
MODULES = {  # kind of run -> the modules that hold its kernels
    "parse": (
        *_READING, *_PARSER, "core.parsers.mst.label_kernels", "core.parsers.tagger.trigram",
        "core.trees.checks", "core.trees.grandparent_chart",
    ),
    "ge": _LINES,
    "ge-version": _LINES,
    "ge-worth": _LINES,
    "consensus": (
        *_PARSER, "core.consistency.first_pass", "core.consistency.mrf", "core.consistency.parses",
        "core.consistency.parsing_problem", "core.consistency.parts", "core.consistency.presolving",
        "core.consistency.star", "core.consistency.windows", "core.trees.chart_sums", "core.trees.checks",
        "core.trees.eisner", "core.trees.sibling_chart", "core.trees.surviving_chart",
    ),
    "grammar": _GRAMMAR,
    "grammar-version": _GRAMMAR,
    "grammar-worth": _GRAMMAR,
    "induction": _DMV,
    "induction-grid": _DMV,
    "joint": (
        *_PARSER, "core.consistency.parts", "core.joint.candidates", "core.joint.certified", "core.joint.consensus",
        "core.trees.checks", "core.trees.eisner", "core.trees.grandparent_chart", "core.trees.lazy_kbest",
    ),
    "scl": (*_PARSER, "core.parsers.mst.label_kernels", "core.trees.maximum_spanning_tree"),
}  # fmt: skip


def kernels_of(kind: str | None = None) -> list:
    """The kernels that a kind of run may call, or all of them: list of Dispatcher, of the modules that are loaded."""
    names = MODULES.get(kind, ()) if kind else [name for name in list(sys.modules) if name.startswith("core.")]
    modules = [sys.modules[name] for name in names if name in sys.modules]
    return [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, Dispatcher) and each.py_func.__module__ == module.__name__
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
            return any(_is_ours(each) for each in pending)
        return any(each in pending for each in kernels)


@cache
def compiler() -> Compiler:
    """The Compiler of this process."""
    listener = Compiler()
    event.register("numba:compile", listener)
    return listener


@contextmanager
def compiled_from_both_ends(kind: str) -> Iterator[None]:
    """Within the block, the first kernel that must be compiled starts a process that compiles those of ``kind``, too.

    That process takes the steps of ``core.warm`` from the last to the first, so that both meet in the middle. Kernels
    that it has compiled are loaded here; it ends with the block. Where there is one core, or no process can be started,
    this process compiles alone. Two processes may compile the same kernel: each file is put into its place whole, and
    both write the same, since a kernel has one signature. Of the few that have several one may be compiled again.
    """
    second = _Second(kind)
    with event.install_listener("numba:compile", second):
        try:
            yield
        finally:
            second.end()


class _Second(event.Listener):
    """Starts the second process when the first kernel is compiled."""

    def __init__(self, kind):
        self._kind, self._lock, self._process = kind, threading.Lock(), None
        self._alone = core_count() < 2

    def on_start(self, event):
        with self._lock:
            if self._alone or self._process is not None or not _is_ours(event.data["dispatcher"]):
                return
            path = os.pathsep.join(os.path.abspath(place) for place in sys.path)  # what is found here is found there
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "core.warm", self._kind], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path},
                )  # fmt: skip
            except OSError as error:  # no memory, no more processes
                self._alone = True
                log.info("the kernels are compiled by one process: %s", error)

    def on_end(self, event):
        pass

    def end(self):
        """End the process, which has nothing left to do that anybody needs."""
        with self._lock:
            self._alone = True
            if self._process is not None:
                self._process.terminate()
                self._process.wait()


@contextmanager
def compiling_shown(kind: str | None, show: Callable[[int, int], object]) -> Iterator[None]:
    """Within the block, ``show(ready, most)`` is called whenever the compiler begins or ends with a kernel: how many of
    those of ``kind`` are ready, of how many; of all where the kind has no list of its own."""
    shown = _Shown(kind, show)
    with event.install_listener("numba:compile", shown):
        yield


class _Shown(event.Listener):
    """Calls ``show`` for every kernel of ours."""

    def __init__(self, kind, show):
        self._kind, self._show = kind if kind in MODULES else None, show

    def on_start(self, event):
        if _is_ours(event.data["dispatcher"]):
            self._show(*ready_of(kernels_of(self._kind)))

    on_end = on_start


def _is_ours(dispatcher):
    return dispatcher.py_func.__module__.startswith("core.")


def ready_of(kernels: Collection) -> tuple[int, int]:
    """How many of these kernels are compiled or loaded, and how many there are."""
    return sum([bool(each.signatures) for each in kernels]), len(kernels)


def progress(kernels: Collection) -> str:
    """How far the compiler is with kernels, as a person reads it."""
    ready, most = ready_of(kernels)
    return f"Compiling, once: {ready:,} of at most {most:,} functions"
