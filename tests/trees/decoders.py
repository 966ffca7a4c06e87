"""Every decoder over score arrays: what it takes, how it is called, and what its answer must be.

To add a decoder, add a line to DECODERS; ``test_decoders.py`` does the rest. A problem is one sentence's arguments
by name (ARGUMENTS says how each is drawn and packed); an answer is checked against all trees and their values.
The two covariances of ``druck_covariance.py`` are not here: one is an approximation, the other refuses far scores.
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.consistency.mrf import ConsensusMRF, Deltas
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import TaggedText, arc_marginals, best_trees
from core.trees import (
    Bracket,
    PackedBrackets,
    PackedHeads,
    PackedScores,
    PackedTriples,
    SurvivingArcs,
    bracketed_eisner,
    bracketed_inside_outside,
    bracketed_matrix_tree,
    bracketed_spanning_tree,
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
from tests.oracles import brackets as bracket_oracle
from tests.oracles import dmv as dmv_oracle
from tests.oracles import higher_order
from tests.oracles import trees as oracle
from tests.oracles.consistency import edge

SCORES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, -np.inf]),  # ties and forbidden parts
    st.floats(-30, 30),
    st.sampled_from([-1000.0, 1000.0, 999.5, 300.0, -600.0]),
)
TAGS = 3  # of the DMV
LABELS, CLASSES = 4, np.array([0, 1, 1, 2], dtype=np.int32)  # of the consensus MRF; labels of a class are close


OUTCOME = st.tuples(st.integers(0, LABELS - 1), st.floats(-30, 30) | st.sampled_from([0.0, 0.5, 1000.0, -1000.0]))
DELTAS = Deltas(1.0, 0.5, 0.25)


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


def _grammar(seed):
    """Parameters of a DMV, some of them impossible, equal, or far apart."""
    rng = np.random.default_rng(seed)
    parameters = dmv_oracle.random_parameters(TAGS, rng)
    values = np.array([0.0, 0.25, 1.0, 1e-80])
    return [np.where(rng.random(part.shape) < 0.5, rng.choice(values, part.shape), part) for part in parameters]


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
    "tags": Argument(
        lambda side: arrays.arrays(np.int32, side, elements=st.integers(0, TAGS - 1)),
        lambda rng, side: rng.integers(0, TAGS, side).astype(np.int32),
        lambda rows: (np.concatenate(rows or [np.zeros(0, np.int32)]), np.cumsum([0, *map(len, rows)])),
    ),
    "outcomes": Argument(
        lambda side: st.lists(st.lists(OUTCOME, min_size=1, max_size=3), min_size=side - 1, max_size=side - 1),
        lambda rng, side: [[(int(rng.integers(LABELS)), rng.normal()) for _ in range(3)] for _ in range(side - 1)],
        list,
    ),
    "votes": Argument(
        lambda side: arrays.arrays(np.int64, LABELS, elements=st.integers(0, 2)),
        lambda rng, side: rng.integers(0, 3, LABELS),
        list,
    ),
    "grammar": Argument(lambda side: st.integers(0, 2**31).map(_grammar), lambda rng, side: _grammar(1), None),
}  # fmt: skip


# ---- all trees and their values, of which the answers are made


def weighed(problem, single_root, projective):
    """(trees (count, n + 1), values (count,)): every tree that a problem allows in its shape, -inf if forbidden."""
    if "tags" in problem:
        listed = oracle.trees(len(problem["tags"]) - 1, True, True)
        with np.errstate(divide="ignore"):
            values = [dmv_oracle.log_probability(problem["tags"][1:], tree, problem["grammar"]) for tree in listed]
        return listed, np.array(values)
    if "outcomes" in problem:
        return weighed_stars(problem["outcomes"], problem["votes"])
    scores = problem["scores"]
    if "siblings" in problem or "grandparents" in problem:
        return higher_order.tree_values(scores, problem.get("siblings"), problem.get("grandparents"), single_root)
    listed = oracle.trees(len(scores) - 1, single_root, projective)
    if "brackets" in problem:
        spans = [(bracket.start, bracket.end) for bracket in problem["brackets"]]
        listed = bracket_oracle.keep(listed, spans, problem["level"])
    return listed, np.asarray(scores)[listed[:, 1:], np.arange(1, len(scores))].sum(axis=1)


def weighed_stars(outcomes, votes):
    """Each consensus label, -1 for none, with an outcome of each word: rows (1 + words,), and what they are paid."""

    def close(one, other):
        return CLASSES[one] == CLASSES[other]

    deltas = DELTAS.same, DELTAS.close, DELTAS.null
    rows, values = [], []
    for consensus in (-1, *range(LABELS)):
        label = None if consensus < 0 else consensus
        pay = [edge(each, label, deltas, close) for each in range(LABELS)]
        for chosen in product(*(range(len(word)) for word in outcomes)):
            picked = [word[k] for word, k in zip(outcomes, chosen, strict=True)]
            rows.append((consensus, *chosen))
            values.append(votes @ pay + sum(multiplier + pay[label] for label, multiplier in picked))
    return np.array(rows, dtype=np.int64), np.array(values)


def _probabilities(values):
    weights = np.exp(values - values.max())
    return weights / weights.sum()


def _expected_arcs(listed, weights):
    expected = np.zeros((listed.shape[1],) * 2)
    np.add.at(expected, (listed[:, 1:], np.arange(1, listed.shape[1])), weights[:, None])
    return expected


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


def is_best_at_its_value(answer, listed, values, problem):
    """The highest value, and a tree that has it."""
    value, heads = answer
    np.testing.assert_allclose(value, values.max(), atol=1e-9)
    is_best(heads, listed, values, problem)


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
    np.testing.assert_allclose(marginals, _expected_arcs(listed, _probabilities(values)), atol=1e-9)


def is_covariance(answer, listed, values, problem):
    """The covariance of each arc with the sum of ``direction`` over a tree's arcs."""
    if values.max() == -np.inf:
        assert not answer.any()
        return
    probabilities = _probabilities(values)
    along = problem["direction"][listed[:, 1:], np.arange(1, listed.shape[1])].sum(axis=1)
    centred = probabilities * (along - (probabilities * along).sum())
    np.testing.assert_allclose(answer, _expected_arcs(listed, centred), atol=1e-9)


