"""Non-projective trees under brackets against the list of all trees: contraction, masks, nested and crossing."""

from itertools import combinations

import numpy as np
import pytest

from core.errors import InfeasibleError, WorkbenchError
from core.trees.bracket_contraction import bracketed_matrix_tree, bracketed_spanning_tree
from core.trees.brackets import LEVELS, Bracket
from tests.oracles import brackets as oracle
from tests.oracles import trees


def check(n, spans, level, single_root, rng, forbidden):
    scores = rng.normal(size=(n + 1, n + 1)) * 2
    scores[rng.random(scores.shape) < forbidden] = -np.inf
    listed = oracle.keep(trees.trees(n, single_root), spans, level)
    totals = scores[listed[:, 1:], np.arange(1, n + 1)].sum(axis=1) if len(listed) else np.array([-np.inf])
    brackets = [Bracket(*span) for span in spans]
    if totals.max() == -np.inf:
        for solve in (bracketed_matrix_tree, bracketed_spanning_tree):
            with pytest.raises(InfeasibleError):
                solve(scores, brackets, level, single_root)
        return
    log_partition, marginals = bracketed_matrix_tree(scores, brackets, level, single_root)
    assert log_partition == pytest.approx(np.logaddexp.reduce(totals), abs=1e-9)
    expected = np.zeros_like(scores)
    for tree, probability in zip(listed, np.exp(totals - np.logaddexp.reduce(totals)), strict=True):
        expected[tree[1:], np.arange(1, n + 1)] += probability
    np.testing.assert_allclose(marginals, expected, atol=1e-9)
    heads = bracketed_spanning_tree(scores, brackets, level, single_root)
    assert scores[heads[1:], np.arange(1, n + 1)].sum() == pytest.approx(totals.max())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_sums_and_best_trees_match_enumeration(n, single_root, level):
    rng = np.random.default_rng(n)
    spans = oracle.all_brackets(n)
    cases = [*((span,) for span in spans), *combinations(spans, 2)]
    most = 6 if n == 5 else 20
    if len(cases) > most:
        cases = [cases[i] for i in rng.choice(len(cases), most, replace=False)]
    for index, case in enumerate(cases):
        check(n, case, level, single_root, rng, forbidden=0.2 * (index % 3 == 2))


@pytest.mark.parametrize("level", ["strict", "sprawl"])
def test_three_nested_brackets_are_contracted_from_within(level):
    for spans in (((2, 4), (2, 5), (1, 5)), ((1, 3), (3, 5), (1, 6)), ((4, 5), (3, 5), (2, 6))):
        check(5, spans, level, True, np.random.default_rng(3), 0.0)


def test_what_cannot_be_is_named():
    crossing = [Bracket(1, 3), Bracket(2, 4)]
    with pytest.raises(InfeasibleError, match="no tree satisfies the sentence's brackets at level strict"):
        bracketed_matrix_tree(np.zeros((5, 5)), crossing, "strict")
    with pytest.raises(InfeasibleError, match="every head of word 1 is forbidden"):
        bracketed_spanning_tree(np.full((3, 3), -np.inf), [], "none")
    wide = [Bracket(start, start + 10) for start in (1, 11, 21, 31, 41)]
    with pytest.raises(WorkbenchError, match="allow 100000 combinations of heads or sides, more than 20000"):
        bracketed_matrix_tree(np.zeros((52, 52)), wide, "loose")
    with pytest.raises(WorkbenchError, match="the bracket 2-5 does not lie within words 1-4"):
        bracketed_matrix_tree(np.zeros((5, 5)), [Bracket(2, 6)], "loose")
