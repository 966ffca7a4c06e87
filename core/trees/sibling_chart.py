"""Eisner's chart with sibling parts: the kernels of decoding and of max-marginals.

Words count from 0 and the root stands apart, as in ``core.trees.eisner``. Scores and sibling scores keep the root at
index 0, so word i is their index i + 1. A chart is an array of shape (4, n, n + 4) over words i <= j, ends inclusive:

- ``right[i, j]`` and ``left[i, j]``: complete spans headed by i and by j
- ``arc[m, h]``: the span between h and m with the arc h -> m on top, [modifier, head] so that rows are read
- ``pair[i, j]``: i and j are neighbouring modifiers of one head outside; what is between them belongs to them

Sources: Eisner (1996), C96-1058; McDonald & Pereira (2006), E06-1011, for the sibling items.
"""

import numpy as np

from core.compilation.kernels import inlined_kernel, inner_kernel, kernel

FINE, NO_TREE, BAD_VALUE = 0, 1, 2
BLOCK = 8  # doubles in a cache line


@kernel
def decode_range(corpus: tuple, begin: int, end: int, single_root: bool, heads: np.ndarray, offsets: np.ndarray) -> int:
    """Decode sentences begin..end-1, one workspace for all; the first that is not fine, or -1."""
    values, score_offsets, siblings, _, sibling_offsets = corpus
    longest = _longest(score_offsets, begin, end)
    tables, rows, slab, stack = _workspace(longest)
    unfit = -1
    for sentence in range(begin, end):
        side = _side(score_offsets, sentence)
        scores = values[score_offsets[sentence] : score_offsets[sentence + 1]].reshape(side, side)
        parts = siblings[sibling_offsets[sentence] : sibling_offsets[sentence + 1]]
        found = heads[offsets[sentence] : offsets[sentence + 1]]
        chart = _chart(tables, side - 1)
        suspect = _fill(scores, parts, chart[0], chart[1], chart[2], chart[3], rows, slab)
        status = BAD_VALUE
        if not (suspect and _has_bad_part(parts, side)):
            status = _read(scores, parts, chart, single_root, rows, stack, found)
        if status != FINE:
            found[:] = -1
            if unfit < 0 or status == BAD_VALUE:
                unfit = sentence
            if status == BAD_VALUE:
                return unfit
    return unfit


@kernel
def chart_range(corpus: tuple, begin: int, end: int, charts: np.ndarray, chart_offsets: np.ndarray) -> int:
    """Fill the charts of sentences begin..end-1; the first with a bad part, or -1."""
    values, score_offsets, siblings, _, sibling_offsets = corpus
    _, rows, slab, _ = _workspace(_longest(score_offsets, begin, end))
    for sentence in range(begin, end):
        side = _side(score_offsets, sentence)
        scores = values[score_offsets[sentence] : score_offsets[sentence + 1]].reshape(side, side)
        parts = siblings[sibling_offsets[sentence] : sibling_offsets[sentence + 1]]
        tables = charts[chart_offsets[sentence - begin] : chart_offsets[sentence - begin + 1]]
        chart = tables.reshape(4, side - 1, side + 3)
        suspect = _fill(scores, parts, chart[0], chart[1], chart[2], chart[3], rows, slab)
        if suspect and _has_bad_part(parts, side):
            return sentence
    return -1


@kernel
def max_marginals_range(corpus: tuple, begin: int, end: int, single_root: bool, output: np.ndarray) -> int:
    """The value of the best tree through each arc of sentences begin..end-1; the first that is not fine, or -1."""
    values, score_offsets, siblings, _, sibling_offsets = corpus
    longest = _longest(score_offsets, begin, end)
    tables, rows, slab, _ = _workspace(longest)
    turned = np.zeros(8 * longest * (longest + 4))
    outer = np.zeros(4 * longest * (longest + 4))
    parts_of = np.zeros(2 * longest * (longest + 4))
    unfit = -1
    for sentence in range(begin, end):
        side = _side(score_offsets, sentence)
        n = side - 1
        scores = values[score_offsets[sentence] : score_offsets[sentence + 1]].reshape(side, side)
        parts = siblings[sibling_offsets[sentence] : sibling_offsets[sentence + 1]]
        result = output[score_offsets[sentence] : score_offsets[sentence + 1]].reshape(side, side)
        chart, outside = _chart(tables, n), _chart(outer, n)
        if _fill(scores, parts, chart[0], chart[1], chart[2], chart[3], rows, slab) and _has_bad_part(parts, side):
            return sentence
        result[:] = -np.inf
        outside[:] = -np.inf
        if _join_root(scores, parts, chart, outside, single_root, result) == -np.inf:
            result[:] = -np.inf
            unfit = sentence if unfit < 0 else unfit
            continue
        inside = turned[: 8 * n * (n + 4)].reshape(8, n, n + 4)
        _turn_chart(chart, inside)
        _outside(scores, parts, inside, outside, rows, parts_of[: 2 * n * (n + 4)].reshape(2, n, n + 4), result)
    return unfit


