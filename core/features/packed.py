"""Features that a caller adds to the arcs of a corpus, and to its siblings and grandparents: sparse or dense numbers.

Rows follow the packed layout of ``PackedScores``: sentence i of n words owns (n + 1) ** 2 rows from
``arc_offsets[i]``, row head * (n + 1) + modifier. Rows of column 0 and of the diagonal are never looked at.
"""

from dataclasses import dataclass

import numpy as np

from core.offsets import offsets_of, selected_rows

SIBLING, GRANDPARENT = 0, 1  # kinds of parts


@dataclass(frozen=True, eq=False)
class PackedSparse:
    """Numbered features of arcs.

    Attributes
    ----------
    arc_offsets : ndarray of shape (S + 1,), dtype int64
    offsets : ndarray of shape (A + 1,), dtype int64
        Arc a has features ``ids[offsets[a]:offsets[a + 1]]``.
    ids : ndarray, dtype int32
        0 to ``count`` - 1. A feature may stand twice: its values add up.
    values : ndarray like ``ids``, dtype float32
        What each is worth.
    count : int
    """

    arc_offsets: np.ndarray
    offsets: np.ndarray
    ids: np.ndarray
    values: np.ndarray
    count: int

    def select(self, indices: np.ndarray) -> "PackedSparse":
        """The features of some sentences, in this order."""
        arcs, arc_offsets = selected_rows(self.arc_offsets, indices)
        places, offsets = selected_rows(self.offsets, arcs)
        return PackedSparse(arc_offsets, offsets, self.ids[places], self.values[places], self.count)


@dataclass(frozen=True, eq=False)
class PackedParts(PackedSparse):
    """Features of arcs, and of some siblings and grandparents.

    Attributes
    ----------
    part_offsets : ndarray of shape (S + 1,), dtype int64
        Sentence i owns ``parts[part_offsets[i]:part_offsets[i + 1]]``.
    parts : ndarray of shape (P, 4), dtype int32
        SIBLING, head, inner sibling, modifier; or GRANDPARENT, grandparent, head, modifier. A part may stand twice.
    part_feature_offsets : ndarray of shape (P + 1,), dtype int64
    part_ids, part_values : ndarray, dtype int32 and float32
        As ``offsets``, ``ids`` and ``values`` for arcs; numbers of features are shared with them.

    Parts that the parser does not score, and those of sentences too long to score all parts, add nothing.
    """

    part_offsets: np.ndarray
    parts: np.ndarray
    part_feature_offsets: np.ndarray
    part_ids: np.ndarray
    part_values: np.ndarray

    def select(self, indices: np.ndarray) -> "PackedParts":
        """The features of some sentences, in this order."""
        arcs, indices = super().select(indices), np.asarray(indices)
        chosen, part_offsets = selected_rows(self.part_offsets, indices)
        places, feature_offsets = selected_rows(self.part_feature_offsets, chosen)
        return PackedParts(
            *(arcs.arc_offsets, arcs.offsets, arcs.ids, arcs.values, arcs.count),
            *(part_offsets, self.parts[chosen], feature_offsets, self.part_ids[places], self.part_values[places]),
        )


@dataclass(frozen=True, eq=False)
class PackedDense:
    """``values`` (A, K), float32: K numbers of every arc; ``arc_offsets`` int64 (S + 1,)."""

    arc_offsets: np.ndarray
    values: np.ndarray

    @property
    def count(self) -> int:
        """K."""
        return self.values.shape[1]

    def select(self, indices: np.ndarray) -> "PackedDense":
        """The features of some sentences, in this order."""
        arcs, arc_offsets = selected_rows(self.arc_offsets, indices)
        return PackedDense(arc_offsets, self.values[arcs])

    def as_sparse(self) -> PackedSparse:
        """The features as a PackedSparse, in which every arc has all K."""
        count, width = self.values.shape
        offsets = np.arange(count + 1, dtype=np.int64) * width
        ids = np.tile(np.arange(width, dtype=np.int32), count)
        values = np.ascontiguousarray(self.values, dtype=np.float32).reshape(-1)
        return PackedSparse(self.arc_offsets, offsets, ids, values, width)


def arc_offsets_of(lengths: np.ndarray) -> np.ndarray:
    """int64 (S + 1,): where the arcs of sentences of so many words begin."""
    return offsets_of((np.asarray(lengths, dtype=np.int64) + 1) ** 2)
