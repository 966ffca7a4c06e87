"""Candidate lists: a parser's k best trees of each sentence, and how probable it holds each of them.

The posterior of a tree is its share of the list, ``softmax(score / T)`` (zhou2013, equation 4). Under the temperature T
the list's arcs predict gold trees of development text best.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.compilation.kernels import kernel
from core.errors import WorkbenchError
from core.features.packed import GRANDPARENT, SIBLING, arc_offsets_of
from core.offsets import offsets_of, selected_rows
from core.treebank import Treebank
from core.trees import PackedTrees

TEMPERATURES = 2.0 ** np.arange(-6, 14.5, 0.5)  # in units of the scores


@dataclass(frozen=True, eq=False)
class Candidates:
    """A parser's lists for the S sentences of a text.

    Attributes
    ----------
    lengths : ndarray of shape (S,), dtype int64
        Words of each sentence.
    trees : PackedTrees
        Up to k trees a sentence; none where the parser found none.
    temperature : float
        T, in units of the scores.
    """

    lengths: np.ndarray
    trees: PackedTrees
    temperature: float = 1.0

    def __len__(self):
        return len(self.lengths)

    def at(self, temperature: float) -> "Candidates":
        """These lists under another temperature."""
        if not (temperature > 0 and np.isfinite(temperature)):
            raise WorkbenchError(f"the temperature must be a positive number, got {temperature}")
        return replace(self, temperature=float(temperature))

    def select(self, indices: np.ndarray) -> "Candidates":
        """The lists of some sentences, in this order."""
        indices = np.asarray(indices)
        indices = np.flatnonzero(indices) if indices.dtype == bool else indices.astype(np.int64)
        rows, offsets = selected_rows(self.trees.offsets, indices)
        trees = PackedTrees(self.trees.heads[rows], offsets, self.trees.values[indices], self.trees.counts[indices])
        return Candidates(self.lengths[indices], trees, self.temperature)

    @cached_property
    def posteriors(self) -> np.ndarray:
        """float64 (S, k): the probability of each candidate; rows sum to 1, or to 0 where there is no candidate."""
        return posteriors(self.trees.values, self.temperature)

    @cached_property
    def arcs(self) -> np.ndarray:
        """float64 (A,): the probability of every arc, packed as arc scores are."""
        probabilities = np.zeros(arc_offsets_of(self.lengths)[-1])
        _add_arcs(self.lengths, self.trees.heads, self.trees.offsets, self.trees.counts, self.posteriors, probabilities)
        return probabilities

    @cached_property
    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(parts int32 (P, 4), probabilities float64 (P,), part_offsets int64 (S + 1,)).

        Every pair of neighbouring siblings and every chain of three words of a candidate, once, with the probability of
        the candidates that have it; rows as in ``PackedParts``.
        """
        lengths, trees = self.lengths, self.trees
        cubes = offsets_of(2 * (lengths + 1) ** 3)
        most = 2 * int((trees.counts * lengths).sum())
        keys, weights = np.empty(most, np.int64), np.empty(most)
        listed = trees.heads, trees.offsets, trees.counts, self.posteriors
        count = _list_parts(lengths, *listed, cubes, keys, weights)
        keys, places = np.unique(keys[:count], return_inverse=True)
        probabilities = np.bincount(places, weights[:count], minlength=len(keys))
        sentences = np.searchsorted(cubes, keys, side="right") - 1
        sides = (lengths + 1)[sentences]
        rest, parts = keys - cubes[sentences], np.empty((len(keys), 4), np.int32)
        for column in (3, 2, 1):
            rest, parts[:, column] = np.divmod(rest, sides)
        parts[:, 0] = rest
        return parts, probabilities, np.searchsorted(sentences, np.arange(len(lengths) + 1))

    @cached_property
    def best(self) -> np.ndarray:
        """int32 (rows,): heads of the first candidates, -1 throughout if there is none."""
        heads = np.full(int((self.lengths + 1).sum()), -1, np.int32)
        starts = offsets_of(self.lengths + 1)
        for sentence in np.flatnonzero(self.trees.counts).tolist():
            heads[starts[sentence] : starts[sentence + 1]] = self.trees[sentence][0][0]
        return heads

    @property
    def failed(self) -> np.ndarray:
        """Indices of sentences without a candidate."""
        return np.flatnonzero(self.trees.counts == 0)

    @property
    def short(self) -> int:
        """The number of sentences with fewer candidates than were asked for, because fewer trees exist."""
        return int(((self.trees.counts > 0) & (self.trees.counts < self.trees.values.shape[1])).sum())


