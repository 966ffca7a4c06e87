"""Eisner's chart over surviving arcs, with siblings and, on demand, grandparents: the kernels of decoding.

Nodes count as scores do, 0 is the root. Arcs are numbered by head, then by modifier, so the arcs of a head on one side
stand together. The chart has two kinds of items. Each has a slot for every surviving head of its head where there are
grandparents, and one slot if there are none:

- spans: the complete span from a head h to its end e, on either side: ``place of h + e * width of h + slot``
- tops: the span between h and m with the surviving arc h -> m on top: ``STATE of the arc + slot``

What two neighbouring modifiers share between them is found when a part asks for it; few parts are left to ask.
Without grandparents it depends on the two words alone and is kept in ``pairs``.
Time is O(n A) for spans and O(n P) for parts, memory O(n A), for A arcs and P sibling parts; times heads per word with
grandparents. Sources as for ``core.trees.sibling_chart`` and ``core.trees.grandparent_chart``.
"""

from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inlined_kernel, inner_kernel, kernel

# Columns of arcs; its own parts begin at INNER (siblings) and UPPER (grandparents), its slots as a top at STATE; the
# span from its modifier to e is at BELOW + e * STEP.
HEAD, MODIFIER, SLOT, INNER, UPPER, STATE, BELOW, STEP = range(8)
# Columns of nodes; its left arcs are FIRST..MIDDLE - 1, its right arcs follow, its heads begin at ENTRY.
FIRST, MIDDLE, ENTRY, WIDTH, PLACE = range(5)
NEEDED = np.inf  # what ``pairs`` holds before a part has asked


class SurvivingSentences(NamedTuple):
    """Sentences to decode: surviving arcs and parts between them as ``SurvivingArcs`` lists them.

    ``scores`` are packed matrices; an arc whose score is -inf is dead though it is listed. ``grandparents`` and its
    offsets are empty where siblings are the largest parts.
    """

    scores: np.ndarray
    score_offsets: np.ndarray
    heads: np.ndarray
    modifiers: np.ndarray
    arc_offsets: np.ndarray
    siblings: np.ndarray
    sibling_offsets: np.ndarray
    grandparents: np.ndarray
    grandparent_offsets: np.ndarray


class DecodedTrees(NamedTuple):
    """The results of decoding: ``heads`` (rows,) and ``values`` (S,); rows of sentence i begin at ``offsets[i]``."""

    offsets: np.ndarray
    heads: np.ndarray
    values: np.ndarray


@kernel
def decode_sentences(blocks: np.ndarray, corpus: SurvivingSentences, single_root: bool, trees: DecodedTrees) -> int:
    """Decode some sentences into ``trees``; the first that has no tree, or -1.

    A sentence without a tree gets the value -inf and heads of -1.
    """
    unfit, chained = -1, len(corpus.grandparent_offsets) > 0
    for sentence in blocks:
        own = slice(corpus.arc_offsets[sentence], corpus.arc_offsets[sentence + 1])
        tree = trees.heads[trees.offsets[sentence] : trees.offsets[sentence + 1]]
        side = len(tree)
        arcs, nodes, above = _graph(corpus.heads[own], corpus.modifiers[own], side, chained)
        scores = corpus.scores[corpus.score_offsets[sentence] : corpus.score_offsets[sentence + 1]]
        weights = np.empty(len(arcs))
        for arc in range(len(arcs)):
            weights[arc] = scores[arcs[arc, HEAD] * side + arcs[arc, MODIFIER]]
        parts = corpus.siblings[corpus.sibling_offsets[sentence] : corpus.sibling_offsets[sentence + 1]]
        chains, pairs = corpus.grandparents, np.full(0 if chained else side * side, NEEDED)
        if chained:
            chains = chains[corpus.grandparent_offsets[sentence] : corpus.grandparent_offsets[sentence + 1]]
        size = arcs[-1, STATE] + nodes[arcs[-1, HEAD], WIDTH] if len(arcs) else nodes[side, PLACE]
        items = np.full(size, -np.inf)
        _fill(arcs, nodes, above, weights, parts, chains, items, pairs)
        trees.values[sentence] = _read(arcs, nodes, weights, parts, items, single_root, tree)
        if unfit < 0 and trees.values[sentence] == -np.inf:
            unfit = sentence
    return unfit


