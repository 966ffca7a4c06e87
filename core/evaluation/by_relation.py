"""Precision, recall and F1 of a parser by relation."""

from dataclasses import dataclass

import numpy as np

from core.evaluation.confusions import relation_ids
from core.evaluation.shared_tasks import F1
from core.treebank import Treebank

NO_RELATION = "(none)"


@dataclass(frozen=True, eq=False)
class RelationWords:
    """The words of one relation, each int64 rows, ascending.

    Attributes
    ----------
    relation : str
        NO_RELATION for words without one.
    gold : ndarray
        Words that have it in the gold trees.
    system : ndarray
        Words to which the system gives it.
    correct : ndarray
        Words that have it in both, with the same head.
    """

    relation: str
    gold: np.ndarray
    system: np.ndarray
    correct: np.ndarray

    @property
    def score(self) -> F1:
        """Precision, recall and F1: of relation and head together."""
        return F1(len(self.correct), len(self.gold), len(self.system))

    @property
    def missed(self) -> np.ndarray:
        """The gold words that are not correct: what recall misses."""
        return np.setdiff1d(self.gold, self.correct, assume_unique=True)

    @property
    def false(self) -> np.ndarray:
        """The system's words that are not correct: what precision misses."""
        return np.setdiff1d(self.system, self.correct, assume_unique=True)


def relation_words(gold: Treebank, system: Treebank, rows: np.ndarray) -> tuple[RelationWords, ...]:
    """The RelationWords of all relations among some words, the most frequent in gold first, ties by name.

    Parameters
    ----------
    gold, system : Treebank
        The same words in the same sentences.
    rows : ndarray, int64
        The words that are looked at, ascending.

    Notes
    -----
    A word is correct if its relation and its head are, as for LAS; relations are compared whole. O(words log words).
    """
    names, (one, other) = relation_ids(gold, system)
    one, other = one[rows], other[rows]
    right = (one == other) & (gold.heads[rows] == system.heads[rows])
    parts = [_by_id(rows[kept], ids[kept], len(names)) for ids, kept in
             ((one, slice(None)), (other, slice(None)), (one, right))]  # fmt: skip
    found = [RelationWords(name or NO_RELATION, *words) for name, *words in zip(names, *parts, strict=True)]
    found = [words for words in found if len(words.gold) or len(words.system)]
    return tuple(sorted(found, key=lambda words: (-len(words.gold), words.relation)))


def _by_id(rows, ids, count):
    """The rows of each of so many numbers."""
    order = np.argsort(ids, kind="stable")
    return np.split(rows[order], np.cumsum(np.bincount(ids, minlength=count))[:-1])
