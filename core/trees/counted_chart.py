"""A chart of projective trees whose halves carry how many dependents of some kinds a word has: sums and best trees.

Nodes are 0..n, node 0 the root, which has one dependent. Each arc h -> m has a *cell*, a class of relations, and cells
of an arc have weights of their own. A cell says two things:

- its *kind*: which counts of h it raises;
- its *mode*: which counts of m matter. A word takes counts of its own mode alone, guessed before its arc is known.

The states of a mode are the values of its counts, capped where more makes no difference; all modes' stand back to back.
``half[h, e, state]`` holds the word h and its dependents on one side, out to the end e. Where a word's two halves meet,
a *factor* of the mode, for each pair of states, charges it for what they have together:

    joined[m, j, s] = sum_t factor[s, t] half[m, j, t]                  j >= m, the right half

    whole[i, j, m, mode] = sum_s half[m, i, s] joined[m, j, s]          i <= m, the left half

    half[h, j, step(kind, s)] += half[h, i - 1, s] weight[h, m, cell] whole[i, j, m, mode]

for h < i <= m <= j, and the mirror image. What does not depend on s is first added up over m, for each kind. States
and modes then enter the products one at a time, in O(n^3 * states * kinds + n^4 * cells). Marginals are the same loops
backwards.

Sources: Eisner (1996), C96-1058, for halves; Eisner & Satta (1999), P99-1059, section 3, for automata on each side of
a head, of which counts are a case. Values are weights (LINEAR), logarithms of weights (LOG), or scores (BEST).
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.trees.semirings import BEST, LINEAR, LOG, nothing, plus, times


class CountTables(NamedTuple):
    """How kinds of arcs raise the counts of each mode, and what words are charged for; one for all sentences.

    Attributes
    ----------
    states, pairs : ndarrays of shape (M + 1,), dtype int64
        Where the states, and the pairs of states, of each mode begin. The first state of a mode counts nothing.
    merged : ndarray of shape (M, K), dtype int64
        The number of each kind among those that a mode tells apart.
    merged_counts : ndarray of shape (M,), dtype int64
    steps : ndarray of shape (merged kinds, states), dtype int64
        The state after an arc of a merged kind, of the same mode.
    charges : ndarray of shape (pairs,), dtype float64
        Logarithms of factors, in nats.
    broken, spoken : ndarrays of shape (J, pairs), dtype float64
        1 for pairs of states that break a rule, and for those of which it speaks.
    """

    states: np.ndarray
    pairs: np.ndarray
    merged: np.ndarray
    merged_counts: np.ndarray
    steps: np.ndarray
    charges: np.ndarray
    broken: np.ndarray
    spoken: np.ndarray


class CountedArcs(NamedTuple):
    """Arcs of sentences: ``values[offsets[i]:offsets[i + 1]]`` is (n + 1, n + 1, cells), log-weights or scores.

    -inf forbids a cell, and all in column 0 and on the diagonal. For sums the heaviest arc to each word weighs 1, its
    cells together. ``kinds`` and ``modes``, int32, are laid out alike.
    """

    values: np.ndarray
    kinds: np.ndarray
    modes: np.ndarray
    offsets: np.ndarray
    cells: int


class CountedSums(NamedTuple):
    """Sums over trees: totals (S,) in nats; probabilities of the cells of arcs, laid out like them; expected words that
    break each rule and of which it speaks, each (S, J)."""

    totals: np.ndarray
    shares: np.ndarray
    broken: np.ndarray
    spoken: np.ndarray


class _Sentence(NamedTuple):
    values: np.ndarray
    kinds: np.ndarray
    modes: np.ndarray
    possible: np.ndarray
    starts: np.ndarray
    tables: CountTables
    factors: np.ndarray
    by_kind: np.ndarray
    by_merged: np.ndarray
    semiring: int


class _Chart(NamedTuple):
    half: np.ndarray
    joined: np.ndarray
    whole: np.ndarray


@kernel
def sum_range(arcs: CountedArcs, tables: CountTables, begin: int, end: int, sums: CountedSums) -> None:
    """Fill CountedSums for sentences begin..end-1; a total is -inf where there is no tree.

    Where plain weights may have lost digits the sentence is done again in logarithms.
    """
    for sentence in range(begin, end):
        shares = sums.shares[arcs.offsets[sentence] : arcs.offsets[sentence + 1]]
        counts = sums.broken[sentence], sums.spoken[sentence]
        total = _summed(_sentence(arcs, tables, sentence, LINEAR), shares, counts)
        if np.isnan(total):
            total = _summed(_sentence(arcs, tables, sentence, LOG), shares, counts)
        sums.totals[sentence] = total


@kernel
def best_range(
    arcs: CountedArcs, tables: CountTables, begin: int, end: int, values: np.ndarray, heads: np.ndarray,
    cells: np.ndarray, rows: np.ndarray,
) -> None:  # fmt: skip
    """Values (S,), heads and cells of arcs of the best trees of sentences begin..end-1, -1 where there is none.

    Sentence i has the rows ``rows[i]`` to ``rows[i + 1] - 1``.
    """
    for sentence in range(begin, end):
        found = _sentence(arcs, tables, sentence, BEST)
        own = slice(rows[sentence], rows[sentence + 1])
        heads[own] = cells[own] = -1
        values[sentence] = _read(found, _filled(found), heads[own], cells[own])


@inner_kernel
def _sentence(arcs, tables, sentence, semiring):
    first, last = arcs.offsets[sentence], arcs.offsets[sentence + 1]
    side = round(((last - first) / arcs.cells) ** 0.5)
    shape = side, side, arcs.cells
    values, kinds = arcs.values[first:last].reshape(shape), arcs.kinds[first:last].reshape(shape)
    modes = arcs.modes[first:last].reshape(shape)
    possible = np.zeros((side, len(tables.states) - 1), np.bool_)
    starts, count = np.zeros((side, side), np.int64), 0
    for h in range(side):
        for m in range(1, side):
            for cell in range(arcs.cells):
                if values[h, m, cell] > -np.inf:
                    possible[m, modes[h, m, cell]] = True
            if 0 < h <= m:
                starts[h, m] = count
                count += m - h + 1
    starts[0, 0] = count
    factors = np.exp(tables.charges) if semiring == LINEAR else tables.charges
    values = np.exp(values) if semiring == LINEAR else values
    by_kind, by_merged = np.empty(tables.merged.shape[1]), np.empty(len(tables.steps))
    return _Sentence(values, kinds, modes, possible, starts, tables, factors, by_kind, by_merged, semiring)


@inner_kernel
def _summed(found, shares, counts):
    """The total of a sentence in nats, with shares and counts filled; NaN where LINEAR cannot be trusted."""
    n, semiring, (broken, spoken) = len(found.values) - 1, found.semiring, counts
    shares[:], broken[:], spoken[:] = 0.0, 0.0, 0.0
    outer = shares.reshape(found.values.shape)
    chart, total, spans = _filled(found), nothing(semiring), found.starts[1, n]
    for m in range(1, n + 1):
        for cell in range(found.values.shape[2]):
            whole = chart.whole[spans + m - 1, found.modes[0, m, cell]]
            total = plus(total, times(found.values[0, m, cell], whole, semiring), semiring)
    # The cells of an arc weigh at most 1 together, so outside values are below exp(1.91 n), the number of trees. What
    # is lost below the smallest normal float, 2e-308, then changes no share by more than 1e-25.
    if semiring == LINEAR and not exp(1.91 * n) * 1e-280 < total < np.inf:
        return np.nan
    if total == nothing(semiring):
        return -np.inf
    pairs = _shared_out(found, chart, outer)
    for m in range(1, n + 1):
        column = 0.0
        for h in range(n + 1):
            for cell in range(found.values.shape[2]):
                value = times(outer[h, m, cell], found.values[h, m, cell], semiring)
                outer[h, m, cell] = value / total if semiring == LINEAR else exp(value - total)
                column += outer[h, m, cell]
        if semiring == LINEAR and not abs(column - 1.0) < 1e-9:
            return np.nan
    outer[:, 0] = 0.0
    for pair in range(len(pairs)):
        share = pairs[pair] / total if semiring == LINEAR else exp(pairs[pair] - total)
        for rule in range(len(broken)):
            broken[rule] += share * found.tables.broken[rule, pair]
            spoken[rule] += share * found.tables.spoken[rule, pair]
    return log(total) if semiring == LINEAR else total


@inner_kernel
def _empty_chart(found):
    side, states, zero = len(found.values), found.tables.states, nothing(found.semiring)
    half = np.full((side, side, states[-1]), zero)
    return _Chart(half, half.copy(), np.full((found.starts[0, 0], len(states) - 1), zero))


@inner_kernel
def _filled(found):
    """The chart of a sentence; narrow spans first."""
    n, states, semiring, chart = len(found.values) - 1, found.tables.states, found.semiring, _empty_chart(found)
    for width in range(n):
        for h in range(1, n + 1):
            for e in (h + width, h - width):
                if 1 <= e <= n:
                    _fill_half(found, chart, h, e)
            if h + width <= n:
                _join(found, chart, h, h + width)
        for i in range(1, n + 1 - width):
            for m in range(i, i + width + 1):
                left, right, place = chart.half[m, i], chart.joined[m, i + width], found.starts[i, i + width] + m - i
                for own in range(len(states) - 1):
                    if found.possible[m, own]:
                        value = nothing(semiring)
                        for s in range(states[own], states[own + 1]):
                            value = plus(value, times(left[s], right[s], semiring), semiring)
                        chart.whole[place, own] = value
    return chart


@inner_kernel
def _fill_half(found, chart, h, e):
    """half[h, e] from shorter halves of h and the dependent that takes the rest."""
    states, steps, semiring = found.tables.states, found.tables.steps, found.semiring
    if e == h:
        for own in range(len(states) - 1):
            chart.half[h, h, states[own]] = 1.0 if semiring == LINEAR else 0.0
        return
    side, half = 1 if e > h else -1, chart.half[h, e]
    for i in range(h + side, e + side, side):
        shorter = chart.half[h, i - side]
        _add_kinds(found, chart, h, min(i, e), max(i, e))
        for own in range(len(states) - 1):
            if found.possible[h, own]:
                _merge(found, own)
                for kind in range(found.tables.merged_counts[own]):
                    weight = found.by_merged[kind]
                    if weight != nothing(semiring):
                        for s in range(states[own], states[own + 1]):
                            after, value = steps[kind, s], times(shorter[s], weight, semiring)
                            half[after] = plus(half[after], value, semiring)


@inner_kernel
def _add_kinds(found, chart, h, i, j):
    """For each kind of arcs from h, the weight of all subtrees over words i..j that hang from h by one."""
    kinds, semiring, start = found.by_kind, found.semiring, found.starts[i, j] - i
    kinds[:] = nothing(semiring)
    for m in range(i, j + 1):
        for cell in range(found.values.shape[2]):
            whole, kind = chart.whole[start + m, found.modes[h, m, cell]], found.kinds[h, m, cell]
            kinds[kind] = plus(kinds[kind], times(found.values[h, m, cell], whole, semiring), semiring)


@inner_kernel
def _merge(found, own):
    """Add up kinds that a mode does not tell apart."""
    merged = found.by_merged
    merged[: found.tables.merged_counts[own]] = nothing(found.semiring)
    for kind in range(len(found.by_kind)):
        number = found.tables.merged[own, kind]
        merged[number] = plus(merged[number], found.by_kind[kind], found.semiring)


@inner_kernel
def _join(found, chart, m, j):
    """joined[m, j] from the right half of m."""
    states, semiring, right = found.tables.states, found.semiring, chart.half[m, j]
    for own in range(len(states) - 1):
        if found.possible[m, own]:
            first, count, pair = states[own], states[own + 1] - states[own], found.tables.pairs[own]
            for s in range(count):
                value = nothing(semiring)
                for t in range(count):
                    factor = found.factors[pair + s * count + t]
                    value = plus(value, times(factor, right[first + t], semiring), semiring)
                chart.joined[m, j, first + s] = value


@inner_kernel
def _shared_out(found, chart, shares):
    """Run ``_filled`` backwards: values outside of pairs of states, times those inside; ``shares`` gets the outside of
    each cell of an arc."""
    n, states, semiring = len(found.values) - 1, found.tables.states, found.semiring
    outer, pairs = _empty_chart(found), np.full(len(found.factors), nothing(semiring))
    shares[:] = nothing(semiring)
    for m in range(1, n + 1):
        for cell in range(found.values.shape[2]):
            place, own = found.starts[1, n] + m - 1, found.modes[0, m, cell]
            shares[0, m, cell] = chart.whole[place, own]
            outer.whole[place, own] = plus(outer.whole[place, own], found.values[0, m, cell], semiring)
    for width in range(n - 1, -1, -1):
        for i in range(1, n + 1 - width):
            for m in range(i, i + width + 1):
                left, right, place = chart.half[m, i], chart.joined[m, i + width], found.starts[i, i + width] + m - i
                outer_left, outer_right = outer.half[m, i], outer.joined[m, i + width]
                for own in range(len(states) - 1):
                    above = outer.whole[place, own]
                    if above != nothing(semiring) and found.possible[m, own]:
                        for s in range(states[own], states[own + 1]):
                            outer_left[s] = plus(outer_left[s], times(above, right[s], semiring), semiring)
                            outer_right[s] = plus(outer_right[s], times(above, left[s], semiring), semiring)
        for h in range(1, n + 1):
            if h + width <= n:
                _part_joined(found, chart, outer, h, h + width, pairs)
            if width:
                for e in (h + width, h - width):
                    if 1 <= e <= n:
                        _share_half(found, chart, outer, h, e, shares)
    return pairs


@inner_kernel
def _part_joined(found, chart, outer, m, j, pairs):
    """``_join`` backwards."""
    states, semiring, right, outer_right = found.tables.states, found.semiring, chart.half[m, j], outer.half[m, j]
    for own in range(len(states) - 1):
        if found.possible[m, own]:
            first, count = states[own], states[own + 1] - states[own]
            for s in range(count):
                above = outer.joined[m, j, first + s]
                if above != nothing(semiring):
                    for t in range(count):
                        pair, place = found.tables.pairs[own] + s * count + t, first + t
                        weight = times(above, found.factors[pair], semiring)
                        outer_right[place] = plus(outer_right[place], weight, semiring)
                        pairs[pair] = plus(pairs[pair], times(weight, right[place], semiring), semiring)


@inner_kernel
def _share_half(found, chart, outer, h, e, shares):
    """``_fill_half`` backwards."""
    states, semiring = found.tables.states, found.semiring
    outer_kind, outer_merged = np.empty(len(found.by_kind)), np.empty(len(found.by_merged))
    side, outer_half = 1 if e > h else -1, outer.half[h, e]
    for i in range(h + side, e + side, side):
        shorter, outer_shorter = chart.half[h, i - side], outer.half[h, i - side]
        _add_kinds(found, chart, h, min(i, e), max(i, e))
        outer_kind[:] = nothing(semiring)
        for own in range(len(states) - 1):
            if not found.possible[h, own]:
                continue
            _merge(found, own)
            for kind in range(found.tables.merged_counts[own]):
                weight, gathered = found.by_merged[kind], nothing(semiring)
                for s in range(states[own], states[own + 1]):
                    above = outer_half[found.tables.steps[kind, s]]
                    outer_shorter[s] = plus(outer_shorter[s], times(above, weight, semiring), semiring)
                    gathered = plus(gathered, times(above, shorter[s], semiring), semiring)
                outer_merged[kind] = gathered
            for kind in range(len(outer_kind)):
                above = outer_merged[found.tables.merged[own, kind]]
                outer_kind[kind] = plus(outer_kind[kind], above, semiring)
        start = found.starts[min(i, e), max(i, e)] - min(i, e)
        for m in range(min(i, e), max(i, e) + 1):
            for cell in range(found.values.shape[2]):
                above, own = outer_kind[found.kinds[h, m, cell]], found.modes[h, m, cell]
                value = times(above, found.values[h, m, cell], semiring)
                outer.whole[start + m, own] = plus(outer.whole[start + m, own], value, semiring)
                value = times(above, chart.whole[start + m, own], semiring)
                shares[h, m, cell] = plus(shares[h, m, cell], value, semiring)


@inner_kernel
def _read(found, chart, heads, cells):
    """The value of the best tree, whose heads and cells are filled in; -inf where there is none."""
    n, best, chosen = len(found.values) - 1, -np.inf, (0, 0)
    for m in range(1, n + 1):
        for cell in range(found.values.shape[2]):
            whole = chart.whole[found.starts[1, n] + m - 1, found.modes[0, m, cell]]
            if found.values[0, m, cell] + whole > best:
                best, chosen = found.values[0, m, cell] + whole, (m, cell)
    if best == -np.inf:
        return best
    spans, waiting = np.empty((n + 1, 4), np.int64), 1  # head, first and last word, mode
    heads[chosen[0]], cells[chosen[0]] = 0, chosen[1]
    spans[0, 0], spans[0, 1], spans[0, 2], spans[0, 3] = chosen[0], 1, n, found.modes[0, chosen[0], chosen[1]]
    while waiting:
        waiting -= 1
        h, i, j, own = spans[waiting, 0], spans[waiting, 1], spans[waiting, 2], spans[waiting, 3]
        left, right = _best_pair(found, chart, h, i, j, own)
        for end, last in ((i, left), (j, right)):
            state, e = last, end
            while e != h:
                near, m, cell, state = _best_dependent(found, chart, h, e, own, state)
                heads[m], cells[m] = h, cell
                spans[waiting, 0], spans[waiting, 1], spans[waiting, 2] = m, min(near, e), max(near, e)
                spans[waiting, 3] = found.modes[h, m, cell]
                waiting += 1
                e = near - 1 if e > h else near + 1
    return best


@inner_kernel
def _best_pair(found, chart, m, i, j, own):
    """The states of both halves of m in the best tree over words i..j."""
    first, count = found.tables.states[own], found.tables.states[own + 1] - found.tables.states[own]
    best, chosen = -np.inf, (0, 0)
    for s in range(count):
        for t in range(count):
            factor = found.factors[found.tables.pairs[own] + s * count + t]
            value = chart.half[m, i, first + s] + (factor + chart.half[m, j, first + t])
            if value > best:
                best, chosen = value, (first + s, first + t)
    return chosen


@inner_kernel
def _best_dependent(found, chart, h, e, own, state):
    """(near end of its words, outermost dependent, its cell, the state without it) of the best half[h, e, state]."""
    side, best, chosen, states = 1 if e > h else -1, -np.inf, (0, 0, 0, 0), found.tables.states
    for i in range(h + side, e + side, side):
        start = found.starts[min(i, e), max(i, e)] - min(i, e)
        for m in range(min(i, e), max(i, e) + 1):
            for cell in range(found.values.shape[2]):
                kind = found.tables.merged[own, found.kinds[h, m, cell]]
                arc = found.values[h, m, cell] + chart.whole[start + m, found.modes[h, m, cell]]
                if arc > -np.inf:
                    for s in range(states[own], states[own + 1]):
                        if found.tables.steps[kind, s] == state and chart.half[h, i - side, s] + arc > best:
                            best, chosen = chart.half[h, i - side, s] + arc, (i, m, cell, s)
    return chosen
