"""The paper's own ways to a covariance: exact by pairs, and approximate."""

import numpy as np
import pytest

from core.errors import InfeasibleError, NumericalError, ScoreShapeError
from core.trees.druck_covariance import approximate_covariance, pairwise_covariance
from core.trees.matrix_tree import matrix_tree, matrix_tree_covariance
from core.trees.packed import PackedScores
from tests.oracles import trees as oracle


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_pairs_match_enumeration(n, single_root):
    rng = np.random.default_rng(n)
    for _ in range(10):
        scores, direction = rng.normal(size=(2, n + 1, n + 1))
        scores[rng.random(scores.shape) < rng.choice([0.0, 0.3])] = -np.inf
        if oracle.best_tree(scores, single_root)[0] == -np.inf:
            with pytest.raises(InfeasibleError):
                pairwise_covariance(scores, direction, single_root)
            continue
        expected = oracle.covariance(scores, direction, single_root)
        np.testing.assert_allclose(pairwise_covariance(scores, direction, single_root), expected, atol=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [8, 14])
def test_pairs_match_the_elimination(n, single_root):
    scores, direction = np.random.default_rng(n).normal(size=(2, n + 1, n + 1))
    np.testing.assert_allclose(
        pairwise_covariance(scores, direction, single_root),
        matrix_tree_covariance(scores, direction, single_root),
        atol=1e-9,
    )


@pytest.mark.parametrize("n", [2, 5])
def test_the_approximation_is_the_papers(n):
    scores, direction = np.random.default_rng(n).normal(size=(2, n + 1, n + 1))
    p = matrix_tree(scores)[1]
    expected = np.zeros_like(p)
    arcs = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m]
    for k, i in arcs:
        for k2, i2 in arcs:  # the cases of section 3.3, less the product of the marginals
            if (k, i) == (k2, i2):
                pair = p[k, i]
            elif i == i2 or (i == k2 and i2 == k):
                pair = 0.0
            else:
                pair = p[k, i] * p[k2, i2]
            expected[k, i] += (pair - p[k, i] * p[k2, i2]) * direction[k2, i2]
    np.testing.assert_allclose(approximate_covariance(scores, direction), expected, atol=1e-12)


@pytest.mark.parametrize("covariance", [pairwise_covariance, approximate_covariance])
def test_packed_matches_one_by_one(covariance):
    rng = np.random.default_rng(0)
    sentences = [rng.normal(size=(n + 1, n + 1)) for n in (3, 1, 5)]
    sentences[0][1, 2] = -np.inf
    directions = [rng.normal(size=matrix.shape) for matrix in sentences]
    directions[0][1, 2] = np.inf
    packed = covariance(PackedScores.from_matrices(sentences), PackedScores.from_matrices(directions), threads=2)
    for index, (scores, direction) in enumerate(zip(sentences, directions, strict=True)):
        np.testing.assert_array_equal(packed[index], covariance(scores, direction))
    sentences[1][0, 1] = -np.inf
    marked = covariance(PackedScores.from_matrices(sentences), PackedScores.from_matrices(directions), errors="mark")
    assert not marked[1].any()


def test_bad_directions_are_refused():
    with pytest.raises(ScoreShapeError, match="direction must have the shape"):
        pairwise_covariance(np.zeros((3, 3)), np.zeros((4, 4)))
    with pytest.raises(ScoreShapeError, match="direction holds nan"):
        approximate_covariance(np.zeros((3, 3)), np.full((3, 3), np.nan))


def test_scores_too_far_apart_for_an_inverse_are_named():
    far = np.zeros((3, 3))
    far[0, 1:] = 1000.0
    with pytest.raises(NumericalError, match="scores of sentence 0 lie too far apart for pairs of arcs"):
        pairwise_covariance(far, np.zeros((3, 3)))
    packed = PackedScores.from_matrices([np.zeros((3, 3)), far])
    with pytest.raises(NumericalError, match="one of the sentences 0 to 1 lie too far apart"):
        pairwise_covariance(packed, packed.like(np.zeros(18)), threads=1)
