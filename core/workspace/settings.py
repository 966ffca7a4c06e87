"""What a person can choose about training, and what suits a corpus she has chosen nothing for."""

from dataclasses import asdict, dataclass, fields

import numpy as np

from core.constraints.train import GESettings
from core.errors import WorkbenchError

ARCS = 400_000  # training looks at every pair of words, twice an evaluation; so many keep it within seconds
LENGTHS = (60, 40, 30, 20, 15, 10)
FEATURES = ("full", "restricted")


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training run, small and plain enough to be kept and compared.

    Attributes
    ----------
    tags : "upos" or "xpos"
        The tag column that bare items of constraints speak of, and features are made of.
    max_length : int or None
        Train on sentences of at most so many words.
    features : "full" or "restricted"
    projective : bool
    strength : float
        How much constraints count against the prior.
    warm : bool
        Begin from the last run's weights where they fit.
    """

    tags: str
    max_length: int | None = None
    features: str = "full"
    projective: bool = False
    strength: float = GESettings.strength
    warm: bool = True

    def __post_init__(self):
        if self.tags not in ("upos", "xpos"):
            raise WorkbenchError(f"tags must be upos or xpos, got {self.tags!r}")
        if self.features not in FEATURES:
            raise WorkbenchError(f"there are no features {self.features!r}; choose {' or '.join(FEATURES)}")
        if self.max_length is not None and self.max_length < 1:
            raise WorkbenchError(f"the longest sentence must have at least one word, got {self.max_length}")
        if not self.strength > 0:
            raise WorkbenchError(f"the strength must be positive, got {self.strength:g}")

    @classmethod
    def from_dict(cls, values):
        """From stored values; unknown ones, of a later version, are left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})

    def as_dict(self):
        """Plain values for the store."""
        return asdict(self)

    @property
    def selection(self):
        """What decides which sentences there are and what a constraint matches in them."""
        return self.tags, self.max_length

    @property
    def shape(self):
        """What decides which weights a model has: two runs of equal shape on equal text can continue each other."""
        return (*self.selection, self.features)

    def ge_settings(self):
        """The trainer's settings."""
        return GESettings(features=self.features, tags=self.tags, projective=self.projective, strength=self.strength)


def default_settings(treebank):
    """Settings that train within seconds: universal tags where there are any, and sentences not too long.

    Raises WorkbenchError where no word has a tag.
    """
    if not (treebank.upos.filled or treebank.xpos.filled):
        raise WorkbenchError(f"{treebank.name or 'This text'} has no tags yet; tag it on the Corpus page first")
    tags = "upos" if treebank.upos.filled else "xpos"
    arcs = (treebank.lengths + 1) ** 2
    if arcs.sum() <= ARCS:
        return TrainingSettings(tags)
    fitting = [length for length in LENGTHS if arcs[treebank.lengths <= length].sum() <= ARCS]
    shortest = int(np.min(treebank.lengths, initial=LENGTHS[-1]))
    return TrainingSettings(tags, max_length=max(fitting[0] if fitting else LENGTHS[-1], shortest))