@inner_kernel
def _graph(heads, modifiers, side, chained):
    """(arcs, nodes, above): tables of arcs and nodes, and the heads of each node, ascending, from its ENTRY on."""
    arcs, nodes = np.zeros((len(heads), 8), np.int64), np.zeros((side + 1, 5), np.int64)
    above = np.empty(len(heads), np.int64)
    for arc in range(len(heads)):
        nodes[heads[arc] + 1, FIRST] += 1
        nodes[heads[arc] + 1, MIDDLE] += modifiers[arc] < heads[arc]
        nodes[modifiers[arc] + 1, ENTRY] += 1
    for node in range(side):
        nodes[node + 1, FIRST] += nodes[node, FIRST]
        nodes[node, MIDDLE] = nodes[node, FIRST] + nodes[node + 1, MIDDLE]
        nodes[node, WIDTH] = nodes[node + 1, ENTRY] if chained else 1
        nodes[node + 1, ENTRY] += nodes[node, ENTRY]
        nodes[node + 1, PLACE] = nodes[node, PLACE] + side * nodes[node, WIDTH]
    seen = np.zeros(side, np.int64)
    inner = upper = 0
    state = nodes[side, PLACE]
    for arc in range(len(heads)):
        h, m = heads[arc], modifiers[arc]
        above[nodes[m, ENTRY] + seen[m]] = h
        arcs[arc, HEAD], arcs[arc, MODIFIER], arcs[arc, SLOT] = h, m, seen[m] if chained else 0
        arcs[arc, INNER], arcs[arc, STATE] = inner, state
        arcs[arc, BELOW], arcs[arc, STEP] = nodes[m, PLACE] + arcs[arc, SLOT], nodes[m, WIDTH]
        seen[m] += 1
        inner += arc - nodes[h, MIDDLE] + 1 if h < m else nodes[h, MIDDLE] - arc
        state += nodes[h, WIDTH]
    if chained:
        for arc in range(len(heads)):
            h, m = heads[arc], modifiers[arc]
            arcs[arc, UPPER] = upper
            for at in range(nodes[h, ENTRY], nodes[h + 1, ENTRY]):
                upper += above[at] < min(h, m) or above[at] > max(h, m)
    return arcs, nodes, above


@inner_kernel
def _fill(arcs, nodes, above, weights, parts, chains, items, pairs):
    """Fill the chart, from the last words back."""
    side = len(nodes) - 1
    for i in range(side - 1, 0, -1):
        width, right, entry = nodes[i, WIDTH], nodes[i, MIDDLE], nodes[i, ENTRY]
        for slot in range(width):
            items[nodes[i, PLACE] + i * width + slot] = 0.0
        while entry < nodes[i + 1, ENTRY] and above[entry] < i:
            entry += 1
        for j in range(i + 1, side):
            if right < nodes[i + 1, FIRST] and arcs[right, MODIFIER] == j:
                if weights[right] > -np.inf:
                    _join(arcs, nodes, right, parts, items, pairs)
                    _weigh(arcs, nodes, above, right, weights[right], chains, items, pairs)
                right += 1
            if entry < nodes[i + 1, ENTRY] and above[entry] == j:
                left = nodes[j, FIRST]
                while arcs[left, MODIFIER] < i:
                    left += 1
                if weights[left] > -np.inf:
                    _join(arcs, nodes, left, parts, items, pairs)
                    _weigh(arcs, nodes, above, left, weights[left], chains, items, pairs)
                entry += 1
            item = nodes[i, PLACE] + j * width
            for arc in range(nodes[i, MIDDLE], right):
                _push(items, item, width, arcs[arc, STATE], items[arcs[arc, BELOW] + j * arcs[arc, STEP]])
            item = nodes[j, PLACE] + i * nodes[j, WIDTH]
            for arc in range(nodes[j, MIDDLE] - 1, nodes[j, FIRST] - 1, -1):
                if arcs[arc, MODIFIER] < i:
                    break
                below = items[arcs[arc, BELOW] + i * arcs[arc, STEP]]
                _push(items, item, nodes[j, WIDTH], arcs[arc, STATE], below)


