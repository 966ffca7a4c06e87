"""The settings of training, and those that suit a corpus for which nobody has chosen."""

from dataclasses import dataclass, replace
from typing import ClassVar

from core.constraints.penalties import PENALTIES
from core.constraints.train import PRESETS, TEXT_LENGTH, GESettings
from core.errors import WorkbenchError
from core.features.templates import FEATURE_SETS
from core.parsers.crf.distribution import TreeDistribution
from core.treebank import Treebank
from core.workspace.constraints.line_plan import LinePlan, require, require_one_of
from core.workspace.corpora import tagged_sentences

ARCS = 400_000  # training looks at every pair of words, twice an evaluation; so many keep it within seconds
LENGTHS = (60, 40, 30, 20, 15, 10)
LONG = 12  # words: beyond it a pairwise covariance, n^5 a sentence and evaluation, is no longer a matter of a moment
TRAINED = ("features", "tags", "projective", "covariance", "decoding", "minimum_count", "variance", "strength",
           "score", "complete_weight", "partial_weight", "brackets", "brackets_weight")  # fmt: skip


@dataclass(frozen=True)
class TrainingSettings(LinePlan):
    """Settings of a training run of the tree CRF.

    Attributes
    ----------
    features : "full", "restricted" or "lexicalized"
    projective : bool
    strength : float
        How much constraints count against the prior.
    score, covariance, decoding, variance, minimum_count, complete_weight, partial_weight, brackets_weight
        As in ``GESettings``.
    trees : int or None
        Another corpus of the project, from whose trees to learn as well.
    """

    takes_treebank: ClassVar[bool] = True

    features: str = GESettings.features
    projective: bool = GESettings.projective
    strength: float = GESettings.strength
    score: str = GESettings.score
    covariance: str = GESettings.covariance
    decoding: str = GESettings.decoding
    variance: float = GESettings.variance
    minimum_count: int = GESettings.minimum_count
    complete_weight: float = GESettings.complete_weight
    partial_weight: float = GESettings.partial_weight
    brackets_weight: float = GESettings.brackets_weight
    trees: int | None = None

    def __post_init__(self):
        super().__post_init__()
        require_one_of("features", self.features, FEATURE_SETS)
        require_one_of("score", self.score, PENALTIES)
        require(self.strength > 0, f"the strength must be positive, got {self.strength:g}")
        require(self.variance > 0, f"the variance of the prior must be positive, got {self.variance:g}")
        require(self.minimum_count >= 1, f"the least count of a feature is 1, got {self.minimum_count}")
        for name in ("complete", "partial"):
            weight = getattr(self, f"{name}_weight")
            require(weight >= 0, f"the weight of {name} trees must be at least 0, got {weight:g}")
        wanted = f"the weight of brackets must be at least 0, got {self.brackets_weight:g}"
        require(self.brackets_weight >= 0, wanted)
        self.distribution  # noqa: B018  says what is wrong with covariance and decoding

    @property
    def shape(self) -> tuple:
        """What decides which weights a model has: two runs of equal shape on equal text can continue each other."""
        return (*self.selection, self.features, self.minimum_count)

    @property
    def treebank(self) -> int | None:
        """``trees``."""
        return self.trees

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

    def _changes(self, name, value):
        """Without crossing arcs the covariance is exact."""
        exact = {"covariance": GESettings.covariance} if name == "projective" and value else {}
        return super()._changes(name, value) | exact


def first_tags(treebank: Treebank) -> str:
    """The tags to begin with: "upos" where there are any, else "xpos". Raises WorkbenchError where no word has one."""
    if not (treebank.upos.filled or treebank.xpos.filled):
        raise WorkbenchError(
            f"{treebank.name or 'This text'} has no tags yet; tag its words on the Corpus page, or tag sentences "
            "by hand on the Annotate page and mark them done"
        )
    return "upos" if treebank.upos.filled else "xpos"


def default_settings(treebank: Treebank) -> TrainingSettings:
    """Settings that train within seconds: universal tags where there are any, and sentences not too long.

    Where there are no trees to look at, those of the preset "text". Raises WorkbenchError where no word has a tag.
    """
    tags = first_tags(treebank)
    lengths = tagged_sentences(treebank, tags).lengths
    arcs, shortest = (lengths + 1) ** 2, int(lengths.min())
    fitting = next((length for length in LENGTHS if arcs[lengths <= length].sum() <= ARCS), LENGTHS[-1])
    if (treebank.heads >= 0).any():
        return TrainingSettings(tags, max_length=None if arcs.sum() <= ARCS else max(fitting, shortest))
    return TrainingSettings(tags, max_length=max(min(fitting, TEXT_LENGTH), shortest)).with_preset("text")
