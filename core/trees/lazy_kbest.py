"""The best derivations of a filled chart, one after the other: the kernels of ``eisner_kbest``.

Words count from 0 and the root stands apart. g is the node (word + 1, or 0 for the root) that heads a span's head where
the chart has grandparents, and 0 where it has not. Items:

- SPAN (h, e, g): complete span from the head h to its end e, on either side; a leaf where h = e
- ARC (h, m, g): the span between h and m with the arc h -> m on top
- PAIR (i, j, h): the words from i to j, neighbouring modifiers of the node h
- ROOT_ARC (r): words 0..r, with r a child of the root whose right side is not yet there
- ROOT_SPAN (e): words 0..e-1 below the root; a leaf where e = 0
- TOP: the sentence

Each item joins two items A and B at one of several splits. Derivations and trees correspond one to one, so the k best
derivations are the k best trees, all distinct. An item is opened when it is first read or asked for more than its best
value, which the chart has. Then all its splits wait in a heap. A derivation (split, a, b) names the ranks a of A
and b of B. Taking it out puts (split, a, b + 1) in, and (split, a + 1, 0) where b = 0. So each comes up once.

The state of a sentence is a few plain arrays, since structures of arrays are costly to hand from kernel to kernel:
``lookup`` numbers the opened items; ``items`` has a row for each; ``values`` and ``keys`` have a chunk for each: its
base (what it adds to each derivation), its first k derivations, best first, and its heap. A key is a derivation's split
and ranks in one integer. ``used`` is how many items are opened, how many entries of chunks are taken, and k.
Source: Huang & Chiang (2005), W05-1506, algorithm 3.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inlined_kernel, inner_kernel, kernel

LEAF, SPAN, ARC, PAIR, ROOT_ARC, ROOT_SPAN, TOP = -1, 0, 1, 2, 3, 4, 5
KIND, A, B, G, CHUNK, SIZE, COUNT, STAGE = range(8)  # columns of items; the heap has SIZE entries, COUNT are out of it
BEGUN, FIRST, SECOND, EXHAUSTED = range(4)  # stages of finding an item's next derivation
NO_ITEM, UNOPENED = -1, -2
RANK_BITS = 20
HIGHEST_RANK = (1 << RANK_BITS) - 1


class KBestProblem(NamedTuple):
    """Scores and chart of a sentence; ``order`` is 1 with arcs alone, 2 with siblings, 3 with grandparents too."""

    order: int
    single_root: bool
    scores: np.ndarray
    siblings: np.ndarray
    grandparents: np.ndarray
    chart: np.ndarray  # (tables, n, columns, nodes): right, left, arc, pair
    tops: np.ndarray  # best values of ROOT_ARC
    prefix: np.ndarray  # best values of ROOT_SPAN


@kernel
def kbest_range(
    order: int,
    corpus: tuple,
    charts: np.ndarray,
    chart_offsets: np.ndarray,
    begin: int,
    end: int,
    single_root: bool,
    trees: tuple,
) -> None:
    """The best trees of sentences begin..end-1, whose charts are filled.

    ``corpus`` is ``HigherOrder.corpus``; ``trees``: heads, offsets, values and counts of PackedTrees, to be filled.
    """
    packed, offsets, found_values, counts = trees
    k = found_values.shape[1]
    lookup, used = np.empty(0, np.int32), np.array([0, 0, k])
    items, values, keys = np.empty((0, 8), np.int64), np.empty(0), np.empty(0, np.int64)
    for sentence in range(begin, end):
        chart = charts[chart_offsets[sentence - begin] : chart_offsets[sentence - begin + 1]]
        problem = _problem(order, corpus, sentence, chart, single_root)
        n, nodes = problem.chart.shape[1], problem.chart.shape[3]
        if len(lookup) < 3 * n * n * nodes + 2 * n + 2:
            lookup = np.full(3 * n * n * nodes + 2 * n + 2, -1, np.int32)
        heads = packed[offsets[sentence] : offsets[sentence + 1]].reshape(k, n + 1)
        used[:2] = 0
        top, found = -1, 0
        while found < k:
            # One tree more opens items of its own and of the one before it only: 4 n each, of up to n + 1 splits.
            need = used[1] + 8 * (n + 1) * (n + 2 * k + 3)
            if need > len(keys):
                keys = _larger(keys, used[1], need + used[1])
                values = _larger(values.view(np.int64), used[1], need + used[1]).view(np.float64)
            need = used[0] + 8 * (n + 1)
            if need > len(items):
                items = _larger(items.ravel(), 8 * used[0], 8 * (need + used[0])).reshape(-1, 8)
            if top < 0:
                top = _open(problem, (TOP, 0, 0, 0), lookup, items, values, keys, used)
            if not _advance(problem, top, found, lookup, items, values, keys, used):
                break
            found_values[sentence, found] = values[items[top, CHUNK] + 1 + found]
            _read(problem, (top, found), lookup, items, values, keys, used, heads[found])
            found += 1
        counts[sentence] = found
        for item in range(used[0]):
            kind, a, b, g = items[item, KIND], items[item, A], items[item, B], items[item, G]
            lookup[_place(n, nodes, kind, a, b, g)] = -1


@inlined_kernel
def _problem(order, corpus, sentence, chart, single_root):
    """The scores of a sentence and its chart, with the best values of the root's items."""
    values, offsets, siblings, grandparents, cube_offsets = corpus
    begin, end = offsets[sentence], offsets[sentence + 1]
    side = round((end - begin) ** 0.5)
    n = side - 1
    tables, columns, nodes = (4, n, (side + 3) & ~3) if order == 3 else (2 + order, n + 4, 1)
    first = cube_offsets[sentence] if order > 1 else 0
    two, three = side if order > 1 else 0, side if order > 2 else 0
    scores = values[begin:end].reshape(side, side)
    pairs = siblings[first : first + two**3].reshape(two, two, two)
    chains = grandparents[first : first + three**3].reshape(three, three, three)
    table = chart.reshape(tables, n, columns, nodes)
    problem = KBestProblem(order, single_root, scores, pairs, chains, table, np.empty(n), np.empty(n + 1))
    if not single_root:
        _fill_root(problem)
    return problem


