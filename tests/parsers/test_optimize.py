"""The search: it converges, stops, cancels, and reports each iteration."""

import numpy as np
import pytest

from core.parsers.optimize import minimize


def bowl(weights):
    return float(((weights - 3) ** 2).sum()), 2 * (weights - 3), {"first": weights[0]}


def valley(weights):  # Rosenbrock's: takes many iterations
    x, y = weights
    gradient = np.array([-400 * x * (y - x * x) - 2 * (1 - x), 200 * (y - x * x)])
    return float(100 * (y - x * x) ** 2 + (1 - x) ** 2), gradient, {}


def test_it_converges_and_leaves_the_start_alone():
    start = np.zeros(4)
    optimum = minimize(bowl, start)
    assert optimum.status == "converged"
    np.testing.assert_allclose(optimum.weights, 3, atol=1e-6)
    assert (start == 0).all()


def test_it_stops_when_evaluations_are_used_up():
    optimum = minimize(valley, np.array([-1.2, 1.0]), tolerance=0, max_evaluations=7)
    assert optimum.status == "stopped"
    assert optimum.evaluations == 7


def test_cancel_keeps_the_best_point_so_far():
    seen = []

    def progress(state):
        seen.append(state)

    optimum = minimize(valley, np.array([-1.2, 1.0]), progress=progress, cancel=lambda: len(seen) == 3)
    assert optimum.status == "cancelled"
    assert [state.iteration for state in seen] == [1, 2, 3]
    assert optimum.value == seen[-1].value == pytest.approx(valley(optimum.weights)[0])
    assert seen[0].value >= seen[1].value >= seen[2].value
