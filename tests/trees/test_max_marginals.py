"""Max-marginals of projective trees against the list of all trees and the decoder."""

import numpy as np
import pytest

from core.errors import InfeasibleError, ScoreShapeError
from core.trees import PackedScores, PackedTriples, eisner, eisner_grandparent, eisner_sibling, max_marginals
from tests.oracles import higher_order, projective


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