@inner_kernel
def _join_root(scores, parts, chart, outside, single_root, result):
    """The value of the best tree; begins the outside chart, [table, end, begin], and row 0 of ``result``."""
    right, left, pair = chart[0], chart[1], chart[3]
    out_right, out_left, out_pair = outside[0], outside[1], outside[3]
    n, side = len(right), len(scores)
    tops, out_tops = np.empty(n), right[:n, n - 1].copy()
    if single_root:
        for r in range(n):
            tops[r] = left[0, r] + (scores[0, r + 1] + parts[r + 1])
    else:
        _fill_top(scores, parts, left, pair, tops)
    best = -np.inf
    for r in range(n - 1, -1, -1):
        best = max(best, tops[r] + right[r, n - 1])
        result[0, r + 1] = tops[r] + out_tops[r]
        out_right[n - 1, r] = tops[r]
        below = out_tops[r] + scores[0, r + 1]
        out_left[r, 0] = below + parts[r + 1]
        if not single_root:
            for s in range(r):
                part = parts[(s + 1) * side + r + 1]
                out_tops[s] = max(out_tops[s], below + (pair[s, r] + part))
                out_pair[r, s] = below + (tops[s] + part)
    return best


@inner_kernel
def _turn_chart(chart, inside):
    """The chart as ``_outside`` reads it: tables 0, 1, 6, 7 by begin, 2 to 5 by end."""
    right, left, arc, pair = chart[0], chart[1], chart[2], chart[3]
    n = len(right)
    for i in range(n):
        for j in range(right.shape[1]):
            inside[0, i, j], inside[6, i, j], inside[7, i, j] = right[i, j], pair[i, j], left[i, j]
        for j in range(i, n):
            inside[1, i, j] = arc[j, i] if j > i else -np.inf
            inside[2, j, i] = right[i, j]
            inside[3, j, i] = left[i, j]
            inside[4, j, i] = arc[i, j] if j > i else -np.inf
            inside[5, j, i] = pair[i, j] if j > i else -np.inf


