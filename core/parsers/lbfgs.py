"""Limited-memory BFGS without bounds.

SciPy ships only L-BFGS-B, which handles bounds as well. On the objective of training from constraints both reach the
same value in as many iterations. But with 30,000 to 300,000 weights it takes twice the time outside the objective. A
run on one thread takes 1.1 to 1.3 times as long (tests/benchmarks/test_bench_ge.py).
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

DECREASE = 1e-4  # the Wolfe conditions' constants, as usual for quasi-Newton directions
CURVATURE = 0.9
MOST_STEPS = 20  # steps of one line search at most


class Memory:
    """The last ``size`` steps and changes of the gradient, and the inverse Hessian they imply."""

    def __init__(self, size: int, dimension: int):
        self.steps, self.changes = np.empty((size, dimension)), np.empty((size, dimension))
        self.products = np.empty(size)
        self.size, self.count = size, 0

    def add(self, step: np.ndarray, change: np.ndarray) -> None:
        """Remember a step unless the curvature along it is not positive."""
        product = step @ change
        if product <= 1e-12 * (change @ change):
            return
        at = self.count % self.size
        self.steps[at], self.changes[at], self.products[at] = step, change, product
        self.count += 1

    def direction(self, gradient: np.ndarray) -> np.ndarray:
        """Minus the inverse Hessian times the gradient (Nocedal & Wright 2006, algorithm 7.4). O(m F)."""
        order = np.arange(max(0, self.count - self.size), self.count) % self.size
        return _two_loops(gradient, self.steps, self.changes, self.products, order)


@dataclass(frozen=True)
class _Trial:
    """A point on the line: its step size, value, slope along the direction, coordinates and gradient."""

    size: float
    value: float
    slope: float
    point: np.ndarray
    gradient: np.ndarray


@dataclass(frozen=True)
class LBFGSState:
    """The state of a search between two iterations, from which it goes on to the same bits.

    Attributes
    ----------
    point, gradient : ndarrays of shape (F,), dtype float64
    value : float
    memory : Memory
        The search's own, which the next iteration changes.
    converged : bool
        Whether the search ends here.
    """

    point: np.ndarray
    value: float
    gradient: np.ndarray
    memory: Memory
    converged: bool = False


def lbfgs(
    evaluate: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray | LBFGSState,
    iterated: Callable[[LBFGSState], object],
    *,
    tolerance: float,
    memory: int = 10,
) -> bool:
    """Minimise ``evaluate(point) -> (value, gradient)`` from ``start``.

    Parameters
    ----------
    evaluate : callable
        May raise to end the search; the exception passes through.
    start : ndarray of shape (F,), dtype float64, or LBFGSState
        A point, or where an earlier search stood.
    iterated : callable
        Called with an LBFGSState after every iteration.
    tolerance : float
        Converged when an iteration lowers the value by no more than this share of max(|value|, 1).
    memory : int, default=10

    Returns
    -------
    bool
        True when converged; False when no step along the steepest descent lowers the value.
    """
    if isinstance(start, LBFGSState):
        point, value, gradient, history = start.point, start.value, start.gradient, deepcopy(start.memory)
        if start.converged:
            return True
    else:
        point = np.array(start, dtype=np.float64)
        value, gradient = evaluate(point)
        history = Memory(memory, len(point))
    while gradient.any():
        direction = history.direction(gradient)
        if not history.count:
            direction /= np.linalg.norm(gradient)
        step = _search(evaluate, _Trial(0.0, value, float(gradient @ direction), point, gradient), direction)
        if step is None and not history.count:
            return False
        if step is None:
            history.count = 0  # the next direction is the steepest descent
            continue
        history.add(step.point - point, step.gradient - gradient)
        converged = value - step.value <= tolerance * max(abs(value), abs(step.value), 1.0)
        point, value, gradient = step.point, step.value, step.gradient
        iterated(LBFGSState(point, value, gradient, history, converged))
        if converged:
            return True
    return True


def _search(evaluate, start, direction):
    """A trial that fulfils the strong Wolfe conditions (Nocedal & Wright 2006, algorithm 3.5), or None.

    When the steps run out, the lowest trial with enough decrease is taken.
    """
    before, size = start, 1.0
    for _ in range(MOST_STEPS):
        trial = _try(evaluate, start, direction, size)
        if not _low_enough(trial, start) or (before.size > 0 and trial.value >= before.value):
            return _zoom(evaluate, start, direction, before, trial)
        if _flat_enough(trial, start):
            return trial
        if trial.slope >= 0:
            return _zoom(evaluate, start, direction, trial, before)
        before, size = trial, 2 * size
    return before


def _zoom(evaluate, start, direction, low, high):
    """Narrow an interval that holds such a trial (algorithm 3.6); ``low`` is its end with the lower value."""
    for _ in range(MOST_STEPS):
        # the minimum of the parabola through both values and the low end's slope, well inside the interval
        width = high.size - low.size
        bend = high.value - low.value - low.slope * width
        share = -low.slope * width / (2 * bend) if np.isfinite(bend) and bend > 0 else 0.5
        trial = _try(evaluate, start, direction, low.size + min(max(share, 0.1), 0.9) * width)
        if not _low_enough(trial, start) or trial.value >= low.value:
            high = trial
            continue
        if _flat_enough(trial, start):
            return trial
        if trial.slope * (high.size - low.size) >= 0:
            high = low
        low = trial
    return low if low.size > 0 else None


def _try(evaluate, start, direction, size):
    point = start.point + size * direction
    value, gradient = evaluate(point)
    return _Trial(size, value, float(gradient @ direction), point, gradient)


def _low_enough(trial, start):
    return trial.value <= start.value + DECREASE * trial.size * start.slope


def _flat_enough(trial, start):
    return abs(trial.slope) <= CURVATURE * abs(start.slope)


@kernel
def _two_loops(gradient, steps, changes, products, order):
    direction = -gradient
    if len(order) == 0:
        return direction
    shares = np.empty(len(order))
    for kept in range(len(order) - 1, -1, -1):
        at = order[kept]
        shares[kept] = _dot(steps[at], direction) / products[at]
        _add(direction, -shares[kept], changes[at])
    last = order[-1]
    direction *= products[last] / _dot(changes[last], changes[last])
    for kept in range(len(order)):
        at = order[kept]
        _add(direction, shares[kept] - _dot(changes[at], direction) / products[at], steps[at])
    return direction


@inner_kernel
def _dot(one, other):
    """Four running sums, so that additions need not wait for each other."""
    a = b = c = d = 0.0
    whole = len(one) - len(one) % 4
    for at in range(0, whole, 4):
        a += one[at] * other[at]
        b += one[at + 1] * other[at + 1]
        c += one[at + 2] * other[at + 2]
        d += one[at + 3] * other[at + 3]
    for at in range(whole, len(one)):
        a += one[at] * other[at]
    return (a + b) + (c + d)


@inner_kernel
def _add(target, factor, vector):
    for at in range(len(target)):
        target[at] += factor * vector[at]
