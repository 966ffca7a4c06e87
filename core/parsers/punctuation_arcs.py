"""Arcs of a text, and arcs of the same text without its punctuation."""

import numpy as np

from core.compilation.kernels import kernel
from core.features.packed import arc_offsets_of
from core.offsets import any_of_each
from core.treebank import Treebank


def marks_between(treebank: Treebank, words: Treebank) -> np.ndarray:
    """float64 (A,): how many punctuation marks of a text stand between the ends of each arc of its other words.

    ``words`` is the text without punctuation. Arcs from the root pass none. O(A).
    """
    is_word = _words_of(treebank)
    before = np.zeros(len(words.heads), np.int64)  # marks up to each word, over the whole text
    before[np.delete(np.arange(len(before)), words.offsets[:-1])] = np.cumsum(treebank.punctuation())[is_word]
    arcs = arc_offsets_of(words.lengths)
    passed = np.zeros(arcs[-1])
    _count_passed(before, words.offsets, arcs, passed)
    return passed


@kernel
def _count_passed(before, offsets, arcs, passed):
    """Write how many marks each arc between words passes, from the marks up to each word."""
    for i in range(len(offsets) - 1):
        begin, side = offsets[i], offsets[i + 1] - offsets[i]
        for h in range(1, side):
            row = arcs[i] + h * side
            for m in range(1, side):
                passed[row + m] = abs(before[begin + m] - before[begin + h])


def over_all_words(treebank: Treebank, words: Treebank, values: np.ndarray) -> np.ndarray:
    """(A,): numbers of the arcs of a text, 0 for those of its punctuation, from those of its other words. O(A).

    ``words`` is the text without punctuation, and ``values`` numbers of its arcs.
    """
    has_arcs = _words_of(treebank)
    has_arcs[treebank.offsets[:-1]] = any_of_each(has_arcs, treebank.offsets)  # no root of a sentence of marks alone
    arcs = arc_offsets_of(treebank.lengths)
    scattered = np.zeros(arcs[-1], values.dtype)
    _spread(has_arcs, treebank.offsets, arcs, values, scattered)
    return scattered


def _words_of(treebank):
    """bool (rows,): words, not roots, that are no punctuation."""
    return ~treebank.punctuation() & treebank.is_word


@kernel
def _spread(kept, offsets, arcs, values, spread):
    """Write the numbers of arcs between kept rows, one after another, to their places among all arcs.

    Compiled twice: for whole numbers and for float32.
    """
    place = 0
    for i in range(len(offsets) - 1):
        begin, side = offsets[i], offsets[i + 1] - offsets[i]
        for h in range(side):
            if kept[begin + h]:
                for m in range(side):
                    if kept[begin + m]:
                        spread[arcs[i] + h * side + m] = values[place]
                        place += 1
