"""Grand-siblings: chains of four words, whose weights put the trees of a list in order anew.

A tree of a parser's list has a part (g, h, s, m) for each word m whose head h is a word: g is the head of h, and s the
sibling between h and m that is nearest to m, or nothing. Its features are the tags of the four and the sides on which
m and h stand. A candidate is worth log(posterior) + weights . features, in nats.
Source: parts of the third order are those of Koo & Collins (2010), Model 1; zhou2013 leaves them to future work.
Weights are learnt by one-best MIRA (Crammer & Singer 2003). The target of a list is its tree with the most right heads.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.errors import WorkbenchError
from core.joint.candidates import Candidates
from core.parsers.mst.features import joined
from core.parsers.tagger.features import hashes
from core.treebank import Treebank
from core.trees import PackedTrees

BITS = 18
NOTHING, ROOT = np.uint32(0x2545F491), np.uint32(0x51ED270B)  # in place of a tag
SALTS = np.array([0x9E3779B1, 0x85EBCA77], np.uint32)  # of a column each


@dataclass(frozen=True, eq=False)
class GrandSiblings:
    """Weights of grand-siblings.

    Attributes
    ----------
    columns : tuple of {"xpos", "upos"}
        Tag columns, each with features of its own.
    weights : ndarray of shape (2^BITS,), dtype float64
        In nats; features are hashed.
    """

    columns: tuple[str, ...]
    weights: np.ndarray

    @classmethod
    def fit(
        cls, candidates: Candidates, treebank: Treebank, columns: tuple[str, ...], *, epochs: int = 5,
        aggressiveness: float = 0.1, seed: int = 0,
    ) -> "GrandSiblings":  # fmt: skip
        """Learn from lists of trees of a text, by parsers that never saw its sentences, and the text's own trees.

        Parameters
        ----------
        candidates : Candidates
            At the temperature of their posteriors.
        treebank : Treebank
            Words without a head count neither way.
        columns : tuple of {"xpos", "upos"}
        epochs : int
            Passes over the text; weights are averages over all sentences of all passes.
        aggressiveness : float
            C of MIRA: how far one sentence may move the weights.
        seed : int
            Of the order of sentences.

        Raises
        ------
        WorkbenchError : no sentence has a list and a known head.

        Notes
        -----
        O(epochs * candidates * words).
        """
        keys, values = part_keys(candidates, treebank, columns), _values(candidates)
        trees, wrong = candidates.trees, wrong_heads(candidates, treebank)
        known = np.flatnonzero(
            (trees.counts > 0) & (np.where(np.isfinite(values), wrong, 0).max(axis=1, initial=0) > 0)
        )
        if not len(known):
            raise WorkbenchError("no list has trees that differ in known heads, so there is nothing to learn from")
        draws = np.random.default_rng(seed)
        order = np.concatenate([draws.permutation(known) for _ in range(epochs)])
        weights, summed = np.zeros(2**BITS), np.zeros(2**BITS)
        lists = _Lists(candidates.lengths, trees.offsets, trees.counts, keys, values, wrong)
        _learn(order, lists, aggressiveness, weights, summed)
        return cls(columns, weights - summed / len(order))

    def rescored(self, candidates: Candidates, treebank: Treebank) -> Candidates:
        """The lists with the best tree first; values are the new scores in nats, under the temperature 1."""
        trees = candidates.trees
        values = _values(candidates)
        keys = part_keys(candidates, treebank, self.columns)
        _add_scores(candidates.lengths, trees.offsets, trees.counts, keys, self.weights, values)
        ranks = np.argsort(-values, axis=1, kind="stable")
        heads = np.empty_like(trees.heads)
        _reorder(candidates.lengths, trees.offsets, trees.counts, ranks, trees.heads, heads)
        ordered = PackedTrees(heads, trees.offsets, np.take_along_axis(values, ranks, axis=1), trees.counts)
        return replace(candidates, trees=ordered, temperature=1.0)


class _Lists(NamedTuple):
    """What is learnt from: candidates, their features, their log-posteriors and how many heads they have wrong."""

    lengths: np.ndarray
    offsets: np.ndarray
    counts: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    wrong: np.ndarray


def _values(candidates):
    """float64 (S, k): log-posteriors of candidates, in nats; -inf beyond a list."""
    values = candidates.trees.values / candidates.temperature
    totals = np.logaddexp.reduce(values, axis=1, keepdims=True)
    return values - np.where(np.isfinite(totals), totals, 0.0)


def wrong_heads(candidates: Candidates, treebank: Treebank) -> np.ndarray:
    """int64 (S, k): how many words of each candidate have another head than a treebank has, where it has one."""
    trees, wrong = candidates.trees, np.zeros(candidates.trees.values.shape, np.int64)
    _count_wrong(candidates.lengths, trees.offsets, trees.counts, trees.heads, treebank.heads, treebank.offsets, wrong)
    return wrong


def part_keys(candidates: Candidates, treebank: Treebank, columns: tuple[str, ...]) -> np.ndarray:
    """int32 (rows of the trees, columns): the feature of each word of each candidate; -1 for words without a part."""
    tags = np.empty((len(treebank.heads), len(columns)), np.uint32)
    for at, name in enumerate(columns):
        column, codes = getattr(treebank, name), hashes(getattr(treebank, name).values)
        tags[:, at] = (codes ^ (codes >> np.uint64(32))).astype(np.uint32)[column.ids]
    tags[treebank.root_rows] = ROOT
    trees = candidates.trees
    quads = np.empty((len(trees.heads), len(columns), 4), np.uint32)
    ways = np.full(len(trees.heads), -1, np.int64)
    _list_parts(candidates.lengths, trees.offsets, trees.counts, trees.heads, tags, treebank.offsets, quads, ways)
    with np.errstate(over="ignore"):
        mixed = joined(quads[:, :, 0], quads[:, :, 1])
        for word in (2, 3):
            mixed = joined(mixed, quads[:, :, word])
        mixed = joined(mixed, SALTS[: len(columns)] + ways[:, None].astype(np.uint32))
    return np.where(ways[:, None] >= 0, (mixed & np.uint32(2**BITS - 1)).astype(np.int32), np.int32(-1))


@kernel
def _list_parts(lengths, offsets, counts, heads, tags, rows, quads, ways):
    """The tags of the four words of each part, and its sides, 0 to 3; ``ways`` stays -1 for other words."""
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for rank in range(counts[sentence]):
            begin = offsets[sentence] + rank * side
            tree = heads[begin : begin + side]
            for modifier in range(1, side):
                head = tree[modifier]
                if head <= 0:
                    continue
                step = 1 if head > modifier else -1
                sibling = modifier + step
                while sibling != head and tree[sibling] != head:
                    sibling += step
                ways[begin + modifier] = 2 * (modifier > head) + (head > tree[head])
                for column in range(tags.shape[1]):
                    words = quads[begin + modifier, column]
                    words[0] = tags[rows[sentence] + tree[head], column]
                    words[1] = tags[rows[sentence] + head, column]
                    words[2] = tags[rows[sentence] + sibling, column] if sibling != head else NOTHING
                    words[3] = tags[rows[sentence] + modifier, column]


@kernel
def _count_wrong(lengths, offsets, counts, heads, gold, rows, wrong):
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for rank in range(counts[sentence]):
            for modifier in range(1, side):
                known = gold[rows[sentence] + modifier]
                if known >= 0 and heads[offsets[sentence] + rank * side + modifier] != known:
                    wrong[sentence, rank] += 1


@inner_kernel
def _worth(keys, begin, side, weights):
    """The sum of the weights of a tree's parts."""
    total = 0.0
    for row in range(begin, begin + side):
        for column in range(keys.shape[1]):
            if keys[row, column] >= 0:
                total += weights[keys[row, column]]
    return total


