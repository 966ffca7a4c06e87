"""L-BFGS as all trainers use it: one trace, one progress callback, one way to cancel."""

import time
from dataclasses import dataclass, field

import numpy as np

from core.parsers.lbfgs import lbfgs

CONVERGED, STOPPED, CANCELLED = "converged", "stopped", "cancelled"


@dataclass(frozen=True)
class Progress:
    """State after one iteration, handed to ``progress`` callbacks.

    ``weights`` is the iterate itself, to copy if it is kept; ``details`` is what the objective had to say.
    """

    iteration: int
    evaluations: int
    value: float
    seconds: float
    weights: np.ndarray = field(repr=False)
    details: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Optimum:
    """Where the search ended. ``status``: "converged", "stopped" (evaluations used up) or "cancelled"."""

    weights: np.ndarray
    value: float
    evaluations: int
    iterations: int
    seconds: float
    status: str


class _Stop(Exception):
    """Leaves the search from inside an evaluation."""


def minimize(objective, start, *, tolerance=1e-5, max_evaluations=200, progress=None, cancel=None):
    """Minimise a smooth function by L-BFGS.

    Parameters
    ----------
    objective : callable
        ``objective(weights) -> (value, gradient, details)``; ``details`` is a dict for the progress callback.
    start : ndarray of shape (F,), dtype float64
        Where to begin; not modified. The last solution, after an edit, is a warm start.
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
    search = _Search(objective, max_evaluations, progress, cancel, np.array(start, dtype=np.float64))
    try:
        converged = lbfgs(search.evaluate, search.best, search.iterated, tolerance=tolerance)
        status = CONVERGED if converged else STOPPED
    except _Stop as stop:
        status = str(stop)
    return Optimum(search.best, search.lowest, search.evaluations, search.iterations, search.elapsed(), status)


class _Search:
    """What happens around the search; remembers the best point evaluated."""

    def __init__(self, objective, max_evaluations, progress, cancel, start):
        self.objective, self.max_evaluations = objective, max_evaluations
        self.progress, self.cancel = progress, cancel
        self.best, self.lowest, self.details = start, np.inf, {}
        self.evaluations = self.iterations = 0
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

    def iterated(self):
        self.iterations += 1
        if self.progress is not None:
            self.progress(
                Progress(self.iterations, self.evaluations, self.lowest, self.elapsed(), self.best, self.details)
            )
