"""Decoding over surviving arcs against the decoders that take whole cubes."""

import numpy as np
import pytest

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import (
    PackedScores,
    SurvivingArcs,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
    max_marginals,
)


def sparse(arcs, siblings, grandparents):
    """The entries of cubes that are parts over the surviving arcs."""
    return (
        arcs.siblings(siblings[tuple(arcs.sibling_parts().T)]),
        arcs.grandparents(grandparents[tuple(arcs.grandparent_parts().T)]),
    )


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("kept", [1.0, 0.4, 0.1])
def test_longer_sentences_and_ties(kept, single_root):
    """Among trees of one value both decoders take the same."""
    rng = np.random.default_rng(5)
    for n in (1, 2, 9, 14):
        for draw in (rng.normal, lambda size: rng.integers(-2, 3, size=size).astype(float)):
            scores, *cubes = (draw(size=(n + 1,) * rank) for rank in (2, 3, 3))
            gone = rng.random(scores.shape) > kept
            gone[np.arange(n), np.arange(1, n + 1)] = False  # a chain always remains
            scores[gone] = -np.inf
            parts = sparse(SurvivingArcs.of(scores), *cubes)
            for order, decoder in ((1, eisner_sibling), (2, eisner_grandparent)):
                expected = decoder(scores, *cubes[:order], single_root)
                np.testing.assert_array_equal(decoder(scores, *parts[:order], single_root), expected)


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
    for index, (matrix, heads) in enumerate(zip(values, eisner(corpus), strict=True)):
        own = slice(arcs.offsets[index], arcs.offsets[index + 1])
        survived = set(zip(arcs.heads[own].tolist(), arcs.modifiers[own].tolist(), strict=True))
        assert {(int(heads[m]), m) for m in range(1, len(heads))} <= survived
        possible = matrix[matrix > -np.inf]
        threshold = alpha * possible.max() + (1 - alpha) * possible.mean()
        assert survived == {(h, m) for h, m in np.argwhere(matrix >= threshold - 1e-8).tolist()}
    assert SurvivingArcs.above(np.full((4, 4), -np.inf), alpha).offsets.tolist() == [0, 0]


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


def test_names_or_marks_a_sentence_that_pruning_left_without_a_tree():
    scores = PackedScores.from_matrices([np.zeros((4, 4))] * 3)
    pruned = PackedScores.from_matrices([np.zeros((4, 4))] * 3)
    pruned[1][:, 2] = -np.inf
    arcs = SurvivingArcs.of(pruned)
    siblings = arcs.siblings(np.zeros(arcs.sibling_offsets[-1]))
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*every head of word 2 is forbidden") as caught:
        eisner_sibling(scores, siblings)
    assert caught.value.sentence == 1
    marked = eisner_sibling(scores, siblings, errors="mark")
    assert [row.tolist().count(0) for row in marked] == [1, 0, 1]
    arcs = SurvivingArcs.of(np.zeros((4, 4)))
    with pytest.raises(InfeasibleError, match="forbidden or pruned arc, or a forbidden part; prune less"):
        eisner_sibling(np.zeros((4, 4)), arcs.siblings(np.full(arcs.sibling_offsets[-1], -np.inf)))


def test_refuses_bad_input():
    scores, arcs = np.zeros((4, 4)), SurvivingArcs.of(np.zeros((4, 4)))
    siblings = arcs.siblings(np.zeros(arcs.sibling_offsets[-1]))
    chains = arcs.grandparents(np.zeros(arcs.grandparent_offsets[-1]))
    with pytest.raises(WorkbenchError, match="alpha must lie between 0, the mean, and 1"):
        SurvivingArcs.above(scores, 1.5)
    with pytest.raises(ScoreShapeError, match=r"sibling scores must have shape \(14,\), one for each part, got \(2,\)"):
        arcs.siblings([0.0, 1.0])
    with pytest.raises(ScoreShapeError, match="over the arcs of the same sentences"):
        eisner_sibling(np.zeros((5, 5)), siblings)
    with pytest.raises(ScoreShapeError, match="sibling_scores must be made by the siblings method"):
        eisner_sibling(scores, chains)
    others = SurvivingArcs.of(scores)
    for bad in (siblings, others.grandparents(chains.values), np.zeros((4, 4, 4))):
        with pytest.raises(ScoreShapeError, match="grandparent_scores must be made by the grandparents method"):
            eisner_grandparent(scores, siblings, bad)
    with pytest.raises(
        ScoreShapeError, match="grandparent_scores must be an array, a PackedTriples or a SparseTriples"
    ):
        eisner_grandparent(scores, siblings, None)
    siblings.values[4] = np.nan
    with pytest.raises(ScoreShapeError, match=r"sentence 0: sibling_scores\[0, 1, 3\] is nan"):
        eisner_sibling(scores, siblings)
    for of_whole_cubes in (
        lambda: max_marginals(scores, chains),
        lambda: eisner_kbest(PackedScores.from_matrices([scores]), 2, chains),
        lambda: eisner_grandparent(scores, np.zeros((4, 4, 4)), chains),
    ):
        with pytest.raises(ScoreShapeError, match="only eisner_sibling and eisner_grandparent take SparseTriples"):
            of_whole_cubes()
