"""Probabilities of the arcs and relations of a parsed text, which files have in MISC."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from core.treebank import Column, Treebank
from core.treebank.retag import with_column

ARC, LABEL = "ArcConf", "LabelConf"


@dataclass(frozen=True, eq=False)
class Confidence:
    """Probabilities of the heads and relations of the words of a parsed text.

    Attributes
    ----------
    arcs : ndarray of shape (rows,), dtype float64
        How probable each word's head is; NaN where the parser gives no probability, as of punctuation.
    labels : ndarray of shape (rows,), dtype float64, or None
        How probable its relation is under that head.
    """

    arcs: np.ndarray
    labels: np.ndarray | None = None


@runtime_checkable
class Confident(Protocol):
    """A parser that gives the probabilities of arcs and relations."""

    def confidence(self, parsed: Treebank) -> Confidence:
        """The Confidence of the trees of a text, which the parser may have drawn itself or not."""
        ...


def with_confidence(parsed: Treebank, confidence: Confidence) -> Treebank:
    """The treebank as CoNLL-U with ``ArcConf=0.93|LabelConf=0.88`` in MISC, which replace those that stood there."""
    parsed = parsed.to_conllu()
    misc = parsed.misc.strings().tolist()
    numbers = {ARC: confidence.arcs} | ({} if confidence.labels is None else {LABEL: confidence.labels})
    for row, old in enumerate(misc):
        pairs = [part for part in old.split("|") if part and part.partition("=")[0] not in (ARC, LABEL)]
        pairs += [f"{name}={values[row]:.2f}" for name, values in numbers.items() if not np.isnan(values[row])]
        misc[row] = "|".join(pairs)
    return with_column(parsed, "misc", Column.intern(misc))
