"""Expected counts of the DMV, under any brackets but at tear: charts of eight sentences side by side.

The model (Klein & Manning 2004): the root takes one word; each word, on each side on its own, decides by its tag, the
side and whether it has a modifier there already to stop or to go on, and which tag to take next, innermost first. A
side with modifiers m1..mk thus weighs first * take(m1) * next * take(m2) ... * done, one without weighs empty.

The charts hold halves of words, complete towards one side, in O(n^3) (Eisner & Satta 1999). For words i <= j of a span:

- ``right[i, j]``, ``left[i, j]``: headed by i, by j, which has modifiers and might take more; nothing on the diagonal
- ``right_done[i, j]``, ``left_done[i, j]``: the same after the last modifier; the diagonal stands for no modifier
- ``right_arc[i, j]``, ``left_arc[i, j]``: with the arc i -> j, or j -> i, on top

Each has a last axis of LANES sentences: all loops over it are of fixed length and run as vector instructions. Shorter
sentences stand in the corner of a longer one's chart; what lies beyond them is 0, or -inf for scores.
"""

import numpy as np
from numba import njit

LANES = 8
EMPTY, DONE, FIRST, NEXT = range(4)  # as in core.trees.bracket_kernels
TIE = 1e-9  # scores closer than this, relative to their size, count as equal
SMALLEST, LARGEST = 1e-250, 1e250  # totals within are trusted
TABLES = 9


@njit(cache=True, nogil=True)
def expect_range(tags, offsets, order, begin, end, brackets, take, valence, root, log_likelihoods, counts):
    """Log-likelihoods, and expected counts of all events added to ``counts``, of sentences order[begin:end].

    Parameters
    ----------
    tags : int32 (rows,)
        Laid out like ``Treebank.heads``.
    order : int64 (S,)
        Sentences by length; neighbours share a chart.
    brackets : tuple of arrays
        ``starts``, ``ends`` and ``offsets`` of PackedBrackets, and the level of each sentence: any but tear.
    take : float64 (2, T, T)
        P(modifier's tag | side, head's tag).
    valence : float64 (4, 2, T)
        P(empty), P(done), P(first) = 1 - P(empty), P(next) = 1 - P(done) by side and head's tag.
    root : float64 (T,)
    log_likelihoods : float64 (S,)
        In nats, by sentence; NaN where the numbers left float64's range, and nothing was counted.
    counts : tuple of three arrays
        Shaped like take, valence, root.
    """
    starts, ends, marks, levels = brackets
    take_counts, valence_counts, root_counts = counts
    longest = 1
    for place in range(begin, end):
        longest = max(longest, offsets[order[place] + 1] - offsets[order[place]] - 1)
    space, others = np.zeros((TABLES + 10) * longest * longest * LANES), np.zeros(13 * longest * LANES)
    lengths, rows = np.zeros(LANES, np.int64), np.zeros((LANES, longest), np.int64)
    totals, factors = np.zeros(LANES), np.zeros(LANES)
    for first in range(begin, end, LANES):
        n = _seat(tags, offsets, order, first, end, lengths, rows)
        size = n * n * LANES
        charts = space[: TABLES * size].reshape(TABLES, size)
        outer = space[TABLES * size : (TABLES + 6) * size].reshape(6, size)
        bounds = space[(TABLES + 6) * size : (TABLES + 10) * size].reshape(4, size)
        words = others[: 9 * n * LANES].reshape(9, n, LANES)
        taken = others[9 * n * LANES : 13 * n * LANES].reshape(2, 2, n, LANES)
        _weigh(rows, lengths, n, take, valence, root, charts, words, factors)
        marked = _mark(order, first, end, n, lengths, starts, ends, marks, levels, bounds, charts)
        _inside(n, charts, words, bounds, marked)
        _join(n, lengths, charts, outer, words, totals)
        _outside(n, charts, outer, words, taken, bounds, marked)
        for lane in range(min(LANES, end - first)):
            sentence, total = order[first + lane], totals[lane]
            if not SMALLEST < total < LARGEST:
                log_likelihoods[sentence] = np.nan
                continue
            log_likelihoods[sentence] = np.log(total) + factors[lane]
            tags_here = rows[lane, : lengths[lane]]
            _count(lane, tags_here, n, charts, outer, words, taken, total, take_counts, valence_counts, root_counts)


