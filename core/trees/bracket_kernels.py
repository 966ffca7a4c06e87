"""The chart of split heads under brackets: sums, maxima and best trees by local rules on its items.

Nodes are 0..n, node 0 the root. ``half[h, e]`` holds the word h and its modifiers on one side out to the end e.
``arc[h, m]`` the same with the arc h -> m on top and m's other side still to come. A side of a word is weighed by its
number of modifiers, as the DMV wants: ``valence[kind, side, word]``, side 0 left and 1 right, has the kinds

    EMPTY  no modifier on that side        FIRST  the innermost modifier
    DONE   after the last of some          NEXT   each further one

and is 1 throughout where only arcs count. Edges are enumerated in one place, ``_arc_edges`` and ``_half_edges``, for
all that is done with them: adding up inside, sharing out outside, choosing a best tree.

The rules (words first..last of a bracket; several brackets are ANDed):

1. strict, loose, sprawl: no half from outside that ends within the bracket short of its far end.
2. loose: in a half that leaves the bracket, the outermost modifier within is followed by no part that leaves it.
3. strict: no arc out of the bracket.
4. tear: no arc over the bracket splits within it. Halves and arcs from inside to outside carry a bit that says whether
   a word of the bracket hangs from that side. A head on the other side takes only halves without it.
   Brackets with a word in common have different bits (``_colours``), so an item has 2**depth states, not 2**count.

Values are weights (LINEAR), logarithms of weights (LOG), or scores of which the best counts (BEST).
"""

from math import exp
from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.trees.semirings import BEST, LINEAR, nothing, plus, times

EMPTY, DONE, FIRST, NEXT = range(4)
TIE = 1e-9  # scores closer than this, relative to their size, count as equal


class BracketedSentences(NamedTuple):
    """Values of arcs and valences, and brackets, sentence by sentence.

    ``arcs[offsets[i]:offsets[i + 1]]`` is a matrix (n + 1, n + 1) of values, of arcs to a head's innermost modifier on
    a side. ``further`` is the same for the modifiers after it (the same array where that makes no difference).
    ``valence`` has a sentence's (4, 2, n + 1) at 8 times its first node. Brackets ``marks[i]`` to ``marks[i + 1] - 1``
    hold at ``levels[i]``.
    """

    arcs: np.ndarray
    further: np.ndarray
    offsets: np.ndarray
    valence: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    marks: np.ndarray
    levels: np.ndarray


class BracketSums(NamedTuple):
    """Sums over trees: totals (S,) as the mode has them, zero where no tree is left. Arc marginals, laid out like arcs;
    the part of them that is the innermost modifier on its side. P(no modifier on that side), (2, n + 1) for each
    sentence at twice its first node."""

    totals: np.ndarray
    shares: np.ndarray
    nearest: np.ndarray
    childless: np.ndarray


class Values(NamedTuple):
    """A sentence's part of a BracketedSentences."""

    arcs: np.ndarray
    further: np.ndarray
    valence: np.ndarray


@kernel
def sum_range(corpus: BracketedSentences, begin: int, end: int, single: bool, mode: int, sums: BracketSums) -> None:
    """Fill Sums for sentences begin..end-1 of a BracketedSentences, in LINEAR or LOG."""
    node = _first_node(corpus.offsets, begin)
    for sentence in range(begin, end):
        values, rules = _sentence(corpus, sentence, node)
        side, cells = len(values.arcs), slice(corpus.offsets[sentence], corpus.offsets[sentence + 1])
        shares, nearest = sums.shares[cells].reshape(side, side), sums.nearest[cells].reshape(side, side)
        alone = sums.childless[2 * node : 2 * (node + side)].reshape(2, side)
        sums.totals[sentence] = _sum_sentence(values, rules, single, mode, shares, nearest, alone)
        node += side


