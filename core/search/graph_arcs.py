"""The arcs of enhanced graphs, from word to word, as arrays that a search joins; ``core.search.match`` does.

Empty nodes are no rows of a treebank, so that their arcs are counted here and not found.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.offsets import rows_from
from core.treebank import Treebank
from core.treebank.graphs import arcs_in


@dataclass(frozen=True, eq=False)
class GraphArcs:
    """The enhanced arcs of a treebank between the root and words.

    Attributes
    ----------
    heads, modifiers : ndarray of shape (A,), dtype int64
        Rows of the treebank's arrays.
    ids : ndarray of shape (A,), dtype int64
        Of each arc's relation in ``values``.
    values : tuple of str
    of_empty : int
        How many arcs of words there are besides, from empty nodes or from nodes that are not there.
    """

    heads: np.ndarray
    modifiers: np.ndarray
    ids: np.ndarray
    values: tuple[str, ...]
    of_empty: int

    @classmethod
    def of(cls, treebank: Treebank) -> "GraphArcs":
        """Those of a Treebank as it would be written. O(rows + arcs), and the lines of sentences that were changed."""
        fields, numbers = _fields(treebank)
        heads, relations, known = [], [], {"": 0}
        first, counts = np.zeros(len(numbers), np.int64), np.zeros(len(numbers), np.int64)
        for field, number in numbers.items():
            arcs = arcs_in(field)
            first[number], counts[number] = len(heads), len(arcs)
            heads += [int(head) if head.isdecimal() and len(head) < 10 else -1 for head, _ in arcs]
            relations += [known.setdefault(relation, len(known)) for _, relation in arcs]
        rows = np.flatnonzero(fields)
        sizes = counts[fields[rows]]
        at, modifiers = rows_from(first[fields[rows]], sizes), np.repeat(rows, sizes)
        places = np.array(heads, np.int64)[at]
        of_words = (places >= 0) & (places <= treebank.lengths[treebank.sentence_rows[modifiers]])
        modifiers, places, at = modifiers[of_words], places[of_words], at[of_words]
        ids = np.array(relations, np.int64)[at]
        return cls(treebank.root_rows[modifiers] + places, modifiers, ids, tuple(known), int((~of_words).sum()))

    @property
    def note(self) -> str:
        """What a search of them should say besides, one sentence; "" if nothing."""
        if self.of_empty:
            return f"a request names words alone; enhanced arcs from empty nodes are left out, {self.of_empty:,} here"
        return "" if len(self.heads) else "no sentence here has an enhanced graph"

    def pairs(self, chosen: np.ndarray) -> "ArcPairs":
        """The ArcPairs of the arcs that are ``chosen``, bool (A,)."""
        pairs = np.unique(np.column_stack([self.heads[chosen], self.modifiers[chosen]]), axis=0)
        return ArcPairs(pairs[:, 0], pairs[:, 1])

    def labels(self, heads: np.ndarray, modifiers: np.ndarray, chosen: np.ndarray) -> list[str]:
        """The relations of the ``chosen`` arcs, bool (A,), from each head to its modifier; several with ``|``."""
        known: dict[tuple[int, int], list[str]] = {}
        arcs = zip(self.heads[chosen].tolist(), self.modifiers[chosen].tolist(), self.ids[chosen].tolist(), strict=True)
        for head, modifier, relation in arcs:
            known.setdefault((head, modifier), []).append(self.values[relation])
        pairs = zip(heads.tolist(), modifiers.tolist(), strict=True)
        return ["|".join(sorted(set(known.get(pair, ())))) for pair in pairs]


@dataclass(frozen=True, eq=False)
class ArcPairs:
    """Pairs of rows that arcs join, each once: ``heads`` and ``modifiers`` int64 (P,), ascending by both."""

    heads: np.ndarray
    modifiers: np.ndarray

    @cached_property
    def by_modifier(self) -> np.ndarray:
        """int64 (P,): the pairs in order of their modifiers."""
        return np.argsort(self.modifiers, kind="stable")

    def below(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(modifiers, begin, end): those of each row are ``modifiers[begin:end]``."""
        return self.modifiers, np.searchsorted(self.heads, rows), np.searchsorted(self.heads, rows, "right")

    def above(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(heads, begin, end): those of each row are ``heads[begin:end]``."""
        modifiers = self.modifiers[self.by_modifier]
        begin, end = np.searchsorted(modifiers, rows), np.searchsorted(modifiers, rows, "right")
        return self.heads[self.by_modifier], begin, end

    def hold(self, heads: np.ndarray, modifiers: np.ndarray) -> np.ndarray:
        """bool (K,): whether an arc joins each head and modifier."""
        if not len(self.heads):
            return np.zeros(len(heads), bool)
        size = 1 + max(int(self.modifiers.max()), int(modifiers.max(initial=0)))
        return np.isin(heads * size + modifiers, self.heads * size + self.modifiers)


def _fields(treebank):
    """(id of each row's DEPS field (rows,), id by field; 0 is that of none)."""
    numbers: dict[str, int] = {"": 0}
    fields = np.zeros(len(treebank.heads), np.int64)
    if not treebank.has_graphs:
        return fields, numbers
    deps = treebank.source.deps.take(treebank.rows)
    translation = [numbers.setdefault(value, len(numbers)) for value in deps.values]
    fields = np.array(translation, np.int64)[deps.ids]
    fields[np.repeat(treebank.graphless, treebank.lengths + 1)] = 0
    for index in _written_anew(treebank):
        _take(treebank, index, fields, numbers)
    return fields, numbers


def _written_anew(treebank):
    """Indices of the sentences whose graphs are others than in the text."""
    changed = np.logical_or.reduceat(treebank.edited_rows, treebank.offsets[:-1]) & ~treebank.graphless
    drawn = [index for index in range(len(treebank)) if treebank.drawn_graph(index) is not None]
    return sorted({*np.flatnonzero(changed).tolist(), *drawn})


def _take(treebank, index, fields, numbers):
    begin, end = treebank.offsets[index : index + 2]
    graph = treebank[index].graph
    deps = ("",) * int(end - begin) if graph is None else graph.deps
    fields[begin:end] = [numbers.setdefault(field, len(numbers)) for field in deps]