@njit(cache=True, nogil=True)
def _seat(tags, offsets, order, first, end, lengths, rows):
    """Lengths and tags of up to LANES sentences, the longest last; empty lanes have length 0. Returns the longest."""
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


# Rows of ``words``: valence by word, four kinds to the left, four to the right, and the root's weight.
@njit(cache=True, nogil=True)
def _weigh(rows, lengths, n, take, valence, root, charts, words, factors):
    """Weights of arcs in tables 0 (to the right) and 1 (to the left), and of words; 0 beyond a sentence's end.

    Each word's weights are divided by the largest, over its possible heads, and the logarithms added to ``factors``.
    """
    right_take, left_take = charts[0], charts[1]
    right_take[:] = 0.0
    left_take[:] = 0.0
    words[:] = 0.0
    for lane in range(LANES):
        factors[lane] = 0.0
        for m in range(lengths[lane]):
            tag = rows[lane, m]
            best = root[tag]
            for h in range(m):
                right_take[(h * n + m) * LANES + lane] = take[1, rows[lane, h], tag]
                best = max(best, right_take[(h * n + m) * LANES + lane])
            for h in range(m + 1, lengths[lane]):
                left_take[(m * n + h) * LANES + lane] = take[0, rows[lane, h], tag]
                best = max(best, left_take[(m * n + h) * LANES + lane])
            if best > 0.0:
                scale = 1.0 / best
                factors[lane] += np.log(best)
                for h in range(m):
                    right_take[(h * n + m) * LANES + lane] *= scale
                for h in range(m + 1, lengths[lane]):
                    left_take[(m * n + h) * LANES + lane] *= scale
                words[8, m, lane] = root[tag] * scale
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
    tables[:2] = 1.0
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
                        tables[0, cell] = 0.0
                    if begin < i <= last < j:
                        tables[1, cell] = 0.0
                    if begin <= i <= last < j:
                        if level == 3:
                            tables[2, cell] = max(tables[2, cell], last)
                        elif level == 4:
                            charts[0, cell] = 0.0
                    if i < begin <= j <= last:
                        if level == 3:
                            tables[3, cell] = max(tables[3, cell], -begin)
                        elif level == 4:
                            charts[1, cell] = 0.0
    return True


@njit(cache=True, nogil=True)
def _inside(n, charts, words, bounds, marked):
    """Fill tables 2 to 8: right, left, right_done, left_done, right_arc, left_arc and splits."""
    right_take, left_take, right, left = charts[0], charts[1], charts[2], charts[3]
    right_done, left_done, right_arc, left_arc, splits = charts[4], charts[5], charts[6], charts[7], charts[8]
    to_left, to_right = words[:4], words[4:8]
    right_sum, left_sum = np.zeros(LANES), np.zeros(LANES)
    for i in range(n - 1, -1, -1):
        for lane in range(LANES):
            cell = i * (n + 1) * LANES + lane
            right[cell] = left[cell] = 0.0
            right_done[cell], left_done[cell] = to_right[EMPTY, i, lane], to_left[EMPTY, i, lane]
        for j in range(i + 1, n):
            ij = (i * n + j) * LANES
            split = splits[ij : ij + LANES]
            for lane in range(LANES):
                split[lane] = right_sum[lane] = left_sum[lane] = 0.0
            for k in range(i + 1, j):
                ik, kj = (i * n + k) * LANES, (k * n + j) * LANES
                lj = kj + n * LANES  # below k
                _add_product(split, right[ik : ik + LANES], left[lj : lj + LANES])
                if marked:
                    _add_within(right_sum, right_arc[ik : ik + LANES], right_done[kj : kj + LANES], k, bounds[2], ij)
                    _add_within(left_sum, left_done[ik : ik + LANES], left_arc[kj : kj + LANES], -k, bounds[3], ij)
                else:
                    _add_product(right_sum, right_arc[ik : ik + LANES], right_done[kj : kj + LANES])
                    _add_product(left_sum, left_done[ik : ik + LANES], left_arc[kj : kj + LANES])
            for lane in range(LANES):
                near, more = _beside(splits, right, left, to_right, to_left, i, j, lane)
                arc = right_take[ij + lane] * (to_right[FIRST, i, lane] * near[0] + to_right[NEXT, i, lane] * more[0])
                right_arc[ij + lane] = arc
                right[ij + lane] = right_sum[lane] + arc * to_right[EMPTY, j, lane]
                if marked:
                    right[ij + lane] *= bounds[0, ij + lane]
                right_done[ij + lane] = right[ij + lane] * to_right[DONE, i, lane]
                arc = left_take[ij + lane] * (to_left[FIRST, j, lane] * near[1] + to_left[NEXT, j, lane] * more[1])
                left_arc[ij + lane] = arc
                left[ij + lane] = left_sum[lane] + arc * to_left[EMPTY, i, lane]
                if marked:
                    left[ij + lane] *= bounds[1, ij + lane]
                left_done[ij + lane] = left[ij + lane] * to_left[DONE, j, lane]


