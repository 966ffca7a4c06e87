"""Training of a tree CRF from constraints over shards: expectations and gradients are added up where the shards are.

What travels are weights, features and sums; sentences stay. A shard's sentences are worked on some at a time, so that
the features of no more arcs than these are in memory.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.ge_search import GEResult, search, untrained
from core.constraints.ge_settings import GESettings
from core.constraints.language import Constraint
from core.constraints.matching import Matcher
from core.constraints.objective import Targets, TreeTerm
from core.errors import ConstraintError, WorkbenchError
from core.features import ArcFeatures, FeatureIndex, count_features, extract_features
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.optimize import Checkpoint, Progress
from core.shards.engine import Engine, Here, pairwise_sum
from core.shards.folder import Piece, Shards
from core.shards.kept import kept
from core.threads import split
from core.treebank import Treebank
from core.treebank.punctuation import PunctuationRule, TagsInUse

CELLS = 1_000_000  # arcs of the sentences that are worked on at a time: features take some 60 bytes an arc


@dataclass(frozen=True)
class Reading:
    """What of a shard is text: sentences of at most ``longest`` words, without what ``rule`` says is punctuation."""

    column: str
    longest: int | None = None
    rule: PunctuationRule | None = None

    def text(self, piece: Piece) -> Treebank:
        """The sentences of a shard."""
        return kept(self, piece, lambda: piece.text(self.longest, self.rule), lambda made: 80 * len(made.heads))

    def parts(self, piece: Piece) -> Iterator[Treebank]:
        """The same, a few sentences at a time."""
        text = self.text(piece)
        sizes = (text.lengths + 1) ** 2
        for begin, end in split(sizes, max(1, int(sizes.sum() // CELLS))):
            yield text.select(np.arange(begin, end))


@dataclass(frozen=True)
class Vocabulary:
    """Sentences, and how many words have each tag and each form."""

    sentences: int
    words: int
    tags: Counter[str]
    forms: Counter[str]

    def __add__(self, other: "Vocabulary") -> "Vocabulary":
        return Vocabulary(
            self.sentences + other.sentences, self.words + other.words, self.tags + other.tags,
            self.forms + other.forms,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Keys:
    """Features in order of first occurrence, uint64 (F,), and on how many possible arcs they occur, (F,)."""

    values: np.ndarray
    counts: np.ndarray

    def __add__(self, other: "Keys") -> "Keys":
        every = np.concatenate([self.values, other.values])
        _, first, place = np.unique(every, return_index=True, return_inverse=True)
        counts = np.bincount(place, np.concatenate([self.counts, other.counts]))
        order = np.argsort(first)
        return Keys(every[first[order]], counts[order])


@dataclass(frozen=True, eq=False)
class Model:
    """What shards need to know of a parser beside its weights; ``digest`` is of its features."""

    index: FeatureIndex
    distribution: TreeDistribution
    digest: str

    @classmethod
    def of(cls, index: FeatureIndex, distribution: TreeDistribution) -> "Model":
        """With its digest."""
        said = repr((index.feature_set, index.tag_column, index.tags, index.forms)).encode()
        return cls(index, distribution, hashlib.blake2b(said + index.keys.tobytes(), digest_size=16).hexdigest())


class ShardedGETrainer:
    """A text in shards prepared for training, as ``GETrainer`` is for one in memory.

    Parameters
    ----------
    shards : Shards
    settings : GESettings
        Mark-up of shards is not a term of the objective.
    engine : Engine, optional
        Where to work; here by default.
    longest : int, optional
        Learn from sentences of at most so many words.
    punctuation : bool
        False leaves it out.

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on; brackets asked for.
    """

    def __init__(
        self, shards: Shards, settings: GESettings, engine: Engine | None = None, longest: int | None = None,
        punctuation: bool = True,
    ):  # fmt: skip
        if settings.brackets != "none":
            raise WorkbenchError("brackets are a term of a file's text, not of shards; train a grammar with them")
        began = time.perf_counter()
        self.settings, self.engine = settings, engine or Here()
        column, pieces = shards.tag_column(settings.tags), shards.pieces
        rule = None if punctuation else self.engine.sum(_tags_in_use, pieces).rule()
        self.reading = Reading(column, longest, rule)
        found = dict(self.engine.each(_vocabulary, pieces, self.reading))
        self.pieces = [piece for number, piece in enumerate(pieces) if found[number].sentences]
        if not self.pieces:
            raise WorkbenchError(f"{shards.folder}: no sentence is left to train on; raise the maximum length")
        every = pairwise_sum(found[number] for number in range(len(pieces)))
        self.sentences, self.words = every.sentences, every.words
        index = FeatureIndex.counted(settings.features, column, every.tags, every.forms)
        keys = self.engine.sum(_keys, self.pieces, self.reading, index)
        model = untrained(settings)
        model.index = index.with_keys(keys.values[keys.counts >= settings.minimum_count])
        model.weights = np.zeros(len(model.index))
        self.model = model
        self.indexing_seconds = time.perf_counter() - began

    def train(
        self, constraints: Sequence[Constraint], *, trees: Treebank | None = None,
        start: np.ndarray | Checkpoint | None = None, progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> GEResult:  # fmt: skip
        """As ``GETrainer.train``; ``trees`` are of another text.

        Notes
        -----
        An evaluation costs O(sum of n^3), three times; weights and features travel to each worker twice.
        """
        objective = self.objective(constraints, trees)
        result = search(objective, self.model, self.settings, start, progress, cancel)
        return replace(result, indexing_seconds=self.indexing_seconds)

    def objective(self, constraints: Sequence[Constraint], trees: Treebank | None = None) -> "ShardedObjective":
        """What ``train`` minimises. Raises as it does."""
        return ShardedObjective(self, constraints, trees)


class ShardedObjective:
    """As ``objective.Objective``, its sums taken over shards."""

    def __init__(self, trainer: ShardedGETrainer, constraints: Sequence[Constraint], trees: Treebank | None):
        if not constraints:
            raise ConstraintError("there is no constraint to train on; write at least one")
        self._trainer, self.variance = trainer, trainer.settings.variance
        self._shared = trainer.reading, Model.of(trainer.model.trained_index(), trainer.model.distribution)
        self._lines = tuple(constraints)
        denominators = trainer.engine.sum(_denominators, trainer.pieces, trainer.reading, self._lines)
        if not denominators.any():
            raise ConstraintError("no line matches two words of this text; see whether its tags are those of the lines")
        self.targets = Targets(self._lines, denominators, trainer.settings)
        self.trees = None
        if trees is not None:
            settings, index = trainer.settings, trainer.model.trained_index()
            self.trees = TreeTerm(
                extract_features(trees, index), trees.heads, trainer.model.distribution, settings.complete_weight,
                settings.partial_weight,
            )  # fmt: skip

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray, dict]:
        """(value, gradient (F,), details) at these weights."""
        expectations = self.expectations(weights)
        value, slopes = self.targets(expectations)
        gradient = self._sum(_gradient, weights, self._lines, slopes / self.targets.denominators)
        value, gradient = value + float(weights @ weights / (2 * self.variance)), gradient + weights / self.variance
        if self.trees is not None:
            tree_value, tree_gradient = self.trees(weights)
            value, gradient = value + tree_value, gradient + tree_gradient
        return value, gradient, {"expectations": expectations}

    def expectations(self, weights: np.ndarray) -> np.ndarray:
        """The model's share for each constraint: float64 (C,)."""
        return self._sum(_mass, weights, self._lines) / self.targets.denominators

    def _sum(self, function, *shared):
        return self._trainer.engine.sum(function, self._trainer.pieces, *self._shared, *shared)


