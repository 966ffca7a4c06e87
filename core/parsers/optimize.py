"""L-BFGS as all trainers use it: one trace, one progress callback, one way to cancel."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.callbacks import Cancel
from core.parsers.lbfgs import LBFGSState, Memory, lbfgs

CONVERGED, STOPPED, CANCELLED = "converged", "stopped", "cancelled"


@dataclass(frozen=True)
class Checkpoint:
    """A search after an iteration, to go on from to the same bits: ``minimize`` takes it for a start.

    Attributes
    ----------
    state : LBFGSState
        Of the search itself, which goes on with it: read it before the next iteration.
    weights : ndarray of shape (F,), dtype float64
        The best point evaluated, and its value.
    lowest : float
    iterations, evaluations : int
    """

    state: LBFGSState = field(repr=False)
    weights: np.ndarray = field(repr=False)
    lowest: float
    iterations: int
    evaluations: int

    def packed(self) -> tuple[dict[str, float], dict[str, np.ndarray]]:
        """(numbers, arrays) from which ``unpacked`` makes it again.

        The arrays are 2 m + 3 times as large as the weights, m the corrections in memory, at most ten: 5.5 MB for
        30,000 weights. Nothing is copied.
        """
        state, memory = self.state, self.state.memory
        numbers = {
            "value": float(state.value), "converged": bool(state.converged), "count": memory.count, "size": memory.size,
            "lowest": float(self.lowest), "iterations": self.iterations, "evaluations": self.evaluations,
        }  # fmt: skip
        used = min(memory.count, memory.size)
        arrays = {"weights": self.weights, "point": state.point, "gradient": state.gradient}
        return numbers, arrays | {name: getattr(memory, name)[:used] for name in ("steps", "changes", "products")}

    @classmethod
    def unpacked(cls, numbers: Mapping, arrays: Mapping[str, np.ndarray]) -> "Checkpoint":
        """The arrays that ``packed`` took apart."""
        memory = Memory(numbers["size"], len(arrays["point"]))
        memory.count = numbers["count"]
        for name in ("steps", "changes", "products"):
            getattr(memory, name)[: len(arrays[name])] = arrays[name]
        state = LBFGSState(arrays["point"], numbers["value"], arrays["gradient"], memory, numbers["converged"])
        return cls(state, arrays["weights"], numbers["lowest"], numbers["iterations"], numbers["evaluations"])


@dataclass(frozen=True)
class Progress:
    """State after one iteration, handed to ``progress`` callbacks.

    ``weights`` is the iterate itself, to copy if it is kept; ``details`` comes from the objective. From ``checkpoint``
    a search goes on; it is packed at once if it is kept.
    """

    iteration: int
    evaluations: int
    value: float
    seconds: float
    weights: np.ndarray = field(repr=False)
    details: dict = field(default_factory=dict)
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True)
class Optimum:
    """The point where the search ended. ``status``: "converged", "stopped" (evaluations used up) or "cancelled"."""

    weights: np.ndarray
    value: float
    evaluations: int
    iterations: int
    seconds: float
    status: str


class _Stop(Exception):
    """Leaves the search from inside an evaluation."""


def minimize(
    objective: Callable,
    start: np.ndarray | Checkpoint,
    *,
    tolerance: float = 1e-5,
    max_evaluations: int = 200,
    progress: Callable[..., object] | None = None,
    cancel: Cancel | None = None,
) -> Optimum:
    """Minimise a smooth function by L-BFGS.

    Parameters
    ----------
    objective : callable
        ``objective(weights) -> (value, gradient, details)``; ``details`` is a dict for the progress callback.
    start : ndarray of shape (F,), dtype float64, or Checkpoint
        Where to begin; not modified. The last solution, after an edit, is a warm start. A Checkpoint goes on where an
        earlier search stopped, with the same bits, iterations and evaluations as if it had not.
    tolerance : float, default=1e-5
        Converged when an iteration lowers the value by less than this share of max(value, 1).
    max_evaluations : int, default=200
        At most so many calls of ``objective``.
    progress : callable, optional
        Called with a Progress after every iteration.
    cancel : callable, optional
        Asked before every evaluation; when it returns True the best point so far is returned.

    Returns
    -------
    Optimum

    Notes
    -----
    L-BFGS (``lbfgs.py``) with ten corrections and a strong Wolfe line search.
    """
    search = _Search(objective, max_evaluations, progress, cancel, start)
    try:
        converged = lbfgs(search.evaluate, search.start, search.iterated, tolerance=tolerance)
        status = CONVERGED if converged else STOPPED
    except _Stop as stop:
        status = str(stop)
    return Optimum(search.best, search.lowest, search.evaluations, search.iterations, search.elapsed(), status)


class _Search:
    """The state around a search; remembers the best point evaluated."""

    def __init__(self, objective, max_evaluations, progress, cancel, start):
        self.objective, self.max_evaluations = objective, max_evaluations
        self.progress, self.cancel = progress, cancel
        self.details = {}
        if isinstance(start, Checkpoint):
            self.start, self.best, self.lowest = start.state, start.weights, start.lowest
            self.iterations, self.evaluations = start.iterations, start.evaluations
        else:
            self.start = self.best = np.array(start, dtype=np.float64)
            self.lowest, self.iterations, self.evaluations = np.inf, 0, 0
        self.began = time.perf_counter()

    def elapsed(self):
        return time.perf_counter() - self.began

    def evaluate(self, weights):
        if self.cancel is not None and self.cancel():
            raise _Stop(CANCELLED)
        if self.evaluations >= self.max_evaluations:
            raise _Stop(STOPPED)
        self.evaluations += 1
        value, gradient, details = self.objective(weights)
        if value < self.lowest:
            self.best, self.lowest, self.details = weights.copy(), value, details
        return value, gradient

    def iterated(self, state):
        self.iterations += 1
        if self.progress is not None:
            now = self.iterations, self.evaluations
            checkpoint = Checkpoint(state, self.best, self.lowest, *now)
            self.progress(Progress(*now, self.lowest, self.elapsed(), self.best, self.details, checkpoint))
