"""Arc scores as weights that neither overflow nor, as a rule, underflow when they are multiplied along a tree."""

import numpy as np

from core.compilation.kernels import kernel


def weigh_one(scores: np.ndarray, single_root: bool) -> tuple[np.ndarray, float]:
    """(weights, lost): exp of a matrix of scores shifted to at most -1, and the nats that each tree lost by that."""
    weights = np.empty(scores.shape)
    lost = _shift(scores, single_root, weights, np.empty(len(scores)))
    np.exp(weights, out=weights)
    return weights, lost


def weigh_range(
    values: np.ndarray, offsets: np.ndarray, begin: int, end: int, single_root: bool, weights: np.ndarray
) -> np.ndarray:
    """``weigh_one`` for sentences begin..end-1 of packed values, into packed ``weights``; returns ``lost`` of each."""
    first, last, lost = offsets[begin], offsets[end], np.empty(end - begin)
    _shift_range(values[first:last], offsets[begin : end + 1] - first, single_root, weights[first:last], lost)
    np.exp(weights[first:last], out=weights[first:last])  # several times as fast as exp in a compiled loop
    return lost


@kernel
def _shift_range(values, offsets, single_root, shifted, lost):
    longest = 0
    for sentence in range(len(lost)):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence])
    shifts = np.empty(round(longest**0.5))
    for sentence in range(len(lost)):
        first, last = offsets[sentence], offsets[sentence + 1]
        side = round((last - first) ** 0.5)
        scores, result = values[first:last].reshape(side, side), shifted[first:last].reshape(side, side)
        lost[sentence] = _shift(scores, single_root, result, shifts[:side])


@kernel
def _shift(scores, single_root, shifted, shifts):
    """Shift each column, and row 0 if there is one root word: every tree takes one arc from each of them.

    Column 0 and the diagonal become -inf.
    """
    side = len(scores)
    shifts[:] = -np.inf
    for h in range(1 if single_root else 0, side):
        for m in range(1, side):
            if h != m and scores[h, m] > shifts[m]:
                shifts[m] = scores[h, m]
    lost = 0.0
    for m in range(1, side):
        # One nat more than the maximum: sums over trees grow by 0 (peaked) to 1.9 nats (flat) a word.
        shifts[m] = 1.0 + shifts[m] if shifts[m] > -np.inf else 0.0
        lost += shifts[m]
    root_shift = 0.0
    if single_root:  # root arcs may be far from the others
        highest = -np.inf
        for m in range(1, side):
            highest = max(highest, scores[0, m] - shifts[m])
        root_shift = highest + 1.0 if highest > -np.inf else 0.0
    for h in range(side):
        down = root_shift if h == 0 else 0.0
        for m in range(1, side):
            shifted[h, m] = scores[h, m] - shifts[m] - down
        shifted[h, 0] = shifted[h, h] = -np.inf
    return lost + root_shift
