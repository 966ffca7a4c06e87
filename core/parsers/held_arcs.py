"""The best trees among those that have given arcs, by scores of arcs: what is decided around what a person drew.

They are projective where a projective tree has all given arcs. Where there is none, they are spanning trees: any arcs
may cross.
"""

from bisect import insort

import numpy as np

from core.offsets import any_of_each, offsets_of
from core.parsers.constrained_completion import contradicting_arcs
from core.trees import PackedScores, PackedTrees, eisner, eisner_kbest, maximum_spanning_tree


def held(scores: PackedScores, heads: np.ndarray) -> PackedScores:
    """Scores of arcs, -inf for each arc into a word whose head is known to be another one. O(A).

    ``heads`` int (rows,): n + 1 of each sentence, -1 where unknown.
    """
    rivals = contradicting_arcs(heads, scores.sides, scores.offsets)
    return scores.like(np.where(rivals, -np.inf, scores.values))


def best_around(scores: PackedScores, heads: np.ndarray, threads: int | None = None) -> np.ndarray:
    """int32 (rows,): heads of the best tree of each sentence that has its known arcs.

    Parameters
    ----------
    scores : PackedScores
        In any unit; -inf forbids an arc, a known one too. Not modified.
    heads : ndarray of shape (rows,)
        n + 1 of each sentence, -1 where unknown; no word hangs on itself.
    threads : int, optional

    Notes
    -----
    All are -1 in a sentence of which no tree has its known arcs. O(sum of n^3).
    """
    around = held(scores, heads)
    trees = eisner(around, threads=threads, errors="mark").values
    rows = offsets_of(scores.sides)
    for i in np.flatnonzero(~any_of_each(trees >= 0, rows)):
        trees[rows[i] : rows[i + 1]] = maximum_spanning_tree(around[i], errors="mark")
    return trees


def several_around(scores: PackedScores, heads: np.ndarray, k: int, threads: int | None = None) -> PackedTrees:
    """At most ``k`` trees of each sentence that have its known arcs, best first; parameters as of ``best_around``.

    The first is that of ``best_around``. Values are sums of scores. O(sum of n^3), where known arcs cross of k n^3.
    """
    around = held(scores, heads)
    trees = eisner_kbest(around, k, threads=threads, errors="mark")
    for i in np.flatnonzero(trees.counts == 0):
        ranked = _spanning_trees(around[i], k)
        rows = trees.heads[trees.offsets[i] : trees.offsets[i + 1]].reshape(k, -1)
        trees.counts[i] = len(ranked)
        for rank, (value, tree) in enumerate(ranked):
            rows[rank], trees.values[i, rank] = tree, value
    return trees


def _spanning_trees(scores, k):
    """At most k (value, heads) of spanning trees, best first.

    The trees that are left are divided by the first arc of the best one that they lack (Lawler 1972).
    """
    words = np.arange(1, len(scores))
    ranked, waiting = [], []

    def consider(scores):
        tree = maximum_spanning_tree(scores, errors="mark")
        if tree[1] >= 0:
            insort(waiting, (-float(scores[tree[1:], words].sum()), tree.tolist(), scores))
            del waiting[k:]  # each holds a copy of the scores

    consider(scores)
    while waiting and len(ranked) < k:
        loss, tree, scores = waiting.pop(0)
        ranked.append((-loss, tree))
        scores = scores.copy()
        for word in words.tolist():
            head, column = tree[word], scores[:, word].copy()
            scores[head, word] = -np.inf
            if (scores[:, word] > -np.inf).any():
                consider(scores.copy())
            scores[:, word] = -np.inf
            scores[head, word] = column[head]
    return ranked
