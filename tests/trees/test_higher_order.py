"""Decoders of all orders on sentences too long to list: each against the others and a textbook chart; their k best."""

import numpy as np
import pytest

from core.errors import ScoreShapeError, WorkbenchError
from core.trees import (
    PackedScores,
    PackedTriples,
    SurvivingArcs,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
    max_marginals,
)
from tests.oracles import higher_order, projective
from tests.oracles import trees as oracle

SCORES, CUBE = np.zeros((4, 4)), np.zeros((4, 4, 4))
PACKED, CUBES = PackedScores.from_matrices([SCORES]), PackedTriples.from_arrays([CUBE])


def decoders(siblings, grandparents):
    """(decoder, its cubes) of each order."""
    return (eisner, ()), (eisner_sibling, (siblings,)), (eisner_grandparent, (siblings, grandparents))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("kept", [1.0, 0.4, 0.1])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 14])
def test_all_decoders_agree(n, kept, single_root):
    rng = np.random.default_rng(n)
    for ordinary in (True, False):
        scores, *cubes = (rng.normal(size=(n + 1,) * rank) * 2 for rank in (2, 3, 3))
        if not ordinary:  # ties
            scores, *cubes = (np.round(array) for array in (scores, *cubes))
        gone = rng.random(scores.shape) > kept
        gone[np.arange(n), np.arange(1, n + 1)] = False  # a chain always remains
        scores[gone] = -np.inf
        arcs = SurvivingArcs.of(scores)
        sparse = (
            arcs.siblings(cubes[0][tuple(arcs.sibling_parts().T)]),
            arcs.grandparents(cubes[1][tuple(arcs.grandparent_parts().T)]),
        )
        for (decoder, parts), (_, over_arcs) in zip(decoders(*cubes), decoders(*sparse), strict=True):
            heads = decoder(scores, *parts, single_root)
            assert oracle.is_tree(heads, single_root) and oracle.is_projective(heads)
            best = higher_order.tree_value(heads, scores, *parts)
            np.testing.assert_array_equal(decoder(scores, *over_arcs, single_root), heads)
            found, values = eisner_kbest(scores, 5, *parts, single_root=single_root)
            np.testing.assert_array_equal(found[0], heads)
            marginals = max_marginals(scores, *parts, single_root=single_root)
            np.testing.assert_allclose([values[0], *marginals[:, 1:].max(axis=0)], best, atol=1e-9)
            if ordinary:
                np.testing.assert_array_equal(marginals[:, 1:].argmax(axis=0), heads[1:])
        heads, nothing = eisner(scores, single_root), np.zeros((n + 1,) * 3)
        assert oracle.tree_score(scores, heads) == pytest.approx(projective.best_value(scores, single_root), abs=1e-9)
        costly = np.where(gone, -1e6, scores)  # few allowed arcs are decoded by other loops than many
        np.testing.assert_array_equal(eisner(costly, single_root), heads)
        if ordinary:
            for decoder, parts in decoders(nothing, nothing):
                np.testing.assert_array_equal(decoder(scores, *parts, single_root), heads)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_longer_list_begins_with_the_shorter(order, single_root):
    rng = np.random.default_rng(12)
    scores, *cubes = (rng.normal(size=(13,) * rank) for rank in (2, 3, 3)[:order])
    heads, values = eisner_kbest(scores, 60, *cubes, single_root=single_root)
    assert len({tuple(row) for row in heads.tolist()}) == 60 and (np.diff(values) <= 1e-12).all()
    for row, value in zip(heads, values, strict=True):
        assert oracle.is_tree(row, single_root) and oracle.is_projective(row)
        assert higher_order.tree_value(row, scores, *cubes) == pytest.approx(value, abs=1e-9)
    for k in (1, 16):
        fewer, their_values = eisner_kbest(scores, k, *cubes, single_root=single_root)
        np.testing.assert_array_equal(fewer, heads[:k])
        np.testing.assert_array_equal(their_values, values[:k])


def test_the_lists_of_a_corpus_end_in_nothing():
    found = eisner_kbest(PackedScores.from_matrices([np.zeros((side, side)) for side in (2, 5, 3)]), 16)
    assert found.counts.tolist() == [1, 16, 2]
    assert [(values == -np.inf).sum() for values in found.values] == [15, 0, 14]
    with pytest.raises(IndexError, match="sentence 3 of 3"):
        found[3]


def test_a_number_of_trees_is_a_whole_number():
    for k in (0, -1, 2.5, "4", 1 << 20):
        with pytest.raises(WorkbenchError, match="k must be a whole number from 1 to"):
            eisner_kbest(SCORES, k)
    assert len(eisner_kbest(SCORES, np.int32(2))[1]) == 2


@pytest.mark.parametrize(
    ("decoder", "arguments", "message"),
    [
        (eisner_sibling, (SCORES, np.zeros((3, 3, 3))), r"sibling_scores must have shape \(4, 4, 4\) as the scores"),
        (eisner_sibling, (SCORES, SCORES), r"sibling_scores must have shape \(n \+ 1, n \+ 1, n \+ 1\) with n >= 1"),
        (eisner_sibling, (SCORES, "parts"), "sibling_scores must be a cube of numbers"),
        (eisner_sibling, (SCORES, None), "sibling_scores must be an array, .*, use a decoder of lower order"),
        (eisner_sibling, (PACKED, CUBE), "sibling_scores must be a PackedTriples like the scores, got ndarray"),
        (eisner_sibling, (PACKED, PackedTriples.from_arrays([np.zeros((3, 3, 3))])), "same sentence lengths in order"),
        (eisner_sibling, (PACKED, PackedTriples(np.zeros(60), CUBES.offsets)), r"must hold 64 values .*shape \(60,"),
        (eisner_grandparent, (SCORES, CUBE, np.zeros((3, 3, 3))), r"grandparent_scores must have shape \(4, 4, 4\)"),
        (eisner_grandparent, (SCORES, CUBE, None), "grandparent_scores must be an array"),
        (eisner_grandparent, (SCORES, None, CUBE), "sibling_scores must be an array"),
        (PackedTriples.from_arrays, ([CUBE, SCORES],), r"cube 1 must have shape \(n \+ 1, n \+ 1, n \+ 1\)"),
    ],
)
def test_cubes_that_do_not_fit_are_named(decoder, arguments, message):
    with pytest.raises(ScoreShapeError, match=message):
        decoder(*arguments)
    with pytest.raises(IndexError, match="cube 1 of 1"):
        CUBES[1]