def tie_states(seed: int, numbers: np.ndarray) -> np.ndarray:
    """States of the random numbers that break ties: uint64 (S,), one for each sentence's number in its corpus."""
    start = np.array(seed % (1 << 64), np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # of shape (), which wraps in silence
    return start + numbers.astype(np.uint64)


@kernel
def best_range(
    corpus: BracketedSentences,
    begin: int,
    end: int,
    single: bool,
    states: np.ndarray,
    values: np.ndarray,
    heads: np.ndarray,
) -> None:
    """Best value and tree of sentences begin..end-1, every best tree as likely; -inf and heads of -1 where none is.

    The BracketedSentences has scores for values. Ties are broken by the sentence's own state of ``tie_states``.
    """
    node = _first_node(corpus.offsets, begin)
    for sentence in range(begin, end):
        scores, rules = _sentence(corpus, sentence, node)
        side = len(scores.arcs)
        state = states[sentence : sentence + 1].copy()
        values[sentence] = _best_sentence(scores, rules, single, state, heads[node : node + side])
        node += side


@inner_kernel
def _first_node(offsets, begin):
    node = 0
    for sentence in range(begin):
        node += _side(offsets, sentence)
    return node


@inner_kernel
def _sentence(corpus, sentence, node):
    """(Values, rules of the brackets) of one sentence, whose root is ``node``."""
    side, cells = _side(corpus.offsets, sentence), slice(corpus.offsets[sentence], corpus.offsets[sentence + 1])
    valence = corpus.valence[8 * node : 8 * (node + side)].reshape(4, 2, side)
    arcs, further = corpus.arcs[cells].reshape(side, side), corpus.further[cells].reshape(side, side)
    marks = slice(corpus.marks[sentence], corpus.marks[sentence + 1])
    rules = _rules(side - 1, corpus.starts[marks], corpus.ends[marks], corpus.levels[sentence])
    return Values(arcs, further, valence), rules


@inner_kernel
def _side(offsets, sentence):
    return round((offsets[sentence + 1] - offsets[sentence]) ** 0.5)


@inner_kernel
def _rules(n, starts, ends, level):
    """The rules of the brackets for pairs of nodes.

    Returns (depth, dropped, limit, barred, active, both, brackets). ``dropped[h, e]`` by rule 1; ``limit[h, e]``, the
    last node within a bracket on the way from h to e by rule 2, h itself if none. ``barred[h, m]`` by rule 3.
    Rule 4 has ``active[h, e]``, bits of the brackets that h is in and e not, and ``both[h, m]``, of those that hold
    both. ``brackets`` are first and last word and bit of each.
    """
    dropped = np.zeros((n + 1, n + 1), np.bool_)
    barred = np.zeros((n + 1, n + 1), np.bool_)
    limit = np.empty((n + 1, n + 1), np.int64)
    active, both = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.int64)
    for h in range(n + 1):
        limit[h] = h
    if level == 1:
        brackets, depth = _colours(n, starts, ends)
        for first, last, bit in brackets:
            for h in range(first, last + 1):
                for e in range(n + 1):
                    if first <= e <= last:
                        both[h, e] |= bit
                    else:
                        active[h, e] |= bit
        return depth, dropped, limit, barred, active, both, brackets
    if level >= 2:
        for bracket in range(len(starts)):
            first, last = starts[bracket], ends[bracket] - 1
            for h in range(n + 1):
                if first <= h <= last:
                    for e in range(n + 1):
                        if not first <= e <= last:
                            barred[h, e] |= level == 4
                            if level == 3:
                                limit[h, e] = max(limit[h, e], last) if e > h else min(limit[h, e], first)
                else:
                    for e in range(first, last) if h < first else range(first + 1, last + 1):
                        dropped[h, e] = True
    return 0, dropped, limit, barred, active, both, np.zeros((0, 3), np.int64)


@inner_kernel
def _colours(n, starts, ends):
    """First and last word and bit of each bracket that tear can break, bits that differ where brackets overlap.

    One word, and a bracket at the end of the sentence, can have no heads on both sides. Returns the number of bits
    too. Greedy from left to right, which takes no more bits than brackets lie over one word.
    """
    order = np.empty(len(starts), np.int64)  # of their starts; inserted one by one, since few come out of order
    for bracket in range(len(starts)):
        at = bracket
        while at > 0 and starts[order[at - 1]] > starts[bracket]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = bracket
    brackets = np.empty((len(starts), 3), np.int64)
    count, depth = 0, 0
    for bracket in order:
        first, last = starts[bracket], ends[bracket] - 1
        taken, known = 0, False
        for other in range(count):
            known |= brackets[other, 0] == first and brackets[other, 1] == last
            if brackets[other, 1] >= first:
                taken |= brackets[other, 2]
        if first == last or last == n or known:
            continue
        colour = 0
        while taken >> colour & 1:
            colour += 1
        brackets[count, 0], brackets[count, 1], brackets[count, 2] = first, last, 1 << colour
        depth = max(depth, colour + 1)
        count += 1
    return brackets[:count], depth


