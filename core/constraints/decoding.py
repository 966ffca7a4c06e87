"""From arc posteriors of words to trees of whole texts: most right heads expected, heads for marks, relations."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from core.constraints.marks import marks_between
from core.constraints.second_order import SecondOrder
from core.constraints.stacked import Stacked
from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.parsers.confidence import Confidence
from core.parsers.crf.tree_crf import with_trees
from core.parsers.given import contradicting_arcs, without_crossing
from core.parsers.nested import nested, unnested
from core.parsers.protocols import SavedLabeller
from core.treebank import Column, Treebank
from core.treebank.marks import heads_between_words, restore_punctuation
from core.trees.eisner import eisner
from core.trees.packed import PackedScores

Posterior = Callable[[np.ndarray], tuple[np.ndarray, PackedScores]]  # votes -> (log-likelihoods, marginals)


class PosteriorParser(ABC):
    """What parsers by arc posteriors have in common.

    Attributes
    ----------
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    labels : SavedLabeller or None
        Such as ``RuleLabels``, or an MSTParser that learnt from trees. None writes "root" and "dep".
    second_order : SecondOrder, Stacked or None
        The second-order parser under whose votes it was trained, or that has learnt trees beside it.
    """

    price: float = 1.0
    labels: SavedLabeller | None = None
    second_order: SecondOrder | Stacked | None = None

    def marginals(
        self, treebank: Treebank, *, votes: np.ndarray | None = None, threads: int | None = None,
        whole: Treebank | None = None,
    ) -> tuple[np.ndarray, PackedScores]:  # fmt: skip
        """(log-likelihoods float64 (S,), arc marginals) of text without punctuation, arcs worth ``votes`` nats more.

        Those of ``second_order``, where there is one, count beside them; it may look at the ``whole`` text, with its
        punctuation.
        """
        none = np.zeros(arc_offsets_of(treebank.lengths)[-1])
        return self.posterior(treebank, threads, whole)(none if votes is None else votes)

    def posterior(self, treebank: Treebank, threads: int | None = None, whole: Treebank | None = None) -> Posterior:
        """What ``marginals`` gives as a function of votes: what does not depend on them is computed once."""
        found = self._posterior(treebank, threads)
        if self.second_order is None:
            return found
        own = self.second_order.votes(treebank, threads, whole)
        return lambda votes: found(own + votes)

    @abstractmethod
    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        """The same of what has been learnt from lines alone."""

    @abstractmethod
    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the parser to an ``.npz`` file. No pickle."""

    def with_labels(self, labels: SavedLabeller | None) -> Self:
        """The same parser, with other relations."""
        other = copy(self)
        other.labels = labels
        return other

    def with_second_order(self, second_order: SecondOrder | Stacked | None) -> Self:
        """The same parser, with other votes."""
        other = copy(self)
        other.second_order = second_order
        return other

    def best_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        """int32 (rows,): for each sentence the projective tree with the most right heads expected; marks have heads."""
        words = treebank.without_punctuation()
        if not len(words):
            return restore_punctuation(treebank, words, np.empty(0, np.int32))
        votes = -self.price * marks_between(treebank, words)
        _, shares = self.marginals(words, votes=votes, threads=threads, whole=treebank)
        return restore_punctuation(treebank, words, eisner(shares, threads=threads).values)

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the parser's; without ``labels`` relations are "root" and "dep"."""
        heads = self.best_heads(treebank, threads)
        if self.labels is None:
            return with_trees(treebank, heads)
        return treebank.with_heads(heads, self.labels.label(treebank, heads))

    def completed_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        words = treebank.without_punctuation()
        if not len(words):
            return self.best_heads(treebank, threads)
        layout = words.lengths + 1, arc_offsets_of(words.lengths)
        rivals = contradicting_arcs(without_crossing(heads_between_words(treebank, words), *layout), *layout)
        votes = np.where(rivals, -np.inf, -self.price * marks_between(treebank, words))
        shares = self.marginals(words, votes=votes, threads=threads, whole=treebank)[1]
        trees = eisner(shares.like(np.where(rivals, -np.inf, shares.values)), threads=threads)
        return restore_punctuation(treebank, words, trees.values)

    def confidence(self, parsed: Treebank) -> Confidence:
        """How probable the heads of a text are; NaN for marks, and where there is no head."""
        words = parsed.without_punctuation()
        rows, arcs = np.flatnonzero(~parsed.punctuation() & parsed.is_word), np.full(len(parsed.heads), np.nan)
        if len(words):
            votes = -self.price * marks_between(parsed, words)
            shares, heads = self.marginals(words, votes=votes, whole=parsed)[1], heads_between_words(parsed, words)
            kept = np.flatnonzero(words.is_word)
            starts, sides = (np.repeat(each, words.lengths) for each in (shares.offsets[:-1], words.lengths + 1))
            chosen = shares.values[starts + np.maximum(heads[kept], 0) * sides + words.numbers[kept]]
            arcs[rows] = np.where(heads[kept] < 0, np.nan, chosen)
        return Confidence(arcs)

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relations of other trees of a text."""
        return with_trees(treebank, heads).deprel if self.labels is None else self.labels.label(treebank, heads)

    def _own_arrays(self):
        """What ``save`` keeps of labels and votes."""
        labels = {} if self.labels is None else {"labels": nested(self.labels)}
        return labels if self.second_order is None else labels | self.second_order.arrays()

    def _with_own(self, arrays):
        """The parser with labels and votes of a file's arrays."""
        labels = unnested(arrays["labels"]) if "labels" in arrays else None
        if labels is not None and not isinstance(labels, SavedLabeller):
            raise FormatError("what gives its trees their relations is none that does; save it again")
        return self.with_labels(labels).with_second_order(Stacked.of(arrays) or SecondOrder.of(arrays))
