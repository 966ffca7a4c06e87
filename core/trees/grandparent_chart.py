"""Eisner's chart with siblings and grandparents: the kernels of decoding and of max-marginals.

Words count from 0 and the root stands apart, as in ``core.trees.eisner``. Nodes count as scores do, so word i is node
i + 1 and the root node 0. A chart is an array of shape (4, n, n, width) over words i <= j, ends inclusive. The
n + 1 nodes (and up to three more, to a multiple of four) stand on its last axis:

- ``right[i, j, g]`` and ``left[i, j, g]``: complete spans headed by i and by j, whose head has the head g
- ``arc[m, h, g]``: the span between h and m with the arc h -> m on top, where h has the head g
- ``pair[i, j, h]``: i and j are neighbouring modifiers of h; what is between them belongs to them

All loops run along the last axis. Entries for nodes inside a span mean nothing: they are computed and never used.
Source: Koo & Collins (2010), P10-1001, Model 1 without its joint grand-sibling scores.
"""

import numpy as np

from core.compilation.kernels import inlined_kernel, inner_kernel, kernel

FINE, NO_TREE, BAD_VALUE = 0, 1, 2


@kernel
def decode_range(
    corpus: tuple, begin: int, end: int, single_root: bool, heads: np.ndarray, head_offsets: np.ndarray
) -> int:
    """Decode sentences begin..end-1, one workspace for all; the first that is not fine, or -1."""
    values, offsets, siblings, grandparents, cube_offsets = corpus
    tables, turned, stack = _workspace(offsets, begin, end)
    unfit = -1
    for sentence in range(begin, end):
        side = _side(offsets, sentence)
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        sibling_scores = _cube(siblings, cube_offsets, sentence, side)
        grandparent_scores = _cube(grandparents, cube_offsets, sentence, side)
        found = heads[head_offsets[sentence] : head_offsets[sentence + 1]]
        chart, grand = _chart(tables, side - 1), _turned(turned, side)
        status = BAD_VALUE
        if not (_has_bad_sibling(sibling_scores) or _turn(grandparent_scores, grand)):
            _fill(scores, sibling_scores, grand, chart[0], chart[1], chart[2], chart[3])
            status = _read(scores, sibling_scores, chart, single_root, stack, found)
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
    values, offsets, siblings, grandparents, cube_offsets = corpus
    longest = 0
    for sentence in range(begin, end):
        longest = max(longest, _side(offsets, sentence) - 1)
    turned = np.zeros(_turned_size(longest))
    for sentence in range(begin, end):
        side = _side(offsets, sentence)
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        sibling_scores, grand = _cube(siblings, cube_offsets, sentence, side), _turned(turned, side)
        if _has_bad_sibling(sibling_scores) or _turn(_cube(grandparents, cube_offsets, sentence, side), grand):
            return sentence
        first = chart_offsets[sentence - begin]
        chart = _chart(charts[first : chart_offsets[sentence - begin + 1]], side - 1)
        _fill(scores, sibling_scores, grand, chart[0], chart[1], chart[2], chart[3])
    return -1


@kernel
def max_marginals_range(corpus: tuple, begin: int, end: int, single_root: bool, output: np.ndarray) -> int:
    """The value of the best tree through each arc of sentences begin..end-1; the first that is not fine, or -1."""
    values, offsets, siblings, grandparents, cube_offsets = corpus
    tables, turned, _ = _workspace(offsets, begin, end)
    outer = np.empty(len(tables))
    unfit = -1
    for sentence in range(begin, end):
        side = _side(offsets, sentence)
        scores = values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        result = output[offsets[sentence] : offsets[sentence + 1]].reshape(side, side)
        sibling_scores, grand = _cube(siblings, cube_offsets, sentence, side), _turned(turned, side)
        if _has_bad_sibling(sibling_scores) or _turn(_cube(grandparents, cube_offsets, sentence, side), grand):
            return sentence
        chart, outside = _chart(tables, side - 1), _chart(outer, side - 1)
        _fill(scores, sibling_scores, grand, chart[0], chart[1], chart[2], chart[3])
        result[:] = -np.inf
        outside[:] = -np.inf
        if _join_root(scores, sibling_scores, chart, outside, single_root, result) == -np.inf:
            result[:] = -np.inf
            unfit = sentence if unfit < 0 else unfit
        else:
            _outside(scores, sibling_scores, grand, chart, outside, result)
    return unfit


