"""The word types of a text, in whatever capitals, with the neighbours of each of their tokens."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.treebank import Treebank
from core.treebank.tagging import shape_of

DISTANCES = (-3, -2, -1, 1, 2, 3)  # distances of the neighbours that are read
MOSTLY = 0.5  # above this share of capitals within sentences a type is one that has them
SUFFIXES, PREFIXES = (1, 2, 3, 4, 5), (1, 2, 3)  # lengths in letters


@dataclass(frozen=True, eq=False)
class WordTypes:
    """The V types of a text of N words.

    Attributes
    ----------
    forms : tuple of str
        In lower case.
    spellings : tuple of str
        The most frequent spelling of each.
    numbers : ndarray of shape (N,), dtype int64
        The type of each word.
    rows : ndarray of shape (N,), dtype int64
        Its row in the treebank.
    places, lengths : ndarray of shape (N,), dtype int64
        Its place in its sentence from 0, and how many words that has.
    capitals : ndarray of shape (N,), dtype bool
        Whether it begins with a capital letter.
    neighbours : ndarray of shape (6, N), dtype int64
        Types of the words at DISTANCES; V beyond the sentence.
    """

    forms: tuple[str, ...]
    spellings: tuple[str, ...]
    numbers: np.ndarray
    rows: np.ndarray
    places: np.ndarray
    lengths: np.ndarray
    capitals: np.ndarray
    neighbours: np.ndarray

    @classmethod
    def of(cls, treebank: Treebank) -> Self:
        """The types of a treebank. O(rows + types)."""
        values, known = treebank.form.values, {}
        rows = np.flatnonzero(treebank.is_word)
        spelt = treebank.form.ids[rows].astype(np.int64)
        used = np.bincount(spelt, minlength=len(values))
        of_value = np.array([known.setdefault(value.lower(), len(known)) if count else -1
                             for value, count in zip(values, used.tolist(), strict=True)], np.int64)  # fmt: skip
        spellings: list[str] = [""] * len(known)
        for value in np.argsort(used, kind="stable").tolist():  # the most frequent comes last
            if used[value]:
                spellings[of_value[value]] = values[value]
        numbers, lengths = of_value[spelt], treebank.lengths.astype(np.int64)
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        neighbours = np.full((len(DISTANCES), len(rows)), len(known))
        for row, distance in zip(neighbours, DISTANCES, strict=True):
            inside = (places + distance >= 0) & (places + distance < lengths[sentence])
            row[inside] = numbers[np.flatnonzero(inside) + distance]
        capitals = np.array([value[:1] != value[:1].lower() for value in values], bool)[spelt]
        return cls(tuple(known), tuple(spellings), numbers, rows, places, lengths[sentence], capitals, neighbours)

    def __len__(self):
        return len(self.forms)

    @cached_property
    def counts(self) -> np.ndarray:
        """float64 (V,): tokens of each type."""
        return np.bincount(self.numbers, minlength=len(self)).astype(np.float64)

    @cached_property
    def lettered(self) -> np.ndarray:
        """bool (V,): types that hold a letter; others are tagged by their shape."""
        return np.array([shape_of(form) is None for form in self.spellings], bool)

    @cached_property
    def contexts(self) -> list:
        """For each of DISTANCES a sparse (V, V + 1): how often each type has each neighbour there."""
        ones, shape = np.ones(len(self.numbers)), (len(self), len(self) + 1)
        return [scipy.sparse.csr_array((ones, (self.numbers, row)), shape) for row in self.neighbours]

    @cached_property
    def groups(self) -> list:
        """Sparse (V, groups) matrices: types that end alike, that begin alike, that stand in the same surroundings, and
        those with a capital letter within sentences."""
        affixes = [self._affixes(length, ending=True) for length in SUFFIXES]
        affixes += [self._affixes(length, ending=False) for length in PREFIXES]
        left, right = DISTANCES.index(-1), DISTANCES.index(1)
        both = self.neighbours[left] * (len(self) + 1) + self.neighbours[right]
        frames, frame = np.unique(both, return_inverse=True)
        between = scipy.sparse.csr_array((np.ones(len(both)), (self.numbers, frame)), (len(self), len(frames)))
        capital = scipy.sparse.csr_array((self.inner_capitals > MOSTLY).astype(np.float64)[:, None])
        return [*affixes, self.contexts[left], self.contexts[right], between, capital]

    @cached_property
    def inner_capitals(self) -> np.ndarray:
        """float64 (V,): of a type's words that do not begin a sentence, the share with a capital letter."""
        inner = self._mean(self.places > 0)
        return self._mean(self.capitals & (self.places > 0)) / np.where(inner > 0, inner, 1)

    def _affixes(self, length, ending):
        known, types, groups = {}, [], []
        for number, form in enumerate(self.forms):
            if len(form) > length and self.lettered[number]:
                types.append(number)
                groups.append(known.setdefault(form[-length:] if ending else form[:length], len(known)))
        return scipy.sparse.csr_array((np.ones(len(types)), (types, groups)), (len(self), max(1, len(known))))

    @cached_property
    def surface(self) -> np.ndarray:
        """float32 (V, S): what a type looks like and where it stands, in numbers near 1 that mean the same in every
        language."""
        counts, words = self.counts, len(self.numbers)
        first, inner = self.places == 0, self._mean(self.places > 0)
        letters = np.array([len(form) for form in self.forms], np.float64)
        mean_letters = max(1.0, float(letters @ counts) / max(words, 1))
        columns = [
            np.log(counts / max(words, 1)) + 7, np.minimum(np.log(counts), 3), letters / mean_letters,
            np.minimum(letters, 20) / 10, self.inner_capitals, self._mean(self.capitals), inner == 0,
            np.full(len(self), self.capitals.mean() > 0.001),
            self._mean(first), self._mean(self.places == self.lengths - 1),
            self._mean((self.places + 0.5) / self.lengths),
            *([any(test(letter) for letter in form) for form in self.forms] for test in (str.isdigit, "-".__eq__)),
            ["'" in form or "’" in form for form in self.forms],
            np.full(len(self), np.log(max(words, 1)) / 10), np.full(len(self), len(self) / max(words, 1)),
            np.full(len(self), self.lengths.mean() / 20),
            *(np.log1p(group @ group.sum(axis=0)) / 5 for group in self.groups[: len(SUFFIXES) + len(PREFIXES)]),
        ]  # fmt: skip
        return np.stack([np.asarray(column, np.float32) for column in columns], axis=1)

    def _mean(self, of_words):
        """(V,): the mean of a number of words over each type's."""
        return np.bincount(self.numbers, of_words.astype(np.float64), len(self)) / self.counts
