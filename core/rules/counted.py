"""Sums over labelled projective trees in which breaking rules has a price, and the best such tree.

The parser gives p(tree) ~ exp(sum of the log-weights of its arcs), over projective trees with one root word. It gives
every arc a relation, with the probability that its scores say, whatever the rest of the tree. With a price of t_r nats
for each word at which rule r is broken

    q(tree, relations) ~ p(tree) prod_arcs pi(relation | arc) exp(-sum_r t_r broken_r(tree, relations)).

Sums are exact, by a chart whose halves carry the counts (``core.trees.counted_chart``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.errors import InfeasibleError
from core.offsets import offsets_of
from core.parsers.scores import ScoredWords
from core.rules.checking import RuleWords, require_tags
from core.rules.counting import CountedText, counted_text
from core.rules.parsing import require_relations
from core.rules.reading import known_relations
from core.rules.rule import Rule
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees.counted_chart import CountedArcs, CountedSums, best_range, sum_range
from core.trees.packed import PackedScores


class RuledSums(NamedTuple):
    """Sums over the trees of a text: log-partitions in nats, (S,); probabilities of arcs; how many words are expected
    to break each rule, and of how many it is expected to speak, each (J,)."""

    totals: np.ndarray
    marginals: PackedScores
    broken: np.ndarray
    spoken: np.ndarray


@dataclass(frozen=True, eq=False)
class RuleChart:
    """A text's words, and the relations of all their arcs as rules tell them apart.

    Attributes
    ----------
    words : Treebank
        What the parser draws trees of.
    rules : tuple of J rules
    counted : CountedText
    log_shares, gaps : ndarrays of shape (A * cells,), dtype float64
        The logarithm of a cell's probability given the arc; how far its best relation scores below the arc's best one.
    relations : ndarray of shape (A * cells,), dtype int16
        The number of that relation.
    names : tuple of str
        Of the relations.
    threads : int or None
    """

    words: Treebank
    rules: tuple[Rule, ...]
    counted: CountedText
    log_shares: np.ndarray
    gaps: np.ndarray
    relations: np.ndarray
    names: tuple[str, ...]
    threads: int | None = None

    @classmethod
    def of(cls, text: ScoredWords, rules: Sequence[Rule], threads: int | None = None) -> "RuleChart":
        """The words of a parser's text under rules. O(sum of n^2 * relations).

        Raises
        ------
        ConstraintError : a rule names a relation that neither UD nor the parser has.
        WorkbenchError : a rule asks for a relation that the parser has not learnt, is about tags that the text lacks,
            or cannot be counted (``counted_text``).
        """
        words = text.words
        known_relations(rules, text.names)
        require_tags(rules, words)
        require_relations(rules, text.names)
        counted = counted_text([_rule_words(words, index) for index in range(len(words))], rules, text.names)
        shares, gaps, relations = ([np.empty(0)] for _ in range(3))
        for index in range(len(words)):
            heads = words.heads[words.offsets[index] : words.offsets[index + 1]]
            each = _of_cells(text.labels(index, heads, True), counted.cells)
            for parts, part in zip((shares, gaps, relations), each, strict=True):
                parts.append(part.ravel())
        return cls(
            words, tuple(rules), counted, np.concatenate(shares), np.concatenate(gaps),
            np.concatenate(relations).astype(np.int16), text.names, threads,
        )  # fmt: skip

    def sums(self, arcs: PackedScores, prices: np.ndarray) -> RuledSums:
        """The RuledSums of q at log-weights of arcs, in nats, and prices of the rules, (J,), at least 0.

        Raises InfeasibleError where a sentence has no tree. The same bits on any number of threads.
        """
        packed, tables = self._arcs(arcs, self.log_shares, prices), self._tables(prices)
        packed, lost = _shifted(packed, arcs)
        count, rules = len(arcs), len(self.rules)
        sums = CountedSums(
            np.empty(count), np.empty(len(packed.values)), np.empty((count, rules)), np.empty((count, rules))
        )
        run_ranges(lambda begin, end: sum_range(packed, tables, begin, end, sums), arcs.sides**3.0, self.threads)
        totals = sums.totals + lost
        self._require(totals)
        single, shares = self.counted.spoken, sums.shares
        of_arcs = shares[single.places]
        spoken = np.bincount(single.owner, of_arcs, minlength=rules)
        broken = np.bincount(single.owner[single.broken], of_arcs[single.broken], minlength=rules)
        marginals = arcs.like(shares.reshape(-1, packed.cells).sum(axis=1))
        return RuledSums(totals, marginals, sums.broken.sum(axis=0) + broken, sums.spoken.sum(axis=0) + spoken)

    def best(self, arcs: PackedScores, prices: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """(values (S,), heads int32 (rows,), relations) of the best labelled trees.

        What is best is the sum of the arcs, less what their relations score below the best ones and the prices of
        breaches: the value of ``core.rules.searching.best_ruled``. Raises InfeasibleError as ``sums``.
        """
        packed, tables, rows = self._arcs(arcs, self.gaps, prices), self._tables(prices), offsets_of(arcs.sides)
        values, heads = np.empty(len(arcs)), np.empty(rows[-1], np.int32)
        cells = np.empty(rows[-1], np.int32)

        def run(begin: int, end: int) -> None:
            best_range(packed, tables, begin, end, values, heads, cells, rows)

        run_ranges(run, arcs.sides**3.0, self.threads)
        self._require(values)
        sides, starts = np.repeat(arcs.sides, arcs.sides), np.repeat(rows[:-1], arcs.sides)
        places = np.repeat(arcs.offsets[:-1], arcs.sides) + np.maximum(heads, 0) * sides + np.arange(rows[-1]) - starts
        chosen = self.relations[places * packed.cells + np.maximum(cells, 0)]
        names = np.array(self.names, object)[chosen]
        return values, heads, np.where(heads >= 0, names, "").tolist()

    def _arcs(self, arcs, of_cells, prices):
        """CountedArcs: log-weights of arcs and of their cells, less what the rules about single arcs charge."""
        cells, single = self.counted.cell_count, self.counted.spoken
        charged = np.bincount(
            single.places[single.broken], prices[single.owner[single.broken]], minlength=len(of_cells)
        )
        values = np.repeat(arcs.values, cells) + of_cells - charged
        offsets = arcs.offsets * cells
        return CountedArcs(values, self.counted.kinds, self.counted.modes, offsets, cells)

    def _tables(self, prices):
        tables = self.counted.tables
        return tables._replace(charges=-(prices @ tables.broken))

    def _require(self, totals):
        if not np.isfinite(totals).all():
            number = int(np.flatnonzero(~np.isfinite(totals))[0])
            raise InfeasibleError(
                f"sentence {int(self.words.picks[number]) + 1} has no projective tree under this parser; forbid fewer "
                "of its arcs"
            )


def _shifted(packed, arcs):
    """(CountedArcs of which the heaviest arc to each word weighs 1, the nats that each sentence loses by it)."""
    of_arcs = np.logaddexp.reduce(packed.values.reshape(-1, packed.cells), axis=1)
    sides, rows = arcs.sides, offsets_of(arcs.sides)
    words = zip(rows[:-1].tolist(), sides.tolist(), strict=True)
    modifiers = np.concatenate([np.tile(np.arange(row, row + side), side) for row, side in words])
    heaviest = np.full(rows[-1], -np.inf)
    np.maximum.at(heaviest, modifiers, of_arcs)
    heaviest[rows[:-1]] = 0.0  # the root has no head
    shifts = np.where(np.isfinite(heaviest), heaviest, 0.0)
    values = packed.values - np.repeat(shifts[modifiers], packed.cells)
    return packed._replace(values=values), np.add.reduceat(shifts, rows[:-1])


def _rule_words(words, index):
    """The RuleWords of a sentence of a text, which may lack punctuation."""
    rows = words.rows[words.offsets[index] : words.offsets[index + 1]]
    return RuleWords(words[index], (rows - rows[0]).tolist())


def _of_cells(labels, cells):
    """(log-probabilities of cells, gaps of their best relations, numbers of these), each (n + 1, n + 1, cells)."""
    count = int(cells.max()) + 1
    shape = (*labels.shape[:2], count)
    shares, gaps, relations = np.full(shape, -np.inf), np.full(shape, -np.inf), np.zeros(shape)
    labels = np.where(np.eye(len(labels), dtype=bool)[:, :, None], -np.inf, labels)
    labels[:, 0] = -np.inf
    best = labels.max(axis=2, keepdims=True)
    best[np.isneginf(best)] = 0.0  # there is no arc
    weights = np.exp(labels - best)
    total = weights.sum(axis=2)
    for cell in range(count):
        own = np.flatnonzero(cells == cell)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares[:, :, cell] = np.where(total > 0, np.log(weights[:, :, own].sum(axis=2) / total), -np.inf)
        gaps[:, :, cell] = labels[:, :, own].max(axis=2) - best[:, :, 0]
        relations[:, :, cell] = own[labels[:, :, own].argmax(axis=2)]
    return shares, gaps, relations
