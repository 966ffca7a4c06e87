"""Other parses of a text beside the networks: how much the heads of each count is learnt from checked sentences.

An arc that a parse has gets a bonus, the parse's trust in nats, upon what networks and corrections say of heads. Trusts
are those at which the heads of checked sentences are most probable. Corrections know the sentences that they learnt. So
each half of the sentences is judged beside corrections learnt from the other half (cross-fitting, as in stacking). No
trust is below 0: a parse may say nothing, but its arcs do not count as wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.features.packed import arc_offsets_of
from core.parsers.crf.tree_crf import gold_arcs
from core.parsers.optimize import minimize
from core.parsers.universal.corrections import surprise
from core.parsers.universal.normalising import log_probabilities
from core.treebank import Treebank
from core.trees import PackedScores

PENALTY = 1.0  # half of it times squared trusts, in nats: a few sentences move them little
EVALUATIONS = 80


@dataclass(frozen=True, eq=False)
class OtherParses:
    """Parses of a text, by the words of its sentences.

    Attributes
    ----------
    heads : tuple of dict
        For each parse the heads of a sentence, int32 (n + 1,), by its words without punctuation.
    trusts : ndarray of shape (P,), dtype float64
        The bonus of an arc of each parse, in nats.
    """

    heads: tuple[dict[tuple[str, ...], np.ndarray], ...]
    trusts: np.ndarray

    @classmethod
    def of(cls, parses: Sequence[Treebank]) -> Self:
        """Those of Treebanks, heads of -1 where a parse has none; trusted with nothing. O(rows)."""
        found = []
        for parse in parses:
            words = parse.without_punctuation()
            found.append({s.forms: s.heads for s in words if (s.heads >= 0).any()})
        return cls(tuple(found), np.zeros(len(found)))

    def added_to_arcs(self, words: Treebank, arcs: PackedScores, threads: int | None = None) -> PackedScores:
        """Log-probabilities of heads with the bonuses of a text's arcs added, without punctuation. O(sum of n^2)."""
        values = arcs.values + self.trusts @ self.arcs(words)
        return log_probabilities(arcs.like(values), threads)

    def arcs(self, words: Treebank) -> np.ndarray:
        """float64 (P, A): 1 at the arcs of each parse in the sentences of a text that it has."""
        offsets, sentences = (
            arc_offsets_of(words.lengths),
            [(s.forms, np.full(len(s) + 1, -1, np.int32)) for s in words],
        )
        rows = [np.concatenate([heads.get(*sentence) for sentence in sentences] or [np.empty(0, np.int32)])
                for heads in self.heads]  # fmt: skip
        return np.stack([gold_arcs(words.with_heads(heads), offsets) for heads in rows])


def learn_trusts(others: OtherParses, judged: Sequence[tuple[Treebank, PackedScores]]) -> OtherParses:
    """Other parses with the trusts of least loss among those that are 0 or more.

    Parameters
    ----------
    others : OtherParses
    judged : sequence of (Treebank, PackedScores)
        Checked sentences without punctuation, and log-probabilities of their heads without the other parses, in nats.

    Notes
    -----
    L-BFGS on the cross-entropy of known heads and a quadratic penalty, which is convex. Trusts below 0 are held at 0
    and the rest found again, until none is below. O(P sum of n^2) an evaluation.
    """
    data = [(words, arcs, others.arcs(words)) for words, arcs in judged]
    free = np.ones(len(others.heads), bool)

    def loss(trusts):
        value, gradient = 0.5 * PENALTY * float(trusts @ trusts), PENALTY * trusts
        for words, arcs, on in data:
            surplus = log_probabilities(arcs.like(arcs.values + np.where(free, trusts, 0.0) @ on)).values
            heads = np.where(words.is_word, words.heads, -1).astype(np.int64)
            value += surprise(surplus, arcs.offsets, arcs.sides, words.offsets, heads)
            gradient = gradient + np.where(free, on @ surplus, 0.0)
        return value, gradient, {}

    while True:
        trusts = np.where(free, minimize(loss, np.zeros(len(free)), max_evaluations=EVALUATIONS).weights, 0.0)
        if (trusts >= 0).all():
            return replace(others, trusts=trusts)
        free &= trusts >= 0
