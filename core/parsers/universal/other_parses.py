"""Other parses of a text beside the networks: how much the heads and relations of each count is learnt.

An arc that a parse has gets a bonus, the parse's trust in nats, upon what networks and corrections say of heads. The
relation that the parse gives it gets another one. Trusts are those at which the trees of checked sentences are most
probable. Corrections know the sentences that they learnt. So each half of the sentences is judged beside corrections
learnt from the other half (cross-fitting, as in stacking). No trust is below 0: a parse may say nothing, but what it
says does not count as wrong.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.features.packed import arc_offsets_of
from core.parsers.crf.tree_crf import gold_arcs
from core.parsers.optimize import minimize
from core.parsers.universal.corrections import Ends, surprise
from core.parsers.universal.normalising import log_probabilities
from core.treebank import Treebank
from core.treebank.relations import base
from core.trees import PackedScores

PENALTY = 1.0  # half of it times squared trusts, in nats: a few sentences move them little
EVALUATIONS = 80


class OtherTree(NamedTuple):
    """Heads and relations of a sentence, int32 (n + 1,) and n + 1 names without subtypes."""

    heads: np.ndarray
    relations: list[str]


class JudgedRelations(NamedTuple):
    """Arcs of checked trees: scores of their relations (M, R), the arcs, and the numbers (M,) of the right ones."""

    scores: np.ndarray
    ends: Ends
    gold: np.ndarray


@dataclass(frozen=True, eq=False)
class OtherParses:
    """Parses of a text, by the words of its sentences.

    Attributes
    ----------
    trees : tuple of dict
        For each parse the OtherTree of a sentence by its words without punctuation.
    trusts, relation_trusts : ndarray of shape (P,), dtype float64
        The bonus of an arc of each parse, and that of the relation which it gives an arc, in nats.
    """

    trees: tuple[dict[tuple[str, ...], OtherTree], ...]
    trusts: np.ndarray
    relation_trusts: np.ndarray

    @classmethod
    def of(cls, parses: Sequence[Treebank]) -> Self:
        """Those of Treebanks, heads of -1 where a parse has none; trusted with nothing. O(rows)."""
        found = []
        for parse in parses:
            words = (sentence for sentence in parse.without_punctuation() if (sentence.heads >= 0).any())
            found.append({each.forms: OtherTree(each.heads, [*map(base, each.deprels)]) for each in words})
        return cls(tuple(found), np.zeros(len(found)), np.zeros(len(found)))

    @property
    def both_trusts(self) -> np.ndarray:
        """float64 (P, 2): the trust in the heads of each parse, and in its relations."""
        return np.stack([self.trusts, self.relation_trusts], axis=1)

    def added_to_arcs(self, words: Treebank, arcs: PackedScores, threads: int | None = None) -> PackedScores:
        """Log-probabilities of heads with the bonuses of a text's arcs added, without punctuation. O(sum of n^2)."""
        values = arcs.values + self.trusts @ self.arcs(words)
        return log_probabilities(arcs.like(values), threads)

    def arcs(self, words: Treebank) -> np.ndarray:
        """float64 (P, A): 1 at the arcs of each parse in the sentences of a text that it has."""
        offsets = arc_offsets_of(words.lengths)
        return np.stack([gold_arcs(words.with_heads(heads), offsets) for heads in self._in_text(words)[0]])

    def added_to_relations(self, words: Treebank, ends: Ends, names: Sequence[str], scores: np.ndarray) -> np.ndarray:
        """Scores (M, R) of the relations of arcs, by ``names``, with the bonuses of those that parses give them."""
        scores = scores.copy()
        for trust, votes in zip(self.relation_trusts, self.relations(words, ends, names), strict=True):
            voted = np.flatnonzero(votes >= 0)
            scores[voted, votes[voted]] += trust
        return scores

    def relations(self, words: Treebank, ends: Ends, names: Sequence[str]) -> np.ndarray:
        """int64 (P, M): the place in ``names`` of the relation that each parse gives an arc, -1 if it gives it none."""
        sentences = np.unique(words.sentence_rows[ends.modifiers])
        heads, relations = self._in_text(words, sentences.tolist(), names)
        above = words.root_rows[ends.modifiers] + heads[:, ends.modifiers]
        is_arc = (heads[:, ends.modifiers] > 0) & (above == ends.heads)
        return np.where(is_arc, relations[:, ends.modifiers], -1)

    def _in_text(self, words, sentences: Iterable[int] | None = None, names=()):
        """(heads, places of relations in names), int32 and int64 (P, rows); -1 where a parse has none.

        Only those of some ``sentences`` are sought, if they are given.
        """
        shape, numbers = (len(self.trees), len(words.heads)), {name: place for place, name in enumerate(names)}
        heads, relations = np.full(shape, -1, np.int32), np.full(shape, -1)
        for index in range(len(words)) if sentences is None else sentences:
            forms, rows = words[index].forms, slice(*words.offsets[index : index + 2])
            for place, trees in enumerate(self.trees):
                if (tree := trees.get(forms)) is not None:
                    heads[place, rows] = tree.heads
                    relations[place, rows] = [numbers.get(name, -1) for name in tree.relations]
        return heads, relations


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

    def loss(trusts):
        value, gradient = 0.0, np.zeros(len(trusts))
        for words, arcs, on in data:
            surplus = log_probabilities(arcs.like(arcs.values + trusts @ on)).values
            heads = np.where(words.is_word, words.heads, -1).astype(np.int64)
            value += surprise(surplus, arcs.offsets, arcs.sides, words.offsets, heads)
            gradient += on @ surplus
        return value, gradient

    return replace(others, trusts=_least(loss, len(others.trees)))


def learn_relation_trusts(
    others: OtherParses, judged: Sequence[tuple[Treebank, JudgedRelations]], names: Sequence[str]
) -> OtherParses:
    """As ``learn_trusts``, the trusts in relations; ``names`` are those of all relations. O(P M) an evaluation."""
    votes = [others.relations(words, each.ends, names) for words, each in judged]
    data = [
        (scores, gold, (voted[:, :, None] == np.arange(len(names))).astype(np.float64))
        for (_, (scores, _, gold)), voted in zip(judged, votes, strict=True)
    ]

    def loss(trusts):
        value, gradient = 0.0, np.zeros(len(trusts))
        for scores, gold, on in data:
            places = np.arange(len(gold))
            shares = scipy.special.log_softmax(scores + np.tensordot(trusts, on, 1), axis=1)
            value -= shares[places, gold].sum()
            surplus = np.exp(shares)
            surplus[places, gold] -= 1
            gradient += np.tensordot(on, surplus, 2)
        return value, gradient

    return replace(others, relation_trusts=_least(loss, len(others.trees)))


def _least(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], count: int) -> np.ndarray:
    """float64 (count,), 0 or more: where a convex loss with its gradient, and the penalty, are least."""
    free = np.ones(count, bool)

    def penalised(trusts):
        value, gradient = loss(np.where(free, trusts, 0.0))
        return value + 0.5 * PENALTY * float(trusts @ trusts), np.where(free, gradient, 0.0) + PENALTY * trusts, {}

    while True:
        trusts = np.where(free, minimize(penalised, np.zeros(count), max_evaluations=EVALUATIONS).weights, 0.0)
        if (trusts >= 0).all():
            return trusts
        free &= trusts >= 0
