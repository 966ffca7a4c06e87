"""What a treebank is made of, in numbers: the Corpus page and ``corpus stats``."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank


@dataclass(frozen=True)
class Statistics:
    """Counts over one treebank; words exclude roots, and dicts are in descending order of count.

    An arc of length 1 joins neighbours. ``left_arcs`` have the modifier before its head; arcs from the root are in
    neither count, and not in ``arc_lengths``. Shares are fractions; None where there is nothing to count.
    """

    name: str
    sentences: int
    tokens: int
    forms: int  # distinct ones
    mean_length: float | None
    longest: int
    lengths: dict  # words -> sentences, by length
    upos: dict  # tag -> words
    xpos: dict
    relations: dict
    with_heads: int  # sentences whose words all have a head
    several_roots: int
    non_projective: int  # sentences with an arc over a word that its head does not dominate; not arcs from the root
    arc_lengths: dict  # length -> arcs, by length
    left_arcs: int
    right_arcs: int

    @property
    def share_with_heads(self) -> float | None:
        """Of all sentences."""
        return self.with_heads / self.sentences if self.sentences else None

    @property
    def share_non_projective(self) -> float | None:
        """Of the sentences whose words all have a head."""
        return self.non_projective / self.with_heads if self.with_heads else None

    def as_dict(self) -> dict:
        """For JSON."""
        shares = {"share_with_heads": self.share_with_heads, "share_non_projective": self.share_non_projective}
        return {**asdict(self), **shares}


def statistics(treebank: "Treebank") -> Statistics:
    """Count everything that ``Statistics`` names. O(rows + sum of arc lengths)."""
    heads, offsets, lengths = treebank.heads, treebank.offsets, treebank.lengths
    place = np.arange(len(heads)) - np.repeat(offsets[:-1], lengths + 1)
    arcs = heads > 0
    distance = heads[arcs] - place[arcs]
    known = np.add.reduceat(heads >= 0, offsets[:-1], dtype=np.int64) if len(lengths) else lengths
    complete = known == lengths
    return Statistics(
        name=treebank.name,
        sentences=len(treebank),
        tokens=treebank.token_count,
        forms=len(np.unique(treebank.form.ids[treebank.form.ids > 0])),
        mean_length=float(lengths.mean()) if len(lengths) else None,
        longest=int(lengths.max(initial=0)),
        lengths=_by_number(lengths),
        upos=_by_count(treebank.upos),
        xpos=_by_count(treebank.xpos),
        relations=_by_count(treebank.deprel),
        with_heads=int(complete.sum()),
        several_roots=int((np.add.reduceat(heads == 0, offsets[:-1], dtype=np.int64) > 1).sum()) if len(lengths) else 0,
        non_projective=int((non_projective(offsets, heads) & complete).sum()),
        arc_lengths=_by_number(np.abs(distance)),
        left_arcs=int((distance > 0).sum()),
        right_arcs=int((distance < 0).sum()),
    )


def _by_number(numbers):
    counts = np.bincount(numbers)
    return {int(number): int(counts[number]) for number in np.flatnonzero(counts)}


def _by_count(column):
    counts = np.bincount(column.ids, minlength=len(column.values))
    counts[0] = 0
    order = np.argsort(-counts, kind="stable")
    return {column.values[index]: int(counts[index]) for index in order if counts[index]}


@njit(cache=True, nogil=True)
def non_projective(offsets: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """bool (S,): whether a tree has an arc between words over a word that its head does not dominate.

    It is enough to look for a word under the arc whose own head is outside. O(sum of arc lengths).
    """
    crossing = np.zeros(len(offsets) - 1, np.bool_)
    for i in range(len(crossing)):
        root = offsets[i]
        for m in range(1, offsets[i + 1] - root):
            h = heads[root + m]
            low, high = min(h, m), max(h, m)
            if h <= 0:
                continue
            for between in range(low + 1, high):
                head = heads[root + between]
                if head >= 0 and (head < low or head > high):
                    crossing[i] = True
    return crossing
