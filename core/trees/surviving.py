"""The arcs that pruning has left, and scores of sibling and grandparent parts over these arcs alone.

n is the number of words and node 0 is the root, as everywhere. Cubes of shape (n + 1, n + 1, n + 1) take 65 MB at 200
words and 218 MB at 300. With ten heads a word left, the parts over surviving arcs take 1 MB. The way from one to the
other: score arcs, prune them, score what parts are left, decode.

    arcs = SurvivingArcs.above(max_marginals(scores), 0.5)
    siblings = arcs.siblings(score(arcs.sibling_parts()))
    heads = eisner_sibling(scores, siblings)
"""

from dataclasses import dataclass

import numpy as np

from core.compilation.kernels import kernel
from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError, at_sentence
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.checks import as_corpus
from core.trees.feasibility import require_tree
from core.trees.packed import Heads, PackedHeads, PackedScores, PackedTriples
from core.trees.surviving_chart import DecodedTrees, SurvivingSentences, decode_sentences

ROUNDING = 1e-9  # relative; max-marginals of the arcs of one tree are equal but for rounding


@dataclass(frozen=True, eq=False)
class SurvivingArcs:
    """The allowed arcs of S sentences and the places of their third-order parts.

    Attributes
    ----------
    sides : ndarray of shape (S,), dtype int64
        n + 1 of each sentence.
    offsets : ndarray of shape (S + 1,), dtype int64
        Arcs of sentence i are ``offsets[i]:offsets[i + 1]``, ordered by head, then by modifier.
    heads, modifiers : ndarray of shape (offsets[-1],), dtype int32
    sibling_offsets, grandparent_offsets : ndarray of shape (S + 1,), dtype int64
        The same for rows of ``sibling_parts()`` and of ``grandparent_parts()``.

    ``len(arcs)`` is S.
    """

    sides: np.ndarray
    offsets: np.ndarray
    heads: np.ndarray
    modifiers: np.ndarray
    sibling_offsets: np.ndarray
    grandparent_offsets: np.ndarray

    @classmethod
    def of(cls, scores: PackedScores) -> "SurvivingArcs":
        """The arcs whose scores, a matrix or a PackedScores, are not -inf."""
        packed, _ = as_corpus(scores)
        sides = packed.sides
        counts = np.zeros((3, len(packed) + 1), np.int64)
        _count(packed.values, packed.offsets, sides, counts)
        offsets, sibling_offsets, grandparent_offsets = np.cumsum(counts, axis=1)
        heads, modifiers = np.empty((2, offsets[-1]), np.int32)
        _list_arcs(packed.values, packed.offsets, sides, heads, modifiers)
        return cls(sides, offsets, heads, modifiers, sibling_offsets, grandparent_offsets)

    @classmethod
    def above(cls, values: PackedScores, alpha: float, heads: int | None = None) -> "SurvivingArcs":
        """The arcs whose max-marginals reach ``alpha * best + (1 - alpha) * mean``, sentence by sentence.

        ``values`` are max-marginals as ``max_marginals`` returns them; alpha from 0 to 1. The mean is over possible
        arcs. ``heads`` bounds the arcs of a sentence of n words: the best ``heads * n`` of them, and what equals the
        last of these. The best tree survives at any alpha and bound. O(n^2). Source: Weiss & Taskar (2010), Structured
        Prediction Cascades; the bound is ours.
        """
        if not 0 <= alpha <= 1:
            raise WorkbenchError(f"alpha must lie between 0, the mean, and 1, the best; got {alpha}")
        packed, _ = as_corpus(values)
        surviving = np.full(len(packed.values), -np.inf)
        for sentence in range(len(packed)):
            matrix = packed[sentence]
            possible = matrix[matrix > -np.inf]
            if len(possible) == 0:
                continue  # no tree: nothing survives
            best = possible.max()
            threshold = alpha * best + (1 - alpha) * possible.mean()
            if heads is not None and (most := heads * (len(matrix) - 1)) < len(possible):
                threshold = max(threshold, np.partition(possible, -most)[-most])
            threshold = min(threshold, best - ROUNDING * (1 + abs(best)))
            begin, end = packed.offsets[sentence], packed.offsets[sentence + 1]
            surviving[begin:end][packed.values[begin:end] >= threshold] = 0.0
        return cls.of(packed.like(surviving))

    def sibling_parts(self) -> np.ndarray:
        """(h, s, m) of every sibling part, s = h for none: int32 array (P, 3), ordered by sentence, h, m, s."""
        parts = np.empty((self.sibling_offsets[-1], 3), np.int32)
        _list_siblings(self.heads, self.modifiers, self.offsets, parts)
        return parts

    def grandparent_parts(self) -> np.ndarray:
        """(g, h, m) of every chain a projective tree can have: int32 array (Q, 3), ordered by sentence, h, m, g."""
        parts = np.empty((self.grandparent_offsets[-1], 3), np.int32)
        _list_grandparents(self.heads, self.modifiers, self.offsets, self.sides, parts)
        return parts

    def siblings(self, values: np.ndarray) -> "SparseTriples":
        """Scores of the rows of ``sibling_parts()``, as ``eisner_sibling`` takes them."""
        return SparseTriples(self, _as_values(values, "sibling", self.sibling_offsets), self.sibling_offsets)

    def grandparents(self, values: np.ndarray) -> "SparseTriples":
        """Scores of the rows of ``grandparent_parts()``, as ``eisner_grandparent`` takes them."""
        values = _as_values(values, "grandparent", self.grandparent_offsets)
        return SparseTriples(self, values, self.grandparent_offsets)

    def __len__(self):
        return len(self.sides)


