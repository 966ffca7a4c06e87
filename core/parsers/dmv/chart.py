"""The chart of the DMV, under any brackets but at tear: sums over trees, and best trees, eight sentences side by side.

The model (Klein & Manning 2004): the root takes one word. On each side apart a word decides to STOP or to CONTINUE by
its tag, the side and adjacency: whether it has a modifier there already. Then it CHOOSEs a modifier's tag, innermost
first. With extended valence (Headden, Johnson & McClosky 2009) CHOOSE depends on adjacency too. So a side with
modifiers m1..mk weighs first(m1) * next(m2) * ... * next(mk) * DONE, and one without weighs EMPTY, where

    first(m) = FIRST * CHOOSE(m | adjacent) * bonus(h, m)        next(m) = NEXT * CHOOSE(m | not adjacent) * bonus(h, m)

``bonus`` is a weight of each arc that the caller brings, such as the multipliers of constraints.

The items are complete and incomplete spans of split heads, in O(n^3) (Eisner & Satta 1999). For words i <= j of a span:

- ``right[i, j]``, ``left[i, j]``: headed by i, by j, which has modifiers and might take more; nothing on the diagonal
- ``right_done[i, j]``, ``left_done[i, j]``: the same after STOP; the diagonal stands for no modifier
- ``right_arc[i, j]``, ``left_arc[i, j]``: with the arc i -> j, or j -> i, on top

The same recursion adds the products up (sums) or takes the largest (best trees). Weights of a tag are divided by its
largest, so products stay within float64 for all but extreme sentences. The value of those is NaN, and the caller sees
to them. Each table has a last axis of LANES sentences: all loops over it are of fixed length and run as vector
instructions. Shorter sentences stand in the corner of a longer one's chart; what lies beyond them is 0. Best trees
store no choices: those of the n spans in the best tree are found again on the way down.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.trees.bracket_kernels import BracketSums

LANES = 8
EMPTY, DONE, FIRST, NEXT = range(4)  # as in core.trees.bracket_kernels
TIE = 1e-9  # weights closer than this, relative to their size, count as equal
SMALLEST, LARGEST = 1e-250, 1e250  # totals within are trusted
# Tables of a chart: weights of arcs as first and as further modifiers, then the items.
RIGHT_FIRST, RIGHT_NEXT, LEFT_FIRST, LEFT_NEXT, RIGHT, LEFT, RIGHT_DONE, LEFT_DONE, RIGHT_ARC, LEFT_ARC, SPLIT = range(
    11
)
ITEMS, TABLES, BOUNDS, OUTER = 4, 11, 4, 6
# Rows of weights by word: EMPTY and DONE to the left, then to the right, and the word as the root's.
EMPTY_LEFT, DONE_LEFT, EMPTY_RIGHT, DONE_RIGHT, AS_ROOT = range(5)


class Sentences(NamedTuple):
    """Sentences to parse: tags, laid out like ``Treebank.heads``; sentences by length in ``order``, as neighbours share
    a"""

    tags: np.ndarray  # int32 (rows,)
    offsets: np.ndarray  # int64 (S + 1,)
    order: np.ndarray  # int64
    starts: np.ndarray
    ends: np.ndarray
    marks: np.ndarray
    levels: np.ndarray  # int8 (S,)
    arcs: np.ndarray  # int64 (S + 1,)


class Weights(NamedTuple):
    """The model as the chart multiplies it up; ``bonus`` is empty, or has the weight of each arc.

    Weights of a modifier's tag are divided by the largest, whose logarithm is in ``shifts``.
    """

    first: np.ndarray  # float64 (2, T, T): FIRST * CHOOSE(modifier's tag | adjacent), by side and head's tag
    further: np.ndarray  # float64 (2, T, T): NEXT * CHOOSE(modifier's tag | not adjacent)
    stop: np.ndarray  # float64 (2, 2, T): EMPTY and DONE by side
    root: np.ndarray  # float64 (T,)
    shifts: np.ndarray  # float64 (T,)
    bonus: np.ndarray  # float64 (A,) or (0,)


def chart_weights(
    tables: np.ndarray, valence: np.ndarray, root: np.ndarray, bonus: np.ndarray | None = None
) -> Weights:
    """Weights of a model in probabilities: ``tables`` (1 or 2, 2, T, T), valence (4, 2, T) and root (T,)."""
    first, further = tables[0] * valence[FIRST][:, :, None], tables[-1] * valence[NEXT][:, :, None]
    largest = np.maximum(np.maximum(first, further).max(axis=(0, 1)), root)
    largest[largest == 0] = 1.0
    stop, bonus = np.ascontiguousarray(valence[:2]), np.empty(0) if bonus is None else bonus
    first, further = np.ascontiguousarray(first / largest), np.ascontiguousarray(further / largest)
    return Weights(first, further, stop, root / largest, np.log(largest), bonus)


@kernel
def expect_range(
    sentences: Sentences, weights: Weights, begin: int, end: int, sums: BracketSums,
    counts: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:  # fmt: skip
    """Log-likelihoods of sentences order[begin:end], and what else ``BracketSums`` has or, where only its totals
    have room, expected counts of all events.

    Totals are in nats, by sentence; NaN where the numbers left float64's range, and nothing else was written.
    ``counts``: a tuple shaped like take, valence and root, added to.
    """
    space, words, lengths, rows, totals, factors = _allocate(sentences, begin, end)
    for first in range(begin, end, LANES):
        n = _pack_batch(sentences, first, end, lengths, rows)
        charts, outer, bounds = _tables(space, n * n * LANES)
        _weigh(sentences, first, (lengths, rows), weights, charts[:ITEMS], words, factors)
        marked = _mark(sentences, first, end, n, lengths, bounds, charts)
        _inside(n, charts, words, bounds, marked, None)
        _join(n, lengths, charts, outer, words, totals)
        _outside(n, charts, outer, words, bounds, marked)
        for lane in range(min(LANES, end - first)):
            sentence, total = sentences.order[first + lane], totals[lane]
            if not SMALLEST < total < LARGEST:
                sums.totals[sentence] = np.nan
                continue
            sums.totals[sentence] = np.log(total) + factors[lane]
            if not len(sums.shares):
                _count(lane, rows[lane, : lengths[lane]], n, charts, outer, words, total, counts)
                continue
            begun, done = sentences.arcs[sentence], sentences.arcs[sentence + 1]
            alone = sums.childless[2 * sentences.offsets[sentence] : 2 * sentences.offsets[sentence + 1]]
            own = sums.shares[begun:done], sums.nearest[begun:done], alone
            _share(lane, lengths[lane], n, charts, outer, words, total, own)


@kernel
def best_range(
    sentences: Sentences,
    weights: Weights,
    begin: int,
    end: int,
    states: np.ndarray,
    values: np.ndarray,
    heads: np.ndarray,
) -> None:
    """Heads and log-weights of the best trees of sentences order[begin:end].

    ``values`` (S,) gets nats, by sentence, NaN where the numbers left float64's range or no tree is possible;
    ``heads``, laid out like tags, the trees. Between equally good ways to fill a span chance decides, by the
    sentence's own state of ``bracket_kernels.tie_states``.
    """
    space, words, lengths, rows, _, factors = _allocate(sentences, begin, end)
    for first in range(begin, end, LANES):
        n = _pack_batch(sentences, first, end, lengths, rows)
        charts, _, bounds = _tables(space, n * n * LANES)
        _weigh(sentences, first, (lengths, rows), weights, charts[:ITEMS], words, factors)
        marked = _mark(sentences, first, end, n, lengths, bounds, charts)
        _inside(n, charts, words, bounds, marked, True)
        for lane in range(min(LANES, end - first)):
            sentence = sentences.order[first + lane]
            state = states[sentence : sentence + 1].copy()
            found = heads[sentences.offsets[sentence] : sentences.offsets[sentence + 1]]
            value = _read(lane, n, charts, words, bounds, marked, state, found)
            values[sentence] = np.log(value) + factors[lane] if SMALLEST < value < LARGEST else np.nan


@inner_kernel
def _allocate(sentences, begin, end):
    """Arrays for the longest of sentences order[begin:end]: space for tables, words, lengths, rows, totals, factors."""
    longest = 1
    for place in range(begin, end):
        sentence = sentences.order[place]
        longest = max(longest, sentences.offsets[sentence + 1] - sentences.offsets[sentence] - 1)
    space = np.zeros((TABLES + OUTER + BOUNDS) * longest * longest * LANES)
    lengths, rows = np.zeros(LANES, np.int64), np.zeros((LANES, longest), np.int64)
    return space, np.zeros((5, longest, LANES)), lengths, rows, np.zeros(LANES), np.zeros(LANES)


@inner_kernel
def _tables(space, size):
    """(charts, outside tables, bounds of brackets), each with rows of ``size`` numbers."""
    at, then = TABLES * size, (TABLES + OUTER) * size
    charts, outer = space[:at].reshape(TABLES, size), space[at:then].reshape(OUTER, size)
    return charts, outer, space[then : then + BOUNDS * size].reshape(BOUNDS, size)


@inner_kernel
def _pack_batch(sentences, first, end, lengths, rows):
    """Lengths and tags of up to LANES sentences; empty lanes have length 0. Returns the longest."""
    n = 1
    for lane in range(LANES):
        lengths[lane] = 0
        if first + lane < end:
            sentence = sentences.order[first + lane]
            begin = sentences.offsets[sentence] + 1
            lengths[lane] = sentences.offsets[sentence + 1] - begin
            for i in range(lengths[lane]):
                rows[lane, i] = sentences.tags[begin + i]
        n = max(n, lengths[lane])
    return n


@inner_kernel
def _weigh(sentences, first, seats, weights, charts, words, factors):
    """Weights of arcs in four tables, and of words; 0 beyond a sentence's end.

    ``seats`` are lengths and tags by lane. What was divided out of each word's weights is added to ``factors`` as a
    logarithm.
    """
    (lengths, rows), n = seats, 1
    for length in lengths:
        n = max(n, length)
    charts[:] = 0.0
    words[:] = 0.0
    right_first, right_next, left_first, left_next = charts[0], charts[1], charts[2], charts[3]
    for lane in range(LANES):
        factors[lane] = 0.0
        for m in range(lengths[lane]):
            tag = rows[lane, m]
            factors[lane] += weights.shifts[tag]
            words[AS_ROOT, m, lane] = weights.root[tag]
            words[EMPTY_LEFT, m, lane], words[DONE_LEFT, m, lane] = weights.stop[0, 0, tag], weights.stop[1, 0, tag]
            words[EMPTY_RIGHT, m, lane], words[DONE_RIGHT, m, lane] = weights.stop[0, 1, tag], weights.stop[1, 1, tag]
            for h in range(m):
                cell, head = (h * n + m) * LANES + lane, rows[lane, h]
                right_first[cell], right_next[cell] = weights.first[1, head, tag], weights.further[1, head, tag]
            for h in range(m + 1, lengths[lane]):
                cell, head = (m * n + h) * LANES + lane, rows[lane, h]
                left_first[cell], left_next[cell] = weights.first[0, head, tag], weights.further[0, head, tag]
        if len(weights.bonus) and lengths[lane]:
            sentence = sentences.order[first + lane]
            own = weights.bonus[sentences.arcs[sentence] : sentences.arcs[sentence + 1]]
            factors[lane] += _add_bonus(lane, lengths[lane], n, own, charts, words)


@inner_kernel
def _add_bonus(lane, length, n, bonus, charts, words):
    """Multiply the weights of one sentence's arcs in, the largest of each word's divided out; the logarithm of that."""
    side, factor = length + 1, 0.0
    for m in range(length):
        largest = bonus[m + 1]
        for h in range(length):
            largest = max(largest, bonus[(h + 1) * side + m + 1] if h != m else 0.0)
        if largest == 0.0:
            largest = 1.0
        factor += np.log(largest)
        words[AS_ROOT, m, lane] *= bonus[m + 1] / largest
        for h in range(length):
            share = bonus[(h + 1) * side + m + 1] / largest
            if h < m:
                charts[RIGHT_FIRST, (h * n + m) * LANES + lane] *= share
                charts[RIGHT_NEXT, (h * n + m) * LANES + lane] *= share
            elif h > m:
                charts[LEFT_FIRST, (m * n + h) * LANES + lane] *= share
                charts[LEFT_NEXT, (m * n + h) * LANES + lane] *= share
    return factor


@inner_kernel
def _mark(sentences, first, end, n, lengths, bounds, charts):
    """What brackets at sprawl, loose and strict ask, rules 1 to 3 of ``core.trees.bracket_kernels``; whether any do.

    Tables 0 and 1 say which right spans [head, end] and left spans [end, head] are kept. Tables 2 and 3 say after which
    word, and (as negative numbers) before which, their last modifier must stand. Forbidden arcs lose their weight.
    """
    marked = False
    for lane in range(min(LANES, end - first)):
        marked |= sentences.levels[sentences.order[first + lane]] > 1
    if not marked:
        return False
    bounds[:2] = 1.0
    bounds[2:] = -np.inf
    for lane in range(min(LANES, end - first)):
        sentence = sentences.order[first + lane]
        level, marks = sentences.levels[sentence], sentences.marks
        for bracket in range(marks[sentence], marks[sentence + 1] if level > 1 else marks[sentence]):
            begin, last = sentences.starts[bracket] - 1, sentences.ends[bracket] - 2
            for i in range(lengths[lane]):
                for j in range(i + 1, lengths[lane]):
                    cell = (i * n + j) * LANES + lane
                    if i < begin <= j < last:
                        bounds[0, cell] = 0.0
                    if begin < i <= last < j:
                        bounds[1, cell] = 0.0
                    if begin <= i <= last < j:
                        if level == 3:
                            bounds[2, cell] = max(bounds[2, cell], last)
                        elif level == 4:
                            charts[RIGHT_FIRST, cell] = charts[RIGHT_NEXT, cell] = 0.0
                    if i < begin <= j <= last:
                        if level == 3:
                            bounds[3, cell] = max(bounds[3, cell], -begin)
                        elif level == 4:
                            charts[LEFT_FIRST, cell] = charts[LEFT_NEXT, cell] = 0.0
    return True


@inner_kernel
def _inside(n, charts, words, bounds, marked, best):
    """Fill the tables of items, with maxima or, where ``best`` is None, with sums; compiled apart."""
    right, left, splits = charts[RIGHT], charts[LEFT], charts[SPLIT]
    right_done, left_done, right_arc, left_arc = (
        charts[RIGHT_DONE],
        charts[LEFT_DONE],
        charts[RIGHT_ARC],
        charts[LEFT_ARC],
    )
    right_first, right_next, left_first, left_next = charts[0], charts[1], charts[2], charts[3]
    right_sum, left_sum = np.zeros(LANES), np.zeros(LANES)
    for i in range(n - 1, -1, -1):
        for lane in range(LANES):
            cell = i * (n + 1) * LANES + lane
            right[cell] = left[cell] = 0.0
            right_done[cell], left_done[cell] = words[EMPTY_RIGHT, i, lane], words[EMPTY_LEFT, i, lane]
        for j in range(i + 1, n):
            ij = (i * n + j) * LANES
            split = splits[ij : ij + LANES]
            for lane in range(LANES):
                split[lane] = right_sum[lane] = left_sum[lane] = 0.0
            for k in range(i + 1, j):
                ik, kj = (i * n + k) * LANES, (k * n + j) * LANES
                lj = kj + n * LANES  # below k
                _gather(split, right[ik : ik + LANES], left[lj : lj + LANES], best)
                if marked:
                    _gather_within(
                        right_sum,
                        right_arc[ik : ik + LANES],
                        right_done[kj : kj + LANES],
                        k,
                        bounds[2, ij : ij + LANES],
                        best,
                    )
                    _gather_within(
                        left_sum,
                        left_done[ik : ik + LANES],
                        left_arc[kj : kj + LANES],
                        -k,
                        bounds[3, ij : ij + LANES],
                        best,
                    )
                else:
                    _gather(right_sum, right_arc[ik : ik + LANES], right_done[kj : kj + LANES], best)
                    _gather(left_sum, left_done[ik : ik + LANES], left_arc[kj : kj + LANES], best)
            for lane in range(LANES):
                cell = ij + lane
                near, more = _beside(charts, words, n, i, j, lane, best)
                arc = _either(right_first[cell] * near[0], right_next[cell] * more[0], best)
                right_arc[cell] = arc
                right[cell] = _either(right_sum[lane], arc * words[EMPTY_RIGHT, j, lane], best)
                arc = _either(left_first[cell] * near[1], left_next[cell] * more[1], best)
                left_arc[cell] = arc
                left[cell] = _either(left_sum[lane], arc * words[EMPTY_LEFT, i, lane], best)
                if marked:
                    right[cell] *= bounds[0, cell]
                    left[cell] *= bounds[1, cell]
                right_done[cell] = right[cell] * words[DONE_RIGHT, i, lane]
                left_done[cell] = left[cell] * words[DONE_LEFT, j, lane]


@inner_kernel
def _either(a, b, best):
    if best is None:
        return a + b
    return a if a > b else b


@inner_kernel
def _gather(total, a, b, best):
    """Add the products up, or keep the largest."""
    for lane in range(LANES):
        total[lane] = _either(a[lane] * b[lane], total[lane], best)


@inner_kernel
def _gather_within(total, a, b, place, bound, best):
    """``_gather`` in the lanes whose bound lies before ``place``."""
    for lane in range(LANES):
        value = a[lane] * b[lane] if place > bound[lane] else 0.0
        total[lane] = _either(value, total[lane], best)


@inner_kernel
def _add_products(totals, here, items, there, factor):
    total, item = totals[here : here + LANES], items[there : there + LANES]
    for lane in range(LANES):
        total[lane] += factor[lane] * item[lane]


@inner_kernel
def _beside(charts, words, n, i, j, lane, best):
    """What lies below the arcs i -> j and j -> i: where it is the head's first modifier, and where a further one."""
    empty_left, done_left = words[EMPTY_LEFT, j, lane], words[DONE_LEFT, j, lane]
    empty_right, done_right = words[EMPTY_RIGHT, i, lane], words[DONE_RIGHT, i, lane]
    if i + 1 == j:
        return (empty_left, empty_right), (0.0, 0.0)
    cell = (i * n + j) * LANES + lane
    of_i, of_j, split = charts[RIGHT, cell - LANES], charts[LEFT, cell + n * LANES], charts[SPLIT, cell]
    more = (_either(split * done_left, of_i * empty_left, best), _either(split * done_right, of_j * empty_right, best))
    return (of_j * done_left, of_i * done_right), more


