"""The first pass over a text: every sentence parsed alone, and which arcs consistency could bring in.

Let F be a sentence's score, Y0 its best tree and R what consistency could pay another tree more than Y0 at most, word
by word. In a best joint solution the sentence's tree Y has F(Y) + R(Y) >= F(Y0), or Y0 in its place would gain. So a
sentence in which no tree but Y0 gets beyond that is closed. In the others only arcs whose max-marginal under F + R
reaches F(Y0) are needed. Arcs may be pruned further by ``alpha * best + (1 - alpha) * mean`` of max-marginals (Weiss &
Taskar 2010). Pruned arcs must be looked at again at the end. Of siblings and grandparents only the parts between arcs
that are left are kept.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from core.callbacks import Cancel
from core.compilation.kernels import kernel
from core.consistency.contexts import Contexts
from core.consistency.settings import ConsistencySettings
from core.consistency.surviving_parts import cube_value, packed_parts, packed_values
from core.errors import Cancelled, WorkbenchError
from core.offsets import offsets_of
from core.parsers.protocols import Scorer
from core.parsers.scores import Held, ParserScores
from core.threads import batches
from core.treebank import Treebank
from core.trees import PackedScores, max_marginals

CUBE_NUMBERS = 1 << 21  # third-order scores made at once
KEPT_NUMBERS = 1 << 27  # third-order scores of open sentences kept, 1 GB; beyond, they are made again where needed

Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def scores_of(parser: Scorer, treebank: Treebank) -> ParserScores:
    """A parser's scores of a text. Raises WorkbenchError where it has none."""
    if not isinstance(parser, Scorer):
        raise WorkbenchError(f"{type(parser).__name__} gives no scores of arcs; use an MSTParser or a TreeCRF")
    return parser.score(treebank)