@inner_kernel
def _sum_sentence(values, rules, single, mode, result, nearest, childless):
    """One sentence of ``sum_range``; the total."""
    n, zero = len(values.arcs) - 1, nothing(mode)
    half, arc, ties, _, edges, weights = _inside(values, rules, single, mode)
    result[:] = 0.0
    nearest[:] = 0.0
    childless[:] = 0.0
    tops = _top_edges(values, rules, single, mode, edges, weights)
    total, _ = _collect(half, ties, half, ties, edges, weights, tops, mode)
    if total == zero:
        return total
    outer_half = np.full(len(half), zero)
    for edge in range(tops):
        a, b = edges[edge, 0], edges[edge, 1]
        outer_half[a] = plus(outer_half[a], times(weights[edge], half[b], mode), mode)
        if single:
            outer_half[b] = plus(outer_half[b], times(weights[edge], half[a], mode), mode)
            r, share = edges[edge, 2], times(times(half[a], half[b], mode), weights[edge], mode)
            part = _part(share, total, mode)
            result[0, r] += part
            if r == 1:
                childless[0, r] += part
            if r == n:
                childless[1, r] += part
    chart, lowest = (half, arc, outer_half, edges, weights), 1 if single else 0
    _go_down(values, rules, lowest, mode, total, chart, (result, nearest, childless))
    return total


@inner_kernel
def _go_down(values, rules, lowest, mode, total, chart, shares):
    """Outside values from the widest items to the narrowest, and the share of the total that takes each edge."""
    half, arc, outer_half, edges, weights = chart
    result, nearest, childless = shares
    nodes, states, zero = len(values.arcs), 1 << rules[0], nothing(mode)
    outer_arc = np.full(len(arc), zero)
    for width in range(nodes - 1 - lowest, 0, -1):
        for left in range(lowest, nodes - width):
            for side in range(2):
                h, e = (left, left + width) if side else (left + width, left)
                for state in range(states):
                    above = outer_half[(h * nodes + e) * states + state]
                    if above == zero:
                        continue
                    for edge in range(_half_edges(h, e, state, values, rules, edges, weights)):
                        a, b = edges[edge, 0], edges[edge, 1]
                        above_weighted = times(above, weights[edge], mode)
                        outer_arc[a] = plus(outer_arc[a], times(above_weighted, half[b], mode), mode)
                        outer_half[b] = plus(outer_half[b], times(above_weighted, arc[a], mode), mode)
                        if edges[edge, 2] == e:
                            share = times(above_weighted, times(arc[a], half[b], mode), mode)
                            childless[side, e] += _part(share, total, mode)
            for side in range(2):
                h, m = (left, left + width) if side else (left + width, left)
                if m == 0:
                    continue
                for state in range(states):
                    item = (h * nodes + m) * states + state
                    above = outer_arc[item]
                    if above == zero:
                        continue
                    result[h, m] += _part(times(above, arc[item], mode), total, mode)
                    for edge in range(_arc_edges(h, m, state, values, rules, mode, edges, weights)):
                        a, b = edges[edge, 0], edges[edge, 1]
                        above_weighted = times(above, weights[edge], mode)
                        outer_half[a] = plus(outer_half[a], times(above_weighted, half[b], mode), mode)
                        outer_half[b] = plus(outer_half[b], times(above_weighted, half[a], mode), mode)
                        if edges[edge, 2] == m or a // states % nodes == h:
                            share = _part(times(above_weighted, times(half[a], half[b], mode), mode), total, mode)
                            childless[1 - side, m] += share if edges[edge, 2] == m else 0.0
                            nearest[h, m] += share if a // states % nodes == h else 0.0