@dataclass(frozen=True, eq=False)
class SparseTriples:
    """Third-order scores over surviving arcs; made by ``SurvivingArcs.siblings`` and ``SurvivingArcs.grandparents``.

    Attributes
    ----------
    arcs : SurvivingArcs
    values : ndarray of shape (offsets[-1],), dtype float64
        A score for each part, in the order in which ``arcs`` lists them; -inf forbids the part.
    offsets : ndarray of shape (S + 1,), dtype int64
    """

    arcs: SurvivingArcs
    values: np.ndarray
    offsets: np.ndarray


Cubes = np.ndarray | PackedTriples | SparseTriples  # scores of siblings or grandparents, of a sentence or corpus


def decode_surviving(
    scores: np.ndarray | PackedScores, siblings: SparseTriples, grandparents: Cubes | None, single_root: bool,
    threads: int | None, mark: bool,
) -> Heads:  # fmt: skip
    """``eisner_sibling``, or ``eisner_grandparent`` where ``grandparents`` is not None, over surviving arcs."""
    packed, named = as_corpus(scores)
    arcs = siblings.arcs
    pairs = _checked_parts(siblings, arcs, arcs.sibling_offsets, arcs.sibling_parts, "sibling_scores")
    chains = np.empty(0), np.empty(0, np.int64)
    if grandparents is not None:
        chains = _checked_parts(
            grandparents, arcs, arcs.grandparent_offsets, arcs.grandparent_parts, "grandparent_scores"
        )
    sides = packed.sides
    if not np.array_equal(sides, arcs.sides):
        raise ScoreShapeError("sibling_scores must be over the arcs of the same sentences as the scores, in order")
    offsets = offsets_of(sides)
    trees = DecodedTrees(offsets, np.empty(offsets[-1], np.int32), np.empty(len(packed)))
    graph = arcs.heads, arcs.modifiers, arcs.offsets
    corpus = SurvivingSentences(packed.values, packed.offsets, *graph, *pairs, *chains)

    def run(begin, end):
        return decode_sentences(np.arange(begin, end), corpus, single_root, trees)

    costs = np.diff(arcs.offsets) * sides.astype(np.float64)
    unfit = [sentence for sentence in run_ranges(run, costs, threads) if sentence >= 0]
    if unfit and not mark:
        _refuse(packed, arcs, int(unfit[0]), single_root, named)
    return PackedHeads(trees.heads, offsets) if named else trees.heads


def _as_values(values, kind, offsets):
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (offsets[-1],):
        raise ScoreShapeError(f"{kind} scores must have shape ({offsets[-1]},), one for each part, got {array.shape}")
    return array


def _checked_parts(triples, arcs, offsets, list_parts, name):
    """(values, offsets) of SparseTriples; ScoreShapeError for scores over other arcs, and for NaN or +inf."""
    if not isinstance(triples, SparseTriples) or triples.arcs is not arcs or triples.offsets is not offsets:
        kind = name.split("_")[0]
        raise ScoreShapeError(f"{name} must be made by the {kind}s method of the SurvivingArcs that all parts share")
    bad = np.flatnonzero(~(triples.values < np.inf))
    if len(bad):
        where = ", ".join(map(str, list_parts()[bad[0]]))
        sentence = np.searchsorted(offsets, bad[0], side="right") - 1
        raise ScoreShapeError(
            f"sentence {sentence}: {name}[{where}] is {triples.values[bad[0]]}; "
            "parts need finite scores, or -inf to forbid them"
        )
    return triples.values, triples.offsets


