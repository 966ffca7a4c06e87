"""Every tree of a tiny sentence, listed: the reference for all decoders and marginals. Imports nothing from core.

Scores have shape (n + 1, n + 1), row = head, column = modifier, 0 = root; -inf forbids an arc, the diagonal and
column 0 are ignored. A tree is a row of heads of shape (n + 1,) with -1 in entry 0. Meant for n <= 6.
"""

from functools import cache
from itertools import product

import numpy as np


def is_tree(heads, single_root=True):
    """Whether every word reaches the root 0 by following heads, with exactly one child of the root if asked."""
    n = len(heads) - 1
    for word in range(1, n + 1):
        node, steps = word, 0
        while node != 0:
            node, steps = heads[node], steps + 1
            if not 0 <= node <= n or steps > n:
                return False
    return not single_root or sum(heads[word] == 0 for word in range(1, n + 1)) == 1


def is_projective(heads):
    """Whether no two arcs cross when drawn above the words, with the root to the left of all of them."""
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(heads) if m > 0]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@cache
def trees(n, single_root=True, projective=False):
    """All trees over words 1..n: int array of shape (count, n + 1), in lexicographic order of heads."""
    rows = [
        (-1, *heads)
        for heads in product(*([h for h in range(n + 1) if h != m] for m in range(1, n + 1)))
        if is_tree((-1, *heads), single_root) and (not projective or is_projective((-1, *heads)))
    ]
    listed = np.array(rows, dtype=np.int64).reshape(len(rows), n + 1)
    listed.setflags(write=False)
    return listed


def tree_score(scores, heads):
    """Sum of the scores of a tree's arcs."""
    return float(sum(scores[heads[m], m] for m in range(1, len(heads))))


def tree_scores(scores, single_root=True, projective=False):
    """The score of each row of ``trees(n, single_root, projective)``."""
    listed = trees(len(scores) - 1, single_root, projective)
    modifiers = np.arange(1, len(scores))
    return np.asarray(scores)[listed[:, 1:], modifiers].sum(axis=1)


def best_tree(scores, single_root=True, projective=False):
    """(value, heads) of a best tree; (-inf, None) when every tree uses a forbidden arc."""
    totals = tree_scores(scores, single_root, projective)
    best = int(totals.argmax())
    if totals[best] == -np.inf:
        return -np.inf, None
    return float(totals[best]), trees(len(scores) - 1, single_root, projective)[best].copy()


def best_trees(scores, k, single_root=True, projective=False):
    """The values of the k best feasible trees, best first; fewer where fewer exist."""
    totals = np.sort(tree_scores(scores, single_root, projective))[::-1]
    return totals[totals > -np.inf][:k]


def partition(scores, single_root=True, projective=False):
    """(log_partition, marginals) by summing over the list; (-inf, zeros) when no tree is possible."""
    log_partition, probabilities = _distribution(scores, single_root, projective)
    return log_partition, _expected_arcs(probabilities, len(scores) - 1, single_root, projective)


def covariance(scores, direction, single_root=True, projective=False):
    """Covariance of every arc with the sum of ``direction`` over a tree's arcs; forbidden arcs count for nothing."""
    _, probabilities = _distribution(scores, single_root, projective)
    totals = tree_scores(np.where(np.isfinite(scores), direction, 0.0), single_root, projective)
    centred = totals - (probabilities * totals).sum()
    return _expected_arcs(probabilities * centred, len(scores) - 1, single_root, projective)


def max_marginals(scores, single_root=True, projective=False):
    """The value of the best tree through each arc; -inf on impossible arcs, column 0 and the diagonal."""
    listed = trees(len(scores) - 1, single_root, projective)
    totals = tree_scores(scores, single_root, projective)
    best = np.full(np.shape(scores), -np.inf)
    for m in range(1, len(scores)):
        np.maximum.at(best[:, m], listed[:, m], totals)
    return best


def _distribution(scores, single_root, projective):
    totals = tree_scores(scores, single_root, projective)
    highest = totals.max()
    if highest == -np.inf:
        return -np.inf, np.zeros(len(totals))
    weights = np.exp(totals - highest)
    return float(highest + np.log(weights.sum())), weights / weights.sum()


def _expected_arcs(weights, n, single_root, projective):
    listed = trees(n, single_root, projective)
    expected = np.zeros((n + 1, n + 1))
    for m in range(1, n + 1):
        expected[:, m] = np.bincount(listed[:, m], weights=weights, minlength=n + 1)
    return expected
