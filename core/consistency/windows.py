"""Windows of tags around words, as numbers: what contexts are made of."""

import numpy as np

from core.compilation.kernels import inlined_kernel, kernel
from core.errors import WorkbenchError
from core.treebank import Treebank

WIDEST = 4
TEMPLATES = tuple((r, r + width - 1) for width in range(1, WIDEST + 1) for r in range(1 - width, 1))
LENGTHS = np.array([s - r + 1 for r, s in TEMPLATES])


def head_rows(treebank: Treebank) -> np.ndarray:
    """int64 (rows,): the row of each word's head, the root's row for 0; -1 where unknown."""
    return np.where(treebank.heads >= 0, treebank.root_rows + treebank.heads, -1)


def window_keys(treebank: Treebank, labels: np.ndarray, size: int) -> np.ndarray:
    """int64 (10, rows): each word's context as a number, by template; -1 where it is cut off or lacks a tag."""
    if len(TEMPLATES) * size**WIDEST >= 2**63:
        raise WorkbenchError(f"contexts allow up to 30,000 different tags, got {size}; use the coarse tags")
    rows, position = len(labels), treebank.numbers
    left = np.repeat(treebank.lengths, treebank.lengths + 1) - position  # words that follow
    padded = np.concatenate((np.full(WIDEST, -1), labels.astype(np.int64), np.full(WIDEST, -1)))
    tags = {offset: padded[WIDEST + offset : WIDEST + offset + rows] for offset in range(1 - WIDEST, WIDEST)}
    keys = np.empty((len(TEMPLATES), rows), dtype=np.int64)
    for number, (first, last) in enumerate(TEMPLATES):
        key = np.full(rows, number * size**WIDEST)
        whole = (position + first >= 1) & (left >= last)
        for power, offset in enumerate(range(first, last + 1)):
            whole &= tags[offset] > 0
            key += tags[offset] * size**power
        keys[number] = np.where(whole, key, -1)
    return keys


def find(known: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """int32: where each of ``wanted`` stands in ``known``, whose numbers all differ, else -1; -1 itself is never found.

    O(known + wanted), by a table of hashes.
    """
    wanted = np.asarray(wanted)
    bits = max(4, int(2 * len(known)).bit_length())
    places = np.full(1 << bits, -1, dtype=np.int32)
    return _look_up(known.astype(np.int64), wanted.astype(np.int64).ravel(), places, 64 - bits).reshape(wanted.shape)


@kernel
def _look_up(known, wanted, places, shift):
    """Fill ``places``, numbers of ``known`` by hash with linear probing, and look ``wanted`` up."""
    mask, found = len(places) - 1, np.full(len(wanted), -1, np.int32)
    for number in range(len(known)):
        at = _hash(known[number], shift)
        while places[at] >= 0:
            at = (at + 1) & mask
        places[at] = number
    for number in range(len(wanted)):
        if wanted[number] < 0:
            continue
        at = _hash(wanted[number], shift)
        while places[at] >= 0:
            if known[places[at]] == wanted[number]:
                found[number] = places[at]
                break
            at = (at + 1) & mask
    return found


@inlined_kernel
def _hash(number, shift):
    """The upper bits of the number times 2**64 over the golden ratio (Knuth, multiplicative hashing)."""
    return np.int64((np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(shift))
