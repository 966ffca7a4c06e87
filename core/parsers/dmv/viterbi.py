"""The most probable trees under the DMV, with any brackets but at tear: charts of eight sentences side by side.

The same chart as ``core.parsers.dmv.chart``, whose notes say what its items are, with maxima of log-probabilities.
No choices are stored: those of the n spans in the best tree are found again on the way down.
"""

import numpy as np
from numba import njit

LANES = 8
EMPTY, DONE, FIRST, NEXT = range(4)  # as in core.trees.bracket_kernels
TIE = 1e-9  # log-probabilities closer than this, relative to their size, count as equal
TABLES = 8


@njit(cache=True, nogil=True)
def best_range(tags, offsets, order, begin, end, brackets, take, valence, root, seed, values, heads):
    """Heads and log-probabilities of the best trees of sentences order[begin:end].

    Parameters are those of ``dmv_chart.expect_range`` in logarithms, -inf for what cannot be. ``values`` (S,) gets
    nats, by sentence; ``heads``, laid out like ``tags``, the trees, -1 where none is possible. Between equally good
    ways to fill a span chance decides, by ``seed`` and the sentence's index alone.
    """
    starts, ends, marks, levels = brackets
    longest = 1
    for place in range(begin, end):
        longest = max(longest, offsets[order[place] + 1] - offsets[order[place]] - 1)
    space, words = np.empty((TABLES + 4) * longest * longest * LANES), np.zeros((9, longest, LANES))
    lengths, rows = np.zeros(LANES, np.int64), np.zeros((LANES, longest), np.int64)
    stack = np.empty((2 * longest + 2, 2), np.int64)
    for first in range(begin, end, LANES):
        n = _seat(tags, offsets, order, first, end, lengths, rows)
        size = n * n * LANES
        charts = space[: TABLES * size].reshape(TABLES, size)
        bounds = space[TABLES * size : (TABLES + 4) * size].reshape(4, size)
        _weigh(rows, lengths, n, take, valence, root, charts, words)
        marked = _mark(order, first, end, n, lengths, starts, ends, marks, levels, bounds, charts)
        _fill(n, charts, words, bounds, marked)
        for lane in range(min(LANES, end - first)):
            sentence = order[first + lane]
            state = np.array([np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(sentence)])
            found = heads[offsets[sentence] : offsets[sentence + 1]]
            values[sentence] = _read(lane, lengths[lane], n, charts, words, bounds, marked, stack, state, found)


@njit(cache=True, nogil=True)
def _seat(tags, offsets, order, first, end, lengths, rows):
    """Lengths and tags of up to LANES sentences; empty lanes have length 0. Returns the longest."""
    n = 1
    for lane in range(LANES):
        lengths[lane] = 0
        if first + lane < end:
            sentence = order[first + lane]
            lengths[lane] = offsets[sentence + 1] - offsets[sentence] - 1
            for i in range(lengths[lane]):
                rows[lane, i] = tags[offsets[sentence] + 1 + i]
        n = max(n, lengths[lane])
    return n


@njit(cache=True, nogil=True)
def _weigh(rows, lengths, n, take, valence, root, charts, words):
    """Scores of arcs in tables 0 (to the right) and 1 (to the left), of words by valence and, in row 8, as roots."""
    right_take, left_take = charts[0], charts[1]
    right_take[:] = -np.inf
    left_take[:] = -np.inf
    words[:] = 0.0
    for lane in range(LANES):
        for m in range(lengths[lane]):
            tag = rows[lane, m]
            for h in range(m):
                right_take[(h * n + m) * LANES + lane] = take[1, rows[lane, h], tag]
            for h in range(m + 1, lengths[lane]):
                left_take[(m * n + h) * LANES + lane] = take[0, rows[lane, h], tag]
            words[8, m, lane] = root[tag]
            for kind in range(4):
                words[kind, m, lane] = valence[kind, 0, tag]
                words[4 + kind, m, lane] = valence[kind, 1, tag]


