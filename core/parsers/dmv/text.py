"""A text as the DMV sees it, tags and brackets, and what parameters say about it: counts, likelihoods, best trees.

Each function is a sum, or a list, over sentences and may be run on parts of a corpus.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import njit

from core.parsers.dmv import chart as dmv_chart
from core.parsers.dmv import viterbi as dmv_viterbi
from core.parsers.dmv.parameters import Events
from core.threads import run_ranges
from core.trees import bracket_kernels
from core.trees.bracket_charts import DEPTH, overlaps, sum_charts
from core.trees.brackets import LEVELS, NONE, TEAR, PackedBrackets, hardest_levels
from core.trees.packed import PackedHeads

CELLS = 2_000_000  # arcs weighed at a time where sentences have brackets: 16 MB an array


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
    brackets: PackedBrackets | None = None
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

    def lower(self, sentences):
        """Take the brackets of these sentences one level softer."""
        self.levels[sentences] -= 1
        self.levels[sentences] *= ~(self.deep[sentences] & (self.levels[sentences] == TEAR))

    lengths = property(lambda self: np.diff(self.offsets) - 1)
    token_count = property(lambda self: int(self.offsets[-1]) - len(self))

    def __len__(self):
        return len(self.offsets) - 1

    def fallbacks(self):
        """{level: sentences whose brackets hold at it now}, of the sentences with brackets; empty without a level."""
        marked = np.diff(self.brackets.offsets) > 0
        numbers = np.bincount(self.levels[marked], minlength=len(LEVELS))[: self.level + 1]
        return {LEVELS[i]: int(numbers[i]) for i in range(self.level, -1, -1)} if self.level else {}


def expected_counts(text, parameters, threads=None):
    """(log-likelihoods float64 (S,) in nats, expected counts Events) of all trees that the brackets leave.

    O(sum of n^3). Log-likelihoods are log P(tags, a tree that satisfies the brackets); -inf where that is impossible.
    """
    totals = np.full(len(text), np.nan)
    order, brackets = _by_length(text, np.flatnonzero(text.levels != TEAR)), _bracket_arrays(text)

    def run(begin, end):
        counts = Events.zeros(len(parameters.root))
        dmv_chart.expect_range(
            text.tags, text.offsets, order, begin, end, brackets, *parameters.arrays, totals, counts.arrays
        )
        return counts

    parts = run_ranges(run, _costs(text, order), threads)
    counts = sum(parts, Events.zeros(len(parameters.root)))
    rest = np.flatnonzero(np.isnan(totals))  # at tear, without a tree, or beyond float64
    if len(rest):
        logarithms = parameters.logarithms()
        for sentences in _chunks(text, rest):
            counts += _expect_bracketed(text, sentences, logarithms, totals, threads)
    return totals, counts


def best_trees(text, parameters, seed=0, threads=None):
    """(log-probabilities float64 (S,) in nats, heads int32 (rows,)) of the best trees that the brackets leave.

    Ties are broken at random by ``seed``. O(sum of n^3).
    """
    logarithms = parameters.logarithms()
    values, heads = np.full(len(text), -np.inf), np.full(text.offsets[-1], -1, np.int32)
    order, brackets = _by_length(text, np.arange(len(text))), _bracket_arrays(text)  # at tear as if without brackets

    def run(begin, end):
        dmv_viterbi.best_range(
            text.tags, text.offsets, order, begin, end, brackets, *logarithms.arrays, seed, values, heads
        )

    run_ranges(run, _costs(text, order), threads)
    rest = np.union1d(_torn(text, values, heads), np.flatnonzero((values == -np.inf) & (text.levels > NONE)))
    for sentences in _chunks(text, rest):
        _best_bracketed(text, sentences, logarithms, seed, values, heads, threads)
    return values, heads


def arc_marginals(text, parameters, threads=None):
    """(log-likelihoods (S,) in nats, marginals (A,), offsets (S + 1,)) of all arcs, laid out as in a PackedScores."""
    log_likelihoods, parts = np.empty(len(text)), []
    logarithms = parameters.logarithms()
    for sentences in _chunks(text, np.arange(len(text))):
        totals, shares, _, _ = _sum_lowering(text, sentences, logarithms, threads)
        log_likelihoods[sentences] = totals
        parts.append(shares)
    offsets = np.concatenate(([0], np.cumsum((text.lengths + 1) ** 2)))
    return log_likelihoods, np.concatenate(parts) if parts else np.empty(0), offsets


@njit(cache=True, nogil=True)
def tree_counts(tags, offsets, heads, take, valence, root):
    """Add the events of whole trees to counts, arrays as in Events; sentences of heads -1 have none. O(rows)."""
    longest = 1
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    modifiers = np.zeros((2, longest), np.int64)
    for i in range(len(offsets) - 1):
        first, n = offsets[i], offsets[i + 1] - offsets[i] - 1
        if n == 0 or heads[first + 1] < 0:
            continue
        modifiers[:, : n + 1] = 0
        for m in range(1, n + 1):
            h = heads[first + m]
            if h == 0:
                root[tags[first + m]] += 1.0
            else:
                side = 1 if m > h else 0
                take[side, tags[first + h], tags[first + m]] += 1.0
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


def _by_length(text, sentences):
    """Sentences by length, for neighbours share a chart; those with brackets to heed last."""
    return sentences[np.lexsort((text.lengths[sentences], text.levels[sentences] > TEAR))]


def _torn(text, values, heads):
    """The sentences at tear whose best tree of all breaks a bracket; of the others it is the best that does not."""
    sentences = np.flatnonzero((text.levels == TEAR) & (values > -np.inf))
    rows, offsets = rows_of(text, sentences)
    brackets = text.brackets.select(sentences)
    levels = hardest_levels(PackedHeads(heads[rows], offsets), brackets)
    owners = np.repeat(sentences, np.diff(brackets.offsets))
    return np.unique(owners[levels < TEAR])


def rows_of(text, sentences):
    """(rows, offsets) of some sentences: their rows in the text, and where each begins among them."""
    sides = text.lengths[sentences] + 1
    offsets = np.concatenate(([0], np.cumsum(sides)))
    return np.arange(offsets[-1]) + np.repeat(text.offsets[sentences] - offsets[:-1], sides), offsets


def _bracket_arrays(text):
    return text.brackets.starts, text.brackets.ends, text.brackets.offsets, text.levels


def _costs(text, order):
    return text.lengths[order] ** 3.0 + 20.0 * text.lengths[order] ** 2.0


def _chunks(text, sentences):
    """Cut an array of sentences so that no part has more than CELLS possible arcs, or is a single sentence."""
    cells = np.cumsum((text.lengths[sentences] + 1) ** 2)
    return [part for part in np.split(sentences, np.flatnonzero(np.diff(cells // CELLS)) + 1) if len(part)]


def _expect_bracketed(text, sentences, logarithms, log_likelihoods, threads):
    """Expected counts of some sentences by the chart with brackets; fills their log-likelihoods."""
    totals, shares, childless, _ = _sum_lowering(text, sentences, logarithms, threads)
    log_likelihoods[sentences] = totals
    counts = Events.zeros(len(logarithms.root))
    _share_counts(text.tags, text.offsets, sentences, shares, childless, totals, *counts.arrays)
    return counts


def _sum_lowering(text, sentences, logarithms, threads):
    """``sum_charts`` of some sentences, at ever lower levels until all have a tree."""
    offsets, marks, scores, valence, shifts = _weighed(text, sentences, logarithms)
    nodes = np.concatenate(([0], np.cumsum(text.lengths[sentences] + 1)))
    totals, shares, childless = sum_charts(scores, valence, offsets, marks, text.levels[sentences], True, threads)
    totals = totals + shifts
    for again in np.flatnonzero(totals == -np.inf):
        sentence = sentences[again]
        while totals[again] == -np.inf and text.levels[sentence] > NONE:
            text.lower([sentence])
            part = slice(offsets[again], offsets[again + 1])
            one = sum_charts(
                scores[part],
                valence[8 * nodes[again] : 8 * nodes[again + 1]],
                offsets[again : again + 2] - offsets[again],
                _marks_of(text, sentence),
                text.levels[sentence : sentence + 1],
                True,
                1,
            )
            totals[again] = one[0][0] + shifts[again]
            shares[part], childless[2 * nodes[again] : 2 * nodes[again + 1]] = one[1], one[2]
    return totals, shares, childless, offsets


def _best_bracketed(text, sentences, logarithms, seed, values, heads, threads):
    """Best trees of some sentences by the chart with brackets, at ever lower levels until all have one."""
    waiting = sentences
    while len(waiting):
        offsets, marks, scores, valence, shifts = _weighed(text, waiting, logarithms)
        lengths = text.lengths[waiting]
        rows, _ = rows_of(text, waiting)
        found, trees = np.empty(len(waiting)), np.empty(len(rows), np.int32)
        levels = text.levels[waiting]

        def run(begin, end, arrays=(scores, offsets, valence, *marks, levels), results=(found, trees)):
            bracket_kernels.best_range(*arrays, begin, end, True, seed, *results)

        run_ranges(run, lengths**3.0, threads)
        values[waiting] = found + shifts
        heads[rows] = trees
        waiting = waiting[(found == -np.inf) & (levels > NONE)]
        text.lower(waiting)


def _weighed(text, sentences, logarithms):
    """Offsets, brackets, arc scores, valence scores and shifts of some sentences, as ``bracket_kernels`` wants them."""
    sides = text.lengths[sentences] + 1
    offsets = np.concatenate(([0], np.cumsum(sides**2)))
    scores, valence, shifts = np.empty(offsets[-1]), np.empty(8 * sides.sum()), np.empty(len(sentences))
    _weigh(text.tags, text.offsets, sentences, *logarithms.arrays, scores, valence, shifts)
    chosen = text.brackets.select(sentences)
    return offsets, (chosen.starts, chosen.ends, chosen.offsets), scores, valence, shifts


def _marks_of(text, sentence):
    chosen = text.brackets.select(np.array([sentence]))
    return chosen.starts, chosen.ends, chosen.offsets


@njit(cache=True, nogil=True)
def _weigh(tags, offsets, sentences, take, valence, root, scores, kinds, shifts):
    """Log-weights of arcs, each column less its highest, whose sum goes to ``shifts``, and of valences."""
    cell, node = 0, 0
    for place in range(len(sentences)):
        first = offsets[sentences[place]]
        side = offsets[sentences[place] + 1] - first
        matrix = scores[cell : cell + side * side].reshape(side, side)
        decided = kinds[8 * node : 8 * (node + side)].reshape(4, 2, side)
        matrix[:, 0] = -np.inf
        decided[:, :, 0] = 0.0
        shifts[place] = 0.0
        for m in range(1, side):
            tag = tags[first + m]
            matrix[0, m] = highest = root[tag]
            for h in range(1, side):
                matrix[h, m] = take[1 if h < m else 0, tags[first + h], tag] if h != m else -np.inf
                highest = max(highest, matrix[h, m])
            if highest > -np.inf:
                matrix[:, m] -= highest
                shifts[place] += highest
            for kind in range(4):
                decided[kind, 0, m], decided[kind, 1, m] = valence[kind, 0, tag], valence[kind, 1, tag]
        cell, node = cell + side * side, node + side


@njit(cache=True, nogil=True)
def _share_counts(tags, offsets, sentences, shares, childless, totals, take, valence, root):
    """Add expected counts from arc marginals and the chances to have no modifier."""
    cell, node = 0, 0
    for place in range(len(sentences)):
        first = offsets[sentences[place]]
        side = offsets[sentences[place] + 1] - first
        matrix = shares[cell : cell + side * side].reshape(side, side)
        alone = childless[2 * node : 2 * (node + side)].reshape(2, side)
        cell, node = cell + side * side, node + side
        if totals[place] == -np.inf:
            continue
        for h in range(1, side):
            tag = tags[first + h]
            root[tag] += matrix[0, h]
            for way in range(2):
                taken = 0.0
                for m in range(h + 1, side) if way else range(1, h):
                    take[way, tag, tags[first + m]] += matrix[h, m]
                    taken += matrix[h, m]
                some = max(0.0, 1.0 - alone[way, h])  # both differences may come out at -1e-16
                valence[0, way, tag] += alone[way, h]
                valence[1, way, tag] += some
                valence[2, way, tag] += some
                valence[3, way, tag] += max(0.0, taken - some)