@inner_kernel
def _join(n, lengths, charts, outer, words, totals):
    """The weight of each sentence in ``totals``; begins the outside tables."""
    right_done, left_done = charts[RIGHT_DONE], charts[LEFT_DONE]
    outer[:] = 0.0
    for lane in range(LANES):
        totals[lane] = 0.0
        for r in range(lengths[lane]):
            before, after = r * LANES + lane, (r * n + lengths[lane] - 1) * LANES + lane
            outer[3, before] = words[AS_ROOT, r, lane] * right_done[after]
            outer[2, after] = words[AS_ROOT, r, lane] * left_done[before]
            totals[lane] += outer[3, before] * left_done[before]


@inner_kernel
def _outside(n, charts, outer, words, bounds, marked):
    """Run ``_inside`` backwards over sums: the derivative of the total by each item, in ``outer``, RIGHT to LEFT_ARC.

    The weights of arcs are overwritten by the weight of all trees that have them, as first and as further modifiers.
    """
    right, left = charts[RIGHT], charts[LEFT]
    right_done, left_done, right_arc, left_arc = (
        charts[RIGHT_DONE],
        charts[LEFT_DONE],
        charts[RIGHT_ARC],
        charts[LEFT_ARC],
    )
    right_first, right_next, left_first, left_next = charts[0], charts[1], charts[2], charts[3]
    out_right, out_left, out_right_done, out_left_done = outer[0], outer[1], outer[2], outer[3]
    out_right_arc, out_left_arc = outer[4], outer[5]
    above_right, above_left, above_split = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    right_within, left_within = np.zeros(LANES), np.zeros(LANES)
    for i in range(n):
        for j in range(n - 1, i, -1):
            ij, ii, jj = (i * n + j) * LANES, i * (n + 1) * LANES, j * (n + 1) * LANES
            for lane in range(LANES):
                cell = ij + lane
                empty_left, done_left = words[EMPTY_LEFT, j, lane], words[DONE_LEFT, j, lane]
                empty_right, done_right = words[EMPTY_RIGHT, i, lane], words[DONE_RIGHT, i, lane]
                near, more = _beside(charts, words, n, i, j, lane, None)
                above = out_right[cell] + out_right_done[cell] * done_right
                if marked:
                    above *= bounds[0, cell]
                above_right[lane] = above
                out_right_done[jj + lane] += above * right_arc[cell]
                out_right_arc[cell] += above * words[EMPTY_RIGHT, j, lane]
                first, further = out_right_arc[cell] * right_first[cell], out_right_arc[cell] * right_next[cell]
                right_first[cell], right_next[cell] = first * near[0], further * more[0]

                above = out_left[cell] + out_left_done[cell] * done_left
                if marked:
                    above *= bounds[1, cell]
                above_left[lane] = above
                out_left_done[ii + lane] += above * left_arc[cell]
                out_left_arc[cell] += above * words[EMPTY_LEFT, i, lane]
                before, further_before = out_left_arc[cell] * left_first[cell], out_left_arc[cell] * left_next[cell]
                left_first[cell], left_next[cell] = before * near[1], further_before * more[1]

                above_split[lane] = further * done_left + further_before * done_right
                if i + 1 == j:
                    out_left_done[jj + lane] += first
                    out_right_done[ii + lane] += before
                else:
                    out_left_done[jj + lane] += further * right[cell - LANES]
                    out_right_done[ii + lane] += further_before * left[cell + n * LANES]
                    out_left[cell + n * LANES] += first * done_left + further_before * empty_right
                    out_right[cell - LANES] += before * done_right + further * empty_left
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


