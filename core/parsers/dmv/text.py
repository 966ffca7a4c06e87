"""A text as the DMV sees it, tags and brackets, and what parameters say about it: counts, likelihoods, best trees.

Each function is a sum, or a list, over sentences and may be run on parts of a corpus.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.compilation.kernels import kernel
from core.offsets import offsets_of, rows_from, selected_rows
from core.parsers.dmv import chart
from core.parsers.dmv.parameters import Events
from core.threads import run_ranges, split
from core.trees import bracket_kernels
from core.trees.bracket_charts import DEPTH, overlaps, sum_charts
from core.trees.bracket_kernels import BracketSums, tie_states
from core.trees.brackets import LEVELS, NONE, TEAR, PackedBrackets, hardest_levels
from core.trees.packed import PackedHeads

CELLS = 2_000_000  # arcs weighed at a time where sentences have brackets: 16 MB an array
PARTS = 8  # parts of a corpus, each with its counts: sums are the same on any number of threads
NO_COUNTS = np.empty((1, 2, 0, 0)), np.empty((4, 2, 0)), np.empty(0)


@dataclass(eq=False)
class TaggedText:
    """Sentences as rows of tag numbers.

    Attributes
    ----------
    tags : ndarray of shape (rows,), dtype int32
        Laid out like ``Treebank.heads``; root rows are not looked at.
    offsets : ndarray of shape (S + 1,), dtype int64
    brackets : PackedBrackets
    levels : ndarray of shape (S,), dtype int8
        The level at which a sentence's brackets hold, as numbered in ``LEVELS``; 0 for sentences without any. Lowered
        in place, one level at a time, where no tree with a probability above 0 satisfies them.
    """

    tags: np.ndarray
    offsets: np.ndarray
    brackets: PackedBrackets = None  # pyright: ignore[reportAssignmentType]  # set to none of each sentence below
    level: int = NONE
    levels: np.ndarray = field(init=False)
    deep: np.ndarray = field(init=False)

    def __post_init__(self):
        count = len(self.offsets) - 1
        self.levels = np.zeros(count, np.int8)
        if self.brackets is None:
            self.brackets = PackedBrackets.from_lists([[]] * count)
        marked = np.diff(self.brackets.offsets) > 0
        self.levels[marked] = self.level
        self.deep = overlaps(self.brackets) > DEPTH  # too many brackets over one word for tear
        if self.level == TEAR:
            self.levels[self.deep] = NONE

    def relax_level(self, sentences: np.ndarray) -> None:
        """Take the brackets of these sentences one level softer."""
        self.levels[sentences] -= 1
        self.levels[sentences] *= ~(self.deep[sentences] & (self.levels[sentences] == TEAR))

    lengths = property(lambda self: np.diff(self.offsets) - 1)
    token_count = property(lambda self: int(self.offsets[-1]) - len(self))

    @cached_property
    def arcs(self) -> np.ndarray:
        """int64 (S + 1,): where each sentence's (n + 1, n + 1) arcs begin, as in a PackedScores."""
        return offsets_of((self.lengths + 1) ** 2)

    def __len__(self):
        return len(self.offsets) - 1

    def fallbacks(self) -> dict[str, int]:
        """{level: sentences whose brackets hold at it now}, of the sentences with brackets; empty without a level."""
        marked = np.diff(self.brackets.offsets) > 0
        numbers = np.bincount(self.levels[marked], minlength=len(LEVELS))[: self.level + 1]
        return {LEVELS[i]: int(numbers[i]) for i in range(self.level, -1, -1)} if self.level else {}


class Expectations(NamedTuple):
    """Expectations of all trees of a text, arc by arc.

    Attributes
    ----------
    log_likelihoods : ndarray of shape (S,), dtype float64, in nats
    marginals, nearest : ndarrays of shape (A,), dtype float64
        The probability of every arc, and of every arc to the innermost modifier on its side.
    childless : ndarray of shape (2 * rows,), dtype float64
        P(no modifier to the left), then to the right, (2, n + 1) for each sentence.
    """

    log_likelihoods: np.ndarray
    marginals: np.ndarray
    nearest: np.ndarray
    childless: np.ndarray


