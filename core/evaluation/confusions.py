"""Ranked lists of confusions: of relations, and of the tags of the heads to which words are attached."""

from dataclasses import dataclass

import numpy as np

from core.evaluation.errors import ROOT, arc_kinds
from core.treebank import Column, Treebank

RELATION, HEAD = "relation", "head"


@dataclass(frozen=True, eq=False)
class ConfusedWords:
    """Words with one and the same error.

    Attributes
    ----------
    kind : str
        RELATION or HEAD.
    parts : tuple of str
        Of RELATION the reference's and the parser's. Of HEAD three tags: the word's, that of its head in the reference,
        and that of the head that the parser chose; ROOT for the root.
    rows : ndarray, int64
        Ascending, into the treebank.
    """

    kind: str
    parts: tuple[str, ...]
    rows: np.ndarray

    @property
    def name(self) -> str:
        """The error in words: ``nsubj taken for obj``, ``ADP attached to NOUN instead of VERB``."""
        return confusion_name(self.kind, self.parts)


def confusion_name(kind: str, parts: tuple[str, ...]) -> str:
    """The ``name`` of the words with an error."""
    if kind == RELATION:
        return f"{parts[0]} taken for {parts[1]}"
    tag, right, chosen = parts
    if chosen == ROOT:
        return f"{tag} made the root instead of attached to {right}"
    instead = "being the root" if right == ROOT else right
    return f"{tag} attached to " + (f"another {chosen}" if chosen == right else f"{chosen} instead of {instead}")


def ranked_confusions(
    reference: Treebank, system: Treebank, rows: np.ndarray, column: Column, *, labelled: bool = False
) -> tuple[ConfusedWords, ...]:
    """The errors of some words, the most frequent first, ties by name.

    Parameters
    ----------
    reference, system : Treebank
        The same sentences; all of ``rows`` have a head in both.
    rows : ndarray, int64
        Words of them.
    column : Column
        The tags, such as ``reference.upos``.
    labelled : bool, default=False
        Whether relations are compared; else only heads are.

    Notes
    -----
    O(words log words). A word with a wrong head is counted by the tags of both heads. One with a wrong relation is
    counted by both relations, where it has them. One word may have both errors.
    """
    names = [*(value or "(none)" for value in column.values), ROOT]
    right, chosen = (arc_kinds(bank, column)[0] for bank in (reference, system))
    wrong = rows[reference.heads[rows] != system.heads[rows]]
    confusions = _grouped(HEAD, wrong, (column.ids, right, chosen), names)
    if labelled:
        values, (one, other) = relation_ids(reference, system)
        named = np.array([bool(value) for value in values])  # a missing relation is not confused with another
        differing = rows[(one[rows] != other[rows]) & named[one[rows]] & named[other[rows]]]
        confusions += _grouped(RELATION, differing, (one, other), values)
    return tuple(sorted(confusions, key=lambda confused: (-len(confused.rows), confused.name)))


def relation_ids(*treebanks: Treebank) -> tuple[list[str], list[np.ndarray]]:
    """(relations of some treebanks, sorted, for each treebank int64 (rows,): their numbers)."""
    names = sorted({value for treebank in treebanks for value in treebank.deprel.values})
    number = {name: index for index, name in enumerate(names)}
    columns = [treebank.deprel for treebank in treebanks]
    return names, [np.array([number[value] for value in column.values])[column.ids] for column in columns]


def _grouped(kind, rows, columns, names):
    """A ConfusedWords for each distinct row of some columns, int (rows of the treebank,)."""
    if not len(rows):
        return []
    keys, which = np.unique(np.stack([column[rows] for column in columns]), axis=1, return_inverse=True)
    which = which.reshape(-1)
    parts = np.split(rows[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
    return [
        ConfusedWords(kind, tuple(names[index] for index in key), part)
        for key, part in zip(keys.T.tolist(), parts, strict=True)
    ]
