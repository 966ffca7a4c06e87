"""Training of a tree CRF from constraints over shards: expectations and gradients are added up where the shards are.

What travels are weights, features and sums; sentences stay. A shard's sentences are worked on some at a time, so that
the features of no more arcs than these are in memory.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints.ge_settings import GESettings
from core.constraints.language import Constraint
from core.constraints.matching import Matcher
from core.errors import WorkbenchError
from core.features import ArcFeatures, FeatureIndex, count_features, extract_features
from core.parsers.crf.distribution import TreeDistribution
from core.shards.cache import cached
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.threads import split
from core.treebank import Treebank
from core.treebank.punctuation import PunctuationRule

CELLS = 1_000_000  # arcs of the sentences that are worked on at a time: features take some 60 bytes an arc


@dataclass(frozen=True)
class GEPreprocessing:
    """What of a shard is text: sentences of at most ``longest`` words, without what ``rule`` says is punctuation."""

    column: str
    longest: int | None = None
    rule: PunctuationRule | None = None

    def text(self, part: Part) -> Treebank:
        """The sentences of a shard."""
        return cached(self, part, lambda: part.text(self.longest, self.rule), lambda made: 80 * len(made.heads))

    def batches(self, part: Part) -> Iterator[Treebank]:
        """The same, a few sentences at a time."""
        text = self.text(part)
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


class ShardedArcs:
    """A text in shards, and the arc features that it has.

    Parameters
    ----------
    shards : Shards
    settings : GESettings
        Mark-up of shards is not a term of the objective.
    engine : Engine, optional
        Where to work; here by default.
    longest : int, optional
        Sentences of at most so many words.
    punctuation : bool
        False leaves it out.

    Attributes
    ----------
    index : FeatureIndex
    sentences, words : int
    seconds : float
        Until all of this was known.

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
        began, parts = time.perf_counter(), Parts.of(shards, engine)
        rule = None if punctuation else parts.punctuation_rule()
        self.preprocessing = GEPreprocessing(shards.tag_name(settings.tags), longest, rule)
        vocabularies = parts.each(_vocabulary, self.preprocessing)
        self.parts = Parts([part for part, own in zip(parts, vocabularies, strict=True) if own.sentences], parts.engine)
        if not self.parts.parts:
            raise WorkbenchError(f"{shards.folder}: no sentence is left to train on; raise the maximum length")
        every = pairwise_sum(vocabularies)
        self.sentences, self.words = every.sentences, every.words
        index = FeatureIndex.counted(settings.features, self.preprocessing.column, every.tags, every.forms)
        keys = self.parts.sum(_keys, self.preprocessing, index)
        self.index = index.with_keys(keys.values[keys.counts >= settings.minimum_count])
        self.seconds = time.perf_counter() - began

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """float64 (C,): what each constraint's target is a share of."""
        return self.parts.sum(_denominators, self.preprocessing, tuple(constraints))


class ShardMatches:
    """The ``objective.MatchSums`` of a text in shards, taken where the shards are."""

    brackets = None

    def __init__(self, arcs: ShardedArcs, distribution: TreeDistribution, constraints: Sequence[Constraint]):
        self.constraints, self.denominators = tuple(constraints), arcs.denominators(constraints)
        self._parts, self._shared = arcs.parts, (arcs.preprocessing, Model.of(arcs.index, distribution))

    def mass(self, weights: np.ndarray) -> np.ndarray:
        return self._parts.sum(_mass, *self._shared, weights, self.constraints)

    def gradient(self, weights: np.ndarray, slopes: np.ndarray) -> tuple[float, np.ndarray]:
        return 0.0, self._parts.sum(_gradient, *self._shared, weights, self.constraints, slopes)


def _vocabulary(part, preprocessing):
    text = preprocessing.text(part)
    return Vocabulary(len(text), text.token_count, getattr(text, preprocessing.column).counts(), text.form.counts())


def _keys(part, preprocessing, index):
    return pairwise_sum(Keys(*count_features(text, index)) for text in preprocessing.batches(part))


def _denominators(part, preprocessing, constraints):
    counts = Matcher(preprocessing.text(part), preprocessing.column).counts(constraints)
    return np.array([count.denominator for count in counts], np.float64)


def _mass(part, preprocessing, model, weights, constraints):
    return pairwise_sum(batch.mass(model, weights, constraints) for batch in _batches(part, preprocessing, model))


def _gradient(part, preprocessing, model, weights, constraints, slopes):
    return pairwise_sum(
        batch.gradient(model, weights, constraints, slopes) for batch in _batches(part, preprocessing, model)
    )


def _batches(part, preprocessing, model):
    for number, text in enumerate(preprocessing.batches(part)):
        yield _Batch((preprocessing, model.digest), (part, number), preprocessing.column, text)


@dataclass(frozen=True)
class _Batch:
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
        direction = scores.like(self._matches(constraints).scatter(slopes))
        change = model.distribution.sums(scores).covariance(direction).values
        return features.expectations(change, threads=1)  # by one thread: how many there are changes the last bit

    def _features(self, model) -> ArcFeatures:
        def size(features):
            arrays = features.group_offsets, features.groups, features.feature_offsets, features.features
            return sum(array.nbytes for array in arrays)

        return self._cached("features", lambda: extract_features(self.text, model.index), size)

    def _matches(self, constraints):
        def size(matches):
            return matches.arcs.nbytes + matches.arc_offsets.nbytes

        return self._cached(constraints, lambda: Matcher(self.text, self.column).match(constraints), size)

    def _cached(self, what, make, size):
        return cached(self.owner, (what, *self.key), make, size)
