"""Words as symbols of the grammar: frequent pairs of form and tag stand for themselves, all others for their tag."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import WorkbenchError
from core.offsets import all_of_each
from core.treebank import Treebank


@dataclass(frozen=True, eq=False)
class Symbols:
    """The K symbols of a grammar: T tags, then frequent (form, tag) pairs.

    Attributes
    ----------
    column : {"xpos", "upos"}
    tags : tuple of str
        T of them; symbol t stands for the words of tag t that have no symbol of their own.
    words : tuple of (str, str)
        Form, in lower case, and tag.
    shares : ndarray of shape (K,), dtype float64
        Of each tag's words, the share that each of its symbols has; sums to 1 over a tag's symbols.
    """

    column: str
    tags: tuple
    words: tuple
    shares: np.ndarray

    @classmethod
    def counted(cls, counts: Counter[tuple[str, str]], column: str, threshold: int | None = None) -> "Symbols":
        """The symbols of a text with these ``pair_counts``: its tags, and pairs seen at least ``threshold`` times.

        For None there are no pairs. Raises WorkbenchError where no word has a tag.
        """
        if not counts:
            raise WorkbenchError("no word of the text has a tag; tag it first")
        of_tag = Counter()
        for (_, tag), count in counts.items():
            of_tag[tag] += count
        words = sorted(pair for pair, count in counts.items() if threshold is not None and count >= threshold)
        of_words = Counter()
        for pair in words:
            of_words[pair[1]] += counts[pair]
        names = tuple(sorted(of_tag))
        tag_shares = [(of_tag[tag] - of_words[tag]) / of_tag[tag] for tag in names]
        return cls(
            column, names, tuple(words), np.array(tag_shares + [counts[word] / of_tag[word[1]] for word in words])
        )

    @property
    def count(self) -> int:
        """K."""
        return len(self.tags) + len(self.words)

    @cached_property
    def tag_of(self) -> np.ndarray:
        """int64 (K,): each symbol's tag."""
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        return np.array([*range(len(self.tags)), *(numbers[tag] for _, tag in self.words)], dtype=np.int64)

    def number(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows,): each word's symbol; K for a word whose tag is none of them. Root rows are not looked at."""
        column = treebank.tag_column(self.column)
        tags = {tag: number for number, tag in enumerate(self.tags)}
        of_tag = np.array([tags.get(value, self.count) for value in column.values], dtype=np.int32)
        numbers = of_tag[column.ids]
        if not self.words:
            return numbers
        pairs = {pair: len(self.tags) + number for number, pair in enumerate(self.words)}
        forms = [form.lower() for form in treebank.form.values]
        keys = column.ids.astype(np.int64) * len(forms) + treebank.form.ids
        unique, inverse = np.unique(keys, return_inverse=True)
        known = [pairs.get((forms[key % len(forms)], column.values[key // len(forms)]), -1) for key in unique.tolist()]
        chosen = np.array(known, dtype=np.int32)[inverse]
        return np.where(chosen >= 0, chosen, numbers).astype(np.int32)


def tagged_throughout(treebank: Treebank, column: str | None) -> np.ndarray:
    """bool (S,): sentences with a tag on every word."""
    if not len(treebank):
        return np.zeros(0, bool)
    return all_of_each((treebank.tag_column(column).ids > 0) | ~treebank.is_word, treebank.offsets)


def pair_counts(treebank: Treebank, column: str) -> Counter[tuple[str, str]]:
    """The frequency of each pair of form, in lower case, and tag. O(words)."""
    tags, values = treebank.tag_column(column), treebank.tag_column(column).values
    is_word = (tags.ids != 0) & treebank.is_word
    forms = len(treebank.form.values)
    keys = tags.ids[is_word].astype(np.int64) * forms + treebank.form.ids[is_word]
    keys, counts = np.unique(keys, return_counts=True)
    pairs = Counter()
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        pairs[treebank.form.values[key % forms].lower(), values[key // forms]] += count
    return pairs
