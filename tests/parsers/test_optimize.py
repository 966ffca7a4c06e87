"""The search: it converges, stops, cancels, and reports each iteration."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der

from core.parsers.optimize import Checkpoint, minimize


def bowl(weights):
    return float(((weights - 3) ** 2).sum()), 2 * (weights - 3), {"first": weights[0]}


def banana(weights):  # Rosenbrock's in eight dimensions: more iterations than the memory has corrections
    return float(rosen(weights)), rosen_der(weights), {}


START = np.linspace(-1.5, 1.5, 8)


def test_it_converges_and_leaves_the_start_alone():
    start = np.zeros(4)
    optimum = minimize(bowl, start)
    assert optimum.status == "converged"
    np.testing.assert_allclose(optimum.weights, 3, atol=1e-6)
    assert (start == 0).all()


def test_it_stops_when_evaluations_are_used_up():
    optimum = minimize(banana, START, tolerance=0, max_evaluations=7)
    assert optimum.status == "stopped"
    assert optimum.evaluations == 7


def test_cancel_keeps_the_best_point_so_far():
    seen = []

    def progress(state):
        seen.append(state)

    optimum = minimize(banana, START, progress=progress, cancel=lambda: len(seen) == 3)
    assert optimum.status == "cancelled"
    assert [state.iteration for state in seen] == [1, 2, 3]
    assert optimum.value == seen[-1].value == pytest.approx(banana(optimum.weights)[0])
    assert seen[0].value >= seen[1].value >= seen[2].value


def test_a_search_goes_on_from_any_checkpoint_to_the_same_bits():
    kept = []

    def keep(progress):
        numbers, arrays = progress.checkpoint.packed()
        kept.append((json.dumps(numbers), {name: array.copy() for name, array in arrays.items()}))

    whole = minimize(banana, START, tolerance=1e-12, progress=keep)
    assert whole.status == "converged" and whole.iterations == len(kept) > 15
    for numbers, arrays in kept:  # the last one is where it converged
        seen, checkpoint = [], Checkpoint.unpacked(json.loads(numbers), arrays)
        again = minimize(banana, checkpoint, tolerance=1e-12, progress=seen.append)
        assert again.weights.tobytes() == whole.weights.tobytes()
        assert replace(again, weights=None, seconds=0) == replace(whole, weights=None, seconds=0)
        assert len(seen) == whole.iterations - json.loads(numbers)["iterations"]
        assert checkpoint.state.memory.count == json.loads(numbers)["count"]  # the checkpoint stays as it was
    assert kept[-1][1]["steps"].shape == (10, 8) and kept[2][1]["steps"].shape == (3, 8)
