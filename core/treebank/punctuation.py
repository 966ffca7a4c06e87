"""Which words are punctuation, and what becomes of a tree without them."""

from dataclasses import dataclass
from operator import or_
from typing import Any

import numpy as np

from core.compilation.kernels import kernel

# fmt: off
UNIVERSAL = frozenset([
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
])  # CONJ is version 1's
PENN = frozenset(["``", "''", ",", ".", ":", "-LRB-", "-RRB-", "#", "$"])  # # and $ as Spitkovsky et al. 2010, sec. 4
# fmt: on
TAGS = PENN | {"F", "punct"}  # the last two are from CoNLL-X treebanks


@dataclass(frozen=True)
class PunctuationRule:
    """Which tags of which column, upos or xpos, are those of punctuation."""

    column: str
    tags: frozenset[str]

    def mask(self, treebank: Any) -> np.ndarray:
        """bool (rows,): words with such a tag, and those without a tag that have no letter or digit."""
        tagged = getattr(treebank, self.column)
        bare = treebank.form.mask(_has_no_letter)
        return tagged.mask(lambda tag: tag in self.tags) | (bare & (tagged.ids == 0))


@dataclass(frozen=True)
class TagsInUse:
    """The tags of a text's two columns, and those of them that words with a letter or digit have.

    Of several texts the sum says what the rule of all of them together is.
    """

    upos: frozenset[str]
    xpos: frozenset[str]
    upos_of_words: frozenset[str]
    xpos_of_words: frozenset[str]

    @classmethod
    def of(cls, treebank: Any) -> "TagsInUse":
        """The tags of a treebank. O(rows)."""
        words, columns = ~treebank.form.mask(_has_no_letter), (treebank.upos, treebank.xpos)
        of_words = []
        for column in columns:
            counts = np.bincount(column.ids[words], minlength=len(column.values))
            of_words.append(frozenset(column.values[tag] for tag in np.flatnonzero(counts).tolist()) - {""})
        return cls(
            *(frozenset(column.values) - {""} if column.filled else frozenset() for column in columns), *of_words
        )

    def __add__(self, other: "TagsInUse") -> "TagsInUse":
        return TagsInUse(*map(or_, vars(self).values(), vars(other).values()))

    def rule(self) -> PunctuationRule:
        """See ``Treebank.punctuation``."""
        if self.upos and UNIVERSAL.issuperset(self.upos):
            return PunctuationRule("upos", frozenset({"PUNCT"}))
        for name, tags in (("xpos", self.xpos), ("upos", self.upos)):
            if not TAGS.isdisjoint(tags):
                return PunctuationRule(name, TAGS)
        if self.xpos:
            return PunctuationRule("xpos", self.xpos - self.xpos_of_words)
        return PunctuationRule("upos", self.upos - self.upos_of_words)


def _has_no_letter(form):
    return form != "" and not any(character.isalnum() for character in form)


@kernel
def prune(
    offsets: np.ndarray, heads: np.ndarray, drop: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Trees without the rows in ``drop``; returns (kept, heads, labels, lengths).

    ``kept`` bool (rows,) is False for the roots of sentences left empty too. For kept rows ``heads`` holds the new
    head by its new number, and ``labels`` the row whose relation is the word's: a word that takes the place of a
    removed root takes its relation. ``lengths`` int64 (S,) counts the words left. O(rows x depth of removed words).
    """
    kept = ~drop
    new_heads = np.full(len(heads), -1, np.int32)
    labels = np.arange(len(heads))
    lengths = np.zeros(len(offsets) - 1, np.int64)
    numbers = np.zeros(len(heads), np.int32)
    for i in range(len(lengths)):
        root = offsets[i]
        for row in range(root + 1, offsets[i + 1]):
            lengths[i] += kept[row]
            numbers[row] = lengths[i]
        kept[root] = lengths[i] > 0
        first = 0
        for row in range(root + 1, offsets[i + 1]):
            if not kept[row]:
                continue
            below, head = row, heads[row]
            while head > 0 and drop[root + head]:
                below, head = root + head, heads[root + head]
            if head > 0:
                new_heads[row] = numbers[root + head]
            elif head == 0 and first == 0:
                first = numbers[row]
                new_heads[row] = 0
                labels[row] = below
            elif head == 0:
                new_heads[row] = first
    return kept, new_heads, labels, lengths
