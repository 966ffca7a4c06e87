"""Inside and outside of Eisner's chart in several semirings: the kernels of sums and maxima over projective trees.

Words count from 0 and the root stands apart: the chart covers words only, and the root joins in O(n^2) at the top,
whether one word or several hang from it. Chart items, for words i <= j of a span, ends inclusive:

- ``right[i, j]``: complete span headed by i; ``left[i, j]``: complete span headed by j
- ``right_arc[i, j]``: span with the arc i -> j on top; ``left_arc[i, j]``: span with the arc j -> i on top

All but ``right_arc`` are symmetric tables, so that rows and columns of the upper triangle are both contiguous. The
same loops run in five semirings: sums on plain weights, maxima on scores, sums on logarithms where weights would
underflow. The two sums come again on dual numbers, a complex number standing for a value and its derivative along a
direction. The type of a NamedTuple chooses when they are compiled: a choice within the loops would take a tenth
of the time of sums. Maxima and sums on logarithms, which differ in little, share a type.
"""

from math import exp, log, log1p
from typing import NamedTuple

import numpy as np
from numba.extending import overload

from core.compilation.kernels import inner_kernel, kernel


class SumProduct(NamedTuple):
    """Sums of products of weights."""

    zero: float = 0.0
    one: float = 1.0


class Logarithms(NamedTuple):
    """Products of weights that are held as their logarithms: the largest of them, or their sums."""

    largest: bool
    zero: float = -np.inf
    one: float = 0.0


class DualSumProduct(NamedTuple):
    """Sums of products of dual weights: the imaginary part is the derivative of the real part."""

    zero: complex = 0j
    one: complex = 1 + 0j


class DualLogSum(NamedTuple):
    """Sums as before, where the real part is a weight's logarithm and the imaginary part the derivative of that."""

    zero: complex = complex(-np.inf, 0.0)
    one: complex = 0j


Semiring = SumProduct | Logarithms | DualSumProduct | DualLogSum
MAX_PLUS, LOG_SUM = Logarithms(largest=True), Logarithms(largest=False)


def _operation(sum_product, logarithms, dual_sum_product, dual_log_sum):
    """One operation in each semiring: the type of its last argument picks the code when a caller is compiled."""
    by_semiring = {
        SumProduct: sum_product,
        Logarithms: logarithms,
        DualSumProduct: dual_sum_product,
        DualLogSum: dual_log_sum,
    }

    def operation(*arguments):  # without a compiler
        return by_semiring[type(arguments[-1])](*arguments)

    @overload(operation, strict=False, jit_options={"forceinline": True})
    def typed(*arguments):
        return by_semiring[arguments[-1].instance_class]

    return operation


@kernel
def _log_add(a, b):
    high, low = (a, b) if a > b else (b, a)
    return high + log1p(exp(low - high)) if high > -np.inf else high


@kernel
def _dual_log_add(a, b):
    total = _log_add(a.real, b.real)
    if total == -np.inf:
        return complex(-np.inf, 0.0)
    return complex(total, a.imag * exp(a.real - total) + b.imag * exp(b.real - total))


_plus = _operation(
    lambda a, b, semiring: a + b,
    lambda a, b, semiring: (a if a > b else b) if semiring.largest else _log_add(a, b),
    lambda a, b, semiring: a + b,
    lambda a, b, semiring: _dual_log_add(a, b),
)
_times = _operation(
    lambda a, b, semiring: a * b,
    lambda a, b, semiring: a + b,
    lambda a, b, semiring: complex(a.real * b.real, a.real * b.imag + a.imag * b.real),
    lambda a, b, semiring: complex(a.real + b.real, a.imag + b.imag),
)

# _share(value, total, semiring): what is reported for an arc, given the total of the sentence.
_share = _operation(
    lambda value, total, semiring: value / total,
    lambda value, total, semiring: value if semiring.largest else exp(value - total),
    lambda value, total, semiring: _dual_share(
        value.real / total.real, value.imag / total.real, total.imag / total.real
    ),
    lambda value, total, semiring: _dual_log_share(value, total),
)


@kernel
def _dual_share(share, change, total_change):
    return complex(share, change - share * total_change)


@kernel
def _dual_log_share(value, total):
    share = exp(value.real - total.real)
    return complex(share, share * (value.imag - total.imag))


def _push_sum(row, items, factor, semiring):
    count = len(row) & ~3  # tells the compiler that no scalar remainder is left: short rows take half the time
    for j in range(count):
        row[j] += factor * items[j]


