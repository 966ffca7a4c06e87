"""The first pass over a text: every sentence parsed alone, and what each arc would cost.

Arcs are pruned by max-marginals, ``alpha * best + (1 - alpha) * mean`` (Weiss & Taskar 2010); of siblings and
grandparents only the parts between surviving arcs are kept, so that later passes hold little.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from core.callbacks import Cancel
from core.consistency.parts import cube_value, packed_values, surviving_grandparents, surviving_siblings
from core.errors import Cancelled, WorkbenchError
from core.treebank import Treebank
from core.trees import (
    PackedScores,
    PackedTriples,
    eisner,
    eisner_grandparent,
    eisner_sibling,
    max_marginals,
    maximum_spanning_tree,
)
from core.trees.surviving import ROUNDING

CUBE_NUMBERS = 1 << 21  # third-order scores made at once
KEPT_NUMBERS = 1 << 27  # third-order scores of open sentences kept, 1 GB; beyond, they are made again where needed

Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Arcs:
    """Scores of one parser without third-order parts: what ``scores_of`` makes of a parser that has arcs only."""

    arcs: PackedScores
    projective: bool = True
    siblings: PackedTriples | None = None
    grandparents: PackedTriples | None = None


def scores_of(parser: Any, treebank: Treebank) -> Any:
    """A parser's scores of a text: an object with ``arcs``, ``siblings``, ``grandparents`` and ``projective``.

    Takes an object with ``score(treebank)`` (MSTParser), or with ``scores(treebank)`` and ``distribution`` (TreeCRF).
    """
    if hasattr(parser, "score"):
        return parser.score(treebank)
    if hasattr(parser, "scores") and hasattr(parser, "distribution"):
        return Arcs(parser.scores(treebank), parser.distribution.projective)
    raise WorkbenchError(f"{type(parser).__name__} gives no scores of arcs; use an MSTParser or a TreeCRF")


class FirstPass:
    """A text parsed sentence by sentence, and which sentences consistency could change.

    Parameters
    ----------
    parser
        As ``scores_of`` takes it.
    treebank : Treebank
    labels : ndarray of shape (rows,), dtype int32
        The label of each row as a head; -1 for none.
    constrained : ndarray of shape (rows,), dtype bool
        Words that consistency speaks of.
    reward : callable
        Takes the mean margin of words and returns the most that a word can be paid for a head of another label.
    prune : float or None
        alpha from 0 to below 1: the higher the fewer arcs reach ``threshold``; None prunes none.
    close : bool, default=True
        Look which sentences are sure to keep their trees; else all with a constrained word are open.
    progress, cancel : callables, optional
        Called with the share done; asked between batches, raises Cancelled.

    Attributes
    ----------
    arcs : PackedScores
        All arc scores.
    heads : ndarray of shape (rows,), dtype int32
        The best trees.
    open : ndarray of shape (S,), dtype bool
        Sentences that another tree may suit better than the best one if every constrained word in it that gets a head
        of another label is paid the reward. In all others the best tree stays whatever the consensus.
    preference : ndarray of shape (arcs,), dtype float64
        Max-marginals of open sentences (arc scores where trees may cross); -inf elsewhere.
    best : ndarray of shape (S,), dtype float64
        The values of the best trees.
    threshold : ndarray of shape (S,), dtype float64
        What an arc's max-marginal must reach to survive; -inf without pruning.
    parts : list of tuple
        Of each open sentence, four arrays: places in its cube and scores of the sibling parts between surviving arcs,
        and the same of grandparent parts; None elsewhere, and where the parser has arcs only.
    margin : float
        By how much the best head of a word beats the second best in the mean, by max-marginals (by arc scores where
        trees may cross): of the first sentences, as many as are scored at once.
    order : {1, 2, 3}
        Of the largest parts.
    single_seconds, seconds : float
        Time spent on what a parser without consistency does, and in all.
    """

    def __init__(
        self, parser: Any, treebank: Treebank, labels: np.ndarray, constrained: np.ndarray,
        reward: Callable[[float | None], float], prune: float | None = 0.5, *, close: bool = True,
        progress: Callable[[float], object] | None = None, cancel: Cancel | None = None, threads: int | None = None,
    ):  # fmt: skip
        if prune is not None and not 0 <= prune < 1:
            raise WorkbenchError(f"pruning takes a share from 0 to below 1, or none at all, got {prune}")
        began = time.perf_counter()
        self.parser, self.treebank, self.threads = parser, treebank, threads
        self.labels, self.constrained, self.reward, self.close = labels, constrained, reward, close
        self.prune = -1.0 if prune is None else prune
        self.sides, count = treebank.lengths + 1, len(treebank)
        self.arcs = PackedScores.empty(treebank.lengths)
        self.heads = np.empty(len(treebank.heads), dtype=np.int32)
        self.preference = np.full(len(self.arcs.values), -np.inf)
        self.best, self.threshold = np.zeros(count), np.full(count, -np.inf)
        self.open = np.add.reduceat(constrained, treebank.offsets[:-1]) > 0
        self.parts: list[Parts | None] = [None] * count
        self._kept, self._room = {}, KEPT_NUMBERS
        self.single_seconds, self.projective, self.order, self.margin = 0.0, True, 1, None
        for begin, end in _batches(self.sides):
            if cancel is not None and cancel():
                raise Cancelled("stopped during the first pass; there is no answer yet")
            self._take(begin, end)
            if progress is not None:
                progress(end / count)
        self.seconds = time.perf_counter() - began

    def _take(self, begin, end):
        """Score and parse sentences begin..end-1, and look at those that may change."""
        began = time.perf_counter()
        scored = scores_of(self.parser, self.treebank.select(np.arange(begin, end)))
        rows = slice(self.treebank.offsets[begin], self.treebank.offsets[end])
        places = slice(self.arcs.offsets[begin], self.arcs.offsets[end])
        self.heads[rows] = decode_scores(scored, self.threads).values
        self.arcs.values[places] = scored.arcs.values
        self.single_seconds += time.perf_counter() - began
        self.projective = scored.projective
        self.order = 1 + (scored.siblings is not None) + (scored.grandparents is not None)
        self.best[begin:end] = tree_values(scored, self.heads[rows])
        if not scored.projective:
            self.preference[places] = scored.arcs.values
        if self.margin is None:
            self.margin = _mean_margin(self._max_marginals(scored))
        if scored.projective:
            if self.close:
                self._find_open(scored, begin, end)
            self._look_at(scored, begin, begin + np.flatnonzero(self.open[begin:end]))

    def _max_marginals(self, scored):
        if not scored.projective:
            return scored.arcs
        return max_marginals(scored.arcs, scored.siblings, scored.grandparents, threads=self.threads)

    def _find_open(self, scored, begin, end):
        """Parse with every reward that there may be: who keeps its tree is closed."""
        rows = slice(self.treebank.offsets[begin], self.treebank.offsets[end])
        offsets = self.treebank.offsets[begin : end + 1] - rows.start
        heads, labels, words = self.heads[rows], self.labels[rows], self.constrained[rows]
        values = scored.arcs.values.copy()
        _add_rewards(offsets, scored.arcs.offsets, heads, labels, words, self.reward(self.margin), values)
        paid = replace(scored, arcs=PackedScores(values, scored.arcs.offsets))
        most = tree_values(paid, decode_scores(paid, self.threads).values)
        best = self.best[begin:end]
        self.open[begin:end] &= most > best + 1e-9 * (1.0 + np.abs(best))

    def _look_at(self, scored, begin, sentences):
        """Max-marginals and surviving parts of open sentences."""
        if not len(sentences):
            return
        part = scored if len(sentences) == len(scored.arcs) or not hasattr(scored, "select") else None
        part = part or scored.select(sentences - begin)
        found, size = self._max_marginals(part), 0 if part.siblings is None else len(part.siblings.values)
        self._room -= size
        for number, sentence in enumerate(sentences.tolist()):
            number = sentence - begin if part is scored else number
            values = found[number]
            self.preference[self.arcs.offsets[sentence] : self.arcs.offsets[sentence + 1]] = values.ravel()
            if self.prune >= 0:
                finite = values[values > -np.inf]
                threshold, most = self.prune * finite.max() + (1 - self.prune) * finite.mean(), finite.max()
                self.threshold[sentence] = min(threshold, most - ROUNDING * (1 + abs(most)))  # the best tree stays
            if self.order > 1:
                self.parts[sentence] = surviving_parts(part, number, values >= self.threshold[sentence])
                if self._room >= 0:
                    self._kept[sentence] = part, number

    def let_in(self, sentences: ArrayLike) -> None:
        """Take all parts of these sentences, pruned ones too, into ``parts``."""
        for sentence in np.asarray(sentences).tolist() if self.order > 1 else ():
            everything = np.ones((self.sides[sentence],) * 2, dtype=bool)
            scores, number = self.scored(sentence)
            self.parts[sentence] = surviving_parts(scores, number, everything)

    def scored(self, sentence: int) -> tuple[Any, int]:
        """(scores, number): scores that hold an open sentence with all parts, and its number in them."""
        if sentence in self._kept:
            return self._kept[sentence]
        return scores_of(self.parser, self.treebank.select([sentence])), 0


NO_PARTS = np.empty(0, np.int64), np.empty(0)


def surviving_parts(scored: Any, number: int, alive: np.ndarray) -> Parts:
    """Four arrays: places and scores of sibling parts between living arcs (n + 1, n + 1), and of grandparent parts."""
    siblings = surviving_siblings(alive, scored.siblings[number])
    if scored.grandparents is None:
        return (*siblings, *NO_PARTS)
    return (*siblings, *surviving_grandparents(alive, scored.grandparents[number]))


def tree_values(scored: Any, heads: np.ndarray) -> np.ndarray:
    """float64 (sentences,): the values of trees, heads in packed order, under scores."""
    sides = scored.arcs.sides
    offsets = np.concatenate(([0], np.cumsum(sides)))
    if scored.grandparents is None:
        cubes = scored.siblings
        parts = (np.empty(0), np.zeros(len(offsets), np.int64)) if cubes is None else (cubes.values, cubes.offsets)
        return packed_values(offsets, heads, scored.arcs.values, scored.arcs.offsets, *parts)
    cubes = scored.siblings, scored.grandparents
    return np.array(
        [
            cube_value(heads[offsets[k] : offsets[k + 1]], scored.arcs[k], *(cube[k] for cube in cubes))
            for k in range(len(sides))
        ]
    )


def _mean_margin(values):
    """The mean over words of the best value of a head minus the second best; NaN without such words."""
    found = []
    for number, side in enumerate(values.sides.tolist()):
        if side > 2:
            table = values[number].copy()
            np.fill_diagonal(table, -np.inf)
            top = np.partition(table[:, 1:], -2, axis=0)[-2:]
            found.append(top[1] - top[0])
    found = np.concatenate([np.empty(0), *found])
    found = found[np.isfinite(found)]
    return float(found.mean()) if len(found) else np.nan


@njit(cache=True, nogil=True)
def _add_rewards(offsets, arc_offsets, heads, labels, words, reward, values):
    """Add the reward to arcs of constrained words from heads of another label than the best tree's."""
    for sentence in range(len(offsets) - 1):
        first = offsets[sentence]
        side = offsets[sentence + 1] - first
        for modifier in range(1, side):
            if words[first + modifier]:
                own = labels[first + heads[first + modifier]]
                for head in range(side):
                    if labels[first + head] != own:
                        values[arc_offsets[sentence] + head * side + modifier] += reward


def _batches(sides):
    """Runs of sentences whose third-order arrays together are small: (begin, end)."""
    sizes = np.cumsum(sides.astype(np.float64) ** 3)
    begin, runs = 0, []
    while begin < len(sides):
        done = sizes[begin - 1] if begin else 0.0
        end = max(begin + 1, int(np.searchsorted(sizes, done + CUBE_NUMBERS, side="right")))
        runs.append((begin, end))
        begin = end
    return runs


def decode_scores(scored: Any, threads: int | None = None) -> Any:
    """The best trees under scores: PackedHeads; or int32 (n + 1,) under the scores of one sentence."""
    if not scored.projective:
        return maximum_spanning_tree(scored.arcs, threads=threads)
    if scored.siblings is None:
        return eisner(scored.arcs, threads=threads)
    if scored.grandparents is None:
        return eisner_sibling(scored.arcs, scored.siblings, threads=threads)
    return eisner_grandparent(scored.arcs, scored.siblings, scored.grandparents, threads=threads)
