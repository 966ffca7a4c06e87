"""Sequence constraints (druck2009, section 6): what stands between two words, or around both, makes them an edge.

The candidates are the "between" and "surrounding" features of McDonald, Crammer & Pereira (2005) with direction and
distance. The parser has the very same, so the feature index counts them: c(g) is a sum over all arcs, c_edge(g) one
over gold arcs.
"""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from core.constraints.language.constraint import Condition, Constraint, Item, Term
from core.constraints.matching.matcher import Matcher
from core.constraints.matching.oracle import DISTANCES, binned_target, require_heads
from core.features import index_features
from core.features.kernels import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    ATTACHMENT_BITS,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    BETWEEN,
    HEAD_TAG,
    MODIFIER_TAG,
    SYMBOL_SHIFT,
    TEMPLATE_SHIFT,
    VARIANT_BITS,
    VARIANT_SHIFT,
)
from core.features.kernels import ROOT as ROOT_SYMBOL
from core.features.templates import DISTANCE
from core.parsers.crf.tree_crf import gold_arcs
from core.treebank import Treebank

CONDITIONS = {
    BETWEEN: "between",
    BEFORE_HEAD: "before head",
    AFTER_HEAD: "after head",
    BEFORE_MODIFIER: "before modifier",
    AFTER_MODIFIER: "after modifier",
}
FIRST_TAG = 3  # symbols below are the root and what has no name in a constraint
PAIR = frozenset((HEAD_TAG, MODIFIER_TAG))


@dataclass(frozen=True)
class Candidate:
    """A feature that can be a constraint: tag symbols by field, direction bit and distance class, c and c_edge."""

    symbols: dict
    right: int
    distance: int
    count: int
    edges: int

    @property
    def pair(self) -> tuple[int, int, int, int]:
        """Its (head, modifier, direction, distance) constraint."""
        return self.symbols[HEAD_TAG], self.symbols[MODIFIER_TAG], self.right, self.distance


def sequence_constraints(
    treebank: Treebank, count: int | None = 25, minimum_count: int = 2, *, least: float = 0.75, most: float = 0.25,
    binned: bool = True, tags: str | None = None,
) -> list[Constraint]:  # fmt: skip
    """The sequence constraints of Table 2: sure where head, modifier, direction and distance alone are not.

    Parameters
    ----------
    treebank : Treebank
        With heads and tags.
    count : int or None
        How many at most; None gives all.
    minimum_count : int
        Least c(q).
    least, most : float
        Take q with p(edge|q) >= ``least`` whose (head, modifier, direction, distance) constraint g has
        p(edge|g) <= ``most``.
    binned, tags
        As in ``oracle_constraints``.

    Returns
    -------
    list of Constraint
        By c(q), then by name. Of several that hold of the very same word pairs, the first by name is taken.

    Raises
    ------
    WorkbenchError : no tags, or sentences without heads.

    Notes
    -----
    The features of the text are indexed once: O(sum of n^2 times the tags between two words).
    """
    counted = _Counted(treebank, tags)
    uncertain = {pair for pair, (pairs, edges) in counted.pairs.items() if edges <= most * pairs}
    likely = (counted.counts >= minimum_count) & (counted.edges >= least * counted.counts)
    chosen = [candidate for candidate in counted.candidates(likely) if candidate.pair in uncertain]
    return counted.distinct(chosen, count, lambda candidate: -candidate.count, binned)


def likeliest_sequences(
    treebank: Treebank, count: int, minimum_count: int = 51, *, binned: bool = True, tags: str | None = None
) -> list[Constraint]:
    """The sequence constraints of Figure 3: all with c(q) of at least ``minimum_count``, by p(edge|q), then c(q)."""
    counted = _Counted(treebank, tags)
    chosen = counted.candidates(counted.counts >= minimum_count)

    def rank(candidate):
        return -candidate.edges / candidate.count, -candidate.count

    return counted.distinct(chosen, count, rank, binned)