class FirstPass:
    """A text parsed sentence by sentence, and which sentences consistency could change.

    Parameters
    ----------
    parser
        As ``scores_of`` takes it.
    contexts : Contexts
        Of the test text, which is parsed. Consistency speaks of the words in them.
    settings : ConsistencySettings
        Of which deltas, ``unit``, ``prune`` and ``presolve`` count here. Without ``presolve`` all sentences with a
        constrained word are open. The arcs needed are then those that rewards for all words at once could bring in.
    progress, cancel : callables, optional
        Called with the share done; asked between batches, raises Cancelled.

    Attributes
    ----------
    arcs : PackedScores
        All arc scores.
    heads : ndarray of shape (rows,), dtype int32
        The best trees.
    open : ndarray of shape (S,), dtype bool
        Sentences whose best tree another tree may beat, if every constrained word is paid the most that its head's
        label could earn. In all others the best tree stays whatever the consensus.
    needed, active : ndarray of shape (arcs,), dtype bool
        Arcs of open sentences that a best joint solution may have; those of them that are not pruned.
    preference : ndarray of shape (arcs,), dtype float64
        Of needed arcs, max-marginals without the arc's own reward (arc scores where trees may cross).
    best : ndarray of shape (S,), dtype float64
        The values of the best trees.
    parts : list of tuple
        Of each open sentence, four arrays: places in its cube and scores of the sibling parts between surviving arcs,
        and the same of grandparent parts; None elsewhere, and where the parser has arcs only.
    held : dict of int to Held
        Brackets that the trees of a sentence keep.
    margin : float
        By how much the best head of a word beats the second best in the mean, by max-marginals (by arc scores where
        trees may cross): of the first sentences, as many as are scored at once.
    order : {1, 2, 3}
        Of the largest parts.
    single_seconds, seconds : float
        Time spent on what a parser without consistency does, and in all.
    """

    def __init__(
        self, parser: Scorer, contexts: Contexts, settings: ConsistencySettings, *,
        progress: Callable[[float], object] | None = None, cancel: Cancel | None = None,
    ):  # fmt: skip
        began = time.perf_counter()
        self.parser, self.treebank, self.settings = parser, contexts.index.test, settings
        self.labels, self.classes = contexts.index.test_labels, contexts.index.labels.classes
        self.constrained, self.presolve = contexts.test_contexts >= 0, settings.presolve
        treebank = self.treebank
        self.sides, count = treebank.lengths + 1, len(treebank)
        self.arcs = PackedScores.empty(treebank.lengths)
        self.heads = np.empty(len(treebank.heads), dtype=np.int32)
        self.preference = np.zeros(len(self.arcs.values))
        self.needed, self.active = np.zeros((2, len(self.arcs.values)), dtype=bool)
        self.best = np.zeros(count)
        self.open = np.add.reduceat(self.constrained, treebank.offsets[:-1]) > 0
        self.parts: list[Parts | None] = [None] * count
        self._kept, self._cache_budget = {}, KEPT_NUMBERS
        self.held: dict[int, Held] = {}
        self.single_seconds, self.projective, self.order, self.margin = 0.0, True, 1, None
        for begin, end in batches(self.sides**3, CUBE_NUMBERS):
            if cancel is not None and cancel():
                raise Cancelled("stopped during the first pass; there is no answer yet")
            self._take(begin, end)
            if progress is not None:
                progress(end / count)
        self.seconds = time.perf_counter() - began

    def _take(self, begin, end):
        """Score and parse sentences begin..end-1, and look at those that may change."""
        began = time.perf_counter()
        scored = scores_of(self.parser, self.treebank.select(np.arange(begin, end)))
        rows = slice(self.treebank.offsets[begin], self.treebank.offsets[end])
        places = slice(self.arcs.offsets[begin], self.arcs.offsets[end])
        self.heads[rows] = scored.decode().values
        self.arcs.values[places] = scored.arcs.values
        self.single_seconds += time.perf_counter() - began
        self.projective = scored.projective
        self.held |= {begin + number: held for number, held in scored.held.items()}
        self.order = 1 + (scored.siblings is not None) + (scored.grandparents is not None)
        self.best[begin:end] = tree_values(scored, self.heads[rows])
        if not scored.projective:
            self.preference[places] = scored.arcs.values
            self.needed[places] = self.active[places] = scored.arcs.values > -np.inf
        if self.margin is None:
            scores = self._max_marginals(scored) if scored.projective else scored.arcs
            margins = _margins(scores.values, scores.offsets, scores.sides)
            self.margin = float(margins[np.isfinite(margins)].mean()) if np.isfinite(margins).any() else np.nan
        if scored.projective:
            self._look_at(scored, begin, end)

    def _max_marginals(self, scored):
        return max_marginals(scored.arcs, scored.siblings, scored.grandparents)

    def _look_at(self, scored, begin, end):
        """Which sentences are open, which of their arcs are needed, and the parts between those that are active."""
        rows = slice(self.treebank.offsets[begin], self.treebank.offsets[end])
        places = slice(self.arcs.offsets[begin], self.arcs.offsets[end])
        offsets, arc_offsets = self.treebank.offsets[begin : end + 1] - rows.start, scored.arcs.offsets
        deltas, best = self.settings.deltas(self.settings.scale(self.margin)), self.best[begin:end]
        paid, floor = scored.arcs.values, best - 1e-9 * (1 + np.abs(best))
        if self.presolve:
            words = self.labels[rows], self.classes, self.constrained[rows]
            paid = paid.copy()
            _add_rewards(offsets, arc_offsets, self.heads[rows], words, (deltas.same, deltas.close), paid)
        else:
            floor -= np.add.reduceat(self.constrained[rows], offsets[:-1]) * deltas.same
        alive = scored.arcs.values > -np.inf
        rewards = np.subtract(paid, scored.arcs.values, out=np.zeros_like(paid), where=alive)
        marginals = self._max_marginals(replace(scored, arcs=PackedScores(paid, arc_offsets)))
        if self.presolve:
            self.open[begin:end] &= np.maximum.reduceat(marginals.values, arc_offsets[:-1]) > best + (best - floor)
        numbers = np.flatnonzero(self.open[begin:end])
        kept = self.needed[places], self.active[places], self.preference[places]
        _keep_arcs(
            numbers,
            offsets,
            arc_offsets,
            self.heads[rows],
            (marginals.values, rewards),
            floor,
            -1.0 if self.settings.prune is None else float(self.settings.prune),
            kept,
        )
        if self.order > 1:
            lists = parts_of(numbers, scored, kept[1])
            for number, parts in zip(numbers.tolist(), lists, strict=True):
                self.parts[begin + number] = parts
        # the scores of sentences that will be looked at again are kept while there is room
        again = numbers[_any_pruned(numbers, arc_offsets, *kept[:2])].tolist()
        for number in again if self.order > 1 else ():
            self._cache_budget -= int(self.sides[begin + number]) ** 3 * (self.order - 1)
            if self._cache_budget >= 0:
                self._kept[begin + number] = scored.select(np.array([number])), 0

    def unprune(self, sentences: ArrayLike) -> None:
        """Take all parts of these sentences, pruned ones too, into ``parts``."""
        for sentence in np.asarray(sentences).tolist() if self.order > 1 else ():
            scores, number = self.scored(sentence)
            everything = np.ones(len(scores.arcs.values), dtype=bool)
            self.parts[sentence] = parts_of(np.array([number]), scores, everything)[0]

    def scored(self, sentence: int) -> tuple[ParserScores, int]:
        """(scores, number): scores that hold an open sentence with all parts, and its number in them."""
        if sentence in self._kept:
            return self._kept[sentence]
        if self.order == 1:
            return self._by_arcs(sentence), 0
        return scores_of(self.parser, self.treebank.select([sentence])), 0

    def best_by_arcs(self, sentence: int, arcs: np.ndarray) -> np.ndarray:
        """The heads (n + 1,) of the best tree of a sentence under other scores of arcs, where there are no parts."""
        return self._by_arcs(sentence).best(0, arcs)

    def _by_arcs(self, sentence):
        values = self.arcs.values[slice(*self.arcs.offsets[sentence : sentence + 2])]
        held = {0: self.held[sentence]} if sentence in self.held else {}
        return ParserScores(PackedScores(values, offsets_of([len(values)])), projective=self.projective, held=held)


