"""The first pass over a text: every sentence parsed alone, and the arcs that later passes need not look at.

Arcs are pruned by max-marginals, ``alpha * best + (1 - alpha) * mean`` (Weiss & Taskar 2010); of siblings and
grandparents only the parts between surviving arcs are kept, so that later passes hold little.
"""

import time
from dataclasses import dataclass

import numpy as np

from core.consistency.parts import surviving_grandparents, surviving_siblings
from core.errors import Cancelled, WorkbenchError
from core.trees import (
    PackedScores,
    eisner,
    eisner_grandparent,
    eisner_sibling,
    max_marginals,
    maximum_spanning_tree,
)

CUBE_NUMBERS = 1 << 20  # third-order scores made at once
KEPT_NUMBERS = 1 << 27  # third-order scores kept for the last check, 1 GB; beyond, they are made again


@dataclass(frozen=True, eq=False)
class Arcs:
    """Scores of one parser without third-order parts: what ``scores_of`` makes of a parser that has arcs only."""

    arcs: PackedScores
    projective: bool = True
    siblings: object = None
    grandparents: object = None


def scores_of(parser, treebank):
    """A parser's scores of a text: an object with ``arcs``, ``siblings``, ``grandparents`` and ``projective``.

    Takes an object with ``score(treebank)`` (MSTParser), or with ``scores(treebank)`` and ``distribution`` (TreeCRF).
    """
    if hasattr(parser, "score"):
        return parser.score(treebank)
    if hasattr(parser, "scores") and hasattr(parser, "distribution"):
        return Arcs(parser.scores(treebank), parser.distribution.projective)
    raise WorkbenchError(f"{type(parser).__name__} gives no scores of arcs; use an MSTParser or a TreeCRF")