@inner_kernel
def _count(lane, tags, n, charts, outer, words, total, counts):
    """Add one sentence's expected counts, from the weights of trees by arc."""
    take, valence, root = counts
    right_done, left_done = charts[RIGHT_DONE], charts[LEFT_DONE]
    length, share, further = len(tags), 1.0 / total, len(take) - 1
    for i in range(length):
        tag, own = tags[i], i * (n + 1) * LANES + lane
        valence[EMPTY, 0, tag] += outer[3, own] * left_done[own] * share
        valence[EMPTY, 1, tag] += outer[2, own] * right_done[own] * share
        before, after = i * LANES + lane, (i * n + length - 1) * LANES + lane
        root[tag] += words[AS_ROOT, i, lane] * left_done[before] * right_done[after] * share
        for j in range(i + 1, length):
            other, cell = tags[j], (i * n + j) * LANES + lane
            first, more = charts[RIGHT_FIRST, cell] * share, charts[RIGHT_NEXT, cell] * share
            take[0, 1, tag, other] += first
            take[further, 1, tag, other] += more
            valence[FIRST, 1, tag] += first
            valence[DONE, 1, tag] += first
            valence[NEXT, 1, tag] += more
            first, more = charts[LEFT_FIRST, cell] * share, charts[LEFT_NEXT, cell] * share
            take[0, 0, other, tag] += first
            take[further, 0, other, tag] += more
            valence[FIRST, 0, other] += first
            valence[DONE, 0, other] += first
            valence[NEXT, 0, other] += more


