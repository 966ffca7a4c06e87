"""Whether a kernel is being compiled, and how many of those that a kind of run needs are ready.

Numba compiles a kernel when it is first called on a machine, and keeps it. It says so by events, and only then: what
is loaded from its cache costs this module nothing.
"""

import sys
import threading
from collections.abc import Collection
from functools import cache
from typing import Any

from numba.core import event
from numba.core.dispatcher import Dispatcher

_PARSER = ("core.parsers.mst.kernels", "core.parsers.mst.update_kernels", "core.parsers.tagger.features")
_LINES = (
    "core.constraints.kernels", "core.features.kernels", "core.parsers.lbfgs", "core.trees.arc_weights",
    "core.trees.chart_sums", "core.trees.checks", "core.trees.eisner", "core.trees.elimination",
)  # fmt: skip
_DMV = ("core.parsers.dmv.chart", "core.parsers.dmv.text", "core.trees.brackets", "core.trees.bracket_kernels")
_GRAMMAR = (*_DMV, *_LINES, *_PARSER, "core.constraints.marks", "core.trees.sibling_chart")
MODULES = {  # kind of run -> the modules that hold its kernels
    "ge": _LINES,
    "ge-version": _LINES,
    "ge-worth": _LINES,
    "consensus": (
        *_PARSER, "core.consistency.first_pass", "core.consistency.mrf", "core.consistency.parses",
        "core.consistency.parsing_problem", "core.consistency.parts", "core.consistency.settling",
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


def kernels_of(kind: str) -> list:
    """The kernels that a kind of run may call: list of Dispatcher, of the modules that are loaded."""
    modules = [sys.modules[name] for name in MODULES.get(kind, ()) if name in sys.modules]
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
            return any(each.py_func.__module__.startswith("core.") for each in pending)
        return any(each in pending for each in kernels)


@cache
def compiler() -> Compiler:
    """The Compiler of this process."""
    listener = Compiler()
    event.register("numba:compile", listener)
    return listener


def progress(kernels: Collection) -> str:
    """How far the compiler is with kernels, as a person reads it."""
    ready = sum(bool(each.signatures) for each in kernels)
    return f"Compiling, once: {ready:,} of at most {len(kernels):,} functions"
