"""Projective trees of longer sentences: Eisner's chart as the textbook has it. Imports nothing from core.

Scores have shape (n + 1, n + 1), row = head, column = modifier, 0 = root; -inf forbids an arc.
"""

from math import comb

import numpy as np


def best_value(scores, single_root=True):
    """The value of the best projective tree, by the chart over widths with the root as word 0; O(n^3), slow."""
    complete, _ = _chart(scores, first=1 if single_root else 0)
    n = len(scores) - 1
    if not single_root:
        return complete[0, n, 1]
    return max(scores[0, r] + complete[1, r, 0] + complete[r, n, 1] for r in range(1, n + 1))


def _chart(scores, first):
    """Items [start, end, side]: side 1 is headed by the start, side 0 by the end."""
    n = len(scores) - 1
    complete = np.full((n + 1, n + 1, 2), -np.inf)
    incomplete = np.full((n + 1, n + 1, 2), -np.inf)
    for word in range(first, n + 1):
        complete[word, word] = 0.0
    for width in range(1, n + 1 - first):
        for start in range(first, n + 1 - width):
            end = start + width
            joined = (complete[start, start:end, 1] + complete[start + 1 : end + 1, end, 0]).max()
            incomplete[start, end, 1] = joined + scores[start, end]
            incomplete[start, end, 0] = joined + (scores[end, start] if start > 0 else -np.inf)
            complete[start, end, 1] = (
                incomplete[start, start + 1 : end + 1, 1] + complete[start + 1 : end + 1, end, 1]
            ).max()
            complete[start, end, 0] = (complete[start, start:end, 0] + incomplete[start:end, end, 0]).max()
    return complete, incomplete


def count_trees(n, single_root=True):
    """How many projective trees there are over n words, in closed form.

    With several roots, binomial(3 n, n) / (2 n + 1): 1, 3, 12, 55, ... (OEIS A001764). With one root, word r of n
    heads everything: half-trees on its two sides, binomial(3 n - 2, n - 1) / n: 1, 2, 7, 30, ... (OEIS A006013).
    """
    return comb(3 * n - 2, n - 1) // n if single_root else comb(3 * n, n) // (2 * n + 1)