def expect(
    text: TaggedText, parameters: Events, *, bonus: np.ndarray | None = None, threads: int | None = None
) -> Expectations:
    """Expectations of all trees that the brackets leave; ``count_events`` adds them up by event.

    Parameters
    ----------
    text : TaggedText
    parameters : Events
    bonus : ndarray of shape (A,), dtype float64, optional
        A weight of each arc, multiplied in wherever a tree has it; laid out as ``text.arcs`` says.
    threads : int, optional

    Returns
    -------
    Expectations
        Log-likelihoods are those of the tags and of a tree that satisfies the brackets, bonuses multiplied in; -inf
        where that is impossible.

    Notes
    -----
    O(sum of n^3). The same bits on any number of threads.
    """
    sums = BracketSums(
        np.full(len(text), np.nan), *(np.zeros(size) for size in (*2 * (text.arcs[-1],), 2 * len(text.tags)))
    )
    sentences = _sentences(text, np.flatnonzero(text.levels != TEAR))
    weights = chart.chart_weights(parameters.tables, parameters.valence, parameters.root, bonus)

    def run(begin, end):
        chart.expect_range(sentences, weights, begin, end, sums, NO_COUNTS)

    run_ranges(run, _costs(text, sentences.order), threads)
    rest = np.flatnonzero(np.isnan(sums.totals))  # at tear, without a tree, or beyond float64
    if len(rest):
        logarithms = parameters.logarithms()
        for some in _chunks(text, rest):
            lowered, cells = _sum_lowering(text, some, logarithms, bonus, threads)
            sums.totals[some], sums.shares[cells], sums.nearest[cells] = lowered.totals, lowered.shares, lowered.nearest
            sums.childless[rows_from(2 * text.offsets[some], 2 * text.lengths[some] + 2)] = lowered.childless
    return Expectations(*sums)


def count_events(
    text: TaggedText, summed: Expectations, like: Events, threads: int | None = None, weights: np.ndarray | None = None
) -> Events:
    """Expected counts of all events, of the shape of other Events. O(A). The same bits on any number of threads.

    ``weights``, float64 (S,), is what each sentence counts; 1 by default.
    """
    counts, sums, sentences = Events.like(like), BracketSums(*summed), np.arange(len(text))
    tables = counts.tables, counts.valence, counts.root
    weights = np.ones(len(text)) if weights is None else weights

    def run(begin, end):
        for side in range(begin, end):  # the two sides count different events
            _count_side(text.tags, text.offsets, sentences, weights, side, sums, tables)

    run_ranges(run, np.ones(2), threads)
    return counts


def expected_counts(text: TaggedText, parameters: Events, threads: int | None = None) -> tuple[np.ndarray, Events]:
    """(log-likelihoods, expected counts) of all trees that the brackets leave.

    As ``expect`` and ``count_events``, without an array over arcs, which few tags make the faster way.
    """
    sums = BracketSums(np.full(len(text), np.nan), *np.empty((3, 0)))
    sentences = _sentences(text, np.flatnonzero(text.levels != TEAR))
    weights = chart.chart_weights(parameters.tables, parameters.valence, parameters.root)
    ranges = split(_costs(text, sentences.order), PARTS)

    def run(first, last):
        parts = []
        for begin, end in ranges[first:last]:
            part = Events.like(parameters)
            chart.expect_range(sentences, weights, begin, end, sums, (part.tables, part.valence, part.root))
            parts.append(part)
        return parts

    counted = run_ranges(run, np.ones(len(ranges)), threads)
    counts = sum((part for some in counted for part in some), Events.like(parameters))
    rest, ones = np.flatnonzero(np.isnan(sums.totals)), np.ones(len(text))
    for some in _chunks(text, rest) if len(rest) else ():
        counted, _ = _sum_lowering(text, some, parameters.logarithms(), None, threads)
        sums.totals[some] = counted.totals
        for side in range(2):
            tables = counts.tables, counts.valence, counts.root
            _count_side(text.tags, text.offsets, some, ones, side, counted, tables)
    return sums.totals, counts