@inner_kernel
def _share(lane, length, n, charts, outer, words, total, sums):
    """Write what ``BracketSums`` has of one sentence, from the weights of trees by arc."""
    arcs, nearest, alone = sums
    left_done, right_done = charts[LEFT_DONE], charts[RIGHT_DONE]
    side, share = length + 1, 1.0 / total
    arcs[:] = 0.0
    nearest[:] = 0.0
    alone[0] = alone[side] = 0.0
    for i in range(length):
        before, after, own = i * LANES + lane, (i * n + length - 1) * LANES + lane, i * (n + 1) * LANES + lane
        arcs[i + 1] = words[AS_ROOT, i, lane] * left_done[before] * right_done[after] * share
        alone[i + 1] = outer[3, own] * left_done[own] * share
        alone[side + i + 1] = outer[2, own] * right_done[own] * share
        for j in range(i + 1, length):
            cell = (i * n + j) * LANES + lane
            right, left = (i + 1) * side + j + 1, (j + 1) * side + i + 1
            nearest[right], nearest[left] = charts[RIGHT_FIRST, cell] * share, charts[LEFT_FIRST, cell] * share
            arcs[right] = nearest[right] + charts[RIGHT_NEXT, cell] * share
            arcs[left] = nearest[left] + charts[LEFT_NEXT, cell] * share


