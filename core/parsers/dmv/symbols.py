"""Words as symbols of the grammar: frequent pairs of form and tag stand for themselves, all others for their tag."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import WorkbenchError
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
    def of(cls, treebank: Treebank, column: str, threshold: int | None = None) -> "Symbols":
        """Those of a text: its tags, and pairs seen at least ``threshold`` times (none for None).

        Raises WorkbenchError where no word has a tag.
        """
        tags, forms, rows = _pairs(treebank, column)
        if not len(rows):
            raise WorkbenchError("no word of the text has a tag; tag it first")
        names = tuple(sorted({treebank.tag_column(column).values[tag] for tag in np.unique(tags).tolist()}))
        values, lowered = treebank.tag_column(column).values, [form.lower() for form in treebank.form.values]
        counted = {}
        for (tag, form), count in zip(*_counted(tags, forms), strict=True):
            pair = lowered[form], values[tag]
            counted[pair] = counted.get(pair, 0) + count
        words = sorted(pair for pair, count in counted.items() if threshold is not None and count >= threshold)
        made = cls(column, names, tuple(words), np.ones(len(names) + len(words)))
        counts = np.bincount(made.number(treebank)[rows], minlength=made.count)[: made.count].astype(np.float64)
        total = np.bincount(made.tag_of, counts)[made.tag_of]
        return cls(column, names, tuple(words), np.divide(counts, total, out=np.ones(made.count), where=total > 0))

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
        found = of_tag[column.ids]
        if not self.words:
            return found
        pairs = {pair: len(self.tags) + number for number, pair in enumerate(self.words)}
        forms = [form.lower() for form in treebank.form.values]
        keys = column.ids.astype(np.int64) * len(forms) + treebank.form.ids
        unique, inverse = np.unique(keys, return_inverse=True)
        own = [pairs.get((forms[key % len(forms)], column.values[key // len(forms)]), -1) for key in unique.tolist()]
        chosen = np.array(own, dtype=np.int32)[inverse]
        return np.where(chosen >= 0, chosen, found).astype(np.int32)


def tagged_throughout(treebank: Treebank, column: str | None) -> np.ndarray:
    """bool (S,): sentences with a tag on every word."""
    missing = treebank.tag_column(column).ids == 0
    missing[treebank.offsets[:-1]] = False
    return ~np.logical_or.reduceat(missing, treebank.offsets[:-1])


def _pairs(treebank, column):
    """(tag ids, form ids, rows) of the words that have a tag."""
    tags = treebank.tag_column(column).ids
    is_word = tags != 0
    is_word[treebank.offsets[:-1]] = False
    rows = np.flatnonzero(is_word)
    return tags[rows], treebank.form.ids[rows], rows


def _counted(tags, forms):
    """([(tag id, form id)], counts) of all pairs that occur."""
    base = int(forms.max()) + 1
    keys, counts = np.unique(tags.astype(np.int64) * base + forms, return_counts=True)
    return [(key // base, key % base) for key in keys.tolist()], counts.tolist()
