"""Word pairs drawn from the parts of a text, and what correspondence learning asks of them: sums over the parts."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.adaptation.word_counts import WordCounts
from core.callbacks import Cancel
from core.features.edges import SLOT_NAMES, EdgeFeatures, Edges, WordVocabulary, sample_edges
from core.shards.cache import cached
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.treebank import Treebank

if TYPE_CHECKING:
    import scipy

LARGEST = 700.0  # the largest number whose exponential is finite


@dataclass(frozen=True, eq=False)
class Questions:
    """The questions asked of word pairs: F features, and P pivots, each with the column that decides."""

    features: EdgeFeatures
    pivots: tuple
    columns: tuple

    @cached_property
    def hidden(self) -> list[np.ndarray | None]:
        """For each pivot bool (F,), the features that its predictor must not see, as they would give it away."""
        return [None if pivot.masked is None else self.features.masked(pivot.masked) for pivot in self.pivots]

    @cached_property
    def digest(self) -> str:
        """A hash of the questions."""
        return hashlib.blake2b(repr((self.features, self.pivots, self.columns)).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class KnownAnswers:
    """Features and pivots of E word pairs of a part, for training predictors.

    Attributes
    ----------
    design : csr_matrix (E, F)
    targets : ndarray of shape (E, P), dtype bool
    hidden : sequence of bool (F,) or None
        As ``Questions`` have it.
    """

    design: "scipy.sparse.csr_matrix"
    targets: np.ndarray
    hidden: Sequence[np.ndarray | None]

    def __len__(self):
        return len(self.targets)

    @property
    def shape(self) -> tuple[int, int]:
        """(F, P)."""
        return self.design.shape[1], self.targets.shape[1]

    def loss(self, weights: np.ndarray) -> np.ndarray:
        """float64 (F + 2, P): the derivative of the loss over all pairs, in nats, and in the last row the loss.

        ``weights`` (F + 1, P) are those of logistic predictors, the last row intercepts. O((nonzeros + E) · P).
        """
        signs = np.where(self.targets, 1.0, -1.0)
        margins = signs * (self.design @ weights[:-1] + weights[-1])
        slopes = -signs / (1 + np.exp(np.minimum(margins, LARGEST)))
        gradient = self.design.T @ slopes
        for pivot, mask in enumerate(self.hidden):
            if mask is not None:
                gradient[mask, pivot] = 0.0
        return np.vstack([gradient, slopes.sum(axis=0), np.logaddexp(0.0, -margins).sum(axis=0)])

    def right(self, weights: np.ndarray) -> np.ndarray:
        """int64 (P,): how many pairs each of these predictors gets right."""
        return ((self.design @ weights[:-1] + weights[-1] > 0) == self.targets).sum(axis=0)

    def moments(self, directions: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
        """float64 (K,): the sum of the features times ``directions`` (F, K).

        With ``mean`` (K,), the sum of the squared distances from it.
        """
        seen = self.design @ directions
        return seen.sum(axis=0) if mean is None else ((seen - mean) ** 2).sum(axis=0)


@dataclass(frozen=True)
class PartPairs:
    """Word pairs of a part of a text: ``count`` of them, drawn where the part is, by a generator or from its seed."""

    part: Part
    count: int
    random: np.random.Generator | tuple[int, ...]

    def drawn(self) -> tuple[Treebank, Edges]:
        """(sentences of the part, the pairs)."""

        def draw():
            text = self.part.text()
            return text, sample_edges(text, self.count, np.random.default_rng(self.random))

        return cached(PartPairs, self, draw, lambda made: 80 * len(made[0].heads) + 16 * len(made[1]))

    def words(self, vocabulary: WordVocabulary) -> np.ndarray:
        """int64 (6, V): how many pairs have each word at each position."""
        text, edges = self.drawn()
        context, size = vocabulary.contexts(text), len(vocabulary.words)
        rows = [edges.heads if slot < 3 else edges.modifiers for slot in range(len(SLOT_NAMES))]
        return np.stack([np.bincount(context[row, slot % 3], minlength=size) for slot, row in enumerate(rows)])

    def held(self, questions: Questions) -> np.ndarray:
        """int64 (P,): of how many pairs each pivot holds."""
        return self._targets(questions).sum(axis=0)

    def answers(self, questions: Questions) -> KnownAnswers:
        """What predictors need to know of them. O(E)."""

        def answer():
            (text, edges), features = self.drawn(), questions.features
            design = features.matrix(features.contexts(text), edges)
            return KnownAnswers(design, self._targets(questions), questions.hidden)

        def size(answers):
            design = answers.design
            return design.data.nbytes + design.indices.nbytes + design.indptr.nbytes + answers.targets.nbytes

        return cached(questions.digest, self, answer, size)

    def loss(self, questions: Questions, weights: np.ndarray) -> np.ndarray:
        return self.answers(questions).loss(weights)

    def right(self, questions: Questions, weights: np.ndarray) -> np.ndarray:
        return self.answers(questions).right(weights)

    def moments(self, questions: Questions, directions: np.ndarray, mean: np.ndarray | None) -> np.ndarray:
        return self.answers(questions).moments(directions, mean)

    def _targets(self, questions):
        text, edges = self.drawn()
        context = questions.features.vocabularies[0].contexts(text)
        asked = zip(questions.pivots, questions.columns, strict=True)
        return np.stack([pivot.holds(text, column, edges, context) for pivot, column in asked], axis=1)


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """Word pairs of a text.

    Attributes
    ----------
    name : str
        Of the text.
    counts : WordCounts
        Of the text.
    parts : sequence of PartPairs
        Of the parts that have pairs.
    engine : Engine
        Works on them.
    cancel : callable or None
    """

    name: str
    counts: WordCounts
    parts: Sequence[PartPairs]
    engine: Engine
    cancel: Cancel | None = None

    def __len__(self):
        return sum(part.count for part in self.parts)

    def words(self, vocabulary: WordVocabulary) -> np.ndarray:
        """As ``PartPairs.words``, of all parts."""
        return self.sum(PartPairs.words, vocabulary)

    def held(self, questions: Questions) -> np.ndarray:
        """As ``PartPairs.held``, of all parts."""
        return self.sum(PartPairs.held, questions)

    def answers(self, questions: Questions) -> "Answers":
        """What predictors need to know of them; it stays where the parts are."""
        return Answers(self, questions)

    def sum(self, function: Callable[..., np.ndarray], *asked: object) -> np.ndarray:
        """The sum of ``function(part, *asked)`` over the parts."""
        return self.engine.sum(function, self.parts, *asked, cancel=self.cancel)


@dataclass(frozen=True, eq=False)
class Answers:
    """Features and pivots of the word pairs of a text: sums of the ``KnownAnswers`` of its parts."""

    pairs: DrawnPairs
    questions: Questions

    def __len__(self):
        return len(self.pairs)

    @property
    def shape(self) -> tuple[int, int]:
        """(F, P)."""
        return self.questions.features.count, len(self.questions.pivots)

    def known(self) -> list[KnownAnswers]:
        """The answers of each part, brought here."""
        pairs = self.pairs
        answers = dict(pairs.engine.each(PartPairs.answers, pairs.parts, self.questions, cancel=pairs.cancel))
        return [answers[number] for number in range(len(answers))]

    def loss(self, weights: np.ndarray) -> np.ndarray:
        """As ``KnownAnswers.loss``."""
        return self.pairs.sum(PartPairs.loss, self.questions, weights)

    def right(self, weights: np.ndarray) -> np.ndarray:
        """As ``KnownAnswers.right``."""
        return self.pairs.sum(PartPairs.right, self.questions, weights)

    def moments(self, directions: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
        """As ``KnownAnswers.moments``."""
        return self.pairs.sum(PartPairs.moments, self.questions, directions, mean)


def draw(
    texts: Sequence[Treebank | Shards], count: int, seed: int, engine: Engine | None = None,
    cancel: Cancel | None = None,
) -> list[DrawnPairs]:  # fmt: skip
    """Up to ``count`` pairs of words in all, as many of each text, and of each part of it by how many it has.

    Texts in memory are drawn from one generator, one after the other; each shard has a generator of its own.
    """
    random, drawn = np.random.default_rng(seed), []
    for at, text in enumerate(texts):
        share, parts = (count + at) // len(texts), Parts.of(text, engine)
        counts = parts.each(_counts, cancel=cancel)
        ends = np.cumsum([part.pairs for part in counts])
        if ends[-1] > share:
            ends = np.floor(ends * (share / ends[-1]) + 0.5).astype(np.int64)
        sizes = zip(parts, np.diff(ends, prepend=0).tolist(), strict=True)
        sharded = isinstance(text, Shards)
        pairs = [PartPairs(part, size, (seed, part.number) if sharded else random) for part, size in sizes if size]
        drawn.append(DrawnPairs(text.name, pairwise_sum(counts), pairs, parts.engine, cancel))
        if not sharded:
            list(parts.engine.each(PartPairs.drawn, pairs))  # now: the next text goes on with the generator
    return drawn


def _counts(part: Part) -> WordCounts:
    return WordCounts.of(part.text())