@njit(cache=True, nogil=True)
def _mark(order, first, end, n, lengths, starts, ends, marks, levels, tables, charts):
    """What brackets at sprawl, loose and strict ask, rules 1 to 3 of ``core.trees.bracket_kernels``; whether any do.

    Tables 0 and 1 say which right halves [head, end] and left halves [end, head] are kept; 2 and 3 after which word,
    and (as negative numbers) before which, their last modifier must stand. Forbidden arcs lose their weight.
    """
    marked = False
    for lane in range(min(LANES, end - first)):
        marked |= levels[order[first + lane]] > 1
    if not marked:
        return False
    tables[:2] = 0.0
    tables[2:] = -np.inf
    for lane in range(min(LANES, end - first)):
        sentence = order[first + lane]
        level = levels[sentence]
        for bracket in range(marks[sentence], marks[sentence + 1] if level > 1 else marks[sentence]):
            begin, last = starts[bracket] - 1, ends[bracket] - 2
            for i in range(lengths[lane]):
                for j in range(i + 1, lengths[lane]):
                    cell = (i * n + j) * LANES + lane
                    if i < begin <= j < last:
                        tables[0, cell] = -np.inf
                    if begin < i <= last < j:
                        tables[1, cell] = -np.inf
                    if begin <= i <= last < j:
                        if level == 3:
                            tables[2, cell] = max(tables[2, cell], last)
                        elif level == 4:
                            charts[0, cell] = -np.inf
                    if i < begin <= j <= last:
                        if level == 3:
                            tables[3, cell] = max(tables[3, cell], -begin)
                        elif level == 4:
                            charts[1, cell] = -np.inf
    return True


@njit(cache=True, nogil=True)
def _fill(n, charts, words, bounds, marked):
    """Fill tables 2 to 7: right, left, right_done, left_done, right_arc, left_arc."""
    right_take, left_take, right, left = charts[0], charts[1], charts[2], charts[3]
    right_done, left_done, right_arc, left_arc = charts[4], charts[5], charts[6], charts[7]
    to_left, to_right = words[:4], words[4:8]
    split, right_best, left_best = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for i in range(n - 1, -1, -1):
        for lane in range(LANES):
            cell = i * (n + 1) * LANES + lane
            right[cell] = left[cell] = -np.inf
            right_done[cell], left_done[cell] = to_right[EMPTY, i, lane], to_left[EMPTY, i, lane]
        for j in range(i + 1, n):
            ij = (i * n + j) * LANES
            for lane in range(LANES):
                split[lane] = right_best[lane] = left_best[lane] = -np.inf
            for k in range(i + 1, j):
                ik, kj = (i * n + k) * LANES, (k * n + j) * LANES
                lj = kj + n * LANES  # below k
                _raise(split, right[ik : ik + LANES], left[lj : lj + LANES])
                if marked:
                    _raise_within(right_best, right_arc[ik : ik + LANES], right_done[kj : kj + LANES], k, bounds[2], ij)
                    _raise_within(left_best, left_done[ik : ik + LANES], left_arc[kj : kj + LANES], -k, bounds[3], ij)
                else:
                    _raise(right_best, right_arc[ik : ik + LANES], right_done[kj : kj + LANES])
                    _raise(left_best, left_done[ik : ik + LANES], left_arc[kj : kj + LANES])
            for lane in range(LANES):
                done_left, done_right = to_left[DONE, j, lane], to_right[DONE, i, lane]
                near_left, near_right = to_left[EMPTY, j, lane], to_right[EMPTY, i, lane]
                more_left = more_right = -np.inf
                if i + 1 < j:
                    of_i, of_j = right[ij - LANES + lane], left[ij + n * LANES + lane]
                    more_right = max(split[lane] + done_left, of_i + near_left)
                    more_left = max(split[lane] + done_right, of_j + near_right)
                    near_left, near_right = of_j + done_left, of_i + done_right
                arc = max(to_right[FIRST, i, lane] + near_left, to_right[NEXT, i, lane] + more_right)
                arc += right_take[ij + lane]
                right_arc[ij + lane] = arc
                right[ij + lane] = max(right_best[lane], arc + to_right[EMPTY, j, lane])
                if marked:
                    right[ij + lane] += bounds[0, ij + lane]
                right_done[ij + lane] = right[ij + lane] + done_right
                arc = max(to_left[FIRST, j, lane] + near_right, to_left[NEXT, j, lane] + more_left)
                arc += left_take[ij + lane]
                left_arc[ij + lane] = arc
                left[ij + lane] = max(left_best[lane], arc + to_left[EMPTY, i, lane])
                if marked:
                    left[ij + lane] += bounds[1, ij + lane]
                left_done[ij + lane] = left[ij + lane] + done_left


@njit(cache=True, nogil=True)
def _raise(best, a, b):
    for lane in range(LANES):
        value = a[lane] + b[lane]
        best[lane] = value if value > best[lane] else best[lane]


@njit(cache=True, nogil=True)
def _raise_within(best, a, b, place, bounds, cell):
    """``_raise`` in the lanes whose bound lies before ``place``."""
    bound = bounds[cell : cell + LANES]
    for lane in range(LANES):
        value = a[lane] + b[lane]
        best[lane] = value if value > best[lane] and place > bound[lane] else best[lane]


