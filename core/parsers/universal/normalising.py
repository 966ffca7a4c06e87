"""Probabilities of heads from scores of arcs: each word has one head, whatever heads the others have."""

import numpy as np

from core.compilation.kernels import kernel
from core.threads import run_ranges
from core.trees import PackedScores


def log_probabilities(arcs: PackedScores, threads: int | None = None) -> PackedScores:
    """Scores of arcs, each word's less the logarithm of the sum of their exponentials; -inf on the diagonal.

    O(sum of n^2). The same bits on any number of threads.
    """
    values, sides = np.empty_like(arcs.values), arcs.sides

    def work(begin, end):
        _normalise(arcs.values, arcs.offsets[begin : end + 1], sides[begin:end], values)

    run_ranges(work, np.diff(arcs.offsets), threads)
    return arcs.like(values)


@kernel
def _normalise(scores, offsets, sides, values):
    """Write log-probabilities of heads."""
    for i in range(len(sides)):
        begin, side = offsets[i], sides[i]
        for m in range(side):
            most, total = -np.inf, 0.0
            for h in range(side):
                if h != m:
                    most = max(most, scores[begin + h * side + m])
            for h in range(side):
                if h != m:
                    total += np.exp(scores[begin + h * side + m] - most)
            for h in range(side):
                at = begin + h * side + m
                values[at] = scores[at] - most - np.log(total) if h != m else -np.inf
