"""Phrases of a corpus in flat arrays, kept beside its dependencies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.offsets import offsets_of


@dataclass(frozen=True, eq=False)
class Constituents:
    """The phrases of S sentences, each sentence's in preorder (a phrase before the phrases inside it).

    Attributes
    ----------
    offsets : ndarray of shape (S + 1,), dtype int64
        Sentence i owns phrases ``offsets[i]`` to ``offsets[i + 1] - 1``.
    starts, ends : ndarray of shape (P,), dtype int32
        Phrase p covers words ``starts[p]`` to ``ends[p] - 1``, counted 1..n like heads.
    labels : tuple of P str
        Labels as the file has them, function tags included (``NP-SBJ``).
    """

    offsets: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    labels: tuple

    @classmethod
    def from_lists(cls, sentences: Iterable[Sequence[tuple[int, int, str]]]) -> "Constituents":
        """From one list of (start, end, label) a sentence."""
        flat = [phrase for phrases in sentences for phrase in phrases]
        return cls(
            offsets_of([len(phrases) for phrases in sentences]),
            np.array([phrase[0] for phrase in flat], dtype=np.int32),
            np.array([phrase[1] for phrase in flat], dtype=np.int32),
            tuple(phrase[2] for phrase in flat),
        )

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        """The phrases of one sentence: list of (start, end, label)."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        index %= len(self)
        span = slice(self.offsets[index], self.offsets[index + 1])
        return list(zip(self.starts[span].tolist(), self.ends[span].tolist(), self.labels[span], strict=True))

    def select(self, indices: np.ndarray) -> "Constituents":
        """The phrases of the sentences with these indices (int64), in that order. O(phrases)."""
        counts = np.diff(self.offsets)[indices]
        offsets = offsets_of(counts)
        phrases = np.arange(offsets[-1]) + np.repeat(self.offsets[indices] - offsets[:-1], counts)
        labels = tuple(self.labels[phrase] for phrase in phrases.tolist())
        return Constituents(offsets, self.starts[phrases], self.ends[phrases], labels)

    def keep_words(self, offsets: np.ndarray, kept: np.ndarray) -> "Constituents":
        """These phrases over fewer words; phrases left without words disappear, emptied sentences stay.

        ``offsets`` and the mask ``kept`` (rows,) are laid out as in ``Treebank``: n + 1 rows a sentence, the
        first of them its root's, which is ignored. O(rows + phrases).
        """
        before = offsets_of(kept)  # kept rows before each row
        counts = np.diff(self.offsets)
        first = np.repeat(offsets[:-1], counts) + 1  # row of the first word of each phrase's sentence
        starts = before[first + self.starts - 1] - before[first] + 1
        ends = before[first + self.ends - 1] - before[first] + 1
        left = np.flatnonzero(starts < ends)
        return Constituents(
            offsets_of(starts < ends)[self.offsets],
            starts[left].astype(np.int32),
            ends[left].astype(np.int32),
            tuple(self.labels[phrase] for phrase in left.tolist()),
        )
