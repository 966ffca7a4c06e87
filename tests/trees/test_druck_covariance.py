"""Where the paper's own way to a covariance ends; that it is right stands in ``test_decoders.py``."""

import numpy as np
import pytest

from core.errors import NumericalError
from core.trees.druck_covariance import pairwise_covariance
from core.trees.matrix_tree import matrix_tree_covariance
from core.trees.packed import PackedScores


@pytest.mark.parametrize("single_root", [False, True])
def test_pairs_match_the_elimination_on_longer_sentences(single_root):
    scores, direction = np.random.default_rng(14).normal(size=(2, 15, 15))
    expected = matrix_tree_covariance(scores, direction, single_root)
    np.testing.assert_allclose(pairwise_covariance(scores, direction, single_root), expected, atol=1e-9)


def test_scores_too_far_apart_for_an_inverse_are_named():
    far = np.zeros((3, 3))
    far[0, 1:] = 1000.0
    with pytest.raises(NumericalError, match="scores of sentence 0 lie too far apart for pairs of arcs"):
        pairwise_covariance(far, np.zeros((3, 3)))
    packed = PackedScores.from_matrices([np.zeros((3, 3)), far])
    with pytest.raises(NumericalError, match="one of the sentences 0 to 1 lie too far apart"):
        pairwise_covariance(packed, packed.like(np.zeros(18)), threads=1)