def _push_logarithm(row, items, factor, semiring):
    if not semiring.largest:
        _push_logs(row, items, factor)
        return
    count = len(row) & ~3
    for j in range(count):
        value = factor + items[j]
        row[j] = value if value > row[j] else row[j]


@kernel
def _push_logs(row, items, factor):
    for j in range(len(row)):
        row[j] = _log_add(row[j], factor + items[j])


def _push_dual_sum(row, items, factor, semiring):
    count = len(row) & ~3
    value, change = factor.real, factor.imag
    for j in range(count):
        item = items[j]
        row[j] += complex(value * item.real, value * item.imag + change * item.real)


def _push_dual_logs(row, items, factor, semiring):
    for j in range(len(row)):
        row[j] = _plus(row[j], _times(factor, items[j], semiring), semiring)


# _push(row, items, factor, semiring): row += factor * items, over a length that is a multiple of four.
_push = _operation(_push_sum, _push_logarithm, _push_dual_sum, _push_dual_logs)


@kernel
def solve_range(
    values: np.ndarray,
    offsets: np.ndarray,
    begin: int,
    end: int,
    semiring: Semiring,
    single_root: bool,
    totals: np.ndarray,
    output: np.ndarray,
) -> int:
    """Totals and arc values of sentences begin..end-1; a total of NaN says not to trust them.

    ``values`` are weights of arcs as the semiring has them, and may be the same array as ``output``. Totals are in
    nats. Arc values are marginals of sums; of maxima, the value of the best tree through each arc.
    Returns how many totals are NaN. One workspace serves all sentences.
    """
    tables, rows = _workspace(offsets, begin, end, semiring)
    unsound = 0
    for sentence in range(begin, end):
        first, last, side = offsets[sentence], offsets[sentence + 1], _side(offsets, sentence)
        arcs, result = values[first:last].reshape(side, side), output[first:last].reshape(side, side)
        totals[sentence] = _solve_chart(arcs, _table(tables, side - 1), rows, single_root, result, semiring)
        unsound += np.isnan(totals[sentence])
    return unsound


@kernel
def sum_one(values: np.ndarray, single_root: bool, output: np.ndarray) -> float:
    """``solve_range`` in SumProduct for one matrix, with little to hand over; returns the total."""
    semiring = SumProduct(0.0, 1.0)
    side = len(values)
    tables, rows = _workspace(np.array([0, side * side]), 0, 1, semiring)
    return _solve_chart(values, _table(tables, side - 1), rows, single_root, output, semiring)


@kernel
def chart_one(values: np.ndarray, single_root: bool, semiring: Semiring) -> tuple[float, np.ndarray, np.ndarray]:
    """(total, tables, arc values) of one matrix: the chart as it was left, for who wants to look into it.

    ``tables`` is (8, n, n + 4): after the weights come ``right``, ``left``, ``right_arc`` and ``left_arc``.
    """
    side = len(values)
    tables, rows = _workspace(np.array([0, side * side]), 0, 1, semiring)
    result = np.empty((side, side))
    total = _solve_chart(values, _table(tables, side - 1), rows, single_root, result, semiring)
    return total, _table(tables, side - 1), result


@kernel
def vary_range(
    values: np.ndarray,
    direction: np.ndarray,
    offsets: np.ndarray,
    begin: int,
    end: int,
    semiring: Semiring,
    single_root: bool,
    output: tuple,
) -> int:
    """``solve_range`` in DualSumProduct or DualLogSum, with the derivative of the marginals along ``direction``.

    ``values`` are plain weights or scores, and may be the same array as ``marginals``. ``output`` is totals, marginals
    and covariance, to be filled.
    """
    totals, marginals, covariance = output
    tables, rows = _workspace(offsets, begin, end, semiring)
    results = np.empty(len(tables) + 4, tables.dtype)
    unsound = 0
    for sentence in range(begin, end):
        first, last, side = offsets[sentence], offsets[sentence + 1], _side(offsets, sentence)
        arcs, along = values[first:last].reshape(side, side), direction[first:last].reshape(side, side)
        result = results[: side * side].reshape(side, side)
        scale = _differentiate(arcs, along, result, semiring)
        totals[sentence] = _solve_chart(result, _table(tables, side - 1), rows, single_root, result, semiring)
        unsound += np.isnan(totals[sentence])
        for arc in range(side * side):
            marginals[first + arc] = results[arc].real
            covariance[first + arc] = results[arc].imag * scale
    return unsound


