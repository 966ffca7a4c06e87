"""The best non-projective tree against enumeration and against other people's implementations."""

import networkx
import numpy as np
import pytest

from core.errors import InfeasibleError
from core.trees.maximum_spanning_tree import maximum_spanning_tree
from core.trees.packed import PackedScores
from tests.oracles import trees as oracle


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