@inner_kernel
def _outside(scores, parts, inside, outside, rows, parts_of, result):
    """Run ``_fill`` backwards; ``result`` gets the best of each arc's inside plus outside.

    The outside tables, [end, begin], hold what rows above have given; the rows hold what the longer spans of the row
    itself have. ``parts_of[0, j, k]`` and ``parts_of[1, j, k]`` are the parts of i -> j and of j -> i beside k.
    """
    right, right_arc, pair, left = inside[0], inside[1], inside[6], inside[7]
    right_by_end, left_by_end, left_arc_by_end, pair_by_end = inside[2], inside[3], inside[4], inside[5]
    out_right, out_left, out_left_arc, out_pair = outside[0], outside[1], outside[2], outside[3]
    right_row, left_row, right_arc_row, pair_row = rows[0], rows[1], rows[2], rows[3]
    n, side = len(right), len(scores)
    for i in range(n - 1):
        rows[:4] = -np.inf
        for j in range(i + 2, n):
            for k in range(i + 1, j):
                parts_of[0, j, k] = parts[((i + 1) * side + k + 1) * side + j + 1]
                parts_of[1, j, k] = parts[((j + 1) * side + k + 1) * side + i + 1]
        for j in range(n - 1, i, -1):
            outer_right = max(right_row[j], out_right[j, i])
            outer_left = max(left_row[j], out_left[j, i])
            outer_pair = max(pair_row[j], out_pair[j, i])
            outer_right_arc = max(right_arc_row[j], outer_right)
            outer_left_arc = max(out_left_arc[j, i], outer_left)
            result[i + 1, j + 1] = outer_right_arc + right_arc[i, j]
            result[j + 1, i + 1] = outer_left_arc + left_arc_by_end[j, i]
            above_right = outer_right_arc + scores[i + 1, j + 1]
            above_left = outer_left_arc + scores[j + 1, i + 1]
            first = above_right + parts[((i + 1) * side + i + 1) * side + j + 1]
            out_left[j, i + 1] = max(out_left[j, i + 1], first)
            first = above_left + parts[((j + 1) * side + j + 1) * side + i + 1]
            right_row[j - 1] = max(right_row[j - 1], first)
            begin, end = i + 1, i + 1 + ((j - i + 2) & ~3)
            if outer_right > -np.inf:
                _push(right_arc_row[begin:end], right_by_end[j, begin:end], outer_right)
                _push(out_right[j, begin:end], right_arc[i, begin:end], outer_right)
            if outer_left > -np.inf:
                _push(left_row[begin:end], left_arc_by_end[j, begin:end], outer_left)
                _push(out_left_arc[j, begin:end], left[i, begin:end], outer_left)
            if above_right > -np.inf:
                own = parts_of[0, j, begin:end]
                _push_parts(right_arc_row[begin:end], pair_by_end[j, begin:end], own, above_right)
                _push_parts(out_pair[j, begin:end], right_arc[i, begin:end], own, above_right)
            if above_left > -np.inf:
                own = parts_of[1, j, begin:end]
                _push_parts(pair_row[begin:end], left_arc_by_end[j, begin:end], own, above_left)
                _push_parts(out_left_arc[j, begin:end], pair[i, begin:end], own, above_left)
            if outer_pair > -np.inf:
                end = i + 1 + ((j - i + 3) & ~3)
                _push(right_row[i : end - 1], left_by_end[j, begin:end], outer_pair)
                _push(out_left[j, begin:end], right[i, i : end - 1], outer_pair)


@inner_kernel
def _side(offsets, sentence):
    return round((offsets[sentence + 1] - offsets[sentence]) ** 0.5)


@inner_kernel
def _longest(offsets, begin, end):
    longest = 1
    for sentence in range(begin, end):
        longest = max(longest, _side(offsets, sentence) - 1)
    return longest


@inner_kernel
def _workspace(longest):
    """Space for sentences of up to ``longest`` words: charts, rows, turned sibling scores, stack of spans."""
    return (
        np.zeros(4 * longest * (longest + 4)),
        np.zeros((5, longest + 4)),
        np.zeros((BLOCK, longest, longest + 4)),
        np.empty((2 * longest + 2, 2), np.int64),
    )


@inner_kernel
def _chart(tables, n):
    return tables[: 4 * n * (n + 4)].reshape(4, n, n + 4)


@inner_kernel
def _has_bad_part(parts, side):
    """Whether a part [h, s, m] is NaN or +inf; entries that are no parts are not looked at."""
    bad = False
    for h in range(side):
        for s in range(side):
            first, last = (s + 1, side) if s >= h else (1, s)
            row = parts[(h * side + s) * side : (h * side + s + 1) * side]
            for m in range(first, last):
                bad |= not (row[m] < np.inf)
        own = parts[(h * side + h) * side : (h * side + h + 1) * side]
        for m in range(1, h):
            bad |= not (own[m] < np.inf)
    return bad


@inner_kernel
def _has_bad_value(parts):
    bad = False
    for part in parts:
        bad |= not (part < np.inf)
    return bad


