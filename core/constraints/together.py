"""Parsers that learnt from the same lines and vote: the mean of their arc posteriors."""

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.constraints.decoding import PosteriorParser
from core.constraints.grammar import Grammar
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.nested import nested, unnested
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Treebank
from core.trees.packed import PackedScores

KIND = "together"
MEMBERS = ("crf", "plain", "grammar")


class Together(PosteriorParser):
    """A tree CRF, a grammar without extended valence and one with it; made by ``train_grammar``.

    Parameters
    ----------
    crf : TreeCRF
    plain, grammar : Grammar
        The second has extended valence, and frequent words as symbols where these help.
    price : float
    labels : optional
        As of every ``PosteriorParser``.
    """

    def __init__(self, crf: TreeCRF, plain: Grammar, grammar: Grammar, price: float = 1.0, labels: Any = None):
        self.crf, self.plain, self.grammar, self.price, self.labels = crf, plain, grammar, price, labels

    column = property(lambda self: self.grammar.column)
    tags = property(lambda self: self.grammar.tags)
    constraints = property(lambda self: self.grammar.constraints)

    def marginals(
        self, treebank: Treebank, *, votes: np.ndarray | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, PackedScores]:
        """(log-likelihoods float64 (S,), arc marginals PackedScores) of text without punctuation.

        The marginals are the equal-weight mean of the three parsers', the log-likelihoods the grammar's. ``votes``
        float64 (A,), log-weights of arcs in nats, count in each.
        """
        totals, shares = self.grammar.marginals(treebank, votes=votes, threads=threads)
        found = [parser.marginals(treebank, votes=votes, threads=threads)[1] for parser in (self.crf, self.plain)]
        return totals, shares.like(np.mean([shares.values, *(each.values for each in found)], axis=0))

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write all three parsers to an ``.npz`` file. No pickle."""
        arrays = {name: nested(getattr(self, name)) for name in MEMBERS}
        save_arrays(path, KIND, {"price": self.price}, compressed=False, **arrays | self._label_arrays())

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "Together":
        """Read what ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required=MEMBERS)
        members = (unnested(arrays[name]) for name in MEMBERS)
        return cls(*members, price=settings["price"], labels=cls._read_labels(arrays))