NO_PARTS = np.empty(0, np.int64), np.empty(0)


def parts_of(numbers: np.ndarray, scored: ParserScores, active: np.ndarray) -> list[Parts]:
    """Places and scores, for some sentences, of sibling parts between active arcs (arcs,), and of grandparent parts."""
    offsets, lists = scored.arcs.offsets, []
    for chains, cubes in ((False, scored.siblings), (True, scored.grandparents)):
        if cubes is None:
            lists.append([NO_PARTS] * len(numbers))
            continue
        places, values, ends = packed_parts(numbers, active, offsets, cubes.values, cubes.offsets, chains)
        lists.append([(places[begin:end], values[begin:end]) for begin, end in pairwise((0, *ends.tolist()))])
    return [(*siblings, *grandparents) for siblings, grandparents in zip(*lists, strict=True)]


def tree_values(scored: ParserScores, heads: np.ndarray) -> np.ndarray:
    """float64 (sentences,): the values of trees, heads in packed order, under scores."""
    sides = scored.arcs.sides
    offsets = offsets_of(sides)
    if scored.siblings is None or scored.grandparents is None:
        cubes = scored.siblings
        parts = (np.empty(0), np.zeros(len(offsets), np.int64)) if cubes is None else (cubes.values, cubes.offsets)
        return packed_values(offsets, heads, scored.arcs.values, scored.arcs.offsets, *parts)
    cubes = [cube for cube in (scored.siblings, scored.grandparents) if cube is not None]
    return np.array(
        [
            cube_value(heads[offsets[k] : offsets[k + 1]], scored.arcs[k], *(cube[k] for cube in cubes))
            for k in range(len(sides))
        ]
    )


@kernel
def _margins(values, offsets, sides):
    """The margin of each word's best head over the second best; words alone in a sentence are left out."""
    found, count = np.empty(sides.sum()), 0
    for k in range(len(sides)):
        side = sides[k]
        for m in range(1, side if side > 2 else 0):
            first = second = -np.inf
            for h in range(side):
                value = values[offsets[k] + h * side + m]
                if h != m and value > second:
                    first, second = max(first, value), min(first, value)
            found[count] = first - second
            count += 1
    return found[:count]


@kernel
def _add_rewards(offsets, arc_offsets, heads, words, deltas, values):
    """Add the most that constrained words could gain by heads of other labels than their heads in the best trees.

    ``words`` are (labels as heads, classes of labels, whether constrained). A consensus that pays the other label in
    full pays a close one delta2 all the same, so the gain is the difference. A label of another class gains all.
    """
    labels, classes, constrained = words
    for sentence in range(len(offsets) - 1):
        first = offsets[sentence]
        side = offsets[sentence + 1] - first
        for modifier in range(1, side):
            if constrained[first + modifier]:
                own = labels[first + heads[first + modifier]]
                for head in range(side):
                    other = labels[first + head]
                    if other >= 0 and other != own:
                        near = own >= 0 and classes[own] == classes[other]
                        values[arc_offsets[sentence] + head * side + modifier] += deltas[0] - (
                            deltas[1] if near else 0.0
                        )


@kernel
def _keep_arcs(numbers, offsets, arc_offsets, heads, found, floor, prune, kept):
    """Mark the arcs of some sentences that are needed, and active after pruning; write their preferences.

    ``found`` are (max-marginals, rewards in them), ``kept`` (needed, active, preference).
    """
    (marginals, rewards), (needed, active, preference) = found, kept
    for k in numbers:
        begin, end, side = arc_offsets[k], arc_offsets[k + 1], offsets[k + 1] - offsets[k]
        most, total, count = -np.inf, 0.0, 0
        for place in range(begin, end):
            if marginals[place] > -np.inf:
                most, total, count = max(most, marginals[place]), total + marginals[place], count + 1
        threshold = prune * most + (1 - prune) * total / count if prune >= 0 else -np.inf
        for place in range(begin, end):
            if marginals[place] >= floor[k]:
                needed[place], active[place] = True, marginals[place] >= threshold
                preference[place] = marginals[place] - rewards[place]
        for m in range(1, side):
            place = begin + heads[offsets[k] + m] * side + m
            needed[place] = active[place] = True
            preference[place] = marginals[place]


@kernel
def _any_pruned(numbers, arc_offsets, needed, active):
    """bool: of some sentences, whether an arc that is needed is not active."""
    found = np.zeros(len(numbers), np.bool_)
    for number, k in enumerate(numbers):
        for place in range(arc_offsets[k], arc_offsets[k + 1]):
            found[number] |= needed[place] and not active[place]
    return found
