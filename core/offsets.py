"""Items of different lengths back to back in one array: where each begins, and those of some items alone."""

import numpy as np
from numpy.typing import ArrayLike


def offsets_of(lengths: ArrayLike) -> np.ndarray:
    """int64 (items + 1,): where each item begins, then where the last one ends."""
    lengths = np.asarray(lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, dtype=np.int64, out=offsets[1:])
    return offsets


def read_only(array: np.ndarray) -> np.ndarray:
    """A view of an array through which nothing can be written."""
    view = array.view()
    view.flags.writeable = False
    return view


def word_rows(offsets: np.ndarray) -> np.ndarray:
    """bool (rows,): False on the first row of each sentence, which is its root's."""
    is_word = np.ones(offsets[-1], dtype=bool)
    is_word[offsets[:-1]] = False
    return is_word


def with_roots(values: np.ndarray, offsets: np.ndarray, root: int = 0) -> np.ndarray:
    """(rows,): values of words with ``root`` before those of each sentence, as a treebank of these offsets has them."""
    rows = np.full(offsets[-1], root, values.dtype)
    rows[word_rows(offsets)] = values
    return rows


def any_of_each(marks: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """bool (items,): whether any row of each item, which has rows, is marked."""
    return np.logical_or.reduceat(marks, offsets[:-1]) if len(offsets) > 1 else np.zeros(0, dtype=bool)


def all_of_each(marks: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """bool (items,): whether all rows of each item, which has rows, are marked."""
    return ~any_of_each(~marks, offsets)


def rows_from(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """int64: the numbers from each of ``begins`` on, as many as its size, one range after the other."""
    return np.arange(sizes.sum()) + np.repeat(begins - offsets_of(sizes)[:-1], sizes)


def selected_rows(offsets: np.ndarray, indices: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """(rows of the items with these indices, one item after the other; the offsets of those items)."""
    indices = np.asarray(indices, dtype=np.int64)
    sizes = np.diff(offsets)[indices]
    return rows_from(offsets[indices], sizes), offsets_of(sizes)
