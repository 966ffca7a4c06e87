"""Counts over a treebank: the Corpus page and ``corpus stats``."""

from collections import Counter
from dataclasses import asdict, dataclass
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from core.compilation.kernels import kernel

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank

NUMBERS = ("with_heads", "several_roots", "non_projective", "left_arcs", "right_arcs")


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
        """The share of sentences whose words all have a head."""
        return self.with_heads / self.sentences if self.sentences else None

    @property
    def share_non_projective(self) -> float | None:
        """The share of crossing trees among the sentences whose words all have a head."""
        return self.non_projective / self.with_heads if self.with_heads else None

    def as_dict(self) -> dict:
        """For JSON."""
        shares = {"share_with_heads": self.share_with_heads, "share_non_projective": self.share_non_projective}
        return {**asdict(self), **shares}


@dataclass(frozen=True)
class TreebankTally:
    """Counts that ``Statistics`` are made of; tallies of parts of a corpus add up to the tally of the whole.

    ``numbers`` holds the counts of ``NUMBERS``.
    """

    forms: frozenset[str]
    lengths: Counter[int]
    upos: Counter[str]
    xpos: Counter[str]
    relations: Counter[str]
    arc_lengths: Counter[int]
    numbers: Counter[str]

    @classmethod
    def of(cls, treebank: "Treebank") -> "TreebankTally":
        """The tally of a treebank. O(rows + sum of arc lengths)."""
        heads, offsets, lengths = treebank.heads, treebank.offsets, treebank.lengths
        arcs = heads > 0
        distance = heads[arcs] - treebank.numbers[arcs]
        if len(lengths):
            complete = np.add.reduceat(heads >= 0, offsets[:-1], dtype=np.int64) == lengths
            roots = np.add.reduceat(heads == 0, offsets[:-1], dtype=np.int64)
        else:
            complete, roots = np.empty(0, bool), lengths
        numbers = {
            "with_heads": complete.sum(),
            "several_roots": (roots > 1).sum(),
            "non_projective": (non_projective(offsets, heads) & complete).sum(),
            "left_arcs": (distance > 0).sum(),
            "right_arcs": (distance < 0).sum(),
        }
        return cls(
            frozenset(treebank.form.counts()),
            _by_number(lengths),
            treebank.upos.counts(),
            treebank.xpos.counts(),
            treebank.deprel.counts(),
            _by_number(np.abs(distance)),
            Counter({name: int(number) for name, number in numbers.items()}),
        )

    def __add__(self, other: "TreebankTally") -> "TreebankTally":
        (forms, *counts), (other_forms, *other_counts) = vars(self).values(), vars(other).values()
        return TreebankTally(forms | other_forms, *map(add, counts, other_counts))

    def statistics(self, name: str = "") -> Statistics:
        """The Statistics of a corpus of that name."""
        tokens = sum(length * count for length, count in self.lengths.items())
        return Statistics(
            name=name,
            sentences=self.lengths.total(),
            tokens=tokens,
            forms=len(self.forms),
            mean_length=tokens / self.lengths.total() if self.lengths else None,
            longest=max(self.lengths, default=0),
            lengths=dict(sorted(self.lengths.items())),
            upos=dict(self.upos.most_common()),
            xpos=dict(self.xpos.most_common()),
            relations=dict(self.relations.most_common()),
            arc_lengths=dict(sorted(self.arc_lengths.items())),
            **{name: self.numbers[name] for name in NUMBERS},
        )


def statistics(treebank: "Treebank") -> Statistics:
    """Count everything that ``Statistics`` names. O(rows + sum of arc lengths)."""
    return TreebankTally.of(treebank).statistics(treebank.name)


def _by_number(numbers):
    counts = np.bincount(numbers)
    return Counter({int(number): int(counts[number]) for number in np.flatnonzero(counts)})


def non_projective(offsets: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """bool (S,): whether a tree has an arc between words over a word that its head does not dominate."""
    return (
        np.logical_or.reduceat(crossing_arcs(offsets, heads), offsets[:-1]) if len(offsets) > 1 else np.zeros(0, bool)
    )


@kernel
def crossing_arcs(offsets: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """bool (rows,): whether the arc to a word, from another word, lies over one whose own head is outside of it.

    O(sum of arc lengths).
    """
    crossing = np.zeros(len(heads), np.bool_)
    for i in range(len(offsets) - 1):
        root = offsets[i]
        for m in range(1, offsets[i + 1] - root):
            h = heads[root + m]
            low, high = min(h, m), max(h, m)
            if h <= 0:
                continue
            for between in range(low + 1, high):
                head = heads[root + between]
                if head >= 0 and (head < low or head > high):
                    crossing[root + m] = True
                    break
    return crossing