@inner_kernel
def _best_sentence(values, rules, single, state, heads):
    """One sentence of ``best_range``; the value. ``state`` is that of the random numbers, of shape (1,)."""
    n, states = len(values.arcs) - 1, 1 << rules[0]
    half, arc, half_ties, arc_ties, edges, weights = _inside(values, rules, single, BEST)
    heads[:] = -1
    tops = _top_edges(values, rules, single, BEST, edges, weights)
    total, _ = _collect(half, half_ties, half, half_ties, edges, weights, tops, BEST)
    if total == -np.inf:
        return total
    top = _choose(half, half_ties, half, half_ties, edges[:tops], weights, total, state)
    stack = np.empty((2 * n + 2, 2), np.int64)  # item, and whether it is an arc
    stack[0, 0], stack[0, 1], waiting = edges[top, 0], 0, 1
    if single:
        stack[1, 0], stack[1, 1], waiting = edges[top, 1], 0, 2
        heads[edges[top, 2]] = 0
    while waiting > 0:
        waiting -= 1
        item, on_arc = stack[waiting, 0], stack[waiting, 1]
        h, e, bits = item // states // (n + 1), item // states % (n + 1), item % states
        if h == e:
            continue
        if on_arc:
            heads[e] = h
            count = _arc_edges(h, e, bits, values, rules, BEST, edges, weights)
            best = _choose(half, half_ties, half, half_ties, edges[:count], weights, arc[item], state)
        else:
            count = _half_edges(h, e, bits, values, rules, edges, weights)
            best = _choose(arc, arc_ties, half, half_ties, edges[:count], weights, half[item], state)
        stack[waiting, 0], stack[waiting, 1] = edges[best, 0], 1 - on_arc  # an arc ends in halves, a half in an arc
        stack[waiting + 1, 0], stack[waiting + 1, 1] = edges[best, 1], 0
        waiting += 2
    return total


@inner_kernel
def _inside(values, rules, single, mode):
    """Values of all halves and arcs, flat, as [h, e, state]; how many best ways each has; and room for edges."""
    arcs, further = values.arcs, values.further
    n, states = len(arcs) - 1, 1 << rules[0]
    zero, one = (0.0, 1.0) if mode == LINEAR else (-np.inf, 0.0)
    size = (n + 1) * (n + 1) * states
    half, arc = np.full(size, zero), np.full(size, zero)
    half_ties, arc_ties = np.zeros(size if mode == BEST else 0), np.zeros(size if mode == BEST else 0)
    edges, weights = np.empty(((n + 2) * states, 3), np.int64), np.empty((n + 2) * states)
    for h in range(n + 1):
        half[h * (n + 2) * states] = one
        if mode == BEST:
            half_ties[h * (n + 2) * states] = 1.0
    lowest = 1 if single else 0
    for width in range(1, n + 1 - lowest):
        for left in range(lowest, n + 1 - width):
            for side in range(2):
                h, m = (left, left + width) if side else (left + width, left)
                if m > 0 and (arcs[h, m] != zero or further[h, m] != zero):
                    for state in range(states):
                        count = _arc_edges(h, m, state, values, rules, mode, edges, weights)
                        value, ties = _collect(half, half_ties, half, half_ties, edges, weights, count, mode)
                        item = (h * (n + 1) + m) * states + state
                        arc[item] = value
                        if mode == BEST:  # all trees have as many arcs: a factor for each keeps the counts in range
                            arc_ties[item] = 0.3 * ties
            for side in range(2):
                h, e = (left, left + width) if side else (left + width, left)
                for state in range(states):
                    count = _half_edges(h, e, state, values, rules, edges, weights)
                    value, ties = _collect(arc, arc_ties, half, half_ties, edges, weights, count, mode)
                    item = (h * (n + 1) + e) * states + state
                    half[item] = value
                    if mode == BEST:
                        half_ties[item] = ties
    return half, arc, half_ties, arc_ties, edges, weights


@inner_kernel
def _collect(firsts, first_ties, seconds, second_ties, edges, weights, count, mode):
    """The sum, or maximum, over ``count`` edges, and in BEST the number of best ways to take one."""
    value = nothing(mode)
    for edge in range(count):
        part = times(firsts[edges[edge, 0]], seconds[edges[edge, 1]], mode)
        value = plus(value, times(part, weights[edge], mode), mode)
    ties = 0.0
    if mode == BEST and value > -np.inf:
        bound = value - TIE * (1.0 + abs(value))
        for edge in range(count):
            a, b = edges[edge, 0], edges[edge, 1]
            if firsts[a] + seconds[b] + weights[edge] >= bound:
                ties += first_ties[a] * second_ties[b]
    return value, ties