@kernel
def _add_scores(lengths, offsets, counts, keys, weights, values):
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for rank in range(counts[sentence]):
            values[sentence, rank] += _worth(keys, offsets[sentence] + rank * side, side, weights)


@kernel
def _reorder(lengths, offsets, counts, ranks, heads, ordered):
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for place in range(counts[sentence]):
            old, new = offsets[sentence] + ranks[sentence, place] * side, offsets[sentence] + place * side
            ordered[new : new + side] = heads[old : old + side]


@kernel
def _learn(order, lists, most, weights, summed):
    """One-best MIRA: the last weights in ``weights``; these less ``summed`` by the number of steps are the averages."""
    lengths, offsets, counts, keys, values, wrong = lists
    difference = np.zeros(len(weights))
    for step in range(len(order)):
        sentence = order[step]
        side = lengths[sentence] + 1
        found, target = -1, -1
        best, best_target = -np.inf, -np.inf
        fewest = wrong[sentence, : counts[sentence]].min()
        for rank in range(counts[sentence]):
            score = values[sentence, rank] + _worth(keys, offsets[sentence] + rank * side, side, weights)
            if wrong[sentence, rank] == fewest and score > best_target:
                target, best_target = rank, score
            if score + wrong[sentence, rank] > best:  # the one that costs most
                found, best = rank, score + wrong[sentence, rank]
        loss = best - best_target - fewest
        if found == target or loss <= 0:
            continue
        begins = offsets[sentence] + target * side, offsets[sentence] + found * side
        _add(keys, begins[0], side, 1.0, difference)
        _add(keys, begins[1], side, -1.0, difference)
        norm = _taken(keys, begins[0], side, difference) + _taken(keys, begins[1], side, difference)
        size = 0.0 if norm == 0 else min(most, loss / norm)
        for rank in range(2):
            sign = 1.0 - 2.0 * rank
            _add(keys, begins[rank], side, sign * size, weights)
            _add(keys, begins[rank], side, sign * size * step, summed)


@inner_kernel
def _add(keys, begin, side, amount, totals):
    for row in range(begin, begin + side):
        for column in range(keys.shape[1]):
            if keys[row, column] >= 0:
                totals[keys[row, column]] += amount


@inner_kernel
def _taken(keys, begin, side, difference):
    """The squared norm of a difference over a tree's features, which are 0 afterwards."""
    total = 0.0
    for row in range(begin, begin + side):
        for column in range(keys.shape[1]):
            if keys[row, column] >= 0:
                total += difference[keys[row, column]] ** 2
                difference[keys[row, column]] = 0.0
    return total
