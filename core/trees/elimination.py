"""Word-by-word elimination: sums over all trees of a sentence, and their derivatives, without a matrix inverse.

A word k with weights w[h, k] from the remaining heads, T = sum_h w[h, k], is removed by

    log Z += log T,    w[h, c] += w[h, k] w[k, c] / T    for the remaining h, c

(Grassmann, Taksar & Heyman 1985). Every term is positive, so nothing cancels, nothing needs a pivot for accuracy, and a
weight is zero only where the graph says so. Words leave from the last to the first. With several roots the root is a
head like any other in T; with a single root it joins T at the last word only.

Run backwards, the same steps give g[h, m] = d log Z / d w[h, m] (marginals are w * g). Their directional
derivatives give those of the marginals. Each takes n^3 multiply-adds for the sums, 2 n^3 more for the derivative.

Everything here is a kernel in one module. Scratch matrices have shape (n + 1, n + 1). ``eliminated`` holds, once done,
T[k] on its diagonal and the shares w[h, k] / T[k] in column k above it. The weights w[k, c] of the removed word in
row k left of it. Where weights differ by more than doubles can hold, log Z is NaN and the caller turns to
``log_elimination``.

``contract`` and ``reassoc`` let the compiler fuse a multiply with an add and reorder sums so that they vectorize;
unlike ``fastmath=True`` they assume nothing about infinities or NaN.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel

SMALLEST = 1e-200  # a total below this may have lost paths to underflow
TOLERANCE = 1e-9  # largest error of the sum of one word's marginals
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # their sum is log 2
ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to an integer, left in the low bits
LOWEST = -708.0  # exp() of anything below is taken as zero
FUSED = {"contract"}
SUMS = {"contract", "reassoc"}


class Eliminated(NamedTuple):
    """Arrays that sums leave: of every sentence where ``keep`` is set, as ``vary_range`` needs it, else of the last.

    ``state`` (3, arcs) holds weights, elimination and gradient, ``orders`` (rows,) the order of the words. A log Z of
    NaN asks for another method, or for a look at the scores.
    """

    keep: bool
    state: np.ndarray
    orders: np.ndarray
    log_partitions: np.ndarray


@kernel
def sum_one(scores: np.ndarray, single_root: bool) -> tuple[float, np.ndarray]:
    """(log Z or NaN, marginals) of one sentence."""
    side = len(scores)
    marginals = np.empty((side, side))
    scratch = np.empty((3, side, side))
    order, shift = np.empty(side, np.int64), np.empty(side)
    return sum_trees(scores, single_root, scratch[0], scratch[1], scratch[2], order, shift, marginals), marginals


@kernel
def vary_one(scores: np.ndarray, direction: np.ndarray, single_root: bool) -> tuple[float, np.ndarray]:
    """(log Z or NaN, derivative of the marginals along direction) of one sentence."""
    side = len(scores)
    out = np.empty((side, side))
    scratch = np.empty((5, side, side))
    weights, eliminated, gradient = scratch[0], scratch[1], scratch[2]
    order, shift = np.empty(side, np.int64), np.empty(side)
    log_partition = sum_trees(scores, single_root, weights, eliminated, gradient, order, shift, out)
    if log_partition == log_partition:
        vary_trees(direction, single_root, weights, eliminated, gradient, order, scratch[3:], out)
    return log_partition, out


@kernel
def sum_range(
    scores: np.ndarray,
    offsets: np.ndarray,
    rows: np.ndarray,
    begin: int,
    end: int,
    single_root: bool,
    eliminated: Eliminated,
    marginals: np.ndarray,
) -> None:
    """log Z and marginals of sentences begin..end of a packed corpus.

    Sentence i has rows[i + 1] - rows[i] = n + 1 rows.
    """
    keep, state, orders, log_partitions = eliminated
    shift = np.empty(_largest_side(rows, begin, end))
    for sentence in range(begin, end):
        first, last, row = offsets[sentence], offsets[sentence + 1], rows[sentence]
        side = rows[sentence + 1] - row
        at = first if keep else 0
        until = at + side * side
        log_partitions[sentence] = sum_trees(
            scores[first:last].reshape(side, side),
            single_root,
            state[0, at:until].reshape(side, side),
            state[1, at:until].reshape(side, side),
            state[2, at:until].reshape(side, side),
            orders[row : row + side] if keep else orders[:side],
            shift[:side],
            marginals[first:last].reshape(side, side),
        )


@kernel
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
    largest = _largest_side(rows, begin, end)
    scratch = np.empty(2 * largest * largest)
    for sentence in range(begin, end):
        first, last, row = offsets[sentence], offsets[sentence + 1], rows[sentence]
        side = rows[sentence + 1] - row
        if log_partitions[sentence] == log_partitions[sentence]:
            vary_trees(
                directions[first:last].reshape(side, side),
                single_root,
                state[0, first:last].reshape(side, side),
                state[1, first:last].reshape(side, side),
                state[2, first:last].reshape(side, side),
                orders[row : row + side],
                scratch[: 2 * side * side].reshape(2, side, side),
                out[first:last].reshape(side, side),
            )


@inner_kernel
def _largest_side(rows, begin, end):
    largest = 0
    for sentence in range(begin, end):
        largest = max(largest, rows[sentence + 1] - rows[sentence])
    return largest


@kernel
def sum_trees(
    scores: np.ndarray,
    single_root: bool,
    weights: np.ndarray,
    eliminated: np.ndarray,
    gradient: np.ndarray,
    order: np.ndarray,
    shift: np.ndarray,
    marginals: np.ndarray,
) -> float:
    """log Z of one sentence, or NaN; its marginals, and what ``vary_trees`` needs."""
    log_partition = weigh(scores, single_root, gradient, eliminated, weights, shift)
    for head in range(len(weights)):
        for modifier in range(len(weights)):
            eliminated[head, modifier] = weights[head, modifier]
    log_partition += eliminate(eliminated, single_root, order)
    if not abs(log_partition) < np.inf:
        return np.nan
    differentiate(eliminated, single_root, gradient)
    return log_partition if _multiply(weights, gradient, order, shift, marginals) else np.nan


@inner_kernel(fastmath=FUSED)
def vary_trees(
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
    straight = _is_sorted(order)
    for head in range(side):
        for modifier in range(side):
            weight = weights[head, modifier]
            out[head, modifier] = weight * direction[head, modifier] if weight > 0.0 else 0.0
    for i in range(side):
        if straight:
            for j in range(side):
                d_eliminated[i, j] = out[i, j]
        else:
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


@inner_kernel(fastmath=FUSED)
def weigh(
    scores: np.ndarray, single_root: bool, gaps: np.ndarray, powers: np.ndarray, weights: np.ndarray, shift: np.ndarray
) -> float:
    """exp(scores), each column divided by its maximum and, with a single root, row 0 by its own; returns their logs.

    ``gaps`` and ``powers`` are scratch shaped like ``weights``.
    """
    side = len(scores)
    first = 1 if single_root else 0
    shift[:] = -np.inf
    for head in range(first, side):
        own = shift[head]
        for modifier in range(side):
            score = scores[head, modifier]
            shift[modifier] = score if score > shift[modifier] else shift[modifier]
        shift[head] = own  # the diagonal does not count
    total = 0.0
    for modifier in range(1, side):
        if shift[modifier] == -np.inf:  # no head, or the root alone
            shift[modifier] = 0.0
        total += shift[modifier]
    shift[0] = 0.0
    for head in range(side):
        row = gaps[head]
        for modifier in range(side):
            row[modifier] = scores[head, modifier] - shift[modifier]
        row[0] = row[head] = -np.inf
    if single_root:
        highest = -np.inf
        for modifier in range(1, side):
            highest = max(highest, gaps[0, modifier])
        for modifier in range(1, side):
            gaps[0, modifier] -= highest
        total += highest
    _exponentiate(gaps.reshape(side * side), powers.reshape(side * side), weights.reshape(side * side))
    return total


@inner_kernel(fastmath=FUSED)
def _exponentiate(values, powers, out):
    """exp() of each value <= 0, exact to the last digit or two, 0 below -708; NaN stays. A loop that vectorizes."""
    bits = powers.view(np.int64)
    for i in range(len(values)):
        value = LOWEST if values[i] < LOWEST else values[i]
        rounded = value * LOG2_E + ROUND
        powers[i] = rounded
        power = rounded - ROUND
        x = (value - power * LN2_HIGH) - power * LN2_LOW
        series = 1 / 6227020800 * x + 1 / 479001600
        series = series * x + 1 / 39916800
        series = series * x + 1 / 3628800
        series = series * x + 1 / 362880
        series = series * x + 1 / 40320
        series = series * x + 1 / 5040
        series = series * x + 1 / 720
        series = series * x + 1 / 120
        series = series * x + 1 / 24
        series = series * x + 1 / 6
        series = series * x + 0.5
        series = series * x + 1.0
        series = series * x + 1.0
        out[i] = 0.0 if values[i] < LOWEST else series
    for i in range(len(values)):
        bits[i] = (bits[i] << 52) + (1023 << 52)  # 2**power, written as a double
    for i in range(len(values)):
        out[i] *= powers[i]


@inner_kernel(fastmath=FUSED)
def eliminate(weights: np.ndarray, single_root: bool, order: np.ndarray) -> float:
    """Sum over all trees of the product of their weights, as a log; ``weights`` becomes ``eliminated``.

    ``order[k]`` is the word whose weights ended up in row and column k: the words change places only where a word
    without a head among the remaining words must wait.
    """
    side = len(weights)
    for k in range(side):
        order[k] = k
    log_partition, product = 0.0, 1.0
    k = side - 1
    while k > 0:
        first = 1 if single_root and k > 1 else 0
        total = _sum_heads(weights, k, first)
        if total < SMALLEST and k > 1:
            total = _postpone(weights, k, first, order)
        if not total >= SMALLEST:
            return np.nan
        product *= total
        _share_out(weights, k, total)
        following = k - 1
        removed, row = weights[k], weights[following]
        for modifier in range(1, following):
            row[modifier] += weights[following, k] * removed[modifier]
        for head in range(following):
            weights[head, following] += weights[head, k] * removed[following]
        total = _sum_heads(weights, following, 1 if single_root and following > 1 else 0) if following > 0 else 0.0
        if total >= SMALLEST:  # two words leave at once, to write the rest half as often
            product *= total
            _share_out(weights, following, total)
            for head in range(following):
                share, next_share, rest = weights[head, k], weights[head, following], weights[head]
                for modifier in range(1, following):
                    rest[modifier] += share * removed[modifier] + next_share * row[modifier]
            k -= 2
        else:
            for head in range(following):
                share, rest = weights[head, k], weights[head]
                for modifier in range(1, following):
                    rest[modifier] += share * removed[modifier]
            k -= 1
        if not 1e-100 < product < 1e100:
            log_partition += np.log(product)
            product = 1.0
    return log_partition + np.log(product)


@inner_kernel(fastmath=FUSED)
def _sum_heads(weights, k, first):
    total = 0.0
    for head in range(first, k):
        total += weights[head, k]
    return total


@inner_kernel(fastmath=FUSED)
def _share_out(weights, k, total):
    """Divide the weights from the remaining heads by their total, which moves to the diagonal."""
    weights[k, k] = total
    reciprocal = 1.0 / total
    for head in range(k):
        weights[head, k] *= reciprocal


@inner_kernel
def _postpone(weights, k, first, order):
    """Let the remaining word with the most weight from heads change places with word k; returns that weight."""
    best, most = k, -1.0
    for candidate in range(1, k + 1):
        total = 0.0
        for head in range(first, k + 1):
            if head != candidate:
                total += weights[head, candidate]
        if total > most:
            best, most = candidate, total
    for i in range(len(weights)):
        weights[best, i], weights[k, i] = weights[k, i], weights[best, i]
    for i in range(len(weights)):
        weights[i, best], weights[i, k] = weights[i, k], weights[i, best]
    order[best], order[k] = order[k], order[best]
    return most


@inner_kernel(fastmath=SUMS)
def differentiate(eliminated: np.ndarray, single_root: bool, gradient: np.ndarray) -> None:
    """gradient[h, m] = d log Z / d w[h, m], by the steps of ``eliminate`` in reverse; zero on the diagonal."""
    side = len(eliminated)
    gradient[0, 0] = gradient[1, 1] = 0.0
    for head in range(side):
        gradient[head, 0] = 0.0
    gradient[0, 1] = 1.0 / eliminated[1, 1]
    for k in range(2, side):
        removed, onward = eliminated[k], gradient[k]
        for modifier in range(1, k):
            onward[modifier] = 0.0
        mean = 0.0
        for head in range(0, k, 2):  # two at a time, to read and write the rest half as often
            other = head + 1 if head + 1 < k else head
            share, share_of_other = eliminated[head, k], eliminated[other, k] if other != head else 0.0
            row, row_of_other = gradient[head], gradient[other]
            through, through_other = 0.0, 0.0
            for modifier in range(1, k):
                through += row[modifier] * removed[modifier]
                through_other += row_of_other[modifier] * removed[modifier]
                onward[modifier] += row[modifier] * share + row_of_other[modifier] * share_of_other
            gradient[head, k], gradient[other, k] = through, through_other
            mean += share * through + share_of_other * through_other
        reciprocal = 1.0 / eliminated[k, k]
        for head in range(k):
            joined = 0.0 if single_root and head == 0 else 1.0 - mean
            gradient[head, k] = (gradient[head, k] + joined) * reciprocal
        gradient[k, k] = 0.0


@inner_kernel(fastmath=FUSED)
def _multiply(weights, gradient, order, column_sums, out):
    """out = weights * gradient, the latter in elimination order; whether every word's marginals sum to one."""
    side = len(weights)
    column_sums[:] = 0.0
    straight = _is_sorted(order)
    for head in range(side):
        if straight:
            for modifier in range(side):
                out[head, modifier] = weights[head, modifier] * gradient[head, modifier]
        else:
            for modifier in range(side):
                h, m = order[head], order[modifier]
                out[h, m] = weights[h, m] * gradient[head, modifier]
    for head in range(side):
        for modifier in range(side):
            column_sums[modifier] += out[head, modifier]
    for modifier in range(1, side):
        if not abs(column_sums[modifier] - 1.0) < TOLERANCE:
            return False
    return True


@inner_kernel(fastmath=FUSED)
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


@inner_kernel(fastmath=FUSED)
def _share_out_along(eliminated, d_weights, k, first):
    """Derivatives of the total of word k, onto the diagonal, and of the shares of its heads."""
    d_total = 0.0
    for head in range(first, k):
        d_total += d_weights[head, k]
    d_weights[k, k] = d_total
    reciprocal = 1.0 / eliminated[k, k]
    for head in range(k):
        d_weights[head, k] = (d_weights[head, k] - eliminated[head, k] * d_total) * reciprocal


@inner_kernel(fastmath=SUMS)
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


@inner_kernel
def _is_sorted(order):
    for k in range(len(order)):
        if order[k] != k:
            return False
    return True
