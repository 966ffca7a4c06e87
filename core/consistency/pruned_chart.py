"""The best projective tree with siblings where few arcs are alive: the later passes of dual decomposition.

As ``core.trees.eisner_sibling`` in what it maximises and in how ties go, but it visits living arcs only and reads the
parts between them from lists, so that a sentence costs O(n^3 / 6 + parts) cheap steps and no cube. Words count from 0
here and word i is node i + 1 of scores and parts, as in ``core.trees.sibling_chart``.

Source: McDonald & Pereira (2006), E06-1011.
"""

import numpy as np
from numba import njit

NEEDED = np.inf  # mark of items to be computed


@njit(cache=True, nogil=True)
def decode_sentences(blocks, offsets, arc_offsets, scores, part_offsets, places, parts, heads, values):
    """Decode some sentences into ``heads`` (rows,) and ``values`` (S,), the value of each tree; one root each.

    ``scores`` (arcs,) are -inf where dead. ``places`` and ``parts`` from ``part_offsets[s]`` on are the sibling parts
    of sentence s as ``surviving_siblings`` lists them. A sentence without a tree gets -inf and heads as they were.
    """
    longest = 1
    for sentence in blocks:
        longest = max(longest, offsets[sentence + 1] - offsets[sentence] - 1)
    tables, stack = np.empty(4 * longest * longest), np.empty((2 * longest + 2, 2), np.int64)
    starts, modifiers = np.empty((longest + 1) ** 2 + 1, np.int64), np.empty((longest + 1, longest + 3), np.int64)
    for sentence in blocks:
        side = offsets[sentence + 1] - offsets[sentence]
        n = side - 1
        own = scores[arc_offsets[sentence] : arc_offsets[sentence + 1]].reshape(side, side)
        first, last = part_offsets[sentence], part_offsets[sentence + 1]
        chart = tables[: 4 * n * n].reshape(4, n, n)
        _index(side, places[first:last], starts, modifiers)
        listed, scored = places[first:last], parts[first:last]
        right, left, arc, pair = chart[0], chart[1], chart[2], chart[3]
        _fill(own, starts, modifiers, listed, scored, right, left, arc, pair)
        found = heads[offsets[sentence] : offsets[sentence + 1]]
        values[sentence] = _read(own, starts, modifiers, listed, scored, right, left, arc, pair, stack, found)


@njit(cache=True, nogil=True)
def _index(side, places, starts, modifiers):
    """Where the parts of each arc begin, by h * side + m; ``modifiers[h]``: how many m < h, how many m, then each."""
    modifiers[:side, :2] = 0
    at = 0
    for arc in range(side * side):
        starts[arc] = at
        while at < len(places) and places[at] < (arc + 1) * side:
            at += 1
        if at > starts[arc]:
            h = arc // side
            m = arc - h * side
            modifiers[h, 0] += m < h
            modifiers[h, 1] += 1
            modifiers[h, 1 + modifiers[h, 1]] = m
    starts[side * side] = at


@njit(cache=True, nogil=True)
def _fill(scores, starts, modifiers, places, parts, right, left, arc, pair):
    """``right[i, j]`` is headed by i, ``left[j, i]`` by j, where i <= j; ``arc[h, m]``; ``pair[i, j]``."""
    n = len(right)
    arc[:] = -np.inf
    _mark_pairs(n + 1, places, pair)
    for i in range(n):
        right[i, i] = left[i, i] = 0.0
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            if pair[i, j] == NEEDED:
                best = -np.inf
                for k in range(i, j):
                    value = right[i, k] + left[j, k + 1]
                    best = value if value > best else best
                pair[i, j] = best
            if scores[i + 1, j + 1] > -np.inf:
                arc[i, j] = _inner(starts, places, parts, right, left, arc, pair, i, j)[1] + scores[i + 1, j + 1]
            if scores[j + 1, i + 1] > -np.inf:
                arc[j, i] = _inner(starts, places, parts, right, left, arc, pair, j, i)[1] + scores[j + 1, i + 1]
            right[i, j] = _outer(modifiers, right, left, arc, i, j)[1]
            left[j, i] = _outer(modifiers, right, left, arc, j, i)[1]


