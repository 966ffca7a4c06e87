"""Every decoder over score arrays: what it takes, how it is called, and what its answer must be.

To add a decoder, add a line to DECODERS; ``test_decoders.py`` does the rest. A problem is one sentence's arguments
by name (ARGUMENTS says how each is drawn and packed); an answer is checked against all trees and their values.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.trees import (
    Bracket,
    PackedBrackets,
    PackedScores,
    PackedTriples,
    SurvivingArcs,
    bracketed_eisner,
    bracketed_inside_outside,
    bracketed_matrix_tree,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
    inside_outside,
    inside_outside_covariance,
    matrix_tree,
    matrix_tree_covariance,
    max_marginals,
    maximum_spanning_tree,
)
from core.trees.brackets import LEVELS
from core.trees.druck_covariance import approximate_covariance, pairwise_covariance
from tests.oracles import brackets as bracket_oracle
from tests.oracles import higher_order
from tests.oracles import trees as oracle

SCORES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, -np.inf]),  # ties and forbidden parts
    st.floats(-30, 30),
    st.sampled_from([-1000.0, 1000.0, 999.5, 300.0, -600.0]),
)


class Argument(NamedTuple):
    """One argument of a decoder: a strategy for a sentence with so many nodes, one drawn at random, and how a
    corpus of them is packed. A shared one, ``pack=None``, is the same for all sentences of a corpus."""

    draw: Callable
    random: Callable
    pack: Callable | None


def _array(rank, pack, elements=SCORES):
    return Argument(
        lambda side: arrays.arrays(np.float64, (side,) * rank, elements=elements),
        lambda rng, side: rng.normal(size=(side,) * rank),
        pack,
    )


def _brackets(side):
    every = [Bracket(*span) for span in bracket_oracle.all_brackets(side - 1)]
    return st.lists(st.sampled_from(every), max_size=3, unique_by=lambda bracket: (bracket.start, bracket.end))


ARGUMENTS = {
    "scores": _array(2, PackedScores.from_matrices),
    "siblings": _array(3, PackedTriples.from_arrays),
    "grandparents": _array(3, PackedTriples.from_arrays),
    "direction": _array(2, PackedScores.from_matrices, st.floats(-2, 2)),
    "k": Argument(lambda side: st.sampled_from([1, 2, 5, 16, 1000]), lambda rng, side: 16, None),
    "brackets": Argument(_brackets, lambda rng, side: [Bracket(1, 2), Bracket(1, side)], PackedBrackets.from_lists),
    "level": Argument(
        lambda side: st.sampled_from(LEVELS),
        lambda rng, side: LEVELS[side % len(LEVELS)],
        lambda levels: np.array([LEVELS.index(level) for level in levels], dtype=np.int64),
    ),
}  # fmt: skip


# ---- all trees and their values, of which the answers are made


def weighed(problem, single_root, projective):
    """(trees (count, n + 1), values (count,)): every tree that a problem allows in its shape, -inf if forbidden."""
    scores = problem["scores"]
    if "siblings" in problem or "grandparents" in problem:
        return higher_order.tree_values(scores, problem.get("siblings"), problem.get("grandparents"), single_root)
    listed = oracle.trees(len(scores) - 1, single_root, projective)
    if "brackets" in problem:
        spans = [(bracket.start, bracket.end) for bracket in problem["brackets"]]
        listed = bracket_oracle.keep(listed, spans, problem["level"])
    return listed, np.asarray(scores)[listed[:, 1:], np.arange(1, len(scores))].sum(axis=1)


def _probabilities(values):
    weights = np.exp(values - values.max())
    return weights / weights.sum()


# ---- what an answer must be; ``values`` is empty or -inf throughout where no tree is possible


def is_best(heads, listed, values, problem):
    """A tree of the highest value; -1 throughout where there is none."""
    assert heads.dtype == np.int32 and heads[0] == -1
    if values.max(initial=-np.inf) == -np.inf:
        assert (heads == -1).all()
        return
    value = values[(listed == heads).all(axis=1)]
    assert len(value) == 1, "no tree, or none of those that are asked for"
    np.testing.assert_allclose(value[0], values.max(), atol=1e-9)


def is_k_best(answer, listed, values, problem):
    """Distinct trees with the highest values, best first."""
    heads, found = answer
    expected = np.sort(values[values > -np.inf])[::-1][: problem["k"]]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert heads.dtype == np.int32 and heads.shape == (len(expected), listed.shape[1])
    assert len({tuple(row) for row in heads.tolist()}) == len(heads)
    for row, value in zip(heads, found, strict=True):
        np.testing.assert_allclose(values[(listed == row).all(axis=1)], [value], atol=1e-9)


def is_sum(answer, listed, values, problem):
    """The log of the sum over trees, and the probability of each arc."""
    log_partition, marginals = answer
    if values.max(initial=-np.inf) == -np.inf:
        assert log_partition == -np.inf and not marginals.any()
        return
    np.testing.assert_allclose(log_partition, np.logaddexp.reduce(values), rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(marginals, oracle.expected_arcs(listed, _probabilities(values)), atol=1e-9)


def is_covariance(answer, listed, values, problem):
    """The covariance of each arc with the sum of ``direction`` over a tree's arcs."""
    if values.max() == -np.inf:
        assert not answer.any()
        return
    probabilities = _probabilities(values)
    along = problem["direction"][listed[:, 1:], np.arange(1, listed.shape[1])].sum(axis=1)
    centred = probabilities * (along - (probabilities * along).sum())
    np.testing.assert_allclose(answer, oracle.expected_arcs(listed, centred), atol=1e-9)