@inner_kernel
def _fill(scores, parts, right, left, arc, pair, rows, slab):
    """Fill the chart. Once an item is final it is pushed into all longer spans that begin where it begins.

    The pushes are inlined by force, since LLVM leaves some of them as calls, at twice the time for all. A
    forbidden item, -inf, is pushed nowhere, so sentences with few allowed arcs take less time. Returns whether a NaN
    or +inf was met, perhaps among entries beside the parts.
    """
    suspect = _has_bad_value(parts[: len(scores) ** 2])  # the root's
    n, side = len(right), len(scores)
    pair_row, right_row, left_row, right_arc_row, left_arc_row = rows[0], rows[1], rows[2], rows[3], rows[4]
    for i in range(n - 1, -1, -1):
        if i % BLOCK == BLOCK - 1 or i == n - 1:
            _turn(parts, side, i - i % BLOCK, slab)
        turned = slab[i % BLOCK]
        right[i, i] = left[i, i] = 0.0
        own = ((i + 1) * side + i + 1) * side + 1  # parts [i, i, *], words from 0
        for j in range(i + 1, n):
            pair_row[j] = left[i + 1, j]
            right_arc_row[j] = left[i + 1, j] + parts[own + j]
            suspect |= not (parts[own + j] < np.inf)
            right_row[j] = left_row[j] = left_arc_row[j] = -np.inf
        before = 0.0  # right[i, k - 1]
        for k in range(i + 1, n):
            right_top = right_arc_row[k] + scores[i + 1, k + 1]
            first_part = parts[((k + 1) * side + k + 1) * side + i + 1]
            first = before + first_part
            suspect |= not (first_part < np.inf)
            left_top = max(left_arc_row[k], first) + scores[k + 1, i + 1]
            right_item = max(right_row[k], right_top)
            left_item = max(left_row[k], left_top)
            pair_item = pair_row[k]
            arc[k, i], arc[i, k], pair[i, k] = right_top, left_top, pair_item
            right[i, k], left[i, k] = right_item, left_item
            before = right_item
            begin, end = k + 1, k + 1 + ((n - k + 2) & ~3)
            if begin == n:
                break
            if right_item > -np.inf:
                _push(pair_row[begin:end], left[begin, begin:end], right_item)
            if right_top > -np.inf:
                base = ((i + 1) * side + k + 1) * side + 1
                _push(right_row[begin:end], right[k, begin:end], right_top)
                row, items = right_arc_row[begin:end], pair[k, begin:end]
                suspect |= _push_parts(row, items, parts[base + begin : base + end], right_top)
            if left_item > -np.inf:
                _push(left_row[begin:end], arc[k, begin:end], left_item)
            if pair_item > -np.inf:
                suspect |= _push_parts(left_arc_row[begin:end], arc[k, begin:end], turned[k, begin:end], pair_item)
    return suspect


@inner_kernel
def _turn(parts, side, begin, slab):
    """slab[i - begin, k, j] = the part of modifier i of j beside k, for words i < k < j of the block that i begins.

    Whole cache lines are copied, entries with i >= k among them, which are never read.
    """
    n = side - 1
    if n == 3:  # one part, too near the end of the cube for a whole line
        slab[0, 1, 2] = parts[(3 * side + 2) * side + 1]
        return
    for first in range(begin + 2, n, BLOCK):
        for k in range(begin + 1, min(first + BLOCK, n) - 1):
            for j in range(max(first, k + 1), min(first + BLOCK, n)):
                at = ((j + 1) * side + k + 1) * side + begin + 1
                for i in range(BLOCK):
                    slab[i, k, j] = parts[at + i]


@inlined_kernel
def _push(row, items, score):
    """row = max(row, score + items), over a length that is a multiple of four."""
    count = len(row) & ~3  # tells the compiler that no scalar remainder is left
    for j in range(count):
        value = score + items[j]
        row[j] = value if value > row[j] else row[j]


@inlined_kernel
def _push_parts(row, items, parts, score):
    """row = max(row, score + items + parts), over a length that is a multiple of four; whether a part is bad."""
    count, bad = len(row) & ~3, False
    for j in range(count):
        value = score + (items[j] + parts[j])
        row[j] = value if value > row[j] else row[j]
        bad |= not (parts[j] < np.inf)
    return bad


@inner_kernel
def _fill_top(scores, parts, left, pair, top):
    """top[r]: the best trees over words 0..r with r a child of the root, its right side not yet there."""
    side = len(scores)
    for r in range(side - 1):
        top[r] = left[0, r] + parts[r + 1]
        for s in range(r):
            top[r] = max(top[r], top[s] + (pair[s, r] + parts[(s + 1) * side + r + 1]))
        top[r] += scores[0, r + 1]