@inner_kernel
def _read(lane, n, charts, words, bounds, marked, state, heads):
    """The heads of one sentence; returns the weight of its tree, 0 where none is possible."""
    length, stack = len(heads) - 1, np.empty((2 * len(heads), 2), np.int64)
    right_done, left_done = charts[RIGHT_DONE], charts[LEFT_DONE]
    heads[:] = -1
    value = 0.0
    for r in range(length):
        at_r = words[AS_ROOT, r, lane] * left_done[r * LANES + lane] * right_done[(r * n + length - 1) * LANES + lane]
        value = max(value, at_r)
    if value == 0.0:
        return value
    root, ties = -1, 0
    for r in range(length):
        at_r = words[AS_ROOT, r, lane] * left_done[r * LANES + lane] * right_done[(r * n + length - 1) * LANES + lane]
        if at_r >= value * (1.0 - TIE):
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
        modifier = _last(lane, head, end, n, charts, bounds, marked, state)
        low, high, to_right = min(head, modifier), max(head, modifier), head < end
        split = _split(lane, low, high, to_right, n, charts, words, state)
        stack[waiting, 0], stack[waiting, 1] = head, split if to_right else split + 1
        stack[waiting + 1, 0], stack[waiting + 1, 1] = modifier, split + 1 if to_right else split
        heads[modifier + 1] = head + 1
        stack[waiting + 2, 0], stack[waiting + 2, 1] = modifier, end
        waiting += 3
    return value


