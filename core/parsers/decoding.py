"""From arc posteriors of words to trees of whole texts, with punctuation and relations."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.offsets import any_of_each, offsets_of
from core.parsers.confidence import Confidence
from core.parsers.constrained_completion import contradicting_arcs, without_crossing
from core.parsers.crf.tree_crf import with_trees
from core.parsers.embedded import load_embedded
from core.parsers.held_arcs import best_around, several_around
from core.parsers.prior import Prior
from core.parsers.protocols import Labeller, SavedLabeller
from core.parsers.punctuation_arcs import marks_between
from core.parsers.second_order import SecondOrder
from core.parsers.stacked import Stacked
from core.parsers.weights import file_array
from core.treebank import Column, Treebank
from core.treebank.unpunctuated import heads_between_words, restore_punctuation
from core.trees.eisner import eisner
from core.trees.eisner_kbest import PackedTrees
from core.trees.packed import PackedScores

Posterior = Callable[[np.ndarray], tuple[np.ndarray, PackedScores]]  # arc bonuses -> (log-likelihoods, marginals)


class PosteriorParser(ABC):
    """Base of parsers whose trees have the most right heads expected, by arc posteriors.

    Attributes
    ----------
    price : float
        The penalty of an arc for each punctuation mark between its ends, in nats.
    labels : SavedLabeller or None
        Such as ``RuleLabels``, or an MSTParser that learnt from trees. None writes "root" and "dep".
    second_order : SecondOrder, Stacked or None
        With whose arc bonuses it was trained, or which has learnt trees beside it.
    prior : Prior or None
        With whose arc bonuses it was trained.
    """

    price: float = 1.0
    labels: SavedLabeller | None = None
    second_order: SecondOrder | Stacked | None = None
    prior: Prior | None = None

    def marginals(
        self, treebank: Treebank, *, votes: np.ndarray | None = None, threads: int | None = None,
        whole: Treebank | None = None,
    ) -> tuple[np.ndarray, PackedScores]:  # fmt: skip
        """(log-likelihoods float64 (S,), arc marginals) of text without punctuation.

        ``votes``, float64 (A,), are bonuses of arcs in nats, beside those of ``second_order`` and ``prior``. These may
        read the ``whole`` text, with its punctuation.
        """
        none = np.zeros(arc_offsets_of(treebank.lengths)[-1])
        return self.posterior(treebank, threads, whole)(none if votes is None else votes)

    def posterior(self, treebank: Treebank, threads: int | None = None, whole: Treebank | None = None) -> Posterior:
        """``marginals`` as a function of arc bonuses; all that does not depend on them is computed once, here."""
        posterior, added = self._posterior(treebank, threads), self.votes(treebank, threads, whole)
        return posterior if added is None else lambda bonuses: posterior(added + bonuses)

    def arc_weights(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        """Log-weights of the arcs between words that are no marks, in nats: the logarithms of their posteriors.

        -inf for an arc that no tree has. Arcs pay for the marks that they pass. O(sum of n^3).
        """
        words = treebank.without_punctuation()
        if not len(words):
            return PackedScores.empty(words.lengths)
        penalties = -self.price * marks_between(treebank, words)
        shares = self.marginals(words, votes=penalties, threads=threads, whole=treebank)[1]
        with np.errstate(divide="ignore"):
            return shares.like(np.log(shares.values))

    def votes(self, treebank: Treebank, threads: int | None = None, whole: Treebank | None = None) -> np.ndarray | None:
        """float64 (A,): arc bonuses of ``second_order`` and ``prior`` for text without punctuation; None without."""
        bonuses = [source.votes(treebank, threads, whole) for source in (self.second_order, self.prior) if source]
        return sum(bonuses[1:], bonuses[0]) if bonuses else None

    @abstractmethod
    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        """``posterior`` without second-order parser and prior."""

    @abstractmethod
    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the parser to an ``.npz`` file. No pickle."""

    def _with(self, **values):
        """A copy with other values of some attributes."""
        other = copy(self)
        vars(other).update(values)
        return other

    def with_labels(self, labels: SavedLabeller | None) -> Self:
        """The same parser with another labeller."""
        return self._with(labels=labels)

    def with_second_order(self, second_order: SecondOrder | Stacked | None) -> Self:
        """The same parser with another second-order parser."""
        return self._with(second_order=second_order)

    def with_prior(self, prior: Prior | None) -> Self:
        """The same parser with another prior."""
        return self._with(prior=prior)

    def without_votes(self) -> Self:
        """The same parser without second-order parser and prior."""
        return self.with_second_order(None).with_prior(None)

    def tree_scores(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        """Scores of the arcs between words that are no marks, whose best trees ``parse`` draws: here posteriors."""
        words = treebank.without_punctuation()
        penalties = -self.price * marks_between(treebank, words)
        return self.marginals(words, votes=penalties, threads=threads, whole=treebank)[1]

    def best_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        """int32 (rows,): the heads that ``parse`` gives, without asking for relations.

        For each sentence the projective tree with the most right heads expected; marks have heads.
        """
        words = treebank.without_punctuation()
        if not len(words):
            return restore_punctuation(treebank, words, np.empty(0, np.int32))
        heads = eisner(self.tree_scores(treebank, threads), threads=threads).values
        return restore_punctuation(treebank, words, heads)

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the parser's.

        Relations are those of ``labels``, else of the prior; without both they are "root" and "dep".
        """
        heads = self.best_heads(treebank, threads)
        return treebank.with_heads(heads, self.label(treebank, heads))

    def completed_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        words = treebank.without_punctuation()
        if not len(words):
            return self.best_heads(treebank, threads)
        known = heads_between_words(treebank, words)
        trees = best_around(self._arcs_around(treebank, words, known, threads), known, threads)
        return restore_punctuation(treebank, words, trees)

    def completed_kbest(self, treebank: Treebank, k: int, threads: int | None = None) -> PackedTrees:
        words = treebank.without_punctuation()
        if not len(words):
            return restored_trees(treebank, words, several_around(PackedScores.empty(words.lengths), words.heads, k), k)
        known = heads_between_words(treebank, words)
        trees = several_around(self._arcs_around(treebank, words, known, threads), known, k, threads)
        return restored_trees(treebank, words, trees, k)

    def _arcs_around(self, treebank, words, known, threads):
        """Scores of the arcs of a text without punctuation, whose best trees are drawn around known arcs."""
        layout = words.lengths + 1, arc_offsets_of(words.lengths)
        rivals = contradicting_arcs(without_crossing(known, *layout), *layout)
        penalties = np.where(rivals, -np.inf, -self.price * marks_between(treebank, words))
        return self.marginals(words, votes=penalties, threads=threads, whole=treebank)[1]

    def confidence(self, parsed: Treebank) -> Confidence:
        """How probable the heads of a text are; NaN for marks, and where there is no head."""
        words = parsed.without_punctuation()
        rows, arcs = np.flatnonzero(~parsed.punctuation() & parsed.is_word), np.full(len(parsed.heads), np.nan)
        if len(words):
            penalties = -self.price * marks_between(parsed, words)
            shares, heads = self.marginals(words, votes=penalties, whole=parsed)[1], heads_between_words(parsed, words)
            word_rows = np.flatnonzero(words.is_word)
            starts, sides = np.repeat([shares.offsets[:-1], words.lengths + 1], words.lengths, axis=1)
            chosen = shares.values[starts + np.maximum(heads[word_rows], 0) * sides + words.numbers[word_rows]]
            arcs[rows] = np.where(heads[word_rows] < 0, np.nan, chosen)
        return Confidence(arcs)

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relations of other trees of a text."""
        labeller = self.labeller
        return with_trees(treebank, heads).deprel if labeller is None else labeller.label(treebank, heads)

    @property
    def labelled(self) -> bool:
        """Whether it predicts relations."""
        return self.labeller is not None

    @property
    def labeller(self) -> Labeller | None:
        """The labeller of trees: ``labels``, else the prior's parser; None for "root" and "dep"."""
        return self.labels or (None if self.prior is None else self.prior.parser)

    def _own_arrays(self):
        """Arrays of a model file for the labeller, the second-order parser and the prior."""
        arrays = {} if self.labels is None else {"labels": file_array(self.labels)}
        for source in (self.second_order, self.prior):
            arrays |= source.arrays() if source else {}
        return arrays

    def _with_own(self, arrays):
        """The parser with what ``_own_arrays`` wrote."""
        labels = load_embedded(arrays, "labels")
        if labels is not None and not isinstance(labels, SavedLabeller):
            raise FormatError("what gives its trees their relations is none that does; save it again")
        parser = self.with_second_order(Stacked.of(arrays) or SecondOrder.of(arrays))
        return parser.with_prior(Prior.of(arrays)).with_labels(labels)


def restored_trees(treebank: Treebank, words: Treebank, trees: PackedTrees, k: int) -> PackedTrees:
    """At most ``k`` trees of each sentence, with heads for marks, from those of the ``words`` that are none.

    A sentence of marks alone has one tree.
    """
    with_words = any_of_each(~treebank.punctuation() & treebank.is_word, treebank.offsets)
    counts, values = np.ones(len(treebank), np.int64), np.full((len(treebank), k), -np.inf)
    values[:, 0], ranks = 0.0, np.empty((k, len(treebank.heads)), np.int32)
    counts[with_words], values[with_words] = trees.counts, trees.values
    places = list(zip(trees.offsets[:-1].tolist(), trees.counts.tolist(), (words.lengths + 1).tolist(), strict=True))
    for rank in range(k):
        heads = [trees.heads[begin + max(min(rank, count - 1), 0) * side :][:side] for begin, count, side in places]
        ranks[rank] = restore_punctuation(treebank, words, np.concatenate([np.empty(0, np.int32), *heads]))
    heads = [ranks[:, begin:end].ravel() for begin, end in pairwise(treebank.offsets.tolist())]
    offsets = offsets_of((treebank.lengths + 1) * k)
    return PackedTrees(np.concatenate([np.empty(0, np.int32), *heads]), offsets, values, counts)
