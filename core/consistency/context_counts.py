"""How often words stand in a context and what labels their heads have: counts of parts of a text add up to the whole's.

A context is numbered as ``windows.window_keys`` does, with a label set that all parts share.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.consistency.labels import Labels
from core.consistency.windows import TEMPLATES, WIDEST, head_rows, window_keys
from core.treebank import Treebank

FIRST, LAST = (np.array(ends) for ends in zip(*TEMPLATES, strict=True))


@dataclass(frozen=True, eq=False)
class ContextCounts:
    """Pairs of a context and a label that heads have there, M of them, contexts ascending and then labels.

    Attributes
    ----------
    keys, labels : ndarray of shape (M,), dtype int64
    counts : ndarray of shape (M,), dtype int64
        Words that stand in the context and have such a head.
    within : ndarray of shape (M,), dtype int64
        Those of them whose head stands within the context, as one of its words.
    """

    keys: np.ndarray
    labels: np.ndarray
    counts: np.ndarray
    within: np.ndarray

    @classmethod
    def of(cls, treebank: Treebank, labels: Labels) -> "ContextCounts":
        """The counts of a text with trees. O(words log words)."""
        of_rows = labels.of_rows(treebank)
        keys, heads = window_keys(treebank, of_rows, len(labels.names)), head_rows(treebank)
        return cls.counted(keys, np.where(heads >= 0, of_rows[heads], -1), heads, len(labels.names))

    @classmethod
    def chosen(cls, contexts: np.ndarray, head_labels: np.ndarray) -> "ContextCounts":
        """From one context a row (rows,), -1 for none, and the labels of heads. Nothing is said of ``within``."""
        usable = (contexts >= 0) & (head_labels >= 0)
        keys, labels = contexts[usable].astype(np.int64), head_labels[usable].astype(np.int64)
        return cls._gathered(keys, labels, np.ones(len(keys), np.int64), np.zeros(len(keys), np.int64))

    @classmethod
    def counted(cls, keys: np.ndarray, head_labels: np.ndarray, heads: np.ndarray, size: int) -> "ContextCounts":
        """From keys (..., rows), -1 where they do not count, and each row's head and its label, -1 where not known."""
        usable = (keys >= 0) & (head_labels >= 0)
        labels = np.broadcast_to(head_labels, keys.shape)[usable].astype(np.int64)
        distance = np.broadcast_to(heads - np.arange(len(heads)), keys.shape)[usable]
        chosen = keys[usable]
        template = chosen // size**WIDEST
        within = (labels > 0) & (FIRST[template] <= distance) & (distance <= LAST[template])
        return cls._gathered(chosen, labels, np.ones(len(chosen), np.int64), within.astype(np.int64))

    def __add__(self, other: "ContextCounts") -> "ContextCounts":
        parts = ((self.keys, other.keys), (self.labels, other.labels), (self.counts, other.counts))
        return self._gathered(*map(np.concatenate, (*parts, (self.within, other.within))))

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (N,): where each context's pairs begin."""
        return np.flatnonzero(np.diff(self.keys, prepend=-1))

    def places(self) -> np.ndarray:
        """int64 (M,): each pair's context, numbered 0..N-1."""
        return np.repeat(np.arange(len(self.first)), np.diff(self.first, append=len(self.keys)))

    def table(self, contexts: np.ndarray, size: int) -> np.ndarray:
        """int64 (C, size): the counts of some contexts, given by key in ascending order; 0 for those without any."""
        votes = np.zeros((len(contexts), size), np.int64)
        if len(contexts):
            row = np.minimum(np.searchsorted(contexts, self.keys), len(contexts) - 1)
            known = contexts[row] == self.keys
            votes[row[known], self.labels[known]] = self.counts[known]
        return votes

    @classmethod
    def _gathered(cls, keys, labels, counts, within):
        """Equal pairs added up."""
        order = np.lexsort((labels, keys))
        keys, labels = keys[order], labels[order]
        begins = np.flatnonzero((np.diff(keys, prepend=-1) != 0) | (np.diff(labels, prepend=-1) != 0))
        if not len(begins):
            return cls(keys, labels, counts, within)
        return cls(
            keys[begins], labels[begins], np.add.reduceat(counts[order], begins), np.add.reduceat(within[order], begins)
        )
