"""How unsure a parser is: the entropy against enumeration, the margin against the two best trees."""

import numpy as np
import pytest

from core.annotation.uncertainty import margins, tree_entropies
from core.errors import Cancelled
from core.parsers import MSTParser
from core.parsers.crf.distribution import TreeDistribution
from core.treebank import load_sample
from core.trees import PackedScores
from tests.oracles.trees import trees


@pytest.mark.parametrize("projective", [False, True])
def test_entropy_is_that_of_the_listed_trees(projective):
    random = np.random.default_rng(4)
    matrices = [random.normal(size=(n + 1, n + 1)) for n in (1, 3, 4)]
    matrices[2][1, 3] = -np.inf
    found = tree_entropies(PackedScores.from_matrices(matrices), TreeDistribution(projective))
    for scores, entropy in zip(matrices, found, strict=True):
        n = len(scores) - 1
        listed = trees(n, projective=projective)
        values = scores[listed[:, 1:], np.arange(1, n + 1)].sum(axis=1)
        shares = np.exp(values - np.logaddexp.reduce(values))
        kept = shares[shares > 0]
        assert entropy == pytest.approx(-(kept * np.log(kept)).sum() / n, abs=1e-9)


def test_margin_is_the_distance_of_the_two_best():
    sample = load_sample().max_length(8).limit(30)
    parser = MSTParser(order=1, bits=14).fit(sample, epochs=1)
    done = []
    found = margins(parser, sample, progress=done.append)
    assert done == [len(sample)]
    for index, value in enumerate(found):
        _, values = parser.kbest(sample.select([index]), 2, errors="mark")[0]
        assert value == pytest.approx(values[1] - values[0] if len(values) > 1 else -np.inf)
    assert (found <= 0).all()
    with pytest.raises(Cancelled):
        margins(parser, sample, cancel=lambda: True)
