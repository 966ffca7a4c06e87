"""Decoding over surviving arcs against the decoders that take whole cubes."""

import numpy as np
import pytest

from core.errors import ScoreShapeError, WorkbenchError
from core.trees import (
    PackedScores,
    SurvivingArcs,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
    max_marginals,
)
from tests.filled import filled


def test_lists_parts_in_order():
    scores = np.full((4, 4), -np.inf)
    for head, modifier in ((0, 1), (0, 3), (1, 2), (1, 3), (3, 1), (3, 2)):
        scores[head, modifier] = 0.0
    arcs = SurvivingArcs.of(scores)
    assert list(zip(arcs.heads.tolist(), arcs.modifiers.tolist(), strict=True)) == [
        (0, 1), (0, 3), (1, 2), (1, 3), (3, 1), (3, 2),
    ]  # fmt: skip
    siblings = [(0, 0, 1), (0, 0, 3), (0, 1, 3), (1, 1, 2), (1, 1, 3), (1, 2, 3), (3, 2, 1), (3, 3, 1), (3, 3, 2)]
    assert [tuple(part) for part in arcs.sibling_parts().tolist()] == siblings
    chains = [(0, 1, 2), (3, 1, 2), (0, 1, 3), (0, 3, 1), (0, 3, 2), (1, 3, 2)]
    assert [tuple(part) for part in arcs.grandparent_parts().tolist()] == chains


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_pruning_keeps_the_best_tree_and_arcs_above_the_threshold(alpha):
    rng = np.random.default_rng(8)
    matrices = [rng.normal(size=(n + 1, n + 1)) for n in (1, 7, 20)]
    matrices[1][0, 2:] = -np.inf
    corpus = PackedScores.from_matrices(matrices)
    values = max_marginals(corpus)
    arcs = SurvivingArcs.above(values, alpha)
    for index, (matrix, heads) in enumerate(filled(zip(values, eisner(corpus), strict=True))):
        own = slice(arcs.offsets[index], arcs.offsets[index + 1])
        survived = set(zip(arcs.heads[own].tolist(), arcs.modifiers[own].tolist(), strict=True))
        assert {(int(heads[m]), m) for m in range(1, len(heads))} <= survived
        possible = matrix[matrix > -np.inf]
        threshold = alpha * possible.max() + (1 - alpha) * possible.mean()
        assert survived == {(h, m) for h, m in np.argwhere(matrix >= threshold - 1e-8).tolist()}
    assert SurvivingArcs.above(np.full((4, 4), -np.inf), alpha).offsets.tolist() == [0, 0]


@pytest.mark.parametrize("heads", [1, 3, 100])
def test_a_bound_keeps_the_best_arcs_and_the_best_tree(heads):
    scores = np.random.default_rng(9).normal(size=(21, 21))
    values = max_marginals(scores)
    ranked = np.sort(values[values > -np.inf])[::-1]
    least = min(ranked[: heads * 20][-1], ranked[0] - 1e-8)
    arcs = SurvivingArcs.above(values, 0.0, heads)
    survived = set(zip(arcs.heads.tolist(), arcs.modifiers.tolist(), strict=True))
    mean = values[values > -np.inf].mean()
    assert survived == {(h, m) for h, m in np.argwhere(values >= max(least, mean)).tolist()}
    assert {(int(head), m) for m, head in enumerate(eisner(scores)) if m} <= survived
    equal = SurvivingArcs.above(max_marginals(np.zeros((4, 4))), 0.5, 1)
    assert len(equal.heads) == 9  # what equals the last one survives too


def test_three_hundred_words_take_little_memory():
    """A cube would hold 27 million numbers."""
    n = 300
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(n + 1, n + 1))
    scores[rng.random(scores.shape) > 4 / n] = -np.inf
    scores[np.arange(n), np.arange(1, n + 1)] = 0.0
    arcs = SurvivingArcs.of(scores)
    assert arcs.sibling_offsets[-1] + arcs.grandparent_offsets[-1] < 20_000
    siblings = arcs.siblings(np.zeros(arcs.sibling_offsets[-1]))
    chains = arcs.grandparents(np.zeros(arcs.grandparent_offsets[-1]))
    expected = eisner(scores)
    np.testing.assert_array_equal(eisner_sibling(scores, siblings), expected)
    np.testing.assert_array_equal(eisner_grandparent(scores, siblings, chains), expected)


def test_refuses_bad_input():
    scores, cube, arcs = np.zeros((4, 4)), np.zeros((4, 4, 4)), SurvivingArcs.of(np.zeros((4, 4)))
    siblings = arcs.siblings(np.zeros(arcs.sibling_offsets[-1]))
    chains = arcs.grandparents(np.zeros(arcs.grandparent_offsets[-1]))
    of_other_arcs = SurvivingArcs.of(scores).grandparents(chains.values)
    with pytest.raises(WorkbenchError, match="alpha must lie between 0, the mean, and 1"):
        SurvivingArcs.above(scores, 1.5)
    made, whole = "must be made by the", "only eisner_sibling and eisner_grandparent take SparseTriples"
    for call, message in (
        (lambda: arcs.siblings([0.0, 1.0]), r"sibling scores must have shape \(14,\), one for each part, got \(2,\)"),
        (lambda: eisner_sibling(np.zeros((5, 5)), siblings), "over the arcs of the same sentences"),
        (lambda: eisner_sibling(scores, chains), f"sibling_scores {made} siblings method"),
        (lambda: eisner_grandparent(scores, siblings, siblings), f"grandparent_scores {made} grandparents method"),
        (lambda: eisner_grandparent(scores, siblings, of_other_arcs), f"grandparent_scores {made} grandparents"),
        (lambda: eisner_grandparent(scores, siblings, cube), f"grandparent_scores {made} grandparents"),
        (lambda: eisner_grandparent(scores, siblings, None), "grandparent_scores must be an array, a PackedTriples or"),
        (lambda: eisner_grandparent(scores, cube, chains), whole),
        (lambda: max_marginals(scores, chains), whole),
        (lambda: eisner_kbest(PackedScores.from_matrices([scores]), 2, chains), whole),
    ):
        with pytest.raises(ScoreShapeError, match=message):
            call()