def posteriors(values: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """``softmax(values / temperature)`` over each row; -inf stands for no candidate.

    Parameters
    ----------
    values : ndarray of shape (S, k), dtype float64
    temperature : float

    Returns
    -------
    ndarray of shape (S, k), dtype float64
        Rows sum to 1, or to 0 where there is no candidate.
    """
    best = values.max(axis=1, keepdims=True, initial=-np.inf)
    shares = np.exp(
        np.where(np.isfinite(values), values - np.where(np.isfinite(best), best, 0.0), -np.inf) / temperature
    )
    totals = shares.sum(axis=1, keepdims=True)
    return np.divide(shares, totals, out=np.zeros_like(shares), where=totals > 0)


def brier_score(candidates: Candidates, treebank: Treebank) -> float:
    """Mean over words of the squared distance between arc probabilities and the gold arc: 0 is best, 2 is worst.

    Unlike log-likelihood it is finite where no candidate has the gold head. Words without a gold head are left out.
    """
    arcs, sides = candidates.arcs, candidates.lengths + 1
    starts = arc_offsets_of(candidates.lengths)[:-1]
    numbers = treebank.numbers
    known = treebank.heads >= 0
    places = np.repeat(starts, sides)[known] + treebank.heads[known] * np.repeat(sides, sides)[known] + numbers[known]
    squares = np.zeros(int(sides.sum()))
    columns = np.concatenate(
        [np.tile(np.arange(side), side) + begin for side, begin in zip(sides, treebank.offsets[:-1], strict=True)]
    )
    np.add.at(squares, columns, arcs**2)
    return float((squares[known] - 2 * arcs[places] + 1).mean()) if known.any() else np.nan


def best_temperature(candidates: Candidates, treebank: Treebank) -> float:
    """The temperature of ``TEMPERATURES`` with the lowest ``brier_score`` against a treebank's trees."""
    scores = [brier_score(candidates.at(temperature), treebank) for temperature in TEMPERATURES]
    if not np.isfinite(scores).all():
        raise WorkbenchError("the development text has no gold heads, which set the temperature; give some trees")
    return float(TEMPERATURES[int(np.argmin(scores))])


@kernel
def _add_arcs(lengths, heads, offsets, counts, shares, found):
    begin = 0
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for rank in range(counts[sentence]):
            tree = offsets[sentence] + rank * side
            for modifier in range(1, side):
                found[begin + heads[tree + modifier] * side + modifier] += shares[sentence, rank]
        begin += side * side


@kernel
def _list_parts(lengths, heads, offsets, counts, shares, cubes, keys, weights):
    """Number every part of every candidate by its place in two cubes, siblings before grandparents; how many."""
    count = 0
    for sentence in range(len(lengths)):
        side = lengths[sentence] + 1
        for rank in range(counts[sentence]):
            tree = heads[offsets[sentence] + rank * side : offsets[sentence] + (rank + 1) * side]
            for modifier in range(1, side):
                head = tree[modifier]
                step = 1 if head > modifier else -1
                sibling = modifier + step
                while sibling != head and tree[sibling] != head:
                    sibling += step
                if sibling != head:
                    place = ((SIBLING * side + head) * side + sibling) * side + modifier
                    keys[count], weights[count] = cubes[sentence] + place, shares[sentence, rank]
                    count += 1
                if head != 0:
                    place = ((GRANDPARENT * side + tree[head]) * side + head) * side + modifier
                    keys[count], weights[count] = cubes[sentence] + place, shares[sentence, rank]
                    count += 1
    return count
