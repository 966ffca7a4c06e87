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


def partition(scores, single_root=True, projective=False):
    """(log_partition, marginals) by summing over the list; (-inf, zeros) when no tree is possible."""
    totals = tree_scores(scores, single_root, projective)
    log_partition = np.logaddexp.reduce(totals)
    weights = np.exp(totals - log_partition) if log_partition > -np.inf else np.zeros(len(totals))
    return float(log_partition), expected_arcs(trees(len(scores) - 1, single_root, projective), weights)


def expected_arcs(listed, weights):
    """(n + 1, n + 1): the sum of the weights of the listed trees that have each arc."""
    expected = np.zeros((listed.shape[1],) * 2)
    np.add.at(expected, (listed[:, 1:], np.arange(1, listed.shape[1])), np.asarray(weights)[:, None])
    return expected