@inner_kernel
def _side(offsets, sentence):
    return round((offsets[sentence + 1] - offsets[sentence]) ** 0.5)


@inner_kernel
def _width(side):
    return (side + 3) & ~3


@inner_kernel
def _cube(values, offsets, sentence, side):
    return values[offsets[sentence] : offsets[sentence + 1]].reshape(side, side, side)


@inner_kernel
def _chart(tables, n):
    return tables[: 4 * n * n * _width(n + 1)].reshape(4, n, n, _width(n + 1))


@inner_kernel
def _turned_size(n):
    return (n + 1) * (n + 1) * _width(n + 1)


@inner_kernel
def _turned(values, side):
    return values[: side * side * _width(side)].reshape(side, side, _width(side))


@inner_kernel
def _workspace(offsets, begin, end):
    """Space for the longest of the sentences: chart, turned grandparent scores, stack of spans."""
    longest = 1
    for sentence in range(begin, end):
        longest = max(longest, _side(offsets, sentence) - 1)
    tables = np.zeros(4 * longest * longest * _width(longest + 1))
    return tables, np.zeros(_turned_size(longest)), np.empty((2 * longest + 2, 3), np.int64)


@inner_kernel
def _has_bad_sibling(siblings):
    """Whether a part [h, s, m] is NaN or +inf; entries that are no parts are not looked at."""
    side, bad = len(siblings), False
    for h in range(side):
        for m in range(1, side):
            if h != m:
                bad |= not (siblings[h, h, m] < np.inf)
        for s in range(side):
            if s != h:
                for m in range(s + 1 if s > h else 1, side if s > h else s):
                    bad |= not (siblings[h, s, m] < np.inf)
    return bad


@inner_kernel
def _turn(grandparents, turned):
    """turned[h, m, g] = grandparents[g, h, m]; whether a part of a projective tree is NaN or +inf."""
    side, bad = len(grandparents), False
    for g in range(side):
        for h in range(1, side):
            if g == h:
                continue
            first, last = (1, g) if h < g else (g + 1, side)
            for m in range(first, last):
                value = grandparents[g, h, m]
                turned[h, m, g] = value
                bad |= not (value < np.inf) and h != m
    return bad


@inner_kernel
def _fill(scores, siblings, grand, right, left, arc, pair):
    """Fill the chart span by span, from its last words back. Forbidden arcs are not looked at twice."""
    n = len(right)
    for i in range(n - 1, -1, -1):
        right[i, i] = left[i, i] = 0.0
        for j in range(i + 1, n):
            head, modifier = i + 1, j + 1
            row = pair[i, j]
            row[:] = -np.inf
            for k in range(i, j):
                _join(row, right[i, k], left[k + 1, j])
            row = arc[j, i]
            row[:] = -np.inf
            if scores[head, modifier] > -np.inf:
                row[:] = left[i + 1, j, head] + siblings[head, head, modifier]
                for s in range(i + 1, j):
                    _push(row, arc[s, i], pair[s, j, head] + siblings[head, s + 1, modifier])
                row += scores[head, modifier] + grand[head, modifier]
            head, modifier = j + 1, i + 1
            row = arc[i, j]
            row[:] = -np.inf
            if scores[head, modifier] > -np.inf:
                row[:] = right[i, j - 1, head] + siblings[head, head, modifier]
                for s in range(i + 1, j):
                    _push(row, arc[s, j], pair[i, s, head] + siblings[head, s + 1, modifier])
                row += scores[head, modifier] + grand[head, modifier]
            row = right[i, j]
            row[:] = -np.inf
            for m in range(i + 1, j + 1):
                if scores[i + 1, m + 1] > -np.inf:
                    _push(row, arc[m, i], right[m, j, i + 1])
            row = left[i, j]
            row[:] = -np.inf
            for m in range(i, j):
                if scores[j + 1, m + 1] > -np.inf:
                    _push(row, arc[m, j], left[i, m, j + 1])


@inlined_kernel
def _push(row, items, score):
    """row = max(row, items + score), over a length that is a multiple of four."""
    if score > -np.inf:
        for g in range(len(row) & ~3):
            value = items[g] + score
            row[g] = value if value > row[g] else row[g]