@inner_kernel
def _larger(array, used, size):
    """A longer array of integers that begins with the used part of this one."""
    larger = np.empty(size, np.int64)
    for i in range(used):
        larger[i] = array[i]
    return larger


@inner_kernel
def _fill_root(problem):
    """Best values of the items of the root, where several words may hang from it."""
    tops, prefix = problem.tops, problem.prefix
    prefix[0] = 0.0
    values = np.empty(len(prefix))
    for r in range(len(tops)):
        _candidates(problem, ROOT_ARC, r, 0, 0, values)
        tops[r] = values[0]
        for split in range(1, r + 1):
            tops[r] = max(tops[r], values[split])
        tops[r] += problem.scores[0, r + 1]
        prefix[r + 1] = -np.inf
        for top in range(r + 1):
            prefix[r + 1] = max(prefix[r + 1], tops[top] + problem.chart[0, top, r, 0])


@inner_kernel
def _place(n, nodes, kind, a, b, g):
    """Where ``lookup`` has an item."""
    if kind <= PAIR:
        return ((kind * n + a) * n + b) * nodes + g
    base = 3 * n * n * nodes
    return base + a if kind == ROOT_ARC else base + n + a if kind == ROOT_SPAN else base + 2 * n + 1


@inner_kernel
def _number(n, nodes, item, lookup):
    """The number of an item, kind, a, b, g; NO_ITEM for a leaf, or UNOPENED."""
    kind, a, b, g = item
    if kind == LEAF or (kind == SPAN and a == b) or (kind == ROOT_SPAN and a == 0):
        return NO_ITEM
    number = lookup[_place(n, nodes, kind, a, b, g)]
    return number if number >= 0 else UNOPENED


@inner_kernel
def _splits(order, n, kind, a, b):
    """The range of an item's splits. A modifier without inner sibling has its head, -1 the root, for its split."""
    if kind == SPAN:
        return (a + 1, b + 1) if a < b else (b, a)
    if kind == ARC and order > 1:
        return (a, b) if a < b else (b + 1, a + 1)
    if kind in (ARC, PAIR):
        return min(a, b), max(a, b)
    if kind == ROOT_ARC:
        return (0, a + 1) if order == 1 else (-1, a)
    return (0, a) if kind == ROOT_SPAN else (0, n)