@inner_kernel
def _differentiate(arcs, direction, dual, semiring):
    """Dual weights along ``direction`` scaled to at most 1 in size; returns the scale. Forbidden arcs do not move."""
    side, nothing = len(arcs), semiring.zero.real
    scale = 0.0
    for h in range(side):
        for m in range(1, side):
            if h != m and arcs[h, m] != nothing:
                scale = max(scale, abs(direction[h, m]))
    for h in range(side):
        for m in range(1, side):
            moves = scale > 0.0 and h != m and arcs[h, m] != nothing
            change = direction[h, m] / scale if moves else 0.0
            dual[h, m] = complex(arcs[h, m], arcs[h, m] * change if semiring.one == 1.0 else change)
    return scale


@inner_kernel
def _side(offsets, sentence):
    return round((offsets[sentence + 1] - offsets[sentence]) ** 0.5)


@inner_kernel
def _workspace(offsets, begin, end, semiring):
    """Eight tables and five rows for the longest of the sentences, with room for loops over multiples of four."""
    longest = 1
    for sentence in range(begin, end):
        longest = max(longest, _side(offsets, sentence) - 1)
    return np.full(8 * longest * (longest + 4), semiring.one), np.full((5, longest + 4), semiring.one)


@inner_kernel
def _table(tables, n):
    return tables[: 8 * n * (n + 4)].reshape(8, n, n + 4)


@inner_kernel
def _solve_chart(arcs, table, rows, single_root, result, semiring):
    """The total of one sentence in nats, and each arc's value in ``result``; NaN if they cannot be trusted."""
    n = len(arcs) - 1
    weights, right, left, right_arc, left_arc = table[0], table[1], table[2], table[3], table[4]
    outer, root = table[5:], rows[4]
    for m in range(n):
        root[m] = arcs[0, m + 1]
        for h in range(n):
            weights[h, m] = arcs[h + 1, m + 1]
    linear = semiring.one == 1.0
    _inside(weights, right, left, right_arc, left_arc, rows, semiring)
    total = _join_root(right, left, single_root, outer, rows, result, semiring)
    # Every outside value is below exp(0.92 n): there are at most 6.75^n = exp(1.91 n) trees and each arc weighs at
    # most exp(-1). Parts lost below the smallest normal float, 2e-308, then change no marginal by more than 1e-25.
    if linear and not exp(0.92 * n) * 1e-280 < total.real < np.inf:
        return np.nan
    if total.real == semiring.zero.real:
        for h in range(n + 1):
            for m in range(n + 1):
                result[h, m] = _share(semiring.zero, semiring.one, semiring)
        return -np.inf
    _outside(table[:5], outer, rows, result, semiring)
    sums = np.zeros(n + 1, result.dtype)
    for h in range(n + 1):
        for m in range(n + 1):
            result[h, m] = _share(result[h, m], total, semiring)
            sums[m] += result[h, m]
    if result[0, 0] == 0.0:  # probabilities: each column must sum to one, and the derivatives to zero
        for m in range(1, n + 1):
            if not abs(sums[m] - 1.0) < (1e-9 if linear else 1e-6):
                return np.nan
    return log(total.real) if linear else total.real


@inner_kernel
def _inside(weights, right, left, right_arc, left_arc, rows, semiring):
    """Fill the chart. Once an item is final it is pushed into all longer spans that begin where it begins."""
    n = len(weights)
    joined_row, right_row, left_row = rows[0], rows[1], rows[2]
    one, zero = semiring.one, semiring.zero
    for i in range(n - 1, -1, -1):
        right[i, i] = left[i, i] = one
        for j in range(i + 1, n):
            joined_row[j] = left[i + 1, j]
            right_row[j] = left_row[j] = zero
        for k in range(i + 1, n):
            right_top = _times(joined_row[k], weights[i, k], semiring)
            left_top = _times(joined_row[k], weights[k, i], semiring)
            right_item = _plus(right_row[k], right_top, semiring)
            left_item = _plus(left_row[k], left_top, semiring)
            right_arc[i, k] = right_top
            left_arc[i, k] = left_arc[k, i] = left_top
            right[i, k] = right[k, i] = right_item
            left[i, k] = left[k, i] = left_item
            begin, end = k + 1, k + 1 + ((n - k + 2) & ~3)
            _push(joined_row[begin:end], left[k + 1 if begin < n else k, begin:end], right_item, semiring)
            _push(right_row[begin:end], right[k, begin:end], right_top, semiring)
            _push(left_row[begin:end], left_arc[k, begin:end], left_item, semiring)


