"""The derivative of arc marginals along a direction: the steps of ``core.trees.elimination``, differentiated.

2 n^3 multiply-adds, from what the sums left: weights, elimination, gradient and order of the words.
"""

import numpy as np
from numba import njit

from core.trees.elimination import FUSED, SUMS, Eliminated


@njit(cache=True, nogil=True)
def vary_one(direction: np.ndarray, single_root: bool, state: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Derivative of the marginals along direction, (n + 1, n + 1), from what ``sum_one`` left."""
    side = len(direction)
    out = np.empty((side, side))
    _vary(direction, single_root, state[0], state[1], state[2], order, np.empty((2, side, side)), out)
    return out


@njit(cache=True, nogil=True)
def vary_range(
    directions: np.ndarray,
    offsets: np.ndarray,
    rows: np.ndarray,
    begin: int,
    end: int,
    single_root: bool,
    eliminated: Eliminated,
    out: np.ndarray,
) -> None:
    """Derivative of the marginals along ``directions`` for sentences begin..end, from what ``sum_range`` left."""
    _, state, orders, log_partitions = eliminated
    largest = 0
    for sentence in range(begin, end):
        largest = max(largest, rows[sentence + 1] - rows[sentence])
    scratch = np.empty(2 * largest * largest)
    for sentence in range(begin, end):
        first, last, row = offsets[sentence], offsets[sentence + 1], rows[sentence]
        side = rows[sentence + 1] - row
        if log_partitions[sentence] == log_partitions[sentence]:
            _vary(
                directions[first:last].reshape(side, side),
                single_root,
                state[0, first:last].reshape(side, side),
                state[1, first:last].reshape(side, side),
                state[2, first:last].reshape(side, side),
                orders[row : row + side],
                scratch[: 2 * side * side].reshape(2, side, side),
                out[first:last].reshape(side, side),
            )


@njit(cache=True, nogil=True, fastmath=FUSED)
def _vary(
    direction: np.ndarray,
    single_root: bool,
    weights: np.ndarray,
    eliminated: np.ndarray,
    gradient: np.ndarray,
    order: np.ndarray,
    scratch: np.ndarray,
    out: np.ndarray,
) -> None:
    """Derivative of the marginals along scores + t * direction; directions of forbidden arcs are not looked at."""
    d_eliminated, d_gradient = scratch[0], scratch[1]
    side = len(weights)
    straight = True
    for k in range(side):
        straight &= order[k] == k
    for head in range(side):
        for modifier in range(side):
            weight = weights[head, modifier]
            out[head, modifier] = weight * direction[head, modifier] if weight > 0.0 else 0.0
    if straight:
        d_eliminated[:] = out
    else:
        for i in range(side):
            for j in range(side):
                d_eliminated[i, j] = out[order[i], order[j]]
    _eliminate_along(eliminated, single_root, d_eliminated)
    _differentiate_along(eliminated, d_eliminated, gradient, single_root, d_gradient)
    if straight:
        for head in range(side):
            for modifier in range(side):
                out[head, modifier] = (
                    out[head, modifier] * gradient[head, modifier]
                    + weights[head, modifier] * d_gradient[head, modifier]
                )
    else:
        for i in range(side):
            for j in range(side):
                h, m = order[i], order[j]
                out[h, m] = out[h, m] * gradient[i, j] + weights[h, m] * d_gradient[i, j]


@njit(cache=True, nogil=True, fastmath=FUSED)
def _eliminate_along(eliminated, single_root, d_weights):
    """``d_weights``, a derivative of the weights, becomes that of ``eliminated``."""
    k = len(eliminated) - 1
    while k > 0:
        _share_out_along(eliminated, d_weights, k, 1 if single_root and k > 1 else 0)
        following = k - 1
        if following == 0:
            break
        removed, d_removed, row, d_row = eliminated[k], d_weights[k], eliminated[following], d_weights[following]
        share, d_share = row[k], d_row[k]
        for modifier in range(1, following):
            d_row[modifier] += d_share * removed[modifier] + share * d_removed[modifier]
        weight, d_weight = removed[following], d_removed[following]
        for head in range(following):
            d_weights[head, following] += d_weights[head, k] * weight + eliminated[head, k] * d_weight
        _share_out_along(eliminated, d_weights, following, 1 if single_root and following > 1 else 0)
        for head in range(following):  # the rows of two words at once, to write the rest half as often
            share, d_share, rest = eliminated[head, k], d_weights[head, k], d_weights[head]
            next_share, next_d_share = eliminated[head, following], d_weights[head, following]
            for modifier in range(1, following):
                own = d_share * removed[modifier] + share * d_removed[modifier]
                rest[modifier] += own + next_d_share * row[modifier] + next_share * d_row[modifier]
        k -= 2


@njit(cache=True, nogil=True, fastmath=FUSED)
def _share_out_along(eliminated, d_weights, k, first):
    """Derivatives of the total of word k, onto the diagonal, and of the shares of its heads."""
    d_total = 0.0
    for head in range(first, k):
        d_total += d_weights[head, k]
    d_weights[k, k] = d_total
    reciprocal = 1.0 / eliminated[k, k]
    for head in range(k):
        d_weights[head, k] = (d_weights[head, k] - eliminated[head, k] * d_total) * reciprocal


@njit(cache=True, nogil=True, fastmath=SUMS)
def _differentiate_along(eliminated, d_eliminated, gradient, single_root, d_gradient):
    """Derivative of ``gradient``, given that of ``eliminated``."""
    side = len(eliminated)
    d_gradient[:, 0] = 0.0
    d_gradient[1, 1] = 0.0
    d_gradient[0, 1] = -gradient[0, 1] * d_eliminated[1, 1] / eliminated[1, 1]
    for k in range(2, side):
        removed, d_removed, d_onward = eliminated[k], d_eliminated[k], d_gradient[k]
        for modifier in range(1, k):
            d_onward[modifier] = 0.0
        d_mean = 0.0  # of what differentiate() calls the mean: shares of the heads in the total change by zero in sum
        for head in range(k):
            d_mean += d_eliminated[head, k] * gradient[head, k]
        d_mean *= eliminated[k, k]
        for head in range(0, k, 2):
            other = head + 1 if head + 1 < k else head
            share, d_share = eliminated[head, k], d_eliminated[head, k]
            share_of_other = eliminated[other, k] if other != head else 0.0
            d_share_of_other = d_eliminated[other, k] if other != head else 0.0
            row, d_row = gradient[head], d_gradient[head]
            row_of_other, d_row_of_other = gradient[other], d_gradient[other]
            d_through, d_through_other = 0.0, 0.0
            for modifier in range(1, k):
                weight, d_weight = removed[modifier], d_removed[modifier]
                d_through += d_row[modifier] * weight + row[modifier] * d_weight
                d_through_other += d_row_of_other[modifier] * weight + row_of_other[modifier] * d_weight
                own = d_row[modifier] * share + row[modifier] * d_share
                d_onward[modifier] += (
                    own + d_row_of_other[modifier] * share_of_other + row_of_other[modifier] * d_share_of_other
                )
            d_gradient[head, k], d_gradient[other, k] = d_through, d_through_other
            d_mean += share * d_through + share_of_other * d_through_other
        reciprocal = 1.0 / eliminated[k, k]
        for head in range(k):
            joined = 0.0 if single_root and head == 0 else -d_mean
            change = gradient[head, k] * d_eliminated[k, k]
            d_gradient[head, k] = (d_gradient[head, k] + joined - change) * reciprocal
        d_gradient[k, k] = 0.0
