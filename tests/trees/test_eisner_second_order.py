"""What holds for both decoders of second order: the best of all trees, and a corpus is like its sentences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InfeasibleError
from core.trees import PackedScores, PackedTriples, eisner_grandparent, eisner_sibling
from tests.oracles import higher_order
from tests.oracles import trees as oracle
from tests.trees.problems import problems, random_problems

DECODERS = {2: eisner_sibling, 3: eisner_grandparent}


@pytest.mark.parametrize("order", DECODERS)
@settings(deadline=None, max_examples=200)
@given(data=st.data(), single_root=st.booleans())
def test_matches_enumeration(order, data, single_root):
    decode, problem = DECODERS[order], data.draw(problems(*[True] * order))
    expected = higher_order.best_values(1, *problem, single_root=single_root)
    before = [array.copy() for array in problem]
    if len(expected) == 0:
        with pytest.raises(InfeasibleError):
            decode(*problem, single_root)
        assert (decode(*problem, single_root, errors="mark") == -1).all()
        return
    heads = decode(*problem, single_root)
    assert heads.dtype == np.int32
    assert heads[0] == -1
    assert oracle.is_tree(heads, single_root)
    assert oracle.is_projective(heads)
    assert higher_order.tree_value(heads, *problem) == pytest.approx(expected[0], abs=1e-9)
    for array, copy in zip(problem, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("order", DECODERS)
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_corpus_decodes_like_its_sentences(threads, order):
    decode = DECODERS[order]
    listed = random_problems(np.random.default_rng(3), (2, 13, 4, 21, 3, 9))
    scores, *cubes = zip(*[problem[:order] for problem in listed], strict=True)
    packed = [PackedTriples.from_arrays(cube) for cube in cubes]
    found = decode(PackedScores.from_matrices(scores), *packed, threads=threads)
    for heads, problem in zip(found, listed, strict=True):
        np.testing.assert_array_equal(heads, decode(*problem[:order]))
    nothing = PackedTriples.from_arrays([])
    assert len(decode(PackedScores.from_matrices([]), *[nothing] * (order - 1))) == 0