@inner_kernel
def _choose(firsts, first_ties, seconds, second_ties, edges, weights, value, state):
    """One of the edges that reach ``value``, as often as trees go through it."""
    bound = value - TIE * (1.0 + abs(value))
    chosen, total = -1, 0.0
    for edge in range(len(edges)):
        a, b = edges[edge, 0], edges[edge, 1]
        if firsts[a] + seconds[b] + weights[edge] >= bound:
            ties = first_ties[a] * second_ties[b]
            total += ties
            if chosen < 0 or _random(state) * total < ties:
                chosen = edge
    return chosen


@inner_kernel
def _random(state):
    """The next number in [0, 1) of the sequence that ``state`` stands in (splitmix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inner_kernel
def _arc_edges(h, m, state, values, rules, mode, edges, weights):
    """The ways to make arc[h, m, state]: (half of h, half of m, end of m's half) and weight."""
    arcs, further, valence = values
    depth, dropped, _, barred, active, _, brackets = rules
    nodes, count = len(dropped), 0
    if barred[h, m] or state & ~active[h, m]:
        return 0
    side = 1 if h < m else 0
    for split in range(min(h, m), max(h, m)):
        own, other = (split, split + 1) if side else (split + 1, split)
        if dropped[h, own] or dropped[m, other]:
            continue
        kept, fits = 0, True
        for first, last, bit in brackets:
            if first <= h <= last:
                if not first <= m <= last:
                    if first <= own <= last:  # the other half covers what is left of the bracket on this side
                        short = own < last if side else own > first
                        fits &= ((state & bit) != 0) == short
                    else:
                        kept |= state & bit
            elif not first <= m <= last and min(h, m) < first and max(h, m) > last:
                fits &= not first <= split < last
        if not fits:
            continue
        weight = valence[EMPTY if other == m else DONE, 1 - side, m]
        if own == h:
            weight = times(times(valence[FIRST, side, h], weight, mode), arcs[h, m], mode)
        else:
            weight = times(times(valence[NEXT, side, h], weight, mode), further[h, m], mode)
        free = active[m, other]
        sub = free
        while True:  # all subsets of the bits that m's half may have: they speak of heads on h's side
            edges[count, 0] = (h * nodes + own << depth) + kept
            edges[count, 1] = (m * nodes + other << depth) + sub
            edges[count, 2] = other
            weights[count] = weight
            count += 1
            if sub == 0:
                break
            sub = (sub - 1) & free
    return count


@inner_kernel
def _half_edges(h, e, state, values, rules, edges, weights):
    """The ways to make half[h, e, state]: (arc of h, half of its last modifier, that modifier) and weight."""
    depth, dropped, limit, barred, active, both, _ = rules
    nodes, count = len(dropped), 0
    if dropped[h, e] or state & ~active[h, e]:
        return 0
    side = 1 if h < e else 0
    step = 1 if side else -1
    for m in range(limit[h, e] + step, e + step, step):
        if barred[h, m] or dropped[m, e]:
            continue
        edges[count, 0] = (h * nodes + m << depth) + (state & active[h, m])
        edges[count, 1] = (m * nodes + e << depth) + (state & both[h, m])
        edges[count, 2] = m
        weights[count] = values.valence[EMPTY if m == e else DONE, side, m]
        count += 1
    return count


@inner_kernel
def _top_edges(values, rules, single, mode, edges, weights):
    """The ways to finish a sentence: (left half, right half) of the word below the root, or the root's half alone."""
    arcs, _, valence = values
    depth, active, nodes = rules[0], rules[4], len(arcs)
    n = nodes - 1
    if not single:
        edges[0, 0], edges[0, 1], edges[0, 2] = n << depth, 0, 0  # half[0, 0] is one
        weights[0] = valence[EMPTY if n == 0 else DONE, 1, 0]
        return 1
    count = 0
    for r in range(1, n + 1):
        left, right = valence[EMPTY if r == 1 else DONE, 0, r], valence[EMPTY if r == n else DONE, 1, r]
        sub = active[r, 1]
        while True:  # the root is on the left: heads on the left are free, heads on the right are not
            edges[count, 0] = (r * nodes + 1 << depth) + sub
            edges[count, 1] = r * nodes + n << depth
            edges[count, 2] = r
            weights[count] = times(times(left, right, mode), arcs[0, r], mode)
            count += 1
            if sub == 0:
                break
            sub = (sub - 1) & active[r, 1]
    return count


@inner_kernel
def _part(value, total, mode):
    return value / total if mode == LINEAR else exp(value - total)
