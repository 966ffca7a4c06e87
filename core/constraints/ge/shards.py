"""The text that a tree CRF learns from constraints on: the arcs of its sentences, in memory or in shards.

Only weights, features and sums travel to workers and back; the sentences of shards stay. Each worker takes a few
sentences at a time, so that only the features of their arcs are in memory.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from core.constraints.ge.settings import GESettings
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.errors import WorkbenchError
from core.features import ArcFeatures, FeatureIndex, count_features, extract_features, group_arcs
from core.parsers.crf.distribution import TreeDistribution
from core.shards.cache import cached
from core.shards.derived import Derived
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Shards
from core.shards.parts import Part, Parts
from core.threads import split
from core.treebank import Treebank
from core.treebank.punctuation import PunctuationRule

T = TypeVar("T")

CELLS = 1_000_000  # the arcs of a batch of sentences: features take some 60 bytes an arc


@dataclass(frozen=True)
class GEPreprocessing:
    """How the text of a part is selected: sentences of at most ``longest`` words, without punctuation by ``rule``."""

    column: str
    longest: int | None = None
    rule: PunctuationRule | None = None


@dataclass(frozen=True)
class Vocabulary:
    """The number of sentences and words, and how many words have each tag and each form."""

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
        _, first, inverse = np.unique(every, return_index=True, return_inverse=True)
        counts = np.bincount(inverse, np.concatenate([self.counts, other.counts]))
        order = np.argsort(first)
        return Keys(every[first[order]], counts[order])


@dataclass(frozen=True, eq=False)
class Model:
    """A parser without its weights, as parts need it; ``digest`` identifies its features."""

    index: FeatureIndex
    distribution: TreeDistribution
    digest: str

    @classmethod
    def of(cls, index: FeatureIndex, distribution: TreeDistribution) -> "Model":
        """The Model with its digest."""
        names = repr((index.feature_set, index.tag_column, index.tags, index.forms)).encode()
        return cls(index, distribution, hashlib.blake2b(names + index.keys.tobytes(), digest_size=16).hexdigest())


@dataclass(eq=False)
class ArcSentences:
    """Sentences of a part: all of them, or a batch."""

    part: Part
    preprocessing: GEPreprocessing
    text: Treebank
    number: int = 0
    _grouped: tuple[ArcFeatures, np.ndarray] | None = field(default=None, init=False)

    @classmethod
    def of(cls, part: Part, preprocessing: GEPreprocessing) -> "Iterator[ArcSentences]":
        """All sentences of a part."""
        longest, rule = preprocessing.longest, preprocessing.rule
        text = cached(preprocessing, part, lambda: part.text(longest, rule), lambda made: 80 * len(made.heads))
        yield cls(part, preprocessing, text)

    @cached_property
    def matcher(self) -> Matcher:
        """The Matcher of these sentences."""
        return Matcher(self.text, self.preprocessing.column)

    def count_words(self) -> Vocabulary:
        """The Vocabulary of these sentences."""
        text = self.text
        tags = getattr(text, self.preprocessing.column).counts()
        return Vocabulary(len(text), text.token_count, tags, text.form.counts())

    def denominators(self, constraints: Sequence[Constraint]) -> np.ndarray:
        """float64 (C,): what each constraint's target is a share of."""
        return np.array([count.denominator for count in self.matcher.counts(constraints)], np.float64)

    def batches(self) -> "Iterator[ArcSentences]":
        """All at once if they are in memory, a few at a time if they are of a shard."""
        if self.part.stays:
            yield self
            return
        sizes = (self.text.lengths + 1) ** 2
        for number, (begin, end) in enumerate(split(sizes, max(1, int(sizes.sum() // CELLS)))):
            some = self.text.select(np.arange(begin, end))
            yield ArcSentences(self.part, self.preprocessing, some, number)

    def grouped(self, index: FeatureIndex) -> tuple[ArcFeatures, np.ndarray]:
        """Their arcs, as ``group_arcs`` has them; each index of one text has the same symbols."""
        if self._grouped is None:
            self._grouped = group_arcs(self.text, index)
        return self._grouped

    def keys(self, index: FeatureIndex) -> Keys:
        """The features of their arcs."""
        return Keys(*count_features(self.grouped(index), index))

    def arcs(self, model: Model) -> "Iterator[Arcs]":
        """Their arcs under a model."""
        yield Arcs(self, model)


@dataclass(eq=False)
class Arcs:
    """A batch of sentences under a model; values that are the same in each evaluation are cached."""

    sentences: ArcSentences
    model: Model

    @property
    def adding_threads(self) -> int | None:
        """How many threads may add: one for shards, for the number changes the last bit of a sum."""
        part = self.sentences.part
        return part.threads if part.stays else 1

    def cached_value(self, name: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """``make()``, or its cached value of an earlier evaluation."""
        owner = self.sentences.preprocessing, self.model.digest
        return cached(owner, (name, self.sentences.part, self.sentences.number), make, size)

    @cached_property
    def features(self) -> ArcFeatures:
        """The features of their arcs."""

        def make():
            return extract_features(self.sentences.text, self.model.index, self.sentences.grouped(self.model.index))

        def size(features):
            arrays = features.group_offsets, features.groups, features.feature_offsets, features.features
            return sum(array.nbytes for array in arrays)

        return self.cached_value("features", make, size)


class GEText:
    """The sentences that a tree CRF learns from, and the arc features that they have.

    Parameters
    ----------
    text : Treebank, or Shards
        Mark-up of shards is not a term of the objective.
    settings : GESettings
    threads : int, optional
        For a text in memory.
    engine : Engine, optional
        Works on the shards; this process by default.
    longest : int, optional
        Sentences of at most so many words.
    punctuation : bool
        False leaves it out.

    Attributes
    ----------
    treebank : Treebank or None
        The text, where it is in memory.
    model : Model
    arcs : Derived
        The Arcs of its parts under that model.
    sentences, words : int
    seconds : float
        How long the preparation took.

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on; brackets asked for of shards.
    """

    def __init__(
        self, text: Treebank | Shards, settings: GESettings, distribution: TreeDistribution,
        threads: int | None = None, engine: Engine | None = None, longest: int | None = None, punctuation: bool = True,
    ):  # fmt: skip
        self.treebank = text if isinstance(text, Treebank) else None
        if self.treebank is None and settings.brackets != "none":
            raise WorkbenchError("brackets are a term of a file's text, not of shards; train a grammar with them")
        began, parts = time.perf_counter(), Parts.of(text, engine, threads=threads)
        rule = None if punctuation else parts.punctuation_rule()
        preprocessing = GEPreprocessing(text.tag_name(settings.tags), longest, rule)
        texts = Derived.of(parts, ArcSentences.of, preprocessing)
        vocabularies = texts.each(ArcSentences.count_words)
        self.texts = texts.some(vocabulary.sentences for vocabulary in vocabularies)
        if not self.texts.pieces:
            raise WorkbenchError(f"{text.name}: no sentence is left to train on; raise the maximum length")
        words = pairwise_sum(vocabularies)
        self.sentences, self.words = words.sentences, words.words
        vocabulary = FeatureIndex.counted(settings.features, preprocessing.column, words.tags, words.forms)
        batches = self.texts.then(ArcSentences.batches)
        keys = batches.sum(ArcSentences.keys, vocabulary)
        index = vocabulary.with_keys(keys.values[keys.counts >= settings.minimum_count])
        self.model = Model.of(index, distribution)
        self.arcs = batches.then(ArcSentences.arcs, self.model)
        if self.treebank is not None:
            _ = self.arcs.only.features
        self.seconds = time.perf_counter() - began
