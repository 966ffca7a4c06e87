"""Which sentences and columns of a treebank a parser can learn from."""

from collections.abc import Mapping

import numpy as np

from core.treebank import Column, Treebank
from core.treebank.statistics import non_projective


def learnable(treebank: Treebank, projective: bool, labelled: bool = False) -> tuple[np.ndarray, dict[str, int]]:
    """Sentences to learn from, and why the others are not.

    Parameters
    ----------
    treebank : Treebank
    projective : bool
        Whether trees with crossing arcs are left out: a projective decoder can never find them.
    labelled : bool
        Whether every word needs a relation.

    Returns
    -------
    usable : ndarray of shape (S,), dtype bool
    skipped : dict of str to int
        How many sentences were left out, by the first reason that holds.
    """
    starts, count = treebank.offsets[:-1], len(treebank)

    def throughout(words):
        words = words.copy()
        words[starts] = True
        return np.logical_and.reduceat(words, starts) if count else np.zeros(0, dtype=bool)

    usable, skipped = np.ones(count, dtype=bool), {}
    everywhere = np.ones(count, dtype=bool)
    for reason, fine in (
        ("without a complete tree", throughout(treebank.heads >= 0)),
        ("with several roots", treebank.single_rooted()),
        ("non-projective", ~non_projective(treebank.offsets, treebank.heads) if projective else everywhere),
        ("with a word without a relation", throughout(treebank.deprel.ids > 0) if labelled else everywhere),
    ):
        skipped[reason] = int(np.count_nonzero(usable & ~fine))
        usable &= fine
    return usable, {reason: number for reason, number in skipped.items() if number}


def reasons(skipped: Mapping[str, int]) -> str:
    """The counts of ``learnable`` in words."""
    return ", ".join(f"{count:,} {reason}" for reason, count in skipped.items())


def tag_columns(treebank: Treebank, tags: str | None = None) -> tuple[str, ...]:
    """The tag columns to read, the finer first; ``tags`` is "both", "xpos", "upos" or None: those that are filled.

    Raises WorkbenchError where one that is asked for is empty.
    """
    if tags is None:
        tags = "both" if treebank.xpos.filled and treebank.upos.filled else None
    if tags == "both":
        for column in ("xpos", "upos"):
            treebank.tag_column(column)  # raises
        return "xpos", "upos"
    return ("xpos",) if treebank.tag_column(tags) is treebank.xpos else ("upos",)


def used_values(column: Column) -> tuple:
    """The values that occur in a Column, sorted, without the empty one."""
    return tuple(sorted({column.values[value] for value in np.unique(column.ids).tolist()} - {""}))
