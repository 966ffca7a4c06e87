"""Scores of the parts of all trees of a text, to which a caller may add before trees are decoded."""

from dataclasses import dataclass
from typing import overload

import numpy as np

from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.trees import (
    PackedHeads,
    PackedScores,
    PackedTrees,
    PackedTriples,
    eisner,
    eisner_grandparent,
    eisner_kbest,
    eisner_sibling,
)
from core.trees import maximum_spanning_tree as spanning_tree


@dataclass(frozen=True, eq=False)
class ParserScores:
    """Scores of the parts of all trees of S sentences; arrays are the holder's own, to add to as it likes.

    Attributes
    ----------
    arcs : PackedScores
    siblings, grandparents : PackedTriples or None
        As ``eisner_sibling`` and ``eisner_grandparent`` take them.
    projective : bool
        Which trees compete.
    labels : ndarray of shape (A,), dtype int16, or None
        Number of the best relation of each arc, packed like the arcs, where the parser chooses relations arc by arc.
        Its score is part of the arc's.
    """

    arcs: PackedScores
    siblings: PackedTriples | None = None
    grandparents: PackedTriples | None = None
    projective: bool = True
    labels: np.ndarray | None = None

    def __len__(self):
        return len(self.arcs)

    def select(self, indices: np.ndarray) -> "ParserScores":
        """Copies of the scores of some sentences, in this order."""
        indices = np.asarray(indices)
        indices = np.flatnonzero(indices) if indices.dtype == bool else indices.astype(np.int64)
        labels = None
        if self.labels is not None:
            labels, _ = _gathered(self.labels, self.arcs.offsets, indices)
        siblings, grandparents = (
            None if packed is None else PackedTriples(*_gathered(packed.values, packed.offsets, indices))
            for packed in (self.siblings, self.grandparents)
        )
        arcs = PackedScores(*_gathered(self.arcs.values, self.arcs.offsets, indices))
        return ParserScores(arcs, siblings, grandparents, self.projective, labels)

    def decode(self, *, threads: int | None = None, errors: str = "raise") -> PackedHeads:
        """Heads of the best trees, one root each: PackedHeads. Exact; ``errors`` as the decoders have it."""
        return best_trees(self.arcs, self.siblings, self.grandparents, self.projective, threads=threads, errors=errors)

    def chosen_labels(self, heads: np.ndarray) -> np.ndarray:
        """int16 (rows,): the numbers of the relations that trees take, given as heads in packed order; -1 for roots."""
        if self.labels is None:
            raise WorkbenchError('these scores have no relation for each arc; train the parser with labels="joint"')
        sides = self.arcs.sides
        ends = np.cumsum(sides)
        starts = ends - sides
        modifiers = np.arange(ends[-1]) - np.repeat(starts, sides)
        heads = np.asarray(getattr(heads, "values", heads)).astype(np.int64)
        labels = self.labels[np.repeat(self.arcs.offsets[:-1], sides) + heads * np.repeat(sides, sides) + modifiers]
        labels[starts] = -1
        return labels

    def kbest(self, k: int, *, threads: int | None = None, errors: str = "raise") -> PackedTrees:
        """The k best projective trees of each sentence: PackedTrees."""
        return eisner_kbest(self.arcs, k, self.siblings, self.grandparents, threads=threads, errors=errors)


@overload
def best_trees(
    arcs: PackedScores, siblings: PackedTriples | None, grandparents: PackedTriples | None, projective: bool, *,
    threads: int | None = None, errors: str = "raise",
) -> PackedHeads: ...  # fmt: skip
@overload
def best_trees(
    arcs: np.ndarray, siblings: np.ndarray | None, grandparents: np.ndarray | None, projective: bool
) -> np.ndarray: ...
def best_trees(arcs, siblings, grandparents, projective, **options):
    """The best trees under scores, packed or of one sentence, by the decoder that these need; its ``options``."""
    if not projective:
        return spanning_tree(arcs, **options)
    if siblings is None:
        return eisner(arcs, **options)
    if grandparents is None:
        return eisner_sibling(arcs, siblings, **options)
    return eisner_grandparent(arcs, siblings, grandparents, **options)


def _gathered(values, offsets, indices):
    """(values of some sentences back to back, their offsets)."""
    chosen = offsets_of(np.diff(offsets)[indices])
    parts = [values[offsets[index] : offsets[index + 1]] for index in indices.tolist()]
    return np.concatenate([values[:0], *parts]), chosen
