"""Which tree a distribution returns: the most probable, one without crossing arcs, most right heads expected."""

import io

import numpy as np
import pytest

from core.parsers import TreeCRF
from core.parsers.crf.distribution import TreeDistribution
from core.treebank import load_sample
from core.trees import PackedScores, eisner, matrix_tree, maximum_spanning_tree


@pytest.fixture
def scores():
    random = np.random.default_rng(5)
    return PackedScores.from_matrices([random.normal(0, 2, (n + 1, n + 1)) for n in (1, 2, 4, 6, 6)])


def test_each_decoding_is_what_it_says(scores):
    assert TreeDistribution().best(scores).values.tolist() == maximum_spanning_tree(scores).values.tolist()
    projective = TreeDistribution(decoding="projective").best(scores)
    assert projective.values.tolist() == eisner(scores).values.tolist()


def test_posterior_trees_have_most_right_heads_expected(scores):
    marginals = matrix_tree(scores)[1]

    def expected(heads):
        return [sum(marginals[i][h, m] for m, h in enumerate(heads[i]) if m > 0) for i in range(len(scores))]

    posterior = expected(TreeDistribution(decoding="posterior").best(scores))
    best = expected(TreeDistribution().best(scores))
    assert all(one >= other - 1e-12 for one, other in zip(posterior, best, strict=True))
    assert sum(posterior) > sum(best)


def test_posterior_decoding_forbids_what_the_scores_forbid():
    matrix = np.zeros((3, 3))
    matrix[0, 2] = -np.inf
    heads = TreeDistribution(decoding="posterior").best(PackedScores.from_matrices([matrix]))
    assert heads.values.tolist() == [-1, 0, 1]


def test_an_unknown_decoding_is_refused():
    with pytest.raises(ValueError, match="no decoding called 'greedy': choose one of best, projective, posterior"):
        TreeDistribution(decoding="greedy")


def test_a_saved_parser_keeps_its_decoding():
    parser = TreeCRF("restricted", tags="upos", decoding="projective")
    parser.prepare(load_sample().limit(3))
    file = io.BytesIO()
    parser.save(file)
    assert TreeCRF.load(file).distribution.decoding == "projective"
