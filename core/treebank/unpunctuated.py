"""Between a text and the same without punctuation: heads for its marks, brackets in the other's numbers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.compilation.kernels import kernel
from core.offsets import offsets_of
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


def restore_punctuation(treebank: Treebank, without: Treebank, heads: np.ndarray) -> np.ndarray:
    """int32 (rows,): the heads of a treebank's words from those of the same text without punctuation, and its marks'.

    Parameters
    ----------
    treebank : Treebank
    without : Treebank
        ``treebank.without_punctuation()``; sentences of marks alone are not in it.
    heads : int array (rows of ``without``,)
    """
    is_mark = treebank.punctuation()
    words = np.flatnonzero(~is_mark & treebank.is_word)
    numbers = treebank.numbers[words]
    starts = np.repeat(without.offsets[:-1] - np.arange(len(without)), without.lengths)  # sentence starts, no roots
    kept = np.asarray(heads)[without.is_word]
    target = np.clip(starts + np.maximum(kept, 1) - 1, 0, len(numbers) - 1)
    restored = np.full(len(is_mark), -1, dtype=np.int32)
    restored[words] = np.where(kept > 0, numbers[target], kept)
    attach_marks(treebank.offsets, is_mark, restored)
    return restored


def heads_between_words(treebank: Treebank, without: Treebank) -> np.ndarray:
    """int32 (rows of ``without``,): a treebank's heads in the numbers of the same text without punctuation.

    -1 where a word has no head, or hangs on a mark.
    """
    is_mark = treebank.punctuation()
    words = np.flatnonzero(~is_mark & treebank.is_word)
    sentences = np.repeat(treebank.offsets[:-1], treebank.lengths + 1)  # first row of its sentence
    numbers = np.full(len(is_mark), -1, np.int32)
    kept = np.flatnonzero(without.is_word)
    numbers[words] = kept - np.repeat(without.offsets[:-1], without.lengths)
    numbers[treebank.offsets[:-1]] = 0
    given = treebank.heads[words]
    heads = np.full(len(without.heads), -1, np.int32)
    heads[kept] = np.where(given < 0, -1, numbers[sentences[words] + np.maximum(given, 0)])
    return heads


def words_between(treebank: Treebank, brackets: Sequence[Sequence]) -> list[list]:
    """Brackets of a text in the numbers of the same without punctuation, one list for each sentence that it keeps.

    ``brackets`` has an entry for each sentence of the treebank; those that hold marks alone go.
    """
    is_mark, renumbered = treebank.punctuation(), []
    for i, marks in enumerate(brackets):
        before = offsets_of(~is_mark[treebank.offsets[i] + 1 : treebank.offsets[i + 1]])  # words before each token
        spans = [(mark, int(before[mark.start - 1]) + 1, int(before[mark.end - 1]) + 1) for mark in marks]
        if before[-1]:
            renumbered.append([replace(mark, start=start, end=end) for mark, start, end in spans if start < end])
    return renumbered