@inlined_kernel
def _join(row, first, second):
    """row = max(row, first + second), over a length that is a multiple of four."""
    for g in range(len(row) & ~3):
        value = first[g] + second[g]
        row[g] = value if value > row[g] else row[g]


@inner_kernel
def _best_sum(first, second, begin, end):
    """The highest sum over nodes outside words begin..end."""
    best = -np.inf
    for g in range(begin + 1):
        best = max(best, first[g] + second[g])
    for g in range(end + 2, len(first)):
        best = max(best, first[g] + second[g])
    return best


@inner_kernel
def _tops(scores, siblings, left, pair, single_root):
    """tops[r]: the best trees over words 0..r with r a child of the root, its right side not yet there."""
    n = len(scores) - 1
    tops = np.empty(n)
    for r in range(n):
        if single_root:
            tops[r] = left[0, r, 0] + (scores[0, r + 1] + siblings[0, 0, r + 1])
            continue
        tops[r] = left[0, r, 0] + siblings[0, 0, r + 1]
        for s in range(r):
            tops[r] = max(tops[r], tops[s] + (pair[s, r, 0] + siblings[0, s + 1, r + 1]))
        tops[r] += scores[0, r + 1]
    return tops


@inner_kernel
def _read(scores, siblings, chart, single_root, stack, heads):
    """Heads of the best tree; FINE or NO_TREE. Ties go to the leftmost split, from the top down."""
    right, left, pair = chart[0], chart[1], chart[3]
    n = len(right)
    tops = _tops(scores, siblings, left, pair, single_root)
    root, value = -1, -np.inf
    for r in range(n):
        if tops[r] + right[r, n - 1, 0] > value:
            root, value = r, tops[r] + right[r, n - 1, 0]
    if root < 0:
        return NO_TREE
    heads[0] = -1
    heads[root + 1] = 0
    _read_span(siblings, chart, root, n - 1, 0, stack, heads)
    while not single_root:
        inner, value = -1, left[0, root, 0] + siblings[0, 0, root + 1]
        for s in range(root):
            total = tops[s] + (pair[s, root, 0] + siblings[0, s + 1, root + 1])
            if total > value:
                inner, value = s, total
        if inner < 0:
            break
        split = _split(right, left, inner, root, 0)
        _read_span(siblings, chart, inner, split, 0, stack, heads)
        _read_span(siblings, chart, root, split + 1, 0, stack, heads)
        heads[inner + 1] = 0
        root = inner
    _read_span(siblings, chart, root, 0, 0, stack, heads)
    return FINE


@inner_kernel
def _split(right, left, i, j, h):
    """The last word of i's share of the words between neighbouring modifiers i and j of the node h."""
    split, value = i, -np.inf
    for k in range(i, j):
        if right[i, k, h] + left[k + 1, j, h] > value:
            split, value = k, right[i, k, h] + left[k + 1, j, h]
    return split


@inner_kernel
def _read_span(siblings, chart, head, end, grandparent, stack, heads):
    """Heads of all words but ``head`` in the complete span from ``head`` to ``end``, on either side of it."""
    right, left, arc, pair = chart[0], chart[1], chart[2], chart[3]
    stack[0, 0], stack[0, 1], stack[0, 2] = head, end, grandparent
    waiting = 1
    while waiting > 0:
        waiting -= 1
        head, end, g = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        if head == end:
            continue
        node = head + 1
        modifier, value = end, -np.inf
        for k in range(min(head + 1, end), max(head, end + 1)):
            below = right[k, end, node] if head < end else left[end, k, node]
            if arc[k, head, g] + below > value:
                modifier, value = k, arc[k, head, g] + below
        # Each word heads at most one span to its left and one to its right, so the stack never holds more than 2 n.
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = modifier, end, node
        waiting += 1
        while modifier != head:
            heads[modifier + 1] = node
            inner = _inner_sibling(siblings, right, left, arc, pair, head, modifier, g)
            if inner == head:
                stack[waiting, 0], stack[waiting, 1] = modifier, head + 1 if head < modifier else head - 1
                stack[waiting, 2] = node
                waiting += 1
            else:
                first, last = min(inner, modifier), max(inner, modifier)
                split = _split(right, left, first, last, node)
                stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = first, split, node
                stack[waiting + 1, 0], stack[waiting + 1, 1], stack[waiting + 1, 2] = last, split + 1, node
                waiting += 2
            modifier = inner