def _tags_in_use(piece):
    return TagsInUse.of(piece.columns().bare_treebank())


def _vocabulary(piece, reading):
    text = reading.text(piece)
    return Vocabulary(len(text), text.token_count, getattr(text, reading.column).counts(), text.form.counts())


def _keys(piece, reading, index):
    return pairwise_sum(Keys(*count_features(part, index)) for part in reading.parts(piece))


def _denominators(piece, reading, constraints):
    counts = Matcher(reading.text(piece), reading.column).counts(constraints)
    return np.array([count.denominator for count in counts], np.float64)


def _mass(piece, reading, model, weights, constraints):
    return pairwise_sum(part.mass(model, weights, constraints) for part in _parts(piece, reading, model))


def _gradient(piece, reading, model, weights, constraints, slopes):
    return pairwise_sum(part.gradient(model, weights, constraints, slopes) for part in _parts(piece, reading, model))


def _parts(piece, reading, model):
    for number, text in enumerate(reading.parts(piece)):
        yield _Part((reading, model.digest), (piece, number), reading.column, text)


@dataclass(frozen=True)
class _Part:
    """Sentences that are worked on at once; what is the same in each evaluation is kept, as long as there is room."""

    owner: tuple
    key: tuple
    column: str
    text: Treebank

    def mass(self, model, weights, constraints):
        """float64 (C,): sums of the candidates' marginals."""
        scores = self._features(model).scores(weights)
        return self._matches(constraints).mass(model.distribution.marginals(scores)[1])

    def gradient(self, model, weights, constraints, slopes):
        """float64 (F,): the derivative of ``slopes @ mass``."""
        features = self._features(model)
        scores = features.scores(weights)
        direction = scores.like(self._matches(constraints).spread(slopes))
        change = model.distribution.sums(scores).covariance(direction).values
        return features.expectations(change, threads=1)  # by one thread: how many there are changes the last bit

    def _features(self, model) -> ArcFeatures:
        return self._kept("features", lambda: extract_features(self.text, model.index), _bytes_of_features)

    def _matches(self, constraints):
        return self._kept(constraints, lambda: Matcher(self.text, self.column).match(constraints), _bytes_of_matches)

    def _kept(self, what, make, size):
        return kept(self.owner, (what, *self.key), make, size)


def _bytes_of_features(features):
    arrays = features.group_offsets, features.groups, features.feature_offsets, features.features
    return sum(array.nbytes for array in arrays)


def _bytes_of_matches(matches):
    return matches.arcs.nbytes + matches.arc_offsets.nbytes