@inner_kernel
def _join_root(right, left, single_root, outer, rows, result, semiring):
    """The total of the sentence; begins ``out_right`` and ``out_left``, transposed, and row 0 of ``result``."""
    out_right, out_left, root, n = outer[0], outer[1], rows[4], len(right)
    one, zero = semiring.one, semiring.zero
    out_right[:] = zero
    out_left[:] = zero
    result[0, 0] = zero
    if single_root:
        total = zero
        for r in range(n):
            out_left[r, 0] = _times(root[r], right[r, n - 1], semiring)
            out_right[n - 1, r] = _times(root[r], left[0, r], semiring)
            result[0, r + 1] = _times(out_left[r, 0], left[0, r], semiring)
            total = _plus(total, result[0, r + 1], semiring)
        return total
    # prefix[e]: trees over words 0..e-1; top[r]: the same up to r, with r a child of the root still without its right
    prefix, top, out_prefix, out_top = rows[0], rows[1], rows[2], rows[3]
    prefix[0] = one
    for r in range(n):
        top[r] = prefix[r + 1] = zero
        for k in range(r + 1):
            top[r] = _plus(top[r], _times(prefix[k], left[r, k], semiring), semiring)
        top[r] = _times(top[r], root[r], semiring)
        for k in range(r + 1):
            prefix[r + 1] = _plus(prefix[r + 1], _times(top[k], right[r, k], semiring), semiring)
        out_prefix[r] = out_top[r] = zero
    out_prefix[n] = one
    for r in range(n - 1, -1, -1):
        for k in range(r + 1):
            out_top[k] = _plus(out_top[k], _times(out_prefix[r + 1], right[r, k], semiring), semiring)
            out_right[r, k] = _times(out_prefix[r + 1], top[k], semiring)
        below = _times(out_top[r], root[r], semiring)
        for k in range(r + 1):
            out_prefix[k] = _plus(out_prefix[k], _times(below, left[r, k], semiring), semiring)
            out_left[r, k] = _times(below, prefix[k], semiring)
        result[0, r + 1] = _times(top[r], out_top[r], semiring)
    return prefix[n]


@inner_kernel
def _outside(inside, outer, rows, result, semiring):
    """Run ``_inside`` backwards; ``result`` gets each arc's inside times outside.

    The outside tables are transposed, [end, begin], and hold what rows above have contributed; the three rows hold
    what the longer spans of the row itself have.
    """
    weights, right, left, right_arc, left_arc = inside[0], inside[1], inside[2], inside[3], inside[4]
    out_right, out_left, out_left_arc, n = outer[0], outer[1], outer[2], len(weights)
    joined_row, right_row, left_row = rows[0], rows[1], rows[2]  # outside of right[i, k], right_arc[i, k], left[i, k]
    zero = semiring.zero
    out_left_arc[:] = zero
    for i in range(n):
        for k in range(i, n):
            joined_row[k] = right_row[k] = left_row[k] = zero
        result[i + 1, 0] = result[i + 1, i + 1] = zero
        for j in range(n - 1, i, -1):
            outer_right = _plus(joined_row[j], out_right[j, i], semiring)
            outer_left = _plus(left_row[j], out_left[j, i], semiring)
            outer_right_arc = _plus(right_row[j], outer_right, semiring)
            outer_left_arc = _plus(out_left_arc[j, i], outer_left, semiring)
            result[i + 1, j + 1] = _times(outer_right_arc, right_arc[i, j], semiring)
            result[j + 1, i + 1] = _times(outer_left_arc, left_arc[i, j], semiring)
            outer_joined = _plus(
                _times(outer_right_arc, weights[i, j], semiring),
                _times(outer_left_arc, weights[j, i], semiring),
                semiring,
            )
            begin, end = i + 1, i + 1 + ((j - i + 3) & ~3)
            _push(joined_row[i : end - 1], left[j, begin:end], outer_joined, semiring)
            _push(out_left[j, begin:end], right[i, i : end - 1], outer_joined, semiring)
            end = i + 1 + ((j - i + 2) & ~3)
            _push(right_row[begin:end], right[j, begin:end], outer_right, semiring)
            _push(out_right[j, begin:end], right_arc[i, begin:end], outer_right, semiring)
            _push(left_row[begin:end], left_arc[j, begin:end], outer_left, semiring)
            _push(out_left_arc[j, begin:end], left[i, begin:end], outer_left, semiring)