@njit(cache=True, nogil=True)
def _read(lane, length, n, charts, words, bounds, marked, stack, state, heads):
    """The heads of one sentence; returns the value of its tree."""
    right_done, left_done = charts[4], charts[5]
    heads[:] = -1
    value = -np.inf
    for r in range(length):
        at_r = words[8, r, lane] + left_done[r * LANES + lane] + right_done[(r * n + length - 1) * LANES + lane]
        value = max(value, at_r)
    if value == -np.inf:
        return value
    root, ties = -1, 0
    for r in range(length):
        at_r = words[8, r, lane] + left_done[r * LANES + lane] + right_done[(r * n + length - 1) * LANES + lane]
        if at_r >= value - TIE * (1.0 - value):
            ties += 1
            if ties == 1 or _random(state) * ties < 1.0:
                root = r
    heads[root + 1] = 0
    stack[0, 0], stack[0, 1], stack[1, 0], stack[1, 1] = root, 0, root, length - 1
    waiting = 2
    while waiting > 0:
        waiting -= 1
        head, end = stack[waiting, 0], stack[waiting, 1]
        if head == end:
            continue
        if head < end:
            modifier = _last_to_right(lane, head, end, n, charts, bounds, marked, state)
            split = _split(lane, head, modifier, True, n, charts, words, state)
            stack[waiting, 0], stack[waiting, 1] = head, split
            stack[waiting + 1, 0], stack[waiting + 1, 1] = modifier, split + 1
        else:
            modifier = _last_to_left(lane, head, end, n, charts, bounds, marked, state)
            split = _split(lane, modifier, head, False, n, charts, words, state)
            stack[waiting, 0], stack[waiting, 1] = head, split + 1
            stack[waiting + 1, 0], stack[waiting + 1, 1] = modifier, split
        heads[modifier + 1] = head + 1
        stack[waiting + 2, 0], stack[waiting + 2, 1] = modifier, end
        waiting += 3
    return value


@njit(cache=True, nogil=True)
def _last_to_right(lane, i, end, n, charts, bounds, marked, state):
    """The outermost modifier of i in the best half that ends at ``end``, to its right."""
    best, right_arc, right_done = charts[2][(i * n + end) * LANES + lane], charts[6], charts[4]
    chosen, ties = end, 0
    for m in range(i + 1, end + 1):
        value = right_arc[(i * n + m) * LANES + lane] + right_done[(m * n + end) * LANES + lane]
        if value >= best - TIE * (1.0 + abs(best)) and not (marked and bounds[2, (i * n + end) * LANES + lane] >= m):
            ties += 1
            if ties == 1 or _random(state) * ties < 1.0:
                chosen = m
    return chosen


@njit(cache=True, nogil=True)
def _last_to_left(lane, j, end, n, charts, bounds, marked, state):
    """The outermost modifier of j in the best half that ends at ``end``, to its left."""
    best, left_arc, left_done = charts[3][(end * n + j) * LANES + lane], charts[7], charts[5]
    chosen, ties = end, 0
    for m in range(end, j):
        value = left_done[(end * n + m) * LANES + lane] + left_arc[(m * n + j) * LANES + lane]
        if value >= best - TIE * (1.0 + abs(best)) and not (marked and bounds[3, (end * n + j) * LANES + lane] >= -m):
            ties += 1
            if ties == 1 or _random(state) * ties < 1.0:
                chosen = m
    return chosen


@njit(cache=True, nogil=True)
def _split(lane, i, j, to_right, n, charts, words, state):
    """The last word of i's half below the best arc i -> j (``to_right``), or j -> i."""
    best, chosen, ties = -np.inf, i, 0
    for round_ in range(2):  # first the best value, then one of the ways to reach it
        for k in range(i, j):
            value = _below(lane, i, j, k, to_right, n, charts, words)
            if round_ == 0:
                best = max(best, value)
            elif value >= best - TIE * (1.0 + abs(best)):
                ties += 1
                if ties == 1 or _random(state) * ties < 1.0:
                    chosen = k
    return chosen


@njit(cache=True, nogil=True)
def _below(lane, i, j, k, to_right, n, charts, words):
    """The value below an arc between i and j whose halves meet between k and k + 1."""
    of_i = charts[2][(i * n + k) * LANES + lane] if k > i else 0.0
    of_j = charts[3][((k + 1) * n + j) * LANES + lane] if k + 1 < j else 0.0
    if to_right:
        return (
            words[4 + (NEXT if k > i else FIRST), i, lane] + of_i + words[DONE if k + 1 < j else EMPTY, j, lane] + of_j
        )
    return words[NEXT if k + 1 < j else FIRST, j, lane] + of_j + words[4 + (DONE if k > i else EMPTY), i, lane] + of_i


@njit(cache=True, nogil=True)
def _random(state):
    """The next number in [0, 1) of the sequence that ``state`` stands in (splitmix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