def best_trees(
    text: TaggedText, parameters: Events, seed: int = 0, threads: int | None = None, bonus: np.ndarray | None = None,
    first: int = 0,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """(log-probabilities float64 (S,) in nats, heads int32 (rows,)) of the best trees that the brackets leave.

    ``bonus`` as for ``expect``. Ties are broken at random by ``seed`` and a sentence's number, which counts from
    ``first`` on. O(sum of n^3).
    """
    values, heads = np.full(len(text), np.nan), np.full(text.offsets[-1], -1, np.int32)
    sentences = _sentences(text, np.arange(len(text)))  # at tear as if without brackets
    weights = chart.chart_weights(parameters.tables, parameters.valence, parameters.root, bonus)
    states = tie_states(seed, first + np.arange(len(text)))

    def run(begin, end):
        chart.best_range(sentences, weights, begin, end, states, values, heads)

    run_ranges(run, _costs(text, sentences.order), threads)
    # at tear the best tree of all is the best one if it breaks no bracket
    at_tear = np.flatnonzero((text.levels == TEAR) & (values > -np.inf))
    rows, offsets = selected_rows(text.offsets, at_tear)
    brackets = text.brackets.select(at_tear)
    owners = np.repeat(at_tear, np.diff(brackets.offsets))
    crossing = owners[hardest_levels(PackedHeads(heads[rows], offsets), brackets) < TEAR]
    rest = np.union1d(crossing, np.flatnonzero(np.isnan(values)))
    if len(rest):
        weights = parameters.logarithms(), bonus
        for some in _chunks(text, rest):
            _best_bracketed(text, some, weights, states, (values, heads), threads)
    return values, heads


def arc_marginals(
    text: TaggedText, parameters: Events, threads: int | None = None, bonus: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(log-likelihoods (S,) in nats, marginals (A,), offsets (S + 1,)) of all arcs, laid out as in a PackedScores."""
    expected = expect(text, parameters, bonus=bonus, threads=threads)
    return expected.log_likelihoods, expected.marginals, text.arcs


def tree_counts(text: TaggedText, heads: np.ndarray, parameters: Events) -> Events:
    """Events of whole trees, shaped like ``parameters``: counts. Sentences of heads -1 have none. O(rows)."""
    counts = Events.like(parameters)
    _count_trees(text.tags, text.offsets, heads, counts.tables, counts.valence, counts.root)
    return counts


@kernel
def _count_trees(tags, offsets, heads, take, valence, root):
    longest = 1
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    modifiers, further = np.zeros((2, longest), np.int64), len(take) - 1
    for i in range(len(offsets) - 1):
        first, n = offsets[i], offsets[i + 1] - offsets[i] - 1
        if n == 0 or heads[first + 1] < 0:
            continue
        modifiers[:, : n + 1] = 0
        for side in range(2):
            for step in range(n):  # outwards from the head, so that the innermost modifier comes first
                m = step + 1 if side == 1 else n - step
                h = heads[first + m]
                if h == 0 and side == 1:
                    root[tags[first + m]] += 1.0
                elif h > 0 and (m > h) == (side == 1):
                    take[further if modifiers[side, h] else 0, side, tags[first + h], tags[first + m]] += 1.0
                    modifiers[side, h] += 1
        for h in range(1, n + 1):
            for side in range(2):
                tag, count = tags[first + h], modifiers[side, h]
                if count == 0:
                    valence[0, side, tag] += 1.0
                else:
                    valence[1, side, tag] += 1.0
                    valence[2, side, tag] += 1.0
                    valence[3, side, tag] += count - 1.0


def _sentences(text, chosen):
    """These sentences in the chart's layout."""
    brackets = text.brackets
    tags = np.require(text.tags, requirements=["C", "W"])  # a shard's tags cannot be written, which is another type
    # by length, for neighbours share a chart; those with brackets to heed last
    order = chosen[np.lexsort((text.lengths[chosen], text.levels[chosen] > TEAR))]
    return chart.Sentences(
        tags, text.offsets, order, brackets.starts, brackets.ends, brackets.offsets, text.levels, text.arcs
    )


def _costs(text, order):
    return text.lengths[order] ** 3.0 + 20.0 * text.lengths[order] ** 2.0


def _chunks(text, sentences):
    """Cut an array of sentences so that no part has more than CELLS possible arcs, or is a single sentence."""
    cells = np.cumsum((text.lengths[sentences] + 1) ** 2)
    return [part for part in np.split(sentences, np.flatnonzero(np.diff(cells // CELLS)) + 1) if len(part)]


def _sum_lowering(text, sentences, logarithms, bonus, threads):
    """(Sums, cells) of some sentences, at ever lower levels until all have a tree; cells number their arcs."""
    corpus, shifts, cells = _weighed(text, sentences, logarithms, bonus)
    nodes = offsets_of(text.lengths[sentences] + 1)
    sums = sum_charts(corpus, True, threads)
    sums.totals[:] += shifts
    for again in np.flatnonzero(sums.totals == -np.inf):
        sentence = sentences[again : again + 1]
        while sums.totals[again] == -np.inf and text.levels[sentence[0]] > NONE:
            text.relax_level(sentence)
            one, shift, _ = _weighed(text, sentence, logarithms, bonus)
            lowered = sum_charts(one, True, 1)
            sums.totals[again] = lowered.totals[0] + shift[0]
            part = slice(corpus.offsets[again], corpus.offsets[again + 1])
            sums.shares[part], sums.nearest[part] = lowered.shares, lowered.nearest
            sums.childless[2 * nodes[again] : 2 * nodes[again + 1]] = lowered.childless
    return sums, cells


def _best_bracketed(text, waiting, weights, states, results, threads):
    """Write (values, heads) of sentences by the chart with brackets, at ever lower levels until all have a tree."""
    values, heads = results
    while len(waiting):
        corpus, shifts, _ = _weighed(text, waiting, *weights)
        lengths = text.lengths[waiting]
        rows, _ = selected_rows(text.offsets, waiting)
        totals, trees = np.empty(len(waiting)), np.empty(len(rows), np.int32)

        def run(begin, end, corpus=corpus, state=states[waiting], results=(totals, trees)):
            bracket_kernels.best_range(corpus, begin, end, True, state, *results)

        run_ranges(run, lengths**3.0, threads)
        values[waiting] = totals + shifts
        heads[rows] = trees
        waiting = waiting[(totals == -np.inf) & (corpus.levels > NONE)]
        text.relax_level(waiting)


def _weighed(text, sentences, logarithms, bonus):
    """(Corpus, shifts, cells) of some sentences: log-weights for the chart with all brackets, the best of each column
    taken out into ``shifts``; and the numbers of their arcs among those of the text."""
    sides = text.lengths[sentences] + 1
    offsets = offsets_of(sides**2)
    cells = rows_from(text.arcs[sentences], sides**2)
    take = logarithms.tables
    scores, valence, shifts = np.empty((len(take), offsets[-1])), np.empty(8 * sides.sum()), np.empty(len(sentences))
    with np.errstate(divide="ignore"):
        bonuses = np.zeros(len(cells)) if bonus is None else np.log(bonus[cells])
    weights = (take, logarithms.valence, logarithms.root, bonuses)
    _weigh(text.tags, text.offsets, sentences, weights, scores, valence, shifts)
    chosen = text.brackets.select(sentences)
    marks = (chosen.starts, chosen.ends, chosen.offsets, text.levels[sentences])
    first = scores[0]
    further = first if len(take) == 1 else scores[1]
    return bracket_kernels.BracketedSentences(first, further, offsets, valence, *marks), shifts, cells


@kernel
def _weigh(tags, offsets, sentences, weights, scores, kinds, shifts):
    """Log-weights of arcs, each column less its highest, whose sum goes to ``shifts``, and of valences."""
    take, valence, root, bonuses = weights
    cell, node = 0, 0
    for place in range(len(sentences)):
        first = offsets[sentences[place]]
        side = offsets[sentences[place] + 1] - first
        decided = kinds[8 * node : 8 * (node + side)].reshape(4, 2, side)
        decided[:, :, 0] = 0.0
        scores[:, cell : cell + side * side] = -np.inf
        shifts[place] = 0.0
        for m in range(1, side):
            tag, highest = tags[first + m], -np.inf
            for h in range(side):
                here = cell + h * side + m
                if h == m:
                    continue
                for adjacency in range(len(take)):
                    way = 1 if h < m else 0
                    score = root[tag] if h == 0 else take[adjacency, way, tags[first + h], tag]
                    scores[adjacency, here] = score + bonuses[here]
                    highest = max(highest, score + bonuses[here])
            if highest > -np.inf:
                for h in range(side):
                    for adjacency in range(len(take)):
                        scores[adjacency, cell + h * side + m] -= highest
                shifts[place] += highest
            for kind in range(4):
                decided[kind, 0, m], decided[kind, 1, m] = valence[kind, 0, tag], valence[kind, 1, tag]
        cell, node = cell + side * side, node + side


@kernel
def _count_side(tags, offsets, sentences, weights, way, sums, counts):
    """Add the expected counts of one side, with the left those of the root, from the BracketSums of some sentences.

    Each sentence of the text counts its weight.
    """
    take, valence, root = counts
    cell, node, further = 0, 0, len(take) - 1
    for place in range(len(sentences)):
        first = offsets[sentences[place]]
        side = offsets[sentences[place] + 1] - first
        matrix = sums.shares[cell : cell + side * side].reshape(side, side)
        nearest = sums.nearest[cell : cell + side * side].reshape(side, side)
        alone = sums.childless[2 * node + way * side : 2 * node + (way + 1) * side]
        cell, node = cell + side * side, node + side
        if sums.totals[place] == -np.inf:
            continue
        weight = weights[sentences[place]]
        for h in range(1, side):
            tag, taken = tags[first + h], 0.0
            if way == 0:
                root[tag] += weight * matrix[0, h]
            for m in range(h + 1, side) if way else range(1, h):
                take[0, way, tag, tags[first + m]] += weight * nearest[h, m]
                take[further, way, tag, tags[first + m]] += weight * max(0.0, matrix[h, m] - nearest[h, m])
                taken += matrix[h, m]
            some = max(0.0, 1.0 - alone[h])  # these differences may come out at -1e-16
            valence[0, way, tag] += weight * alone[h]
            valence[1, way, tag] += weight * some
            valence[2, way, tag] += weight * some
            valence[3, way, tag] += weight * max(0.0, taken - some)