def is_max_marginal(answer, listed, values, problem):
    """The value of the best tree through each arc."""
    best = np.full(answer.shape, -np.inf)
    for modifier in range(1, len(best)):
        np.maximum.at(best[:, modifier], listed[:, modifier], values)
    np.testing.assert_allclose(answer, best, atol=1e-9)


def is_best_star(answer, listed, values, problem):
    """The highest pay, and a consensus label with outcomes that reach it."""
    value, row = answer
    np.testing.assert_allclose([value, *values[(listed == row).all(axis=1)]], values.max(), atol=1e-9)


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


def _text(tags):
    rows, offsets = tags if isinstance(tags, tuple) else (tags, np.array([0, len(tags)]))
    return TaggedText(rows, offsets)


def viterbi(tags, grammar, threads=None):
    """The log-probabilities of the DMV's best trees, and the trees."""
    text = _text(tags)
    values, heads = best_trees(text, Events(*grammar), threads=threads)
    return (values, PackedHeads(heads, text.offsets)) if isinstance(tags, tuple) else (values[0], heads)


def dmv_sums(tags, grammar, threads=None):
    """The DMV's likelihoods and arc marginals."""
    totals, values, offsets = arc_marginals(_text(tags), Events(*grammar), threads=threads)
    packed = PackedScores(values, offsets)
    return (totals, packed) if isinstance(tags, tuple) else (totals[0], packed[0])


def stars(outcomes, votes, threads=None):
    """(pay, label and outcomes) of the consensus MRF: of a sentence, or a list of them."""
    if not isinstance(votes, list):
        return stars([outcomes], [votes])[0]
    if not votes:
        return []
    sizes = [len(word) for words in outcomes for word in words]
    contexts = np.repeat(np.arange(len(outcomes)), [len(words) for words in outcomes])
    flat = [outcome for words in outcomes for word in words for outcome in word]
    labels = np.array([label for label, _ in flat], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    mrf = ConsensusMRF(contexts, (offsets, np.arange(len(flat))), labels, np.array(votes), CLASSES, DELTAS)
    mrf.argmax(np.array([multiplier for _, multiplier in flat]), np.arange(len(outcomes)))
    chosen = mrf.choice - offsets[:-1]
    return [
        (mrf.values[context], np.array([mrf.solution[context], *chosen[contexts == context]]))
        for context in range(len(outcomes))
    ]


class Decoder(NamedTuple):
    """``decode(*problem, single_root, threads, errors)``, and the check of its answer against all trees.

    ``options`` names those of the three keywords that it takes; without ``errors`` the answer for a sentence that no
    tree fits is marked if it takes ``threads`` (the DMV), and raised if it does not (one sentence at a time).
    """

    decode: Callable
    check: Callable
    takes: tuple[str, ...] = ("scores",)
    projective: bool = True
    options: tuple[str, ...] = ("single_root", "threads", "errors")

    @property
    def packs(self):
        return "threads" in self.options


SIBLINGS, CHAINS = ("scores", "siblings"), ("scores", "siblings", "grandparents")
BRACKETS, DMV = ("scores", "brackets", "level"), ("tags", "grammar")
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
    "bracketed_spanning_tree": Decoder(bracketed_spanning_tree, is_best, BRACKETS, False, ("single_root",)),
    "DMV Viterbi": Decoder(viterbi, is_best_at_its_value, DMV, True, ("threads",)),
    "DMV sums": Decoder(dmv_sums, is_sum, DMV, True, ("threads",)),
    "consensus MRF": Decoder(stars, is_best_star, ("outcomes", "votes"), True, ("threads",)),
}  # fmt: skip