@inner_kernel
def _children(order, single_root, n, kind, a, b, g, split):
    """The items A and B that are joined at a split, each as kind, a, b, g."""
    below = a + 1 if order == 3 else 0  # g of the modifiers of a
    if kind == SPAN:
        return (ARC, a, split, g), (SPAN, split, b, below)
    if kind == ARC and order > 1:
        if split == a:
            return (LEAF, 0, 0, 0), (SPAN, b, a + 1 if a < b else a - 1, below)
        pair = PAIR, min(split, b), max(split, b), below
        inner = ARC, a, split, g
        return (pair, inner) if order == 2 and a > b else (inner, pair)  # in the order in which charts add them
    if kind in (ARC, PAIR):
        return (SPAN, min(a, b), split, g), (SPAN, max(a, b), split + 1, g)
    if kind == ROOT_ARC:
        if order == 1:
            return (ROOT_SPAN, split, 0, 0), (SPAN, a, split, 0)
        if split < 0:
            return (LEAF, 0, 0, 0), (SPAN, a, 0, 0)
        return (ROOT_ARC, split, 0, 0), (PAIR, split, a, 0)
    if kind == ROOT_SPAN:
        return (ROOT_ARC, split, 0, 0), (SPAN, split, a - 1, 0)
    if single_root:
        return (SPAN, split, n - 1, 0), (SPAN, split, 0, 0)
    return (ROOT_ARC, split, 0, 0), (SPAN, split, n - 1, 0)


@inner_kernel
def _cost(problem, kind, a, b, split):
    """The score of joining two items at a split."""
    if kind == TOP and problem.single_root:
        part = problem.siblings[0, 0, split + 1] if problem.order > 1 else 0.0
        return problem.scores[0, split + 1] + part
    if problem.order == 1:
        return 0.0
    if kind == ARC:
        return problem.siblings[a + 1, split + 1, b + 1]
    if kind == ROOT_ARC:
        return problem.siblings[0, split + 1, a + 1]
    return 0.0


@inner_kernel
def _base(problem, kind, a, b, g):
    """The score of an item whatever its split."""
    if kind == ROOT_ARC:
        return problem.scores[0, a + 1]
    if kind != ARC:
        return 0.0
    if problem.order < 3:
        return problem.scores[a + 1, b + 1]
    return problem.scores[a + 1, b + 1] + problem.grandparents[g, a + 1, b + 1]


@inner_kernel
def _candidates(problem, kind, a, b, g, values):
    """The value of the best derivation at each split, without the item's base.

    The same as best of A + (best of B + cost) for ``_children`` and ``_cost``, straight from the chart. It is added up
    as the decoders do, so that ties among best trees fall alike.
    """
    chart, tops, order = problem.chart, problem.tops, problem.order
    right, left, arc = chart[0], chart[1], chart[2]
    first, last = _splits(order, right.shape[0], kind, a, b)
    below = a + 1 if order == 3 else 0
    if kind == SPAN and a < b:
        for m in range(first, last):
            values[m - first] = arc[m, a, g] + right[m, b, below]
    elif kind == SPAN:
        for m in range(first, last):
            values[m - first] = left[b, m, below] + arc[m, a, g]
    elif kind == PAIR or (kind == ARC and order == 1):
        for k in range(first, last):
            values[k - first] = right[first, k, g] + left[k + 1, last, g]
    elif kind == ARC:
        _arc_candidates(problem, a, b, g, below, values)
    elif kind == ROOT_ARC and order == 1:
        for k in range(first, last):
            values[k] = problem.prefix[k] + left[k, a, 0]
    elif kind == ROOT_ARC:
        parts = problem.siblings[0]
        values[0] = left[0, a, 0] + parts[0, a + 1]
        for s in range(a):
            values[s + 1] = tops[s] + (chart[3, s, a, 0] + parts[s + 1, a + 1])
    elif kind == TOP and problem.single_root:
        for r in range(first, last):
            values[r] = right[r, last - 1, 0] + (left[0, r, 0] + _cost(problem, kind, 0, 0, r))
    else:
        for r in range(first, last):
            values[r] = tops[r] + right[r, last - 1, 0]