class _Counted:
    """The features of a treebank's arcs with c(g) and c_edge(g); those of word pairs alone by what they name."""

    def __init__(self, treebank, tags):
        require_heads(treebank)
        self.index, features = index_features(treebank, "full", tags)
        self.counts = np.rint(features.expectations(np.ones(features.arc_offsets[-1]))).astype(np.int64)
        gold = gold_arcs(treebank, features.arc_offsets)
        self.edges = np.rint(features.expectations(gold)).astype(np.int64)
        self.matcher = Matcher(treebank, self.index.tag_column)
        is_pair = self._of_templates(lambda fields: fields <= PAIR)
        self.pairs = {candidate.pair: (candidate.count, candidate.edges) for candidate in self._read(is_pair)}

    def candidates(self, wanted):
        """The sequence features among ``wanted``, bool (F,), that hold of fewer word pairs than the pair alone."""
        sequences = self._read(wanted & self._of_templates(lambda fields: fields > PAIR))
        return [candidate for candidate in sequences if candidate.count < self.pairs[candidate.pair][0]]

    def distinct(self, candidates, count, key, binned):
        """Constraints of the first ``count`` candidates by ``key``, then name, that hold of different word pairs."""
        seen, chosen = set(), []
        for _, tied in groupby(sorted(candidates, key=key), key=key):
            named = [_constraint(candidate, self.index, binned) for candidate in tied]
            for constraint in sorted(named, key=lambda constraint: constraint.name):
                arcs = self.matcher.match([constraint]).arcs.tobytes()
                if arcs not in seen:
                    seen.add(arcs)
                    chosen.append(constraint)
                if len(chosen) == count:
                    return chosen
        return chosen

    def _of_templates(self, wanted):
        """bool (F,): features of templates whose fields please ``wanted``."""
        numbers = (self.index.keys >> np.uint64(TEMPLATE_SHIFT)).astype(np.int64) - 1
        return np.array([wanted(frozenset(template.fields)) for template in self.index.templates])[numbers]

    def _read(self, wanted):
        """The wanted features that a constraint can name: both tags and the distance, no symbol outside the text."""
        candidates = []
        for feature in np.flatnonzero(wanted).tolist():
            key = int(self.index.keys[feature])
            template = self.index.templates[(key >> TEMPLATE_SHIFT) - 1]
            kept, attachment = template.variants[(key >> VARIANT_SHIFT) & ((1 << VARIANT_BITS) - 1)]
            symbols, shift = {}, SYMBOL_SHIFT
            for field, width in zip(template.fields, template.bits, strict=False):
                if field in kept:
                    symbols[field] = (key >> shift) & ((1 << width) - 1)
                shift += width
            nameable = all(symbol >= FIRST_TAG or symbol == ROOT_SYMBOL for symbol in symbols.values())
            if attachment != DISTANCE or not symbols.keys() >= PAIR or not nameable or symbols[HEAD_TAG] == ROOT_SYMBOL:
                continue
            attachment = key & ((1 << ATTACHMENT_BITS) - 1)
            counts = int(self.counts[feature]), int(self.edges[feature])
            candidates.append(Candidate(symbols, attachment & 1, attachment >> 1, *counts))
        return candidates


def _constraint(candidate, index, binned):
    def item(symbol):
        return Item((Term("root") if symbol == ROOT_SYMBOL else Term("tag", index.tags[symbol - FIRST_TAG]),))

    edges, count = candidate.edges, candidate.count
    target = binned_target(edges, count) if binned else edges / count
    return Constraint(
        head=item(candidate.symbols[HEAD_TAG]),
        modifier=item(candidate.symbols[MODIFIER_TAG]),
        arrow="->" if candidate.right else "<-",
        low=target,
        high=target,
        distance=DISTANCES[candidate.distance],
        conditions=tuple(
            Condition(CONDITIONS[field], item(symbol))
            for field, symbol in candidate.symbols.items()
            if field in CONDITIONS
        ),
        comment=f"{edges:,} of {count:,} are arcs, p = {edges / count:.3f}",
    )