@inner_kernel
def _inner_sibling(siblings, right, left, arc, pair, head, modifier, g):
    """The next modifier from ``modifier`` towards its head in the best span, or the head if there is none."""
    node = head + 1
    inner, value = head, -np.inf
    if head < modifier:
        value = left[head + 1, modifier, node] + siblings[node, node, modifier + 1]
    for s in range(min(head, modifier) + 1, max(head, modifier)):
        between = pair[s, modifier, node] if head < modifier else pair[modifier, s, node]
        total = arc[s, head, g] + (between + siblings[node, s + 1, modifier + 1])
        if total > value:
            inner, value = s, total
    if head > modifier and right[modifier, head - 1, node] + siblings[node, node, modifier + 1] > value:
        return head
    return inner


@inner_kernel
def _join_root(scores, siblings, chart, outside, single_root, result):
    """The value of the best tree; begins the outside chart and row 0 of ``result``."""
    right, left, pair = chart[0], chart[1], chart[3]
    out_right, out_left, out_pair = outside[0], outside[1], outside[3]
    n = len(right)
    tops = _tops(scores, siblings, left, pair, single_root)
    best = -np.inf
    out_tops = right[:, n - 1, 0].copy()
    for r in range(n - 1, -1, -1):
        best = max(best, tops[r] + right[r, n - 1, 0])
        out_right[r, n - 1, 0] = tops[r]
        result[0, r + 1] = tops[r] + out_tops[r]
        below = out_tops[r] + scores[0, r + 1]
        out_left[0, r, 0] = below + siblings[0, 0, r + 1]
        if not single_root:
            for s in range(r):
                part = siblings[0, s + 1, r + 1]
                out_tops[s] = max(out_tops[s], below + (pair[s, r, 0] + part))
                out_pair[s, r, 0] = below + (tops[s] + part)
    return best


@inner_kernel
def _outside(scores, siblings, grand, chart, outside, result):
    """Run ``_fill`` backwards, longer spans first; ``result`` gets the best of each arc's inside plus outside."""
    right, left, arc, pair = chart[0], chart[1], chart[2], chart[3]
    out_right, out_left, out_arc, out_pair = outside[0], outside[1], outside[2], outside[3]
    n, nothing = len(right), np.zeros(right.shape[2])
    for i in range(n):
        for j in range(n - 1, i, -1):
            row = out_right[i, j]
            for m in range(i + 1, j + 1):
                if scores[i + 1, m + 1] > -np.inf:
                    _push(out_arc[m, i], row, right[m, j, i + 1])
                    value = _best_sum(row, arc[m, i], i, j)
                    out_right[m, j, i + 1] = max(out_right[m, j, i + 1], value)
            row = out_left[i, j]
            for m in range(i, j):
                if scores[j + 1, m + 1] > -np.inf:
                    _push(out_arc[m, j], row, left[i, m, j + 1])
                    value = _best_sum(row, arc[m, j], i, j)
                    out_left[i, m, j + 1] = max(out_left[i, m, j + 1], value)
            for head, modifier in ((i, j), (j, i)):
                h, m = head + 1, modifier + 1
                if scores[h, m] == -np.inf:
                    continue
                row = out_arc[modifier, head]
                result[h, m] = _best_sum(row, arc[modifier, head], i, j)
                row += scores[h, m] + grand[h, m]
                part = siblings[h, h, m]
                out_below = out_left[i + 1, j] if head == i else out_right[i, j - 1]
                out_below[h] = max(out_below[h], _best_sum(row, nothing, i, j) + part)
                for s in range(i + 1, j):
                    part = siblings[h, s + 1, m]
                    first, last = (s, j) if head == i else (i, s)
                    _push(out_arc[s, head], row, pair[first, last, h] + part)
                    value = _best_sum(row, arc[s, head], i, j) + part
                    out_pair[first, last, h] = max(out_pair[first, last, h], value)
            row = out_pair[i, j]
            for k in range(i, j):
                _join(out_right[i, k], row, left[k + 1, j])
                _join(out_left[k + 1, j], row, right[i, k])
