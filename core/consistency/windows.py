"""Windows of tags around words, as numbers: what contexts are made of."""

import numpy as np

from core.errors import WorkbenchError
from core.treebank import Treebank

WIDEST = 4
TEMPLATES = tuple((r, r + width - 1) for width in range(1, WIDEST + 1) for r in range(1 - width, 1))
LENGTHS = np.array([s - r + 1 for r, s in TEMPLATES])


def head_rows(treebank: Treebank) -> np.ndarray:
    """int64 (rows,): the row of each word's head, the root's row for 0; -1 where unknown."""
    first = np.repeat(treebank.offsets[:-1], treebank.lengths + 1)
    return np.where(treebank.heads >= 0, first + treebank.heads, -1)


def window_keys(treebank: Treebank, labels: np.ndarray, size: int) -> np.ndarray:
    """int64 (10, rows): each word's context as a number, by template; -1 where it is cut off or lacks a tag."""
    if len(TEMPLATES) * size**WIDEST >= 2**63:
        raise WorkbenchError(f"contexts allow up to 30,000 different tags, got {size}; use the coarse tags")
    rows = len(labels)
    position = np.arange(rows) - np.repeat(treebank.offsets[:-1], treebank.lengths + 1)
    left = np.repeat(treebank.lengths, treebank.lengths + 1) - position  # words that follow
    padded = np.concatenate((np.full(WIDEST, -1), labels.astype(np.int64), np.full(WIDEST, -1)))
    tags = {offset: padded[WIDEST + offset : WIDEST + offset + rows] for offset in range(1 - WIDEST, WIDEST)}
    keys = np.empty((len(TEMPLATES), rows), dtype=np.int64)
    for number, (first, last) in enumerate(TEMPLATES):
        key = np.full(rows, number * size**WIDEST)
        whole = (position + first >= 1) & (left >= last)
        for place, offset in enumerate(range(first, last + 1)):
            whole &= tags[offset] > 0
            key += tags[offset] * size**place
        keys[number] = np.where(whole, key, -1)
    return keys


def find(known: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """int32: where each of ``wanted`` stands in the sorted ``known``, else -1."""
    if len(known) == 0:
        return np.full(np.shape(wanted), -1, dtype=np.int32)
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[places] == wanted, places, -1).astype(np.int32)
