"""The settings of training, and those that suit a corpus for which nobody has chosen."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from core.constraints.penalties import PENALTIES
from core.constraints.train import PRESETS, GESettings
from core.errors import WorkbenchError
from core.features.templates import FEATURE_SETS
from core.parsers.crf.distribution import TreeDistribution
from core.treebank import Treebank
from core.trees.brackets import LEVELS
from core.workspace.corpora import tagged_sentences
from core.workspace.system import Plan

ARCS = 400_000  # training looks at every pair of words, twice an evaluation; so many keep it within seconds
LENGTHS = (60, 40, 30, 20, 15, 10)
LONG = 12  # words: beyond it a pairwise covariance, n^5 a sentence and evaluation, is no longer a matter of a moment
TRAINED = ("features", "tags", "projective", "covariance", "decoding", "minimum_count", "variance", "strength",
           "score", "complete_weight", "partial_weight", "brackets", "brackets_weight")  # fmt: skip


@dataclass(frozen=True)
class TrainingSettings(Plan):
    """Settings of a training run, small and plain enough to be kept and compared.

    Attributes
    ----------
    tags : "upos" or "xpos"
        The tag column that bare items of constraints speak of, and features are made of.
    max_length : int or None
        Train on sentences of at most so many words.
    features : "full", "restricted" or "lexicalized"
    projective : bool
    strength : float
        How much constraints count against the prior.
    warm : bool
        Begin from the last run's weights where they fit.
    score, covariance, decoding, variance, minimum_count, complete_weight, partial_weight, brackets, brackets_weight
        As in ``GESettings``.
    trees : int or None
        Another corpus of the project, from whose trees to learn as well.
    marked : tuple of int
        Sentences of this corpus, from 1, from whose own trees to learn as well.
    corrections : bool
        Whether to learn from the sentences annotated by hand as well, whole or in part.
    """

    tags: str
    max_length: int | None = None
    features: str = GESettings.features
    projective: bool = GESettings.projective
    strength: float = GESettings.strength
    warm: bool = True
    score: str = GESettings.score
    covariance: str = GESettings.covariance
    decoding: str = GESettings.decoding
    variance: float = GESettings.variance
    minimum_count: int = GESettings.minimum_count
    complete_weight: float = GESettings.complete_weight
    partial_weight: float = GESettings.partial_weight
    brackets: str = GESettings.brackets
    brackets_weight: float = GESettings.brackets_weight
    trees: int | None = None
    marked: tuple = ()
    corrections: bool = False

    def __post_init__(self):
        object.__setattr__(self, "marked", tuple(self.marked))  # JSON has lists only
        _require(self.tags in ("upos", "xpos"), f"tags must be upos or xpos, got {self.tags!r}")
        _require_one_of("features", self.features, FEATURE_SETS)
        _require_one_of("score", self.score, PENALTIES)
        if self.max_length is not None:
            wanted = f"the longest sentence must have at least one word, got {self.max_length}"
            _require(self.max_length >= 1, wanted)
        _require(self.strength > 0, f"the strength must be positive, got {self.strength:g}")
        _require(self.variance > 0, f"the variance of the prior must be positive, got {self.variance:g}")
        _require(self.minimum_count >= 1, f"the least count of a feature is 1, got {self.minimum_count}")
        for name in ("complete", "partial"):
            weight = getattr(self, f"{name}_weight")
            _require(weight >= 0, f"the weight of {name} trees must be at least 0, got {weight:g}")
        _require_one_of("level of brackets", self.brackets, LEVELS)
        wanted = f"the weight of brackets must be at least 0, got {self.brackets_weight:g}"
        _require(self.brackets_weight >= 0, wanted)
        self.distribution  # noqa: B018  says what is wrong with covariance and decoding

    def as_dict(self) -> dict:
        """Plain values for the store."""
        return super().as_dict() | {"marked": list(self.marked)}

    @property
    def selection(self) -> tuple[str, int | None]:
        """What decides which sentences there are and what a constraint matches in them."""
        return self.tags, self.max_length

    @property
    def shape(self) -> tuple:
        """What decides which weights a model has: two runs of equal shape on equal text can continue each other."""
        return (*self.selection, self.features, self.minimum_count)

    @property
    def distribution(self) -> TreeDistribution:
        """The TreeDistribution over the trees of a sentence."""
        return TreeDistribution(self.projective, GESettings.single_root, self.covariance, self.decoding)

    def ge_settings(self) -> GESettings:
        """The trainer's settings."""
        return GESettings(**{name: getattr(self, name) for name in TRAINED})

    def with_preset(self, name: str) -> "TrainingSettings":
        """These settings with all that a preset of ``PRESETS`` says; text, trees and warm start stay."""
        return replace(self, **{each: getattr(PRESETS[name], each) for each in TRAINED if each != "tags"})

    @property
    def preset(self) -> str | None:
        """The name of the preset that these settings are, or None."""
        return next((name for name in PRESETS if self.with_preset(name) == self), None)

    def changed_from(self, other: "TrainingSettings") -> list[str]:
        """Names of the settings that differ, in order."""
        return [each.name for each in fields(self) if getattr(self, each.name) != getattr(other, each.name)]


def changed(settings: TrainingSettings, name: str, value: Any) -> TrainingSettings:
    """TrainingSettings with one of them changed as people choose it, and what no longer fits beside it.

    A longest sentence of 0 words is no limit; without crossing arcs the covariance is exact.
    """
    changes = {name: value}
    if name == "max_length":
        changes = {name: value or None}
    elif name == "projective" and value:
        changes["covariance"] = GESettings.covariance
    return replace(settings, **changes)


def default_settings(treebank: Treebank) -> TrainingSettings:
    """Settings that train within seconds: universal tags where there are any, and sentences not too long.

    Raises WorkbenchError where no word has a tag.
    """
    if not (treebank.upos.filled or treebank.xpos.filled):
        raise WorkbenchError(
            f"{treebank.name or 'This text'} has no tags yet; tag its words on the Corpus page, or tag sentences "
            "by hand on the Annotate page and mark them done"
        )
    tags = "upos" if treebank.upos.filled else "xpos"
    lengths = tagged_sentences(treebank, tags).lengths
    arcs = (lengths + 1) ** 2
    if arcs.sum() <= ARCS:
        return TrainingSettings(tags)
    fitting = [length for length in LENGTHS if arcs[lengths <= length].sum() <= ARCS]
    shortest = int(np.min(lengths, initial=LENGTHS[-1]))
    return TrainingSettings(tags, max_length=max(fitting[0] if fitting else LENGTHS[-1], shortest))


def _require(holds, message):
    if not holds:
        raise WorkbenchError(message)


def _require_one_of(what, value, names):
    _require(value in names, f"there is no {what} {value!r}; choose one of {', '.join(names)}")