@inner_kernel
def _last(lane, head, end, n, charts, bounds, marked, state):
    """The outermost modifier of a word in its best span that ends at ``end``."""
    to_right = head < end
    arcs, done = (charts[RIGHT_ARC], charts[RIGHT_DONE]) if to_right else (charts[LEFT_ARC], charts[LEFT_DONE])
    span = (head * n + end if to_right else end * n + head) * LANES + lane
    best = charts[RIGHT if to_right else LEFT, span]
    bound = bounds[2 if to_right else 3, span] if marked else -np.inf
    chosen, ties = end, 0
    for m in range(min(head + 1, end), max(head, end + 1)):
        arc, below = (head * n + m, m * n + end) if to_right else (m * n + head, end * n + m)
        value = arcs[arc * LANES + lane] * done[below * LANES + lane]
        if value >= best * (1.0 - TIE) and (m if to_right else -m) > bound:
            ties += 1
            if ties == 1 or _random(state) * ties < 1.0:
                chosen = m
    return chosen


@inner_kernel
def _split(lane, i, j, to_right, n, charts, words, state):
    """The last word of i's span below the best arc i -> j (``to_right``), or j -> i."""
    best, chosen, ties = 0.0, i, 0
    for round_ in range(2):  # first the best value, then one of the ways to reach it
        for k in range(i, j):
            value = _below(lane, i, j, k, to_right, n, charts, words)
            if round_ == 0:
                best = max(best, value)
            elif value >= best * (1.0 - TIE):
                ties += 1
                if ties == 1 or _random(state) * ties < 1.0:
                    chosen = k
    return chosen


@inner_kernel
def _below(lane, i, j, k, to_right, n, charts, words):
    """The weight of an arc between i and j whose spans meet between k and k + 1."""
    cell = (i * n + j) * LANES + lane
    of_i = charts[RIGHT, (i * n + k) * LANES + lane] if k > i else 1.0
    of_j = charts[LEFT, ((k + 1) * n + j) * LANES + lane] if k + 1 < j else 1.0
    if to_right:
        arc = charts[RIGHT_NEXT if k > i else RIGHT_FIRST, cell]
        return arc * of_i * words[DONE_LEFT if k + 1 < j else EMPTY_LEFT, j, lane] * of_j
    arc = charts[LEFT_NEXT if k + 1 < j else LEFT_FIRST, cell]
    return arc * of_j * words[DONE_RIGHT if k > i else EMPTY_RIGHT, i, lane] * of_i


@inner_kernel
def _random(state):
    """The next number in [0, 1) of the sequence that ``state`` stands in (splitmix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