@inner_kernel
def _arc_candidates(problem, head, modifier, g, below, values):
    """``_candidates`` of an arc by its inner sibling."""
    right, left, arc, pair = problem.chart[0], problem.chart[1], problem.chart[2], problem.chart[3]
    parts, m = problem.siblings[head + 1], modifier + 1
    if head < modifier:
        values[0] = left[head + 1, modifier, below] + parts[head + 1, m]
        for s in range(head + 1, modifier):
            values[s - head] = arc[s, head, g] + (pair[s, modifier, below] + parts[s + 1, m])
        return
    for s in range(modifier + 1, head):
        inner, between, part = arc[s, head, g], pair[modifier, s, below], parts[s + 1, m]
        values[s - modifier - 1] = between + (inner + part) if problem.order == 2 else inner + (between + part)
    values[head - modifier - 1] = right[modifier, head - 1, below] + parts[head + 1, m]


@inner_kernel
def _open(problem, item, lookup, items, values, keys, used):
    """Open an item, kind, a, b, g: put its splits into its heap and take the best out. Returns its number."""
    (kind, a, b, g), k = item, used[2]
    n, nodes = problem.chart.shape[1], problem.chart.shape[3]
    number, chunk = used[0], used[1]
    first, last = _splits(problem.order, n, kind, a, b)
    heap, size, best = chunk + 1 + k, 0, 0
    candidates = values[heap : heap + last - first]
    _candidates(problem, kind, a, b, g, candidates)
    for split in range(last - first):
        value = candidates[split]
        if value > -np.inf:
            candidates[size], keys[heap + size] = value, (first + split + 1) << (2 * RANK_BITS)
            if value > candidates[best]:
                best = size
            size += 1
    values[chunk] = _base(problem, kind, a, b, g)
    lookup[_place(n, nodes, kind, a, b, g)] = number
    items[number, KIND], items[number, A], items[number, B], items[number, G] = kind, a, b, g
    items[number, CHUNK], items[number, SIZE], items[number, COUNT], items[number, STAGE] = chunk, size, 0, BEGUN
    used[0], used[1] = number + 1, heap + size + k + 1  # each derivation adds one entry at most
    if size > 0:
        _take(k, number, best, items, values, keys)
    return number


@inner_kernel
def _take(k, number, at, items, values, keys):
    """Make the entry ``at`` of an item's heap its next derivation; the last entry takes its place."""
    place = items[number, CHUNK] + 1 + items[number, COUNT]
    entry = items[number, CHUNK] + 1 + k + at
    last = items[number, CHUNK] + k + items[number, SIZE]
    values[place], keys[place] = values[entry], keys[entry]
    values[entry], keys[entry] = values[last], keys[last]
    items[number, SIZE] -= 1
    items[number, COUNT] += 1


@inner_kernel
def _before(values, keys, one, other):
    """Whether one entry comes before another: higher value, then lower key, so that ties go to the leftmost split."""
    return values[one] > values[other] or (values[one] == values[other] and keys[one] < keys[other])


@inner_kernel
def _sink(values, keys, heap, size, at):
    """Restore the heap below entry ``at``."""
    while 2 * at + 1 < size:
        best = 2 * at + 1
        if best + 1 < size and _before(values, keys, heap + best + 1, heap + best):
            best += 1
        if not _before(values, keys, heap + best, heap + at):
            return
        one, other = heap + at, heap + best
        values[one], values[other], keys[one], keys[other] = values[other], values[one], keys[other], keys[one]
        at = best