def _refuse(packed, arcs, sentence, single_root, named):
    """Say why a sentence has no tree."""
    name = sentence if named else None
    pruned = np.full_like(packed[sentence], -np.inf)
    span = slice(arcs.offsets[sentence], arcs.offsets[sentence + 1])
    pruned[arcs.heads[span], arcs.modifiers[span]] = packed[sentence][arcs.heads[span], arcs.modifiers[span]]
    require_tree(pruned, single_root, projective=True, sentence=name)
    raise InfeasibleError(
        f"{at_sentence(name)}no tree is possible: every projective tree has a forbidden or pruned arc, or a forbidden "
        "part; prune less or allow more parts",
        sentence=name,
    )


@kernel
def _count(values, offsets, sides, counts):
    """counts[0, i + 1], counts[1, i + 1], counts[2, i + 1]: arcs, sibling and grandparent parts of sentence i."""
    for sentence in range(len(sides)):
        side = sides[sentence]
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        before = np.zeros(side + 1, np.int64)  # before[g]: how many heads the word h has among nodes 0..g-1
        for h in range(side):
            for g in range(side if h > 0 else 0):
                before[g + 1] = before[g] + (g != h and scores[g, h] > -np.inf)
            on_left, on_right = 0, 0
            for m in range(1, side):
                if m != h and scores[h, m] > -np.inf:
                    on_left += m < h
                    on_right += m > h
                    counts[2, sentence + 1] += before[min(h, m)] + before[side] - before[max(h, m) + 1]
            counts[0, sentence + 1] += on_left + on_right
            counts[1, sentence + 1] += (on_left * (on_left + 1) + on_right * (on_right + 1)) // 2


@kernel
def _list_arcs(values, offsets, sides, heads, modifiers):
    at = 0
    for sentence in range(len(sides)):
        side = sides[sentence]
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        for h in range(side):
            for m in range(1, side):
                if m != h and scores[h, m] > -np.inf:
                    heads[at], modifiers[at] = h, m
                    at += 1


@kernel
def _list_siblings(heads, modifiers, offsets, parts):
    at = 0
    for sentence in range(len(offsets) - 1):
        begin, end = offsets[sentence], offsets[sentence + 1]
        for arc in range(begin, end):
            h, m = heads[arc], modifiers[arc]
            first, last = arc, arc  # arcs of the head on the same side, from the head to the modifier
            while h < m and first > begin and heads[first - 1] == h and modifiers[first - 1] > h:
                first -= 1
            while m < h and last + 1 < end and heads[last + 1] == h and modifiers[last + 1] < h:
                last += 1
            if h < m:
                parts[at, 0], parts[at, 1], parts[at, 2] = h, h, m
                at += 1
            for inner in range(first if h < m else arc + 1, arc if h < m else last + 1):
                parts[at, 0], parts[at, 1], parts[at, 2] = h, modifiers[inner], m
                at += 1
            if m < h:
                parts[at, 0], parts[at, 1], parts[at, 2] = h, h, m
                at += 1


@kernel
def _list_grandparents(heads, modifiers, offsets, sides, parts):
    at = 0
    for sentence in range(len(sides)):
        begin, end = offsets[sentence], offsets[sentence + 1]
        first, above = np.zeros(sides[sentence] + 1, np.int64), np.empty(end - begin, np.int64)
        for arc in range(begin, end):
            first[modifiers[arc] + 1] += 1
        for word in range(sides[sentence]):
            first[word + 1] += first[word]
        seen = first.copy()
        for arc in range(begin, end):  # the heads of a word in order
            above[seen[modifiers[arc]]] = heads[arc]
            seen[modifiers[arc]] += 1
        for arc in range(begin, end):
            h, m = heads[arc], modifiers[arc]
            for place in range(first[h], first[h + 1]):
                if above[place] < min(h, m) or above[place] > max(h, m):
                    parts[at, 0], parts[at, 1], parts[at, 2] = above[place], h, m
                    at += 1
