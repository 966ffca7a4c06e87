"""Word pairs drawn from a text, and what correspondence learning asks of them: in memory, or as sums over shards."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from core.adaptation.word_counts import WordCounts
from core.callbacks import Cancel
from core.features.edges import SLOT_NAMES, EdgeFeatures, Edges, WordVocabulary, sample_edges
from core.shards.cache import cached
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import ShardPart, Shards
from core.treebank import Treebank

LARGEST = 700.0  # whose exponential is finite


@dataclass(frozen=True, eq=False)
class Questions:
    """What is asked of word pairs: F features, and P pivots, each with the column that decides."""

    features: EdgeFeatures
    pivots: tuple
    columns: tuple

    @cached_property
    def hidden(self) -> list[np.ndarray | None]:
        """Of each pivot bool (F,), the features that its predictor must not see, as they would give it away."""
        return [None if pivot.masked is None else self.features.masked(pivot.masked) for pivot in self.pivots]

    @cached_property
    def digest(self) -> str:
        """The same for the same questions."""
        return hashlib.blake2b(repr((self.features, self.pivots, self.columns)).encode(), digest_size=16).hexdigest()


class Answers(Protocol):
    """What predictors need to know of E word pairs; ``shape`` is (F, P)."""

    @property
    def shape(self) -> tuple[int, int]: ...

    def __len__(self) -> int: ...

    def loss(self, weights: np.ndarray) -> np.ndarray:
        """float64 (F + 2, P): of logistic predictors ``weights`` (F + 1, P), the last row intercepts, the derivative of
        the loss over all pairs, in nats, and in the last row the loss."""
        ...

    def right(self, weights: np.ndarray) -> np.ndarray:
        """int64 (P,): how many pairs each of these predictors gets right."""
        ...

    def moments(self, directions: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
        """float64 (K,): the sum of the features times ``directions`` (F, K); with ``mean`` (K,), that of the squared
        distances from it."""
        ...


@dataclass(frozen=True, eq=False)
class KnownAnswers:
    """Answers in memory: ``design`` csr_matrix (E, F), ``targets`` bool (E, P), ``hidden`` as ``Questions`` have it."""

    design: Any
    targets: np.ndarray
    hidden: Sequence[np.ndarray | None]

    def __len__(self):
        return len(self.targets)

    @property
    def shape(self) -> tuple[int, int]:
        return self.design.shape[1], self.targets.shape[1]

    def loss(self, weights: np.ndarray) -> np.ndarray:
        """As ``Answers.loss``. O((nonzeros + E) · P)."""
        signs = np.where(self.targets, 1.0, -1.0)
        margins = signs * (self.design @ weights[:-1] + weights[-1])
        slopes = -signs / (1 + np.exp(np.minimum(margins, LARGEST)))
        gradient = self.design.T @ slopes
        for pivot, mask in enumerate(self.hidden):
            if mask is not None:
                gradient[mask, pivot] = 0.0
        return np.vstack([gradient, slopes.sum(axis=0), np.logaddexp(0.0, -margins).sum(axis=0)])

    def right(self, weights: np.ndarray) -> np.ndarray:
        """As ``Answers.right``."""
        return ((self.design @ weights[:-1] + weights[-1] > 0) == self.targets).sum(axis=0)

    def moments(self, directions: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
        """As ``Answers.moments``."""
        seen = self.design @ directions
        return seen.sum(axis=0) if mean is None else ((seen - mean) ** 2).sum(axis=0)


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """Word pairs of a text in memory."""

    text: Treebank
    edges: Edges

    def __len__(self):
        return len(self.edges)

    @property
    def name(self) -> str:
        return self.text.name

    @property
    def counts(self) -> WordCounts:
        """Those of the text."""
        return WordCounts.of(self.text)

    def words(self, vocabulary: WordVocabulary) -> np.ndarray:
        """int64 (6, V): how many pairs have each word at each position."""
        context, size = vocabulary.contexts(self.text), len(vocabulary.words)
        rows = [self.edges.heads if slot < 3 else self.edges.modifiers for slot in range(len(SLOT_NAMES))]
        return np.stack([np.bincount(context[row, slot % 3], minlength=size) for slot, row in enumerate(rows)])

    def held(self, questions: Questions) -> np.ndarray:
        """int64 (P,): of how many pairs each pivot holds."""
        return self._targets(questions).sum(axis=0)

    def answers(self, questions: Questions) -> KnownAnswers:
        """What predictors need to know of them. O(E)."""
        features = questions.features
        design = features.matrix(features.contexts(self.text), self.edges)
        return KnownAnswers(design, self._targets(questions), questions.hidden)

    def _targets(self, questions):
        context = questions.features.vocabularies[0].contexts(self.text)
        asked = zip(questions.pivots, questions.columns, strict=True)
        return np.stack([pivot.holds(self.text, column, self.edges, context) for pivot, column in asked], axis=1)


class ShardedPairs:
    """Word pairs of a text in shards: of each shard as many as its part of all pairs, drawn where it is.

    As ``DrawnPairs``; ``count`` pairs are drawn, all of them where there are not more.
    """

    def __init__(self, shards: Shards, count: int, seed: int, engine: Engine, cancel: Cancel | None = None):
        self.name, self._engine, self._cancel = shards.name, engine, cancel
        found = dict(engine.each(_counts, shards.pieces, cancel=cancel))
        each = [found[number] for number in range(len(shards))]
        self.counts = pairwise_sum(each)
        ends = np.cumsum([one.pairs for one in each])
        if ends[-1] > count:
            ends = np.floor(ends * (count / ends[-1]) + 0.5).astype(np.int64)
        shares = np.diff(ends, prepend=0).tolist()
        self._parts = [_Part(piece, share, seed) for piece, share in zip(shards.pieces, shares, strict=True) if share]
        self._size = int(ends[-1])

    def __len__(self):
        return self._size

    def words(self, vocabulary: WordVocabulary) -> np.ndarray:
        """As ``DrawnPairs.words``."""
        return self.sum(_words, vocabulary)

    def held(self, questions: Questions) -> np.ndarray:
        """As ``DrawnPairs.held``."""
        return self.sum(_held, questions)

    def answers(self, questions: Questions) -> "ShardedAnswers":
        """As ``DrawnPairs.answers``; they stay where the shards are."""
        return ShardedAnswers(self, questions)

    def sum(self, function: Callable[..., np.ndarray], *asked: Any) -> np.ndarray:
        """The sum of ``function(part, *asked)`` over the shards."""
        return self._engine.sum(function, self._parts, *asked, cancel=self._cancel)


@dataclass(frozen=True, eq=False)
class ShardedAnswers:
    """Answers of pairs in shards: sums over them."""

    pairs: ShardedPairs
    questions: Questions

    def __len__(self):
        return len(self.pairs)

    @property
    def shape(self) -> tuple[int, int]:
        return self.questions.features.count, len(self.questions.pivots)

    def loss(self, weights: np.ndarray) -> np.ndarray:
        """As ``Answers.loss``."""
        return self.pairs.sum(_loss, self.questions, weights)

    def right(self, weights: np.ndarray) -> np.ndarray:
        """As ``Answers.right``."""
        return self.pairs.sum(_right, self.questions, weights)

    def moments(self, directions: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
        """As ``Answers.moments``."""
        return self.pairs.sum(_moments, self.questions, directions, mean)


def draw(
    texts: Sequence[Treebank | Shards], count: int, seed: int, engine: Engine, cancel: Cancel | None = None
) -> list[DrawnPairs | ShardedPairs]:
    """Up to ``count`` pairs of words in all, as many of each text."""
    random, drawn = np.random.default_rng(seed), []
    for at, text in enumerate(texts):
        share = (count + at) // len(texts)
        if isinstance(text, Shards):
            drawn.append(ShardedPairs(text, share, seed, engine, cancel))
        else:
            drawn.append(DrawnPairs(text, sample_edges(text, share, random)))
    return drawn


@dataclass(frozen=True)
class _Part:
    """How many pairs to draw of a shard."""

    piece: ShardPart
    count: int
    seed: int

    def pairs(self) -> DrawnPairs:
        return cached(DrawnPairs, self, self._drawn, lambda made: 80 * len(made.text.heads) + 16 * len(made))

    def _drawn(self):
        text = self.piece.text()
        return DrawnPairs(text, sample_edges(text, self.count, np.random.default_rng([self.seed, self.piece.number])))

    def answers(self, questions: Questions) -> KnownAnswers:
        return cached(questions.digest, self, lambda: self.pairs().answers(questions), _bytes)


def _bytes(answers):
    design = answers.design
    return design.data.nbytes + design.indices.nbytes + design.indptr.nbytes + answers.targets.nbytes


def _counts(piece: ShardPart) -> WordCounts:
    return WordCounts.of(piece.text())


def _words(part: _Part, vocabulary: WordVocabulary) -> np.ndarray:
    return part.pairs().words(vocabulary)


def _held(part: _Part, questions: Questions) -> np.ndarray:
    return part.pairs().held(questions)


def _loss(part: _Part, questions: Questions, weights: np.ndarray) -> np.ndarray:
    return part.answers(questions).loss(weights)


def _right(part: _Part, questions: Questions, weights: np.ndarray) -> np.ndarray:
    return part.answers(questions).right(weights)


def _moments(part: _Part, questions: Questions, directions: np.ndarray, mean: np.ndarray | None) -> np.ndarray:
    return part.answers(questions).moments(directions, mean)
