"""Log-probabilities of heads, against those of each column written out."""

import numpy as np
from scipy.special import log_softmax

from core.parsers.universal.normalising import log_probabilities
from core.trees import PackedScores


def test_the_heads_of_each_word_share_one():
    generator = np.random.default_rng(0)
    matrices = [generator.normal(0, spread, (side, side)) for side, spread in ((2, 1), (6, 300), (9, 5))]
    found = log_probabilities(PackedScores.from_matrices(matrices))
    for i, scores in enumerate(matrices):
        np.fill_diagonal(scores, -np.inf)
        np.testing.assert_allclose(found[i], log_softmax(scores, axis=0), atol=1e-9)