class FirstPass:
    """A text parsed sentence by sentence.

    Parameters
    ----------
    parser
        As ``scores_of`` takes it.
    treebank : Treebank
    constrained : ndarray of shape (rows,), dtype bool
        Words that consistency speaks of. Sentences without any are parsed and left.
    prune : float or None
        alpha from 0 to below 1: the higher the fewer arcs survive; None prunes none.
    progress, cancel : callables, optional
        Called with the share done; asked between batches, raises Cancelled.

    Attributes
    ----------
    arcs : PackedScores
        All arc scores.
    heads : ndarray of shape (rows,), dtype int32
        The best trees.
    preference : ndarray of shape (arcs,), dtype float64
        Max-marginals of the constrained sentences (arc scores where trees may cross).
    alive : ndarray of shape (arcs,), dtype bool
        Arcs that survive; only these carry parts. In unconstrained sentences only the best tree's arcs do.
    threshold : ndarray of shape (S,), dtype float64
        What an arc's max-marginal reached to survive; -inf without pruning.
    parts : list of tuple
        Of each sentence, four arrays: places in its cube and scores of sibling parts, and the same of grandparent
        parts; None where the parser has arcs only.
    single_seconds, seconds : float
        Time spent on what a parser without consistency does, and in all.
    """

    def __init__(self, parser, treebank, constrained, prune=0.5, *, progress=None, cancel=None, threads=None):
        if prune is not None and not 0 <= prune < 1:
            raise WorkbenchError(f"pruning takes a share from 0 to below 1, or none at all, got {prune}")
        began = time.perf_counter()
        self.parser, self.treebank, self.prune = parser, treebank, prune
        self.sides = treebank.lengths + 1
        self.arcs = PackedScores.empty(treebank.lengths)
        self.heads = np.empty(len(treebank.heads), dtype=np.int32)
        self.preference = np.full(len(self.arcs.values), -np.inf)
        self.alive = np.ones(len(self.arcs.values), dtype=bool)
        self.threshold = np.full(len(treebank), -np.inf)
        self.parts = [None] * len(treebank)
        total = np.concatenate(([0], np.cumsum(constrained)))
        self.constrained = np.diff(total[treebank.offsets]) > 0  # sentences
        self.single_seconds, self.projective, self.order, self.threads = 0.0, True, 1, threads
        keep = (self.sides.astype(np.float64) ** 3).sum() <= KEPT_NUMBERS
        self._kept = [] if keep else None
        for begin, end in _batches(self.sides):
            if cancel is not None and cancel():
                raise Cancelled("stopped during the first pass; there is no answer yet")
            self._take(begin, end)
            if progress is not None:
                progress(end / len(treebank))
        self.seconds = time.perf_counter() - began

    def _take(self, begin, end):
        """Score, parse and prune sentences begin..end-1."""
        began = time.perf_counter()
        scored = scores_of(self.parser, self.treebank.select(np.arange(begin, end)))
        rows = slice(self.treebank.offsets[begin], self.treebank.offsets[end])
        places = slice(self.arcs.offsets[begin], self.arcs.offsets[end])
        self.heads[rows] = decode_scores(scored, self.threads).values
        self.arcs.values[places] = scored.arcs.values
        self.single_seconds += time.perf_counter() - began
        self.projective = scored.projective
        self.order = 1 + (scored.siblings is not None) + (scored.grandparents is not None)
        if self._kept is not None:
            self._kept.append((begin, scored))
        self._prune(scored, begin, end, places)
        if self.order > 1:
            for sentence in range(begin, end):
                self.parts[sentence] = self._parts(scored, sentence, sentence - begin)

    def _prune(self, scored, begin, end, places):
        """Max-marginals and living arcs of sentences begin..end-1; of unconstrained ones only their trees live."""
        picks = np.flatnonzero(self.constrained[begin:end])
        self.preference[places] = scored.arcs.values
        if scored.projective and len(picks):
            part = scored if len(picks) == end - begin or not hasattr(scored, "select") else scored.select(picks)
            found = max_marginals(part.arcs, part.siblings, part.grandparents, threads=self.threads)
            for number, sentence in enumerate(picks.tolist()):
                self._prune_sentence(begin + sentence, found[number if part is not scored else sentence])
        for sentence in (begin + np.flatnonzero(~self.constrained[begin:end])).tolist():
            here = slice(self.arcs.offsets[sentence], self.arcs.offsets[sentence + 1])
            heads = self.heads[self.treebank.offsets[sentence] : self.treebank.offsets[sentence + 1]]
            self.alive[here] = False
            self.alive[here].reshape(len(heads), len(heads))[heads[1:], np.arange(1, len(heads))] = True

    def _prune_sentence(self, sentence, values):
        here = slice(self.arcs.offsets[sentence], self.arcs.offsets[sentence + 1])
        self.preference[here] = values.reshape(-1)
        if self.prune is not None:
            finite = values[values > -np.inf]
            threshold = self.prune * finite.max() + (1 - self.prune) * finite.mean()
            self.threshold[sentence] = threshold
            self.alive[here] = values.reshape(-1) >= threshold

    def _parts(self, scored, sentence, number):
        side = int(self.sides[sentence])
        alive = self.alive[self.arcs.offsets[sentence] : self.arcs.offsets[sentence + 1]].reshape(side, side)
        siblings = surviving_siblings(alive, scored.siblings[number])
        if scored.grandparents is None:
            return (*siblings, *NO_PARTS)
        return (*siblings, *surviving_grandparents(alive, scored.grandparents[number]))

    def scored(self, sentence):
        """(scores, number): scores that hold a sentence, all of its parts, and its number in them."""
        if self._kept is None:
            return scores_of(self.parser, self.treebank.select([sentence])), 0
        begins = [begin for begin, _ in self._kept]
        batch = int(np.searchsorted(begins, sentence, side="right")) - 1
        return self._kept[batch][1], sentence - begins[batch]

    def limit(self, gains):
        """Prune also what no consistency can bring back; which sentences are now pruned soundly.

        Parameters
        ----------
        gains : ndarray of shape (S,), dtype float64
            The most by which all constraints of a sentence can favour one of its trees over another.

        Returns
        -------
        ndarray of shape (S,), dtype bool
            Sentences whose best tree under constraints is sure to have survived.
        """
        if not self.projective or self.prune is None:
            return np.ones(len(self.sides), dtype=bool)
        best = np.maximum.reduceat(self.preference, self.arcs.offsets[:-1])
        floor = best - gains - 1e-9 * (1 + np.abs(best))
        floor[~self.constrained] = -np.inf
        self.alive &= self.preference >= np.repeat(floor, self.sides**2)
        return ~self.constrained | (self.threshold <= floor)

    def open(self, sentences):
        """Let all arcs of these sentences live again."""
        for sentence in sentences:
            here = slice(self.arcs.offsets[sentence], self.arcs.offsets[sentence + 1])
            self.alive[here] = True
            if self.order > 1:
                scored, number = self.scored(sentence)
                self.parts[sentence] = self._parts(scored, sentence, number)

    def margins(self):
        """float64: of each word of a constrained sentence, by how much its best head beats the second best."""
        found = []
        for sentence in np.flatnonzero(self.constrained & (self.sides > 2)):
            here = slice(self.arcs.offsets[sentence], self.arcs.offsets[sentence + 1])
            table = self.preference[here].reshape(self.sides[sentence], -1)[:, 1:]
            top = np.partition(table, -2, axis=0)[-2:]
            found.append(top[1] - top[0])
        margins = np.concatenate([np.empty(0), *found])
        return margins[np.isfinite(margins)]


NO_PARTS = np.empty(0, np.int64), np.empty(0)


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


def decode_scores(scored, threads=None):
    """The best trees under scores: PackedHeads."""
    if not scored.projective:
        return maximum_spanning_tree(scored.arcs, threads=threads)
    if scored.grandparents is not None:
        return eisner_grandparent(scored.arcs, scored.siblings, scored.grandparents, threads=threads)
    if scored.siblings is not None:
        return eisner_sibling(scored.arcs, scored.siblings, threads=threads)
    return eisner(scored.arcs, threads=threads)