@inlined_kernel
def _push(items, at, width, begin, score):
    """items[at:] = max(items[at:], items[begin:] + score), over so many slots."""
    if score > -np.inf:
        for slot in range(width):
            value = items[begin + slot] + score
            if value > items[at + slot]:
                items[at + slot] = value


@inner_kernel
def _join(arcs, nodes, arc, parts, items, pairs):
    """The span below an arc, for every head of its head."""
    h, state = arcs[arc, HEAD], arcs[arc, STATE]
    first, last, alone, part = _inner_arcs(arcs, nodes, arc)
    width, best = nodes[h, WIDTH], _alone(arcs, arc, items) + parts[alone]
    for slot in range(width):
        items[state + slot] = best
    for inner in range(first, last):
        if parts[part + inner - first] > -np.inf:
            one, other = min(inner, arc), max(inner, arc)
            if len(pairs) == 0:
                between = _pair(arcs, one, other, items)
            else:
                place = arcs[one, MODIFIER] * (len(nodes) - 1) + arcs[other, MODIFIER]
                if pairs[place] == NEEDED:
                    pairs[place] = _pair(arcs, one, other, items)
                between = pairs[place]
            _push(items, state, width, arcs[inner, STATE], between + parts[part + inner - first])


@inner_kernel
def _weigh(arcs, nodes, above, arc, weight, chains, items, pairs):
    """Add the score of an arc, and with grandparents those of its chains, to the span below it."""
    h, m, state = arcs[arc, HEAD], arcs[arc, MODIFIER], arcs[arc, STATE]
    if len(pairs) > 0:
        items[state] += weight
        return
    at = arcs[arc, UPPER]
    for slot in range(nodes[h, WIDTH]):
        g = above[nodes[h, ENTRY] + slot]
        if g < min(h, m) or g > max(h, m):
            items[state + slot] += weight + chains[at]
            at += 1
        else:
            items[state + slot] = -np.inf


@inlined_kernel
def _inner_arcs(arcs, nodes, arc):
    """(first, last, alone, part): arcs first..last-1 lead to the possible inner siblings of an arc's modifier.

    ``alone`` is the place of the part without inner sibling, ``part`` of the part with the first of them.
    """
    middle, begin = nodes[arcs[arc, HEAD], MIDDLE], arcs[arc, INNER]
    if arcs[arc, HEAD] < arcs[arc, MODIFIER]:
        return middle, arc, begin, begin + 1
    return arc + 1, middle, begin + middle - arc - 1, begin


@inlined_kernel
def _alone(arcs, arc, items):
    """The best span from the modifier of an arc up to its head, which has no modifier between."""
    step = 1 if arcs[arc, HEAD] < arcs[arc, MODIFIER] else -1
    return items[arcs[arc, BELOW] + (arcs[arc, HEAD] + step) * arcs[arc, STEP]]


@inlined_kernel
def _pair(arcs, one, other, items):
    """The best spans between the modifiers of two arcs of one head, the first to the left of the second."""
    right, step = arcs[one, BELOW], arcs[one, STEP]
    left, other_step = arcs[other, BELOW] + arcs[other, STEP], arcs[other, STEP]
    best = -np.inf
    for k in range(arcs[one, MODIFIER], arcs[other, MODIFIER]):
        value = items[right + k * step] + items[left + k * other_step]
        best = value if value > best else best
    return best


@inner_kernel
def _split(arcs, one, other, items):
    """The last word of the first modifier's share in ``_pair``."""
    split, best = arcs[one, MODIFIER], -np.inf
    for k in range(arcs[one, MODIFIER], arcs[other, MODIFIER]):
        left = items[arcs[other, BELOW] + (k + 1) * arcs[other, STEP]]
        if items[arcs[one, BELOW] + k * arcs[one, STEP]] + left > best:
            split, best = k, items[arcs[one, BELOW] + k * arcs[one, STEP]] + left
    return split


@inner_kernel
def _fill_root(arcs, nodes, weights, parts, items, single_root):
    """For each arc of the root: the best trees over the words up to its modifier r, whose right side is still open."""
    values = np.empty(nodes[1, FIRST])
    for arc in range(len(values)):
        _, _, alone, part = _inner_arcs(arcs, nodes, arc)
        values[arc] = _alone(arcs, arc, items) + parts[alone]
        for inner in range(0 if single_root else arc):
            between = _pair(arcs, inner, arc, items) + parts[part + inner]
            values[arc] = max(values[arc], values[inner] + between)
        values[arc] += weights[arc]
    return values


