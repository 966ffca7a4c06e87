"""Plain L-BFGS against SciPy's and against known minima."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, rosen, rosen_der

from core.parsers.lbfgs import Memory, lbfgs


def search(function, start, **options):
    points, rounds = [], []

    def evaluate(point):
        points.append(point.copy())
        return function(point)

    converged = lbfgs(evaluate, start, rounds.append, tolerance=options.pop("tolerance", 1e-14), **options)
    return min(points, key=lambda point: function(point)[0]), converged, len(points), len(rounds)


def valley(point):
    return float(rosen(point)), rosen_der(point)


@pytest.mark.parametrize("dimension", [2, 20])
def test_the_valley_ends_where_scipy_ends(dimension):
    start = np.linspace(-1, 2, dimension)
    point, converged, evaluations, _ = search(valley, start)
    reference = minimize(valley, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-10})
    assert converged
    np.testing.assert_allclose(point, 1, atol=1e-4)
    assert evaluations <= 1.5 * reference.nfev + 10


@given(st.integers(1, 8), st.integers(0, 2**31))
def test_quadratics_are_solved(dimension, seed):
    random = np.random.default_rng(seed)
    factor = random.normal(size=(dimension, dimension))
    hessian, target = factor @ factor.T + 0.1 * np.eye(dimension), random.normal(size=dimension)

    def bowl(point):
        return float(0.5 * (point - target) @ hessian @ (point - target)), hessian @ (point - target)

    point, converged, _, _ = search(bowl, np.zeros(dimension))
    assert converged
    np.testing.assert_allclose(point, target, atol=1e-4)


def test_the_direction_is_the_quasi_newton_one():
    random = np.random.default_rng(1)
    memory, inverse = Memory(10, 4), None
    steps = []
    for _ in range(3):
        step, noise = random.normal(size=4), 0.1 * random.normal(size=4)
        memory.add(step, step + noise)
        steps.append((step, step + noise))
    last_step, last_change = steps[-1]
    inverse = np.eye(4) * (last_step @ last_change) / (last_change @ last_change)
    for step, change in steps:  # the BFGS update, spelled out
        left = np.eye(4) - np.outer(step, change) / (step @ change)
        inverse = left @ inverse @ left.T + np.outer(step, step) / (step @ change)
    gradient = random.normal(size=4)
    np.testing.assert_allclose(memory.direction(gradient), -inverse @ gradient, rtol=1e-10)


def test_it_says_when_nothing_goes_down():
    def kink(point):  # its gradient points the wrong way
        return float(np.abs(point).sum()), -np.sign(point) - 0.5

    _, converged, _, rounds = search(kink, np.array([1.0, 1.0]))
    assert not converged and rounds == 0


def test_a_flat_start_is_the_end():
    _, converged, evaluations, _ = search(lambda point: (3.0, np.zeros(2)), np.zeros(2))
    assert converged and evaluations == 1