@njit(cache=True, nogil=True)
def _outer(modifiers, right, left, arc, head, end):
    """(outermost modifier, value) of the best complete span from ``head`` to ``end``."""
    best, found = -np.inf, -1
    h = head + 1
    if head < end:
        for place in range(2 + modifiers[h, 0], 2 + modifiers[h, 1]):
            m = modifiers[h, place] - 1
            if m > end:
                break
            value = arc[head, m] + right[m, end]
            if value > best:
                best, found = value, m
        return found, best
    for place in range(1 + modifiers[h, 0], 1, -1):  # from the head outwards; of equals the last, which is the leftmost
        m = modifiers[h, place] - 1
        if m < end:
            break
        value = left[m, end] + arc[head, m]
        if value >= best and value > -np.inf:
            best, found = value, m
    return found, best


@njit(cache=True, nogil=True)
def _mark_pairs(side, places, pair):
    """NEEDED in ``pair`` for words that may be neighbouring modifiers of one head, the left one first."""
    pair[:] = -np.inf
    for place in places:
        arc, s = place // side, place % side
        h, m = arc // side, arc % side
        if s != h:
            pair[min(s, m) - 1, max(s, m) - 1] = NEEDED


@njit(cache=True, nogil=True)
def _inner(starts, places, parts, right, left, arc, pair, head, m):
    """(next modifier towards the head, or the head; value) of the best span below the arc head -> m."""
    side = len(right) + 1
    number = (head + 1) * side + m + 1
    best, found, alone = -np.inf, -1, -np.inf
    for at in range(starts[number], starts[number + 1]):
        s = places[at] - number * side - 1
        if s == head:
            alone = parts[at] + (left[m, head + 1] if head < m else right[m, head - 1])
            if head < m and alone > best:
                best, found = alone, head
            continue
        value = arc[head, s] + ((pair[s, m] if head < m else pair[m, s]) + parts[at])
        if value > best:
            best, found = value, s
    if head > m and alone > best:
        best, found = alone, head
    return found, best


@njit(cache=True, nogil=True)
def _read(scores, starts, modifiers, places, parts, right, left, arc, pair, stack, heads):
    """Heads of the best tree, and its value; -inf where there is none."""
    n, side = len(right), len(scores)
    best, root = -np.inf, -1
    for place in range(2, 2 + modifiers[0, 1]):
        r = modifiers[0, place] - 1
        at = starts[r + 1]
        if places[at] != (r + 1) * side or scores[0, r + 1] == -np.inf:
            continue  # the part without a sibling, s = h = 0, comes first
        value = left[r, 0] + (scores[0, r + 1] + parts[at]) + right[r, n - 1]
        if value > best:
            best, root = value, r
    if root < 0:
        return best
    heads[0], heads[root + 1] = -1, 0
    stack[0, 0], stack[0, 1] = root, n - 1
    stack[1, 0], stack[1, 1] = root, 0
    waiting = 2
    while waiting > 0:
        waiting -= 1
        head, end = stack[waiting, 0], stack[waiting, 1]
        if head == end:
            continue
        modifier = _outer(modifiers, right, left, arc, head, end)[0]
        stack[waiting, 0], stack[waiting, 1] = modifier, end
        waiting += 1
        while modifier != head:
            heads[modifier + 1] = head + 1
            inner = _inner(starts, places, parts, right, left, arc, pair, head, modifier)[0]
            if inner == head:
                stack[waiting, 0], stack[waiting, 1] = modifier, head + 1 if head < modifier else head - 1
                waiting += 1
            else:
                first, last = min(inner, modifier), max(inner, modifier)
                split, value = first, -np.inf
                for k in range(first, last):
                    if right[first, k] + left[last, k + 1] > value:
                        split, value = k, right[first, k] + left[last, k + 1]
                stack[waiting, 0], stack[waiting, 1] = first, split
                stack[waiting + 1, 0], stack[waiting + 1, 1] = last, split + 1
                waiting += 2
            modifier = inner
    return best
