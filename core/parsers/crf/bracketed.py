"""The brackets of a corpus under a distribution of trees: log-partitions and marginals of the trees that respect them.

A sentence that has no tree at the level asked for falls back to the next softer one, as in spitkovsky2010, section 5.3.
Its arcs decide that, not their scores, so that it is found once.
"""

from dataclasses import dataclass, field

import numpy as np

from core.errors import InfeasibleError
from core.trees import PackedScores, bracketed_inside_outside, bracketed_matrix_tree, matrix_tree
from core.trees.bracket_charts import DEPTH, overlaps, require_brackets
from core.trees.bracket_contraction import bracket_masks, checked_spans, mask_count, spans_cross
from core.trees.brackets import (
    LEVELS,
    NONE,
    SPRAWL,
    STRICT,
    TEAR,
    PackedBrackets,
    fallbacks,
    level_counts,
    level_number,
)

FEW, MANY = 32, 2_000  # masks: up to FEW they are summed over, and where nothing else is exact up to MANY
ARCS = 1_000_000  # summed over at a time, under all masks together: 8 MB an array


@dataclass(eq=False)
class BracketedSums:
    """Sums over the trees that respect brackets, for sentences whose scores change and whose brackets stay.

    Parameters
    ----------
    lengths : ndarray of shape (S,)
        Words of each sentence.
    brackets : PackedBrackets
        Of the same sentences.
    level : {"none", "tear", "sprawl", "loose", "strict"}
    projective, single_root : bool
        As in ``TreeDistribution``.
    threads : int, optional

    Attributes
    ----------
    levels : ndarray of shape (S,), dtype int8
        The level at which a sentence's brackets hold, as numbered in ``LEVELS``; 0 for sentences without any.
    sentences : ndarray of shape (H,), dtype int64
        Those with a level above 0, ascending.

    Raises
    ------
    WorkbenchError : an unknown level, a bracket that ends after its sentence.

    Notes
    -----
    Projective trees: O(n^3) (``bracketed_inside_outside``). Others: by contraction at strict and sprawl where brackets
    are nested or apart, else O(masks * n^3). A sentence of more than 2,000 masks falls back, as does one with more than
    12 brackets over one word at tear.
    """

    lengths: np.ndarray
    brackets: PackedBrackets
    level: str = "loose"
    projective: bool = False
    single_root: bool = True
    threads: int | None = None
    levels: np.ndarray = field(init=False)

    def __post_init__(self):
        require_brackets(self.brackets, np.asarray(self.lengths))
        waiting = np.flatnonzero(np.diff(self.brackets.offsets) > 0)
        self.levels = np.zeros(len(self.lengths), np.int8)
        self.levels[waiting] = level_number(self.level)
        self._deep = overlaps(self.brackets) > DEPTH
        self.masks = {}
        while len(waiting := self._unlevel(waiting)):
            flat = PackedScores.empty(np.asarray(self.lengths)[waiting])
            flat.values[:] = 0.0
            waiting = waiting[self._sum(waiting, flat)[0] == -np.inf]
            self.levels[waiting] -= 1

    @property
    def sentences(self) -> np.ndarray:
        """Sentences whose brackets hold at some level."""
        return np.flatnonzero(self.levels > NONE)

    def fallbacks(self) -> dict:
        """{level: sentences whose brackets hold at it}, from the level asked for down, of those with brackets."""
        return fallbacks(level_counts(self.levels, self.brackets), level_number(self.level))

    def __call__(self, scores):
        """(log-partitions float64 (H,) in nats, marginals float64 (A,)) of ``sentences``; 0 for the arcs of others.

        ``scores`` are a PackedScores of all S sentences. Raises InfeasibleError where forbidden arcs leave no tree.
        """
        chosen, marginals = self.sentences, np.zeros(len(scores.values))
        totals, ends = np.empty(len(chosen)), np.cumsum(np.diff(scores.offsets)[chosen])
        for part in np.split(np.arange(len(chosen)), np.flatnonzero(np.diff(ends // ARCS)) + 1) if len(chosen) else ():
            chosen_scores = PackedScores.from_matrices([scores[i] for i in chosen[part]])
            totals[part], summed = self._sum(chosen[part], chosen_scores, errors="raise")
            for at, i in enumerate(chosen[part].tolist()):
                marginals[scores.offsets[i] : scores.offsets[i + 1]] = summed[at].reshape(-1)
        return totals, marginals

    def _unlevel(self, sentences):
        """Sentences among some that have a level left that can be summed over; levels too costly are passed."""
        for i in sentences.tolist():
            while self.levels[i] > NONE and self._is_too_much(i):
                self.levels[i] -= 1
        return sentences[self.levels[sentences] > NONE]

    def _is_too_much(self, i: int):
        level = self.levels[i]
        if self.projective:
            return level == TEAR and self._deep[i]
        spans = self._spans(i)
        contracts = level in (STRICT, SPRAWL) and not spans_cross(spans)
        return not contracts and mask_count(spans, level) > MANY

    def _spans(self, i):
        side = int(self.lengths[i]) + 1
        return checked_spans(np.zeros((side, side)), self.brackets.of_sentence(i), LEVELS[self.levels[i]])[1]

    def _sum(self, sentences, scores, errors="mark"):
        """(totals, PackedScores of marginals) of these sentences at their levels; ``scores`` are theirs alone."""
        options = {"threads": self.threads, "errors": errors}
        if self.projective:
            brackets = self.brackets.select(sentences)
            return bracketed_inside_outside(scores, brackets, self.levels[sentences], self.single_root, **options)
        totals, shares, masked = np.empty(len(sentences)), scores.like(np.zeros(len(scores.values))), []
        for at, i in enumerate(sentences.tolist()):
            masks = self.masks_of(i)
            if masks is None:
                level = LEVELS[self.levels[i]]
                try:
                    sums = bracketed_matrix_tree(scores[at], self.brackets.of_sentence(i), level, self.single_root)
                except InfeasibleError:
                    if errors != "mark":
                        raise
                    sums = -np.inf, 0.0
                totals[at], shares[at][:] = sums
                continue
            masked.append((at, np.where(masks, -np.inf, scores[at])))
            if sum(stack.size for _, stack in masked) >= ARCS:
                self._sum_masked(masked, totals, shares)
                masked = []
        if masked:
            self._sum_masked(masked, totals, shares)
        return totals, shares

    def masks_of(self, i: int) -> np.ndarray | None:
        """bool (masks, n + 1, n + 1) of a sentence; None where its brackets are contracted."""
        key = i, int(self.levels[i])
        if key not in self.masks:
            spans, level = self._spans(i), self.levels[i]
            contracts = level in (STRICT, SPRAWL) and not spans_cross(spans)
            few = not (contracts and mask_count(spans, level) > FEW)
            self.masks[key] = bracket_masks(int(self.lengths[i]), spans, level) if few else None
        return self.masks[key]

    def _sum_masked(self, masked, totals, shares):
        """Marginals of a disjoint union of masks are those of the masks, weighted by their totals."""
        logs, marginals = matrix_tree(
            PackedScores.from_matrices([matrix for _, stack in masked for matrix in stack]),
            self.single_root, threads=self.threads, errors="mark",
        )  # fmt: skip
        begin = 0
        for at, stack in masked:
            parts = logs[begin : begin + len(stack)]
            totals[at] = np.logaddexp.reduce(parts)
            if totals[at] > -np.inf:
                weights = np.exp(parts - totals[at])
                values = marginals.values[marginals.offsets[begin] : marginals.offsets[begin + len(stack)]]
                shares[at][:] = np.tensordot(weights, values.reshape(stack.shape), 1)
            begin += len(stack)