@njit(cache=True, nogil=True)
def _add_product(total, a, b):
    for lane in range(LANES):
        total[lane] += a[lane] * b[lane]


@njit(cache=True, nogil=True)
def _add_within(total, a, b, place, bounds, cell):
    """``_add_product`` in the lanes whose bound lies before ``place``."""
    bound = bounds[cell : cell + LANES]
    for lane in range(LANES):
        total[lane] += a[lane] * b[lane] if place > bound[lane] else 0.0


@njit(cache=True, nogil=True)
def _add_products(totals, here, items, there, factor):
    total, item = totals[here : here + LANES], items[there : there + LANES]
    for lane in range(LANES):
        total[lane] += factor[lane] * item[lane]


@njit(cache=True, nogil=True)
def _beside(splits, right, left, to_right, to_left, i, j, lane):
    """What lies below the arcs i -> j and j -> i: where it is the head's first modifier, and where a further one."""
    done_left, done_right = to_left[DONE, j, lane], to_right[DONE, i, lane]
    empty_left, empty_right = to_left[EMPTY, j, lane], to_right[EMPTY, i, lane]
    if i + 1 == j:
        return (empty_left, empty_right), (0.0, 0.0)
    n = to_right.shape[1]
    cell = (i * n + j) * LANES + lane
    of_i, of_j = right[cell - LANES], left[cell + n * LANES]
    more = (splits[cell] * done_left + of_i * empty_left, splits[cell] * done_right + of_j * empty_right)
    return (of_j * done_left, of_i * done_right), more


@njit(cache=True, nogil=True)
def _join(n, lengths, charts, outer, words, totals):
    """The weight of each sentence in ``totals``; begins the outside tables."""
    right_done, left_done = charts[4], charts[5]
    outer[:] = 0.0
    for lane in range(LANES):
        totals[lane] = 0.0
        for r in range(lengths[lane]):
            before, after = r * LANES + lane, (r * n + lengths[lane] - 1) * LANES + lane
            outer[3, before] = words[8, r, lane] * right_done[after]
            outer[2, after] = words[8, r, lane] * left_done[before]
            totals[lane] += outer[3, before] * left_done[before]


