"""The best non-projective tree against other people's implementations."""

import networkx
import numpy as np
import pytest

from core.trees.maximum_spanning_tree import maximum_spanning_tree
from tests.oracles import trees as oracle


def test_ties_go_to_the_lowest_head():
    np.testing.assert_array_equal(maximum_spanning_tree(np.zeros((4, 4)), single_root=False), [-1, 0, 0, 0])


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
