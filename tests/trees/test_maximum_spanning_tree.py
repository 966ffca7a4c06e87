"""The best non-projective tree against enumeration and against other people's implementations."""

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees.maximum_spanning_tree import maximum_spanning_tree
from core.trees.packed import PackedScores
from tests.oracles import trees as oracle


def matrices(elements):
    return st.integers(1, 5).flatmap(lambda n: arrays.arrays(np.float64, (n + 1, n + 1), elements=elements))


anything = st.one_of(
    st.floats(-1000, 1000), st.sampled_from([0.0, 1.0, 2.0]), st.sampled_from([-np.inf, 1000.0, -1000.0])
)
ties = st.sampled_from([0.0, 1.0, -np.inf])


def assert_best(scores, single_root):
    value, _ = oracle.best_tree(scores, single_root)
    if value == -np.inf:
        with pytest.raises(InfeasibleError):
            maximum_spanning_tree(scores, single_root)
        return
    heads = maximum_spanning_tree(scores, single_root)
    assert heads.dtype == np.int32 and heads[0] == -1
    assert oracle.is_tree(heads, single_root)
    assert oracle.tree_score(scores, heads) == pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=300)
@given(matrices(anything), st.booleans())
def test_matches_enumeration(scores, single_root):
    assert_best(scores, single_root)


@settings(deadline=None, max_examples=200)
@given(matrices(ties), st.booleans())
def test_matches_enumeration_among_ties(scores, single_root):
    assert_best(scores, single_root)


@pytest.mark.parametrize("root_bonus", [-3.0, 0.0, 3.0, 100.0])
def test_matches_enumeration_when_the_root_is_loved_or_not(root_bonus):
    rng = np.random.default_rng(int(root_bonus) + 5)
    for _ in range(100):
        n = rng.integers(1, 6)
        scores = rng.normal(size=(n + 1, n + 1))
        scores[0] += root_bonus
        scores[rng.random(scores.shape) < rng.choice([0.0, 0.2, 0.5])] = -np.inf
        assert_best(scores, True)
        assert_best(scores, False)


def test_ties_go_to_the_lowest_head():
    np.testing.assert_array_equal(maximum_spanning_tree(np.zeros((4, 4)), single_root=False), [-1, 0, 0, 0])
    heads = maximum_spanning_tree(np.zeros((6, 6)))
    np.testing.assert_array_equal(heads, maximum_spanning_tree(np.zeros((6, 6))))
    assert oracle.is_tree(heads)


@pytest.mark.parametrize("n", [10, 40])
@pytest.mark.parametrize("seed", range(5))
def test_long_sentences_match_networkx_and_ufal(n, seed):
    ufal = pytest.importorskip("ufal.chu_liu_edmonds")
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n + 1, n + 1)) + rng.choice([0.0, 3.0]) * (np.arange(n + 1) == 0)[:, None]
    for single_root in (False, True):
        priced = scores.copy()
        priced[0] -= 1000.0 * single_root
        theirs = priced.T.copy()
        np.fill_diagonal(theirs, np.nan)
        heads = maximum_spanning_tree(scores, single_root)
        expected = oracle.tree_score(scores, ufal.chu_liu_edmonds(theirs)[0])
        assert oracle.is_tree(heads, single_root)
        assert oracle.tree_score(scores, heads) == pytest.approx(expected)
        if n == 10:
            graph = networkx.DiGraph()
            graph.add_weighted_edges_from((h, m, priced[h, m]) for h in range(n + 1) for m in range(1, n + 1) if h != m)
            tree = networkx.maximum_spanning_arborescence(graph)
            assert oracle.tree_score(scores, heads) == pytest.approx(sum(scores[arc] for arc in tree.edges))


def test_ignored_entries_are_ignored():
    scores = np.random.default_rng(0).normal(size=(8, 8))
    spoilt = scores.copy()
    spoilt[:, 0] = np.nan
    np.fill_diagonal(spoilt, np.inf)
    before = spoilt.copy()
    np.testing.assert_array_equal(maximum_spanning_tree(spoilt), maximum_spanning_tree(scores))
    np.testing.assert_array_equal(spoilt, before)
    spoilt[:, 3] = -np.inf
    with pytest.raises(InfeasibleError, match="every head of word 3 is forbidden"):
        maximum_spanning_tree(spoilt)
    np.testing.assert_array_equal(maximum_spanning_tree(spoilt, errors="mark"), [-1] * 8)


@pytest.mark.parametrize("threads", [None, 1, 2])
@pytest.mark.parametrize("single_root", [False, True])
def test_packed_matches_one_by_one(single_root, threads):
    rng = np.random.default_rng(1)
    sentences = [rng.normal(size=(n + 1, n + 1)) for n in (3, 1, 25, 8, 2, 13)]
    sentences[3][2, 2] = np.nan
    heads = maximum_spanning_tree(PackedScores.from_matrices(sentences), single_root, threads=threads)
    assert len(heads) == 6 and heads.values.dtype == np.int32
    for index, scores in enumerate(sentences):
        np.testing.assert_array_equal(heads[index], maximum_spanning_tree(scores, single_root))


def test_an_infeasible_sentence_is_named_or_marked():
    sentences = [np.zeros((n + 1, n + 1)) for n in (2, 3, 4)]
    sentences[1][1:, 1:] = -np.inf  # only the root can be a head
    packed = PackedScores.from_matrices(sentences)
    with pytest.raises(InfeasibleError, match=r"sentence 1: .*several words on the root") as caught:
        maximum_spanning_tree(packed)
    assert caught.value.sentence == 1
    heads = maximum_spanning_tree(packed, errors="mark")
    np.testing.assert_array_equal(heads[1], [-1] * 4)
    assert oracle.is_tree(heads[0]) and oracle.is_tree(heads[2])
    np.testing.assert_array_equal(maximum_spanning_tree(packed, single_root=False)[1], [-1, 0, 0, 0])
    assert len(maximum_spanning_tree(PackedScores.from_matrices([]))) == 0


def test_bad_input_is_refused_by_name():
    scores = np.zeros((4, 4))
    scores[2, 3] = np.nan
    with pytest.raises(ScoreShapeError, match=r"scores\[2, 3\] is nan"):
        maximum_spanning_tree(scores)
    with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[2, 3\] is nan"):
        maximum_spanning_tree(PackedScores.from_matrices([np.zeros((2, 2)), scores]))
    with pytest.raises(ScoreShapeError, match=r"n >= 1, got \(4,\)"):
        maximum_spanning_tree([0, 1, 2, 3])
    with pytest.raises(WorkbenchError, match='errors must be "raise" or "mark"'):
        maximum_spanning_tree(np.zeros((4, 4)), errors="warn")
