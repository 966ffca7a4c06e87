"""From arc posteriors of words to trees of whole texts: most right heads expected, heads for marks, relations."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import BinaryIO, Protocol, Self

import numpy as np
from numba import njit

from core.constraints.second_order import SecondOrder
from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.parsers.crf.tree_crf import with_trees
from core.parsers.nested import nested, unnested
from core.treebank import Column, Treebank
from core.treebank.marks import put_back
from core.trees.eisner import eisner
from core.trees.packed import PackedScores


class Labeller(Protocol):
    """What finds relations for trees, and can be saved beside a parser."""

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relation of each row of a text under some heads, int (rows,)."""
        ...

    def save(self, path: BinaryIO) -> None:
        """Write it to a file that ``load_parser`` reads."""
        ...


Posterior = Callable[[np.ndarray], tuple[np.ndarray, PackedScores]]  # votes -> (log-likelihoods, marginals)


class PosteriorParser(ABC):
    """What parsers by arc posteriors have in common.

    Attributes
    ----------
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    labels : Labeller or None
        Such as ``RuleLabels``, or an MSTParser that learnt from trees. None writes "root" and "dep".
    second_order : SecondOrder or None
        The second-order parser under whose votes it was trained.
    """

    price: float = 1.0
    labels: Labeller | None = None
    second_order: SecondOrder | None = None

    def marginals(
        self, treebank: Treebank, *, votes: np.ndarray | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, PackedScores]:
        """(log-likelihoods float64 (S,), arc marginals) of text without punctuation, arcs worth ``votes`` nats more.

        Those of ``second_order``, where there is one, count beside them.
        """
        none = np.zeros(arc_offsets_of(treebank.lengths)[-1])
        return self.posterior(treebank, threads)(none if votes is None else votes)

    def posterior(self, treebank: Treebank, threads: int | None = None) -> Posterior:
        """What ``marginals`` gives as a function of votes: what does not depend on them is computed once."""
        found = self._posterior(treebank, threads)
        if self.second_order is None:
            return found
        own = self.second_order.votes(treebank, threads)
        return lambda votes: found(own + votes)

    @abstractmethod
    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        """The same of what has been learnt from lines alone."""

    def with_labels(self, labels: Labeller | None) -> Self:
        """The same parser, with other relations."""
        other = copy(self)
        other.labels = labels
        return other

    def with_second_order(self, second_order: SecondOrder | None) -> Self:
        """The same parser, with other votes."""
        other = copy(self)
        other.second_order = second_order
        return other

    def best_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        """int32 (rows,): for each sentence the projective tree with the most right heads expected; marks have heads."""
        words = treebank.without_punctuation()
        if not len(words):
            return put_back(treebank, words, np.empty(0, np.int32))
        _, shares = self.marginals(words, votes=-self.price * marks_between(treebank, words), threads=threads)
        return put_back(treebank, words, eisner(shares, threads=threads).values)

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the parser's; without ``labels`` relations are "root" and "dep"."""
        heads = self.best_heads(treebank, threads)
        if self.labels is None:
            return with_trees(treebank, heads)
        return treebank.with_heads(heads, self.labels.label(treebank, heads))

    def _own_arrays(self):
        """What ``save`` keeps of labels and votes."""
        labels = {} if self.labels is None else {"labels": nested(self.labels)}
        return labels if self.second_order is None else labels | self.second_order.arrays()

    def _with_own(self, arrays):
        """The parser with labels and votes of a file's arrays."""
        labels = unnested(arrays["labels"]) if "labels" in arrays else None
        if labels is not None and not hasattr(labels, "label"):
            raise FormatError("what gives its trees their relations is none that does; save it again")
        return self.with_labels(labels).with_second_order(SecondOrder.of(arrays))


def marks_between(treebank: Treebank, words: Treebank) -> np.ndarray:
    """float64 (A,): how many punctuation marks of a text stand between the ends of each arc of its other words.

    ``words`` is the text without punctuation. Arcs from the root pass none. O(A).
    """
    is_mark = treebank.punctuation()
    kept = ~is_mark
    kept[treebank.offsets[:-1]] = False
    before = np.zeros(len(words.heads), np.int64)  # marks up to each word, over the whole text
    before[np.delete(np.arange(len(before)), words.offsets[:-1])] = np.cumsum(is_mark)[kept]
    arcs = arc_offsets_of(words.lengths)
    passed = np.zeros(arcs[-1])
    _count_passed(before, words.offsets, arcs, passed)
    return passed


@njit(cache=True, nogil=True)
def _count_passed(before, offsets, arcs, passed):
    """Write how many marks each arc between words passes, from the marks up to each word."""
    for i in range(len(offsets) - 1):
        begin, side = offsets[i], offsets[i + 1] - offsets[i]
        for h in range(1, side):
            row = arcs[i] + h * side
            for m in range(1, side):
                passed[row + m] = abs(before[begin + m] - before[begin + h])
