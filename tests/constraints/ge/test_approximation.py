"""The approximate gradient beside the exact one, on one sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints.ge.approximation import compare_covariances
from core.trees import matrix_tree


def drawn(n, seed):
    random = np.random.default_rng(seed)
    return random.normal(size=(n + 1, n + 1)), random.normal(size=(n + 1, n + 1)), random


@given(st.integers(1, 5), st.integers(0, 1000))
def test_the_exact_gradient_is_the_derivative_of_the_marginals_and_pairs_agree(n, seed):
    scores, direction, _ = drawn(n, seed)
    found = compare_covariances(scores, direction)
    step = 1e-5
    ahead, behind = (matrix_tree(scores + sign * step * direction)[1] for sign in (1, -1))
    np.testing.assert_allclose(found.exact * found.scale, (ahead - behind) / (2 * step), atol=1e-8)
    assert found.rounding < 1e-8 / found.scale + 1e-8
    assert found.arcs == n * n


def test_errors_are_ranked_and_told_apart_by_sign():
    scores, direction, _ = drawn(4, 3)
    found = compare_covariances(scores, direction)
    heads, modifiers = found.ranked()
    errors = np.abs(found.difference[heads, modifiers])
    assert len(errors) == found.arcs and (np.diff(errors) <= 0).all()
    assert found.worst == (heads[0], modifiers[0]) and found.largest_error == pytest.approx(errors[0])
    mu = matrix_tree(scores)[1]
    h, m = 1, 2
    own = mu[h, m] * (direction[h, m] - mu[:, m] @ direction[:, m] - mu[m, h] * direction[m, h])
    assert found.approximate[h, m] * found.scale == pytest.approx(own)
    assert (found.wrong_way == (np.sign(found.exact) * np.sign(found.approximate) < 0)).all()
    assert -1 <= found.cosine <= 1


def test_a_word_that_no_constraint_speaks_of_is_not_moved_by_the_approximation():
    direction = np.zeros((4, 4))
    direction[1, 2] = 1.0
    found = compare_covariances(drawn(3, 1)[0], direction)
    assert found.unmoved[:, 3].any() and not (found.wrong_way | (found.approximate != 0))[:, 3].any()


def test_one_word_has_one_tree_and_nothing_moves():
    found = compare_covariances(np.zeros((2, 2)), np.ones((2, 2)))
    assert (found.scale, found.largest_error, found.cosine) == (1.0, 0, None)
