"""How probable each tag of a word is, beside it in MISC: ``TagProb=NOUN:0.71,VERB:0.24``."""

from collections.abc import Iterable, Sequence

import numpy as np

from core.treebank.retag import with_column
from core.treebank.source import Column
from core.treebank.treebank import Treebank

KEY = "TagProb"
LEAST = 0.05  # least probability that is written


def with_tag_shares(treebank: Treebank, rows: np.ndarray, shares: np.ndarray, names: Sequence[str]) -> Treebank:
    """A treebank in CoNLL-U that says how probable the tags of some words are.

    Parameters
    ----------
    treebank : Treebank
    rows : ndarray of shape (M,), dtype int64
    shares : ndarray of shape (M, T)
        The probability of each tag; those of less than LEAST are left out.
    names : sequence of str
        The T tags.
    """
    misc = treebank.misc.strings().tolist()
    for row, probabilities in zip(rows.tolist(), shares, strict=True):
        likely = [tag for tag in np.argsort(-probabilities).tolist() if probabilities[tag] >= LEAST]
        value = ",".join(f"{names[tag]}:{probabilities[tag]:.2f}" for tag in likely)
        misc[row] = "|".join([*_others(misc[row]), f"{KEY}={value}"])
    return with_column(treebank, "misc", Column.intern(misc))


def without_tag_shares(treebank: Treebank, rows: Iterable[int]) -> Treebank:
    """A treebank that does not say how probable the tags of some words are: others were given to them. O(rows)."""
    stale = {row: "|".join(_others(value)) for row in rows if KEY in (value := treebank.misc[row])}
    return with_column(treebank, "misc", treebank.misc.with_values(stale)) if stale else treebank


def _others(misc):
    """The parts of a MISC value that do not say how probable tags are."""
    return [part for part in misc.split("|") if part and part.partition("=")[0] != KEY]


def read_tag_shares(treebank: Treebank, names: Sequence[str]) -> np.ndarray | None:
    """float32 (rows, T): the probability of each tag of the words that tell it, zeros for others; None if none does.

    What is no probability, or of no tag of ``names``, is passed over. O(rows T).
    """
    places = {name: tag for tag, name in enumerate(names)}
    by_value = np.zeros((len(treebank.misc.values), len(names)), np.float32)
    for row, value in enumerate(treebank.misc.values):
        for part in value.split("|") if KEY in value else ():
            key, _, pairs = part.partition("=")
            for pair in pairs.split(",") if key == KEY else ():
                name, _, number = pair.partition(":")
                if name in places and number.replace(".", "", 1).isdecimal() and float(number) <= 1:
                    by_value[row, places[name]] = float(number)
    sums = by_value.sum(axis=1, keepdims=True)
    return (by_value / np.where(sums > 0, sums, 1))[treebank.misc.ids] if sums.any() else None