@inner_kernel
def _read(arcs, nodes, weights, parts, items, single_root, heads):
    """Heads of the best tree, and its value; -1 and -inf if there is none. Ties: the leftmost split, top down."""
    n = len(heads) - 1
    heads[:] = -1
    values = _fill_root(arcs, nodes, weights, parts, items, single_root)
    root, best = -1, -np.inf
    for arc in range(len(values)):
        value = values[arc] + items[arcs[arc, BELOW] + n * arcs[arc, STEP]]
        if value > best:
            root, best = arc, value
    if root < 0:
        return best
    stack, waiting = np.empty((2 * n + 3, 2), np.int64), 0  # spans: the arc to their head, and their end
    stack[0, 0], stack[0, 1] = root, n
    waiting = 1
    while True:
        inner = root if single_root else _best_inner(arcs, nodes, root, 0, parts, values, items)
        waiting = _follow(arcs, root, inner, items, heads, stack, waiting)
        waiting = _read_spans(arcs, nodes, parts, items, heads, stack, waiting)
        if inner == root:
            return best
        root = inner


@inner_kernel
def _follow(arcs, arc, inner, items, heads, stack, waiting):
    """Take an arc into the tree and put the spans between its modifier and the next one inwards on the stack.

    ``inner`` is the arc of the next modifier, or ``arc`` itself if there is none. Returns the stack's new height.
    """
    h, m = arcs[arc, HEAD], arcs[arc, MODIFIER]
    heads[m] = h
    if inner == arc:
        stack[waiting, 0], stack[waiting, 1] = arc, h + 1 if h < m else h - 1
        return waiting + 1
    first, last = min(inner, arc), max(inner, arc)
    split = _split(arcs, first, last, items)
    stack[waiting, 0], stack[waiting, 1] = first, split
    stack[waiting + 1, 0], stack[waiting + 1, 1] = last, split + 1
    return waiting + 2


@inner_kernel
def _read_spans(arcs, nodes, parts, items, heads, stack, waiting):
    """Heads of all words in the spans on the stack but their own; returns 0, the height of the stack at the end."""
    while waiting > 0:
        waiting -= 1
        arc, end = stack[waiting, 0], stack[waiting, 1]
        word, slot = arcs[arc, MODIFIER], arcs[arc, SLOT]
        if word == end:
            continue
        first, last = nodes[word, FIRST], nodes[word, MIDDLE]
        if word < end:
            first, last = last, nodes[word + 1, FIRST]
        outer, best = -1, -np.inf
        for below in range(first, last):
            if min(word, end) <= arcs[below, MODIFIER] <= max(word, end):
                value = items[arcs[below, STATE] + slot] + items[arcs[below, BELOW] + end * arcs[below, STEP]]
                if value > best:
                    outer, best = below, value
        # Each word heads at most one span to its left and one to its right, so the stack never holds more than 2 n.
        stack[waiting, 0], stack[waiting, 1] = outer, end
        waiting += 1
        while True:
            inner = _best_inner(arcs, nodes, outer, slot, parts, items, items)
            waiting = _follow(arcs, outer, inner, items, heads, stack, waiting)
            if inner == outer:
                break
            outer = inner
    return 0


@inner_kernel
def _best_inner(arcs, nodes, arc, slot, parts, tops, items):
    """The arc of the best next modifier inwards, or ``arc`` itself where none is better; ties go to the left.

    ``tops`` are the values of arcs: for the root by arc, as ``_fill_root`` returns them, else ``items`` themselves.
    """
    h, m = arcs[arc, HEAD], arcs[arc, MODIFIER]
    first, last, alone, part = _inner_arcs(arcs, nodes, arc)
    best_alone = _alone(arcs, arc, items) + parts[alone]
    found, best = arc, best_alone if h < m else -np.inf
    for inner in range(first, last):
        value = tops[arcs[inner, STATE] + slot] if h > 0 else tops[inner]
        value += _pair(arcs, min(inner, arc), max(inner, arc), items) + parts[part + inner - first]
        if value > best:
            found, best = inner, value
    return arc if h > m and best_alone > best else found