@inner_kernel
def _put(k, number, value, key, items, values, keys):
    """Put an entry into an item's heap."""
    heap, at = items[number, CHUNK] + 1 + k, items[number, SIZE]
    values[heap + at], keys[heap + at] = value, key
    items[number, SIZE] = at + 1
    while at > 0 and _before(values, keys, heap + at, heap + (at - 1) // 2):
        one, other = heap + at, heap + (at - 1) // 2
        values[one], values[other], keys[one], keys[other] = values[other], values[one], keys[other], keys[one]
        at = (at - 1) // 2


@inner_kernel
def _value(number, rank, items, values):
    """The value of an item's derivation of a rank that it has."""
    if number == NO_ITEM:
        return 0.0
    chunk = items[number, CHUNK]
    return values[chunk + 1 + rank] + values[chunk]


@inner_kernel
def _may_grow(number, rank, k, items):
    """Whether an item has no derivation of this rank, but might get one."""
    if number == NO_ITEM or rank >= k:
        return False
    return items[number, COUNT] <= rank and items[number, STAGE] != EXHAUSTED


@inner_kernel
def _advance(problem, top, rank, lookup, items, values, keys, used):
    """Find the next derivation of the item ``top``, of this rank; whether there is one.

    The items on the stack wait for their next derivation, each for the sake of the one below it.
    """
    if rank == 0:
        return items[top, COUNT] > 0
    order, single_root, k = problem.order, problem.single_root, used[2]
    n, nodes = problem.chart.shape[1], problem.chart.shape[3]
    stack = np.empty(4 * n + 4, np.int64)
    stack[0] = top
    waiting = 1
    while waiting > 0:
        item = stack[waiting - 1]
        kind, start, end, g = items[item, KIND], items[item, A], items[item, B], items[item, G]
        chunk, count = items[item, CHUNK], items[item, COUNT]
        key = keys[chunk + count]  # of its last derivation, whose successors go into the heap first
        split, a, b = (key >> (2 * RANK_BITS)) - 1, (key >> RANK_BITS) & HIGHEST_RANK, key & HIGHEST_RANK
        one, other = _children(order, single_root, n, kind, start, end, g, split)
        first, second = _number(n, nodes, one, lookup), _number(n, nodes, other, lookup)
        if items[item, STAGE] == BEGUN:
            if first == UNOPENED:
                first = _open(problem, one, lookup, items, values, keys, used)
            if second == UNOPENED:
                second = _open(problem, other, lookup, items, values, keys, used)
            if count == 1:
                for at in range(items[item, SIZE] // 2 - 1, -1, -1):
                    _sink(values, keys, chunk + 1 + k, items[item, SIZE], at)
            items[item, STAGE] = FIRST
            if b == 0 and _may_grow(first, a + 1, k, items):
                stack[waiting] = first
                waiting += 1
                continue
        if items[item, STAGE] == FIRST:
            if b == 0 and first != NO_ITEM and items[first, COUNT] > a + 1:
                below = _value(second, b, items, values) + _cost(problem, kind, start, end, split)
                _put(k, item, _value(first, a + 1, items, values) + below, key + (1 << RANK_BITS), items, values, keys)
            items[item, STAGE] = SECOND
            if _may_grow(second, b + 1, k, items):
                stack[waiting] = second
                waiting += 1
                continue
        if second != NO_ITEM and items[second, COUNT] > b + 1:
            below = _value(second, b + 1, items, values) + _cost(problem, kind, start, end, split)
            _put(k, item, _value(first, a, items, values) + below, key + 1, items, values, keys)
        items[item, STAGE] = EXHAUSTED
        if items[item, SIZE] > 0:
            _take(k, item, 0, items, values, keys)
            _sink(values, keys, chunk + 1 + k, items[item, SIZE], 0)
            items[item, STAGE] = BEGUN
        waiting -= 1
    return items[top, COUNT] > rank


@inner_kernel
def _read(problem, derivation, lookup, items, values, keys, used, heads):
    """Heads of a derivation (item, rank)."""
    order, single_root = problem.order, problem.single_root
    n, nodes = problem.chart.shape[1], problem.chart.shape[3]
    stack = np.empty((4 * n + 4, 2), np.int64)
    heads[0] = -1
    stack[0, 0], stack[0, 1] = derivation
    waiting = 1
    while waiting > 0:
        waiting -= 1
        item, rank = stack[waiting, 0], stack[waiting, 1]
        kind, start, end, g = items[item, KIND], items[item, A], items[item, B], items[item, G]
        key = keys[items[item, CHUNK] + 1 + rank]
        split, a, b = (key >> (2 * RANK_BITS)) - 1, (key >> RANK_BITS) & HIGHEST_RANK, key & HIGHEST_RANK
        if kind == ARC:
            heads[end + 1] = start + 1
        elif kind == ROOT_ARC:
            heads[start + 1] = 0
        elif kind == TOP and single_root:
            heads[split + 1] = 0
        one, other = _children(order, single_root, n, kind, start, end, g, split)
        first, second = _number(n, nodes, one, lookup), _number(n, nodes, other, lookup)
        if first == UNOPENED:
            first = _open(problem, one, lookup, items, values, keys, used)
        if second == UNOPENED:
            second = _open(problem, other, lookup, items, values, keys, used)
        if first != NO_ITEM:
            stack[waiting, 0], stack[waiting, 1] = first, a
            waiting += 1
        if second != NO_ITEM:
            stack[waiting, 0], stack[waiting, 1] = second, b
            waiting += 1
