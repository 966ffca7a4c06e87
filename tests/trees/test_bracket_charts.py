"""Charts under brackets against the list of all trees, each level, several brackets, and ties."""

from itertools import combinations

import numpy as np
import pytest

from core.errors import InfeasibleError, WorkbenchError
from core.trees.bracket_charts import bracketed_eisner, bracketed_inside_outside
from core.trees.brackets import LEVELS, Bracket, PackedBrackets
from core.trees.packed import PackedScores
from tests.oracles import brackets as oracle
from tests.oracles import trees

SPANS = {n: [span for span in oracle.all_brackets(n)] for n in range(1, 7)}


def cases(n, count, seed):
    """Pairs of brackets, one of them at times alone: all for n <= 4, else ``count`` drawn at random."""
    pairs = [*((span,) for span in SPANS[n]), *combinations(SPANS[n], 2)]
    if len(pairs) <= count:
        return pairs
    return [pairs[i] for i in np.random.default_rng(seed).choice(len(pairs), count, replace=False)]


def check(n, spans, level, single_root, rng, forbidden):
    """One corpus of random scores: marginals, totals and best values against the trees that are left."""
    scores = rng.normal(size=(n + 1, n + 1)) * 2
    scores[rng.random(scores.shape) < forbidden] = -np.inf
    listed = oracle.keep(trees.trees(n, single_root, projective=True), spans, level)
    totals = scores[listed[:, 1:], np.arange(1, n + 1)].sum(axis=1) if len(listed) else np.array([-np.inf])
    brackets = [Bracket(*span) for span in spans]
    log_partition, marginals = bracketed_inside_outside(scores, brackets, level, single_root, errors="mark")
    heads = bracketed_eisner(scores, brackets, level, single_root, errors="mark")
    if totals.max() == -np.inf:
        assert log_partition == -np.inf and not marginals.any() and (heads == -1).all()
        return
    assert log_partition == pytest.approx(np.logaddexp.reduce(totals), abs=1e-9)
    expected = np.zeros_like(scores)
    for tree, probability in zip(listed, np.exp(totals - np.logaddexp.reduce(totals)), strict=True):
        expected[tree[1:], np.arange(1, n + 1)] += probability
    np.testing.assert_allclose(marginals, expected, atol=1e-9)
    assert scores[heads[1:], np.arange(1, n + 1)].sum() == pytest.approx(totals.max())
    assert (listed == heads).all(axis=1).any()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_charts_match_enumeration(n, single_root, level):
    rng = np.random.default_rng(n)
    for index, spans in enumerate(cases(n, {5: 25, 6: 8}.get(n, 60), seed=n + 10 * single_root)):
        check(n, spans, level, single_root, rng, forbidden=0.15 * (index % 3 == 2))


@pytest.mark.parametrize("level", ["tear", "sprawl", "loose", "strict"])
def test_three_brackets_nested_crossing_and_side_by_side(level):
    rng = np.random.default_rng(7)
    for _ in range(12):
        spans = tuple(SPANS[5][i] for i in rng.choice(len(SPANS[5]), 3, replace=False))
        check(5, spans, level, True, rng, 0.0)


def test_scores_a_thousand_nats_apart_are_done_in_logarithms():
    rng = np.random.default_rng(1)
    scores = rng.choice([-1000.0, 0.0, 1000.0], size=(5, 5))
    spans = ((1, 3), (2, 5))
    listed = oracle.keep(trees.trees(4, True, True), spans, "tear")
    totals = scores[listed[:, 1:], np.arange(1, 5)].sum(axis=1)
    log_partition, marginals = bracketed_inside_outside(scores, [Bracket(*span) for span in spans], "tear")
    assert log_partition == pytest.approx(np.logaddexp.reduce(totals))
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1)


def test_equally_good_trees_are_equally_likely():
    listed = oracle.keep(trees.trees(4, True, True), ((2, 4),), "loose")
    packed = PackedScores.from_matrices([np.zeros((5, 5))] * 3000)
    brackets = PackedBrackets.from_lists([[Bracket(2, 4)]] * 3000)
    heads = bracketed_eisner(packed, brackets, "loose", seed=5)
    counts = [(heads.values.reshape(-1, 5) == tree).all(axis=1).sum() for tree in listed]
    assert sum(counts) == 3000 and len(counts) == 14
    assert sum((count - 3000 / 14) ** 2 / (3000 / 14) for count in counts) < 34.5  # chi-squared, 13 degrees: p = 0.001
    again = bracketed_eisner(packed, brackets, "loose", seed=5, threads=1)
    np.testing.assert_array_equal(heads.values, again.values)


def test_what_cannot_be_is_named():
    crossing = [Bracket(1, 3), Bracket(2, 4)]
    with pytest.raises(InfeasibleError, match="no projective tree satisfies its brackets at level strict; take"):
        bracketed_eisner(np.zeros((5, 5)), crossing, "strict")
    packed = PackedScores.from_matrices([np.zeros((5, 5))] * 2)
    with pytest.raises(InfeasibleError, match="sentence 1: no projective tree satisfies"):
        bracketed_inside_outside(packed, PackedBrackets.from_lists([[], crossing]), "strict")
    with pytest.raises(InfeasibleError, match="every head of word 1 is forbidden"):
        bracketed_eisner(np.full((3, 3), -np.inf), [], "tear")
    with pytest.raises(WorkbenchError, match="2 score matrices need PackedBrackets"):
        bracketed_eisner(packed, crossing, "strict")
    with pytest.raises(WorkbenchError, match="2 numbers from 0 to 4"):
        bracketed_eisner(packed, PackedBrackets.from_lists([[], []]), np.array([5, 0]))
    with pytest.raises(WorkbenchError, match="sentence 0: the bracket 2-5 does not lie within words 1-4"):
        bracketed_eisner(np.zeros((5, 5)), [Bracket(2, 6)], "loose")
    deep = [Bracket(1, end) for end in range(3, 17)]
    with pytest.raises(WorkbenchError, match="sentence 0 has more than 12 brackets over one word, too many for tear"):
        bracketed_eisner(np.zeros((18, 18)), deep, "tear")