@inner_kernel
def _read(scores, parts, chart, single_root, rows, stack, heads):
    """Heads of the best tree; FINE or NO_TREE. Ties go to the leftmost split, from the top down."""
    right, left, pair = chart[0], chart[1], chart[3]
    n, side = len(right), len(scores)
    top = rows[0]
    if single_root:
        for r in range(n):
            top[r] = left[0, r] + (scores[0, r + 1] + parts[r + 1])
    else:
        _fill_top(scores, parts, left, pair, top)
    root, value = -1, -np.inf
    for r in range(n):
        if top[r] + right[r, n - 1] > value:
            root, value = r, top[r] + right[r, n - 1]
    if root < 0:
        return NO_TREE
    heads[0] = -1
    heads[root + 1] = 0
    _read_span(parts, side, chart, root, n - 1, stack, heads)
    while not single_root:
        inner, value = -1, left[0, root] + parts[root + 1]
        for s in range(root):
            total = top[s] + (pair[s, root] + parts[(s + 1) * side + root + 1])
            if total > value:
                inner, value = s, total
        if inner < 0:
            break
        split = _split(right, left, inner, root)
        _read_span(parts, side, chart, inner, split, stack, heads)
        _read_span(parts, side, chart, root, split + 1, stack, heads)
        heads[inner + 1] = 0
        root = inner
    _read_span(parts, side, chart, root, 0, stack, heads)
    return FINE


@inner_kernel
def _split(right, left, i, j):
    """The last word of i's share of the words between neighbouring siblings i and j."""
    split, value = i, -np.inf
    for k in range(i, j):
        if right[i, k] + left[k + 1, j] > value:
            split, value = k, right[i, k] + left[k + 1, j]
    return split


@inner_kernel
def _read_span(parts, side, chart, head, end, stack, heads):
    """Heads of all words but ``head`` in the complete span from ``head`` to ``end``, on either side of it."""
    right, left, arc, pair = chart[0], chart[1], chart[2], chart[3]
    stack[0, 0], stack[0, 1] = head, end
    waiting = 1
    while waiting > 0:
        waiting -= 1
        head, end = stack[waiting, 0], stack[waiting, 1]
        if head == end:
            continue
        modifier, value = end, -np.inf
        for k in range(min(head + 1, end), max(head, end + 1)):
            total = arc[k, head] + right[k, end] if head < end else left[end, k] + arc[k, head]
            if total > value:
                modifier, value = k, total
        # Each word heads at most one span to its left and one to its right, so the stack never holds more than 2 n.
        stack[waiting, 0], stack[waiting, 1] = modifier, end
        waiting += 1
        inner = modifier
        while inner != head:
            modifier = inner
            heads[modifier + 1] = head + 1
            inner = _inner_sibling(parts, side, right, left, arc, pair, head, modifier)
            if inner == head:
                stack[waiting, 0], stack[waiting, 1] = modifier, head + 1 if head < modifier else head - 1
                waiting += 1
                continue
            first, last = min(inner, modifier), max(inner, modifier)
            split = _split(right, left, first, last)
            stack[waiting, 0], stack[waiting, 1] = first, split
            stack[waiting + 1, 0], stack[waiting + 1, 1] = last, split + 1
            waiting += 2


@inner_kernel
def _inner_sibling(parts, side, right, left, arc, pair, head, modifier):
    """The next modifier from ``modifier`` towards its head in the best span, or the head if there is none."""
    inner, value = head, -np.inf
    base = (head + 1) * side
    if head < modifier:
        value = left[head + 1, modifier] + parts[(base + head + 1) * side + modifier + 1]
        for s in range(head + 1, modifier):
            total = arc[s, head] + (pair[s, modifier] + parts[(base + s + 1) * side + modifier + 1])
            if total > value:
                inner, value = s, total
        return inner
    for s in range(modifier + 1, head):
        total = pair[modifier, s] + (arc[s, head] + parts[(base + s + 1) * side + modifier + 1])
        if total > value:
            inner, value = s, total
    total = right[modifier, head - 1] + parts[(base + head + 1) * side + modifier + 1]
    return head if total > value or inner == head else inner
