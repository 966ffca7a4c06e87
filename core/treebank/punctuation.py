"""Which words are punctuation, and what becomes of a tree without them."""

from typing import Any

import numpy as np
from numba import njit

# fmt: off
UNIVERSAL = frozenset([
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
])  # CONJ is version 1's
PENN = frozenset(["``", "''", ",", ".", ":", "-LRB-", "-RRB-", "#", "$"])  # # and $ as Spitkovsky et al. 2010, sec. 4
# fmt: on
TAGS = PENN | {"F", "punct"}  # these two of CoNLL-X treebanks


def punctuation_mask(treebank: Any) -> np.ndarray:
    """bool (rows,): punctuation; see ``Treebank.punctuation``."""
    mark, tagged = _mark_and_column(treebank)
    bare = treebank.form.mask(_has_no_letter)
    if mark is not None:
        return tagged.mask(lambda tag: tag in mark) | (bare & (tagged.ids == 0))
    worded = np.bincount(tagged.ids[~bare], minlength=len(tagged.values)) > 0
    return bare & ((tagged.ids == 0) | ~worded[tagged.ids])


def _mark_and_column(treebank):
    """(tags of punctuation, the column they stand in); (None, column) where forms decide which tags they are."""
    if treebank.upos.filled and UNIVERSAL.issuperset(treebank.upos.values[1:]):
        return {"PUNCT"}, treebank.upos
    for column in (treebank.xpos, treebank.upos):
        if not TAGS.isdisjoint(column.values):
            return TAGS, column
    return None, treebank.xpos if treebank.xpos.filled else treebank.upos


def _has_no_letter(form):
    return form != "" and not any(character.isalnum() for character in form)


@njit(cache=True, nogil=True)
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
