"""Which sentences and columns of a treebank a parser can learn from."""

from collections.abc import Mapping

import numpy as np

from core.offsets import all_of_each
from core.treebank import Treebank
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
    conditions = [
        ("without a complete tree", all_of_each((treebank.heads >= 0) | ~treebank.is_word, treebank.offsets)),
        ("with several roots", treebank.single_rooted()),
    ]
    if projective:
        conditions.append(("non-projective", ~non_projective(treebank.offsets, treebank.heads)))
    if labelled:
        has_relation = (treebank.deprel.ids > 0) | ~treebank.is_word
        conditions.append(("with a word without a relation", all_of_each(has_relation, treebank.offsets)))
    usable, skipped = np.ones(len(treebank), dtype=bool), {}
    for reason, fulfilled in conditions:
        skipped[reason] = int(np.count_nonzero(usable & ~fulfilled))
        usable &= fulfilled
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
