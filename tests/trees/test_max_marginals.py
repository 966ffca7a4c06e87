"""Max-marginals of projective trees against the list of all trees and the decoder."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError, ScoreShapeError
from core.trees import PackedScores, PackedTriples, eisner, eisner_grandparent, eisner_sibling, max_marginals
from tests.oracles import higher_order, projective
from tests.oracles import trees as oracle

elements = st.one_of(st.sampled_from([0.0, 1.0, -np.inf]), st.floats(-30, 30), st.sampled_from([-1000.0, 1000.0]))
score_matrices = st.integers(1, 5).flatmap(lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=elements))


@settings(deadline=None, max_examples=200)
@given(score_matrices, st.booleans())
def test_matches_enumeration(scores, single_root):
    expected = oracle.max_marginals(scores, single_root, projective=True)
    if expected.max() == -np.inf:
        with pytest.raises(InfeasibleError):
            max_marginals(scores, single_root=single_root)
        assert (max_marginals(scores, single_root=single_root, errors="mark") == -np.inf).all()
        return
    np.testing.assert_allclose(max_marginals(scores, single_root=single_root), expected, atol=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 9, 40])
def test_the_best_of_each_word_is_the_best_tree(n, single_root):
    scores = np.random.default_rng(n).normal(size=(n + 1, n + 1))
    values = max_marginals(scores, single_root=single_root)
    best = projective.best_value(scores, single_root)
    np.testing.assert_allclose(values[:, 1:].max(axis=0), best, atol=1e-9)
    np.testing.assert_array_equal(values[:, 1:].argmax(axis=0), eisner(scores, single_root)[1:])
    assert (values[:, 0] == -np.inf).all()
    assert (values.diagonal() == -np.inf).all()


def test_a_corpus_is_like_its_sentences():
    rng = np.random.default_rng(1)
    scores = [rng.normal(size=(n + 1, n + 1)) for n in (5, 1, 17, 4)]
    packed = max_marginals(PackedScores.from_matrices(scores), threads=2)
    for index, matrix in enumerate(scores):
        np.testing.assert_array_equal(packed[index], max_marginals(matrix))


def test_names_or_marks_an_infeasible_sentence():
    packed = PackedScores.from_matrices([np.zeros((3, 3)), np.full((3, 3), -np.inf)])
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*every head of word 1 is forbidden"):
        max_marginals(packed)
    assert (max_marginals(packed, errors="mark")[1] == -np.inf).all()


@st.composite
def second_order_problems(draw):
    """Scores of arcs, and of siblings, grandparents or both; None for what is left out."""
    side, wanted = draw(st.integers(2, 6)), draw(st.sampled_from([(True, False), (False, True), (True, True)]))
    cubes = [draw(arrays.arrays(np.float64, (side,) * 3, elements=elements)) if want else None for want in wanted]
    return draw(arrays.arrays(np.float64, (side, side), elements=elements)), *cubes


@settings(deadline=None, max_examples=200)
@given(second_order_problems(), st.booleans())
def test_second_order_matches_enumeration(problem, single_root):
    expected = higher_order.max_marginals(*problem, single_root=single_root)
    if expected.max() == -np.inf:
        with pytest.raises(InfeasibleError):
            max_marginals(*problem, single_root)
        assert (max_marginals(*problem, single_root, errors="mark") == -np.inf).all()
        return
    np.testing.assert_allclose(max_marginals(*problem, single_root), expected, atol=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 9, 20])
def test_second_order_agrees_with_the_decoders(n, single_root):
    rng = np.random.default_rng(n)
    scores, *cubes = (rng.normal(size=(n + 1,) * rank) for rank in (2, 3, 3))
    nothing = np.zeros((n + 1,) * 3)
    for decoder, parts in ((eisner_sibling, cubes[:1]), (eisner_grandparent, cubes)):
        heads, values = decoder(scores, *parts, single_root), max_marginals(scores, *parts, single_root=single_root)
        best = higher_order.tree_value(heads, scores, *parts)
        np.testing.assert_allclose(values[:, 1:].max(axis=0), best, atol=1e-9)
        np.testing.assert_array_equal(values[:, 1:].argmax(axis=0), heads[1:])
        without = max_marginals(scores, *[nothing] * len(parts), single_root=single_root)
        np.testing.assert_allclose(without, max_marginals(scores, single_root=single_root), atol=1e-9)


def test_a_second_order_corpus_is_like_its_sentences():
    rng = np.random.default_rng(1)
    problems = [[rng.normal(size=(n + 1,) * rank) for rank in (2, 3, 3)] for n in (5, 1, 17, 4)]
    scores, *cubes = zip(*problems, strict=True)
    packed = [PackedTriples.from_arrays(cube) for cube in cubes]
    for order in (1, 2):
        found = max_marginals(PackedScores.from_matrices(scores), *packed[:order], threads=2)
        for matrix, problem in zip(found, problems, strict=True):
            np.testing.assert_array_equal(matrix, max_marginals(*problem[: order + 1]))


def test_names_a_sentence_or_a_part_of_second_order():
    scores = PackedScores.from_matrices([np.zeros((3, 3))] * 3)
    cubes = PackedTriples.from_arrays([np.zeros((3, 3, 3))] * 3)
    cubes[1][:] = -np.inf
    for parts in ((cubes,), (cubes, cubes), (None, cubes)):
        with pytest.raises(InfeasibleError, match=r"sentence 1: .*sibling"):
            max_marginals(scores, *parts)
        marked = max_marginals(scores, *parts, errors="mark")
        assert (marked[1] == -np.inf).all()
        assert (marked[2] == max_marginals(np.zeros((3, 3)))).all()
    for name, part in (("sibling_scores", (2, 2, 1)), ("grandparent_scores", (0, 2, 1))):
        bad = np.zeros((3, 3, 3))
        bad[part] = np.nan
        with pytest.raises(ScoreShapeError, match=rf"{name}\[{part[0]}, 2, 1\] is nan"):
            max_marginals(np.zeros((3, 3)), **{name: bad})