@njit(cache=True, nogil=True)
def _outside(n, charts, outer, words, taken, bounds, marked):
    """Run ``_inside`` backwards: the derivative of the total by each item, in ``outer``, tables 2 to 7 of charts.

    ``taken`` (2, 2, n, LANES) gets the weight of trees by first and by further modifiers of each word to each side.
    """
    right_take, left_take, right, left = charts[0], charts[1], charts[2], charts[3]
    right_done, left_done, right_arc, left_arc, splits = charts[4], charts[5], charts[6], charts[7], charts[8]
    out_right, out_left, out_right_done, out_left_done = outer[0], outer[1], outer[2], outer[3]
    out_right_arc, out_left_arc = outer[4], outer[5]
    to_left, to_right = words[:4], words[4:8]
    above_right, above_left, above_split = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    right_within, left_within = np.zeros(LANES), np.zeros(LANES)
    taken[:] = 0.0
    for i in range(n):
        for j in range(n - 1, i, -1):
            ij, ii, jj = (i * n + j) * LANES, i * (n + 1) * LANES, j * (n + 1) * LANES
            for lane in range(LANES):
                near, more = _beside(splits, right, left, to_right, to_left, i, j, lane)
                above = out_right[ij + lane] + out_right_done[ij + lane] * to_right[DONE, i, lane]
                if marked:
                    above *= bounds[0, ij + lane]
                above_right[lane] = above
                out_right_done[jj + lane] += above * right_arc[ij + lane]
                out_right_arc[ij + lane] += above * to_right[EMPTY, j, lane]
                arc = out_right_arc[ij + lane] * right_take[ij + lane]
                first, further = arc * to_right[FIRST, i, lane], arc * to_right[NEXT, i, lane]
                taken[1, 0, i, lane] += first * near[0]
                taken[1, 1, i, lane] += further * more[0]

                above = out_left[ij + lane] + out_left_done[ij + lane] * to_left[DONE, j, lane]
                if marked:
                    above *= bounds[1, ij + lane]
                above_left[lane] = above
                out_left_done[ii + lane] += above * left_arc[ij + lane]
                out_left_arc[ij + lane] += above * to_left[EMPTY, i, lane]
                arc = out_left_arc[ij + lane] * left_take[ij + lane]
                left_first, left_further = arc * to_left[FIRST, j, lane], arc * to_left[NEXT, j, lane]
                taken[0, 0, j, lane] += left_first * near[1]
                taken[0, 1, j, lane] += left_further * more[1]

                above_split[lane] = further * to_left[DONE, j, lane] + left_further * to_right[DONE, i, lane]
                if i + 1 == j:
                    out_left_done[jj + lane] += first
                    out_right_done[ii + lane] += left_first
                else:
                    out_left_done[jj + lane] += further * right[ij - LANES + lane]
                    out_right_done[ii + lane] += left_further * left[ij + n * LANES + lane]
                    out_left[ij + n * LANES + lane] += (
                        first * to_left[DONE, j, lane] + left_further * to_right[EMPTY, i, lane]
                    )
                    out_right[ij - LANES + lane] += (
                        left_first * to_right[DONE, i, lane] + further * to_left[EMPTY, j, lane]
                    )
            for k in range(i + 1, j):
                ik, kj = (i * n + k) * LANES, (k * n + j) * LANES
                lj = kj + n * LANES  # below k
                _add_products(out_right, ik, left, lj, above_split)
                _add_products(out_left, lj, right, ik, above_split)
                to_the_right, to_the_left = above_right, above_left
                if marked:
                    for lane in range(LANES):
                        right_within[lane] = above_right[lane] if k > bounds[2, ij + lane] else 0.0
                        left_within[lane] = above_left[lane] if -k > bounds[3, ij + lane] else 0.0
                    to_the_right, to_the_left = right_within, left_within
                _add_products(out_right_arc, ik, right_done, kj, to_the_right)
                _add_products(out_right_done, kj, right_arc, ik, to_the_right)
                _add_products(out_left_done, ik, left_arc, kj, to_the_left)
                _add_products(out_left_arc, kj, left_done, ik, to_the_left)


@njit(cache=True, nogil=True)
def _count(lane, tags, n, charts, outer, words, taken, total, take_counts, valence_counts, root_counts):
    """Add one sentence's expected counts."""
    right_done, left_done, right_arc, left_arc = charts[4], charts[5], charts[6], charts[7]
    length, share = len(tags), 1.0 / total
    for i in range(length):
        tag, own = tags[i], i * (n + 1) * LANES + lane
        valence_counts[EMPTY, 0, tag] += outer[3, own] * left_done[own] * share
        valence_counts[EMPTY, 1, tag] += outer[2, own] * right_done[own] * share
        for side in range(2):
            valence_counts[FIRST, side, tag] += taken[side, 0, i, lane] * share
            valence_counts[DONE, side, tag] += taken[side, 0, i, lane] * share
            valence_counts[NEXT, side, tag] += taken[side, 1, i, lane] * share
        for j in range(i + 1, length):
            cell = (i * n + j) * LANES + lane
            take_counts[1, tag, tags[j]] += outer[4, cell] * right_arc[cell] * share
            take_counts[0, tags[j], tag] += outer[5, cell] * left_arc[cell] * share
        before, after = i * LANES + lane, (i * n + length - 1) * LANES + lane
        root_counts[tag] += words[8, i, lane] * left_done[before] * right_done[after] * share