def is_approximate_covariance(answer, listed, values, problem):
    """The covariance if arcs of different words were independent, unless they form a cycle of two."""
    expected = np.zeros(answer.shape)
    if values.max() > -np.inf:
        marginals = oracle.expected_arcs(listed, _probabilities(values))
        weighed_arcs = marginals * problem["direction"]
        reverse = np.where(np.arange(len(answer))[:, None] > 0, weighed_arcs.T, 0.0)
        expected = marginals * (problem["direction"] - weighed_arcs.sum(axis=0) - reverse)
    np.testing.assert_allclose(answer, expected, atol=1e-9)


def is_max_marginal(answer, listed, values, problem):
    """The value of the best tree through each arc."""
    best = np.full(answer.shape, -np.inf)
    for modifier in range(1, len(best)):
        np.maximum.at(best[:, modifier], listed[:, modifier], values)
    np.testing.assert_allclose(answer, best, atol=1e-9)


# ---- decoders that are called in ways of their own


def over_surviving_arcs(decoder):
    """A decoder of higher order over the arcs that are not forbidden; forbidden ones count as pruned."""

    def decode(scores, *cubes, **options):
        arcs = SurvivingArcs.of(scores)
        lists = (arcs.sibling_parts(), arcs.sibling_offsets, arcs.siblings), (
            arcs.grandparent_parts(), arcs.grandparent_offsets, arcs.grandparents,
        )  # fmt: skip
        triples = []
        for cube, (parts, offsets, pack) in zip(cubes, lists, strict=False):
            each = cube if isinstance(cube, PackedTriples) else [cube]
            spans = zip(each, offsets[:-1], offsets[1:], strict=True)
            values = [one[tuple(parts[begin:end].T)] for one, begin, end in spans]
            triples.append(pack(np.concatenate(values or [np.zeros(0)])))
        if isinstance(scores, PackedScores):
            allowed = scores.like(np.where(scores.values == -np.inf, 0.0, scores.values))
        else:
            allowed = np.where(scores == -np.inf, 0.0, scores)  # pruning alone keeps them out
        return decoder(allowed, *triples, **options)

    return decode


def kbest_with_grandparents(scores, k, grandparents, **options):
    return eisner_kbest(scores, k, None, grandparents, **options)


def max_marginals_with_grandparents(scores, grandparents, **options):
    return max_marginals(scores, None, grandparents, **options)


class Decoder(NamedTuple):
    """``decode(*problem, single_root, threads, errors)``, and the check of its answer against all trees.

    ``options`` names those of the three keywords that it takes; one without ``threads`` takes one sentence at a time.
    Scores beyond ``reach`` are taken nearer.
    """

    decode: Callable
    check: Callable
    takes: tuple[str, ...] = ("scores",)
    projective: bool = True
    options: tuple[str, ...] = ("single_root", "threads", "errors")
    reach: float = np.inf

    @property
    def packs(self):
        return "threads" in self.options


CUBES = ("siblings", "grandparents")
SIBLINGS, CHAINS = ("scores", "siblings"), ("scores", "siblings", "grandparents")
BRACKETS = ("scores", "brackets", "level")
DECODERS = {
    "maximum_spanning_tree": Decoder(maximum_spanning_tree, is_best, projective=False),
    "eisner": Decoder(eisner, is_best),
    "eisner_sibling": Decoder(eisner_sibling, is_best, SIBLINGS),
    "eisner_grandparent": Decoder(eisner_grandparent, is_best, CHAINS),
    "surviving siblings": Decoder(over_surviving_arcs(eisner_sibling), is_best, SIBLINGS),
    "surviving grandparents": Decoder(over_surviving_arcs(eisner_grandparent), is_best, CHAINS),
    "eisner_kbest": Decoder(eisner_kbest, is_k_best, ("scores", "k")),
    "eisner_kbest, siblings": Decoder(eisner_kbest, is_k_best, ("scores", "k", "siblings")),
    "eisner_kbest, grandparents": Decoder(kbest_with_grandparents, is_k_best, ("scores", "k", "grandparents")),
    "eisner_kbest, both": Decoder(eisner_kbest, is_k_best, ("scores", "k", "siblings", "grandparents")),
    "matrix_tree": Decoder(matrix_tree, is_sum, projective=False),
    "matrix_tree_covariance": Decoder(matrix_tree_covariance, is_covariance, ("scores", "direction"), False),
    "pairwise_covariance": Decoder(pairwise_covariance, is_covariance, ("scores", "direction"), False, reach=5.0),
    "approximate_covariance": Decoder(
        approximate_covariance, is_approximate_covariance, ("scores", "direction"), False
    ),
    "inside_outside": Decoder(inside_outside, is_sum),
    "inside_outside_covariance": Decoder(inside_outside_covariance, is_covariance, ("scores", "direction")),
    "max_marginals": Decoder(max_marginals, is_max_marginal),
    "max_marginals, siblings": Decoder(max_marginals, is_max_marginal, SIBLINGS),
    "max_marginals, grandparents": Decoder(
        max_marginals_with_grandparents, is_max_marginal, ("scores", "grandparents")
    ),
    "max_marginals, both": Decoder(max_marginals, is_max_marginal, CHAINS),
    "bracketed_eisner": Decoder(bracketed_eisner, is_best, BRACKETS),
    "bracketed_inside_outside": Decoder(bracketed_inside_outside, is_sum, BRACKETS),
    "bracketed_matrix_tree": Decoder(bracketed_matrix_tree, is_sum, BRACKETS, False, ("single_root",)),
}  # fmt: skip
