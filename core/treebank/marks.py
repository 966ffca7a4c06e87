"""Between a text and the same without punctuation: heads for its marks, brackets in the other's numbers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.kernels import kernel
from core.treebank.treebank import Treebank


@kernel
def attach_marks(offsets: np.ndarray, is_mark: np.ndarray, heads: np.ndarray) -> None:
    """Give every mark a head, in place, such that it crosses no arc: O(n^2) a sentence.

    A mark hangs on the head of the shortest arc over it, or on the sentence's root word if there is none: arcs
    between that head and the mark lie within, since one that left would be a shorter arc over it. In a sentence of
    marks alone the first is the root.

    Parameters
    ----------
    offsets : int64 (S + 1,)
    is_mark : bool (rows,)
    heads : int32 (rows,)
        Sentence-relative heads of the other words, which form a tree without crossing arcs over them.
    """
    for i in range(len(offsets) - 1):
        first, n = offsets[i], offsets[i + 1] - offsets[i] - 1
        root = 0
        for m in range(1, n + 1):
            if not is_mark[first + m] and heads[first + m] == 0:
                root = m
        for p in range(1, n + 1):
            if not is_mark[first + p]:
                continue
            head, shortest = root, n + 1
            for m in range(1, n + 1):
                h = heads[first + m]
                if is_mark[first + m] or h <= 0:
                    continue
                if min(h, m) < p < max(h, m) and abs(h - m) < shortest:
                    head, shortest = h, abs(h - m)
            heads[first + p] = head
            if root == 0:
                root = p


def put_back(treebank: Treebank, without: Treebank, heads: np.ndarray) -> np.ndarray:
    """int32 (rows,): the heads of a treebank's words from those of the same text without punctuation, and its marks'.

    Parameters
    ----------
    treebank : Treebank
    without : Treebank
        ``treebank.without_punctuation()``; sentences of marks alone are not in it.
    heads : int array (rows of ``without``,)
    """
    is_mark = treebank.punctuation()
    is_root = np.zeros(len(is_mark), dtype=bool)
    is_root[treebank.offsets[:-1]] = True
    words = np.flatnonzero(~is_mark & ~is_root)
    own = np.ones(len(heads), dtype=bool)
    own[without.offsets[:-1]] = False
    sentence = np.repeat(np.arange(len(without)), np.diff(without.offsets))[own]
    starts = without.offsets[:-1] - np.arange(len(without))  # of each sentence, among the words alone
    found = np.full(len(is_mark), -1, dtype=np.int32)
    values = np.asarray(heads)[own]
    begins = treebank.offsets[:-1]
    of_word = np.searchsorted(begins, words, side="right") - 1
    places = words - begins[of_word]
    target = starts[sentence] + np.maximum(values, 1) - 1
    found[words] = np.where(values > 0, places[np.clip(target, 0, len(places) - 1)], values)
    attach_marks(treebank.offsets, is_mark, found)
    return found


def words_between(treebank: Treebank, brackets: Sequence[Sequence]) -> list[list]:
    """Brackets of a text in the numbers of the same without punctuation, one list for each sentence that it keeps.

    ``brackets`` has an entry for each sentence of the treebank; those that hold marks alone go.
    """
    is_mark, found = treebank.punctuation(), []
    for i, marks in enumerate(brackets):
        words = np.cumsum(~is_mark[treebank.offsets[i] + 1 : treebank.offsets[i + 1]])
        if not len(words) or words[-1] == 0:
            continue
        before = np.concatenate(([0], words))  # words before each token, counted from 1
        spans = [(mark, int(before[mark.start - 1]) + 1, int(before[mark.end - 1]) + 1) for mark in marks]
        found.append([replace(mark, start=start, end=end) for mark, start, end in spans if start < end])
    return found
