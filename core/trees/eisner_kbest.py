"""The k best projective trees of a sentence, best first.

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from dataclasses import dataclass
from operator import index
from typing import overload

import numpy as np

from core.errors import WorkbenchError
from core.offsets import any_of_each, offsets_of
from core.trees import grandparent_chart, sibling_chart
from core.trees.checks import checked_errors
from core.trees.eisner import chart_range
from core.trees.lazy_kbest import HIGHEST_RANK, kbest_range
from core.trees.packed import PackedScores, PackedTriples, Scores
from core.trees.surviving import Cubes
from core.trees.triples import HigherOrder

CHARTS_AT_ONCE = 1 << 17  # numbers in the charts that are filled before their trees are read: about a core's cache


@dataclass(frozen=True, eq=False)
class PackedTrees:
    """The best trees of S sentences, up to k each.

    Attributes
    ----------
    heads : ndarray of shape (total,), dtype int32
        Sentence i has k rows of n + 1 heads at ``heads[offsets[i]:offsets[i + 1]]``,
        of which ``counts[i]`` are filled.
    offsets : ndarray of shape (S + 1,), dtype int64
    values : ndarray of shape (S, k), dtype float64
        Values of the trees, best first; -inf behind the last.
    counts : ndarray of shape (S,), dtype int64
        How many trees were found, at most k.

    ``len(packed)`` is S; ``packed[i]`` is what ``eisner_kbest`` returns for the sentence alone, as views.
    """

    heads: np.ndarray
    offsets: np.ndarray
    values: np.ndarray
    counts: np.ndarray

    @classmethod
    def one_each(cls, heads: np.ndarray, lengths: np.ndarray) -> "PackedTrees":
        """One tree of each sentence of ``lengths`` (S,), of value 0; none where the heads (rows,) are all -1."""
        offsets = offsets_of(lengths + 1)
        counts = any_of_each(heads >= 0, offsets)
        values = np.where(counts, 0.0, -np.inf)[:, None]
        return cls(heads.astype(np.int32), offsets, values, counts.astype(np.int64))

    def __len__(self):
        return len(self.counts)

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        index %= len(self)
        rows = self.heads[self.offsets[index] : self.offsets[index + 1]].reshape(self.values.shape[1], -1)
        return rows[: self.counts[index]], self.values[index, : self.counts[index]]


@overload
def eisner_kbest(
    scores: PackedScores, k: int, sibling_scores: PackedTriples | None = None,
    grandparent_scores: PackedTriples | None = None, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> PackedTrees: ...  # fmt: skip
@overload
def eisner_kbest(
    scores: np.ndarray, k: int, sibling_scores: np.ndarray | None = None,
    grandparent_scores: np.ndarray | None = None, single_root: bool = True,
    *, threads: int | None = None, errors: str = "raise",
) -> tuple[np.ndarray, np.ndarray]: ...  # fmt: skip
def eisner_kbest(
    scores: Scores, k: int, sibling_scores: Cubes | None = None, grandparent_scores: Cubes | None = None,
    single_root: bool = True, *, threads: int | None = None, errors: str = "raise",
) -> "tuple[np.ndarray, np.ndarray] | PackedTrees":  # fmt: skip
    """The k projective trees of the highest scores, for a sentence or for each sentence of a corpus.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64, or PackedScores
        ``scores[h, m]`` scores the arc h -> m; -inf forbids it. Column 0 and the diagonal are ignored. Not modified.
    k : int
        How many trees to look for, 1 to 1,048,575.
    sibling_scores, grandparent_scores : ndarray of shape (n + 1, n + 1, n + 1) or PackedTriples, optional
        As for ``eisner_sibling`` and ``eisner_grandparent``. Not modified.
    single_root : bool, default=True
        Ask for exactly one word attached to the root.
    threads : int, optional
        Threads over the sentences of a corpus; all cores by default. A single sentence takes one.
    errors : {"raise", "mark"}, default="raise"
        What to do when a sentence has no projective tree: raise, or return no trees.

    Returns
    -------
    heads : ndarray of shape (j, n + 1), dtype int32
        ``heads[r, m]`` is the head of word m in the tree of rank r, 0 for the root. ``heads[:, 0]`` is -1. All trees
        differ and are possible; j is less than k only where fewer exist.
    values : ndarray of shape (j,), dtype float64
        Their values, best first. Of trees of one value always the same come first, and the first tree is the one
        that the decoder of the same order returns.

    For a corpus, a PackedTrees, whose items are such pairs.

    Raises
    ------
    ScoreShapeError : an array has the wrong shape, or holds NaN or +inf on an arc or a part.
    WorkbenchError : k is no whole number from 1 to 1,048,575.
    InfeasibleError : every projective tree uses a forbidden arc or part; names the sentence of a corpus.

    Notes
    -----
    One chart, in O(n^3), or O(n^4) with grandparents. Then each tree costs at most O(n^2 + n log k), in practice far
    less, since only items of the trees before it are opened.
    Source: Huang & Chiang (2005), W05-1506, algorithm 3, on the charts of the decoders.
    """
    mark, single_root, k = checked_errors(errors), bool(single_root), _checked_count(k)
    task = HigherOrder.checked(scores, sibling_scores, grandparent_scores)
    offsets = task.head_offsets(k)
    count = len(offsets) - 1
    trees = PackedTrees(
        np.full(offsets[-1], -1, np.int32), offsets, np.full((count, k), -np.inf), np.zeros(count, np.int64)
    )
    bad = task.run(lambda begin, end: _search(task, begin, end, single_root, trees), 3 + (task.order == 3), threads)
    task.require(bad, single_root, mark)
    if not mark and not trees.counts.all():
        task.require([int(trees.counts.argmin())], single_root, mark)
    return trees if task.named else trees[0]


def _checked_count(k):
    try:
        count = index(k)
    except TypeError:
        count = 0
    if not 1 <= count <= HIGHEST_RANK:
        raise WorkbenchError(f"k must be a whole number from 1 to {HIGHEST_RANK:,}, got {k!r}")
    return count


def _search(task, begin, end, single_root, trees):
    """Fill charts and search them, a few sentences at a time; the first sentence with a bad part, or -1."""
    if end - begin == 1:  # a shorter way for short sentences
        size = _chart_size(task.order, int(task.sides[begin]))
        return _search_few(task, begin, end, np.empty(size), np.array((0, size)), single_root, trees)
    sizes = _chart_size(task.order, task.sides[begin:end])
    ends = np.cumsum(sizes)
    charts = np.empty(max(CHARTS_AT_ONCE, sizes.max()))
    at, unfit = 0, -1
    while at < len(sizes) and unfit < 0:
        before = ends[at] - sizes[at]
        stop = max(at + 1, int(np.searchsorted(ends, before + CHARTS_AT_ONCE, side="right")))
        places = np.concatenate(([0], ends[at:stop] - before))
        unfit = _search_few(task, begin + at, begin + stop, charts, places, single_root, trees)
        at = stop
    return unfit


def _chart_size(order, side):
    """The size of a sentence's chart, in numbers."""
    words = side - 1
    return 4 * words * words * ((side + 3) & ~3) if order == 3 else (2 + order) * words * (words + 4)


def _search_few(task, begin, end, charts, places, single_root, trees):
    """``_search`` with a place for the chart of every sentence."""
    unfit = -1
    if task.order == 1:
        chart_range(task.values, task.offsets, begin, end, charts, places)
    elif task.order == 2:
        unfit = sibling_chart.chart_range(task.corpus, begin, end, charts, places)
    else:
        unfit = grandparent_chart.chart_range(task.corpus, begin, end, charts, places)
    if unfit < 0:
        arrays = trees.heads, trees.offsets, trees.values, trees.counts
        kbest_range(task.order, task.corpus, charts, places, begin, end, single_root, arrays)
    return unfit
