"""What is chosen of any learner from lines: its text, the trees it learns from as well, how it begins."""

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from core.errors import WorkbenchError
from core.parsers.crf.distribution import TreeDistribution
from core.trees.brackets import LEVELS
from core.workspace.system import Plan


@dataclass(frozen=True)
class LinePlan(Plan):
    """Settings of a training run, small and plain enough to be kept and compared; base of each learner's.

    Attributes
    ----------
    tags : "upos" or "xpos"
        The tag column that bare items of constraints speak of, and models are made of.
    max_length : int or None
        Train on sentences of at most so many words.
    warm : bool
        Begin from the model of the last run where it fits.
    brackets : {"none", "tear", "sprawl", "loose", "strict"}
        The level at which trees should respect the text's mark-up.
    marked : tuple of int
        Sentences of this corpus, from 1, from whose own trees to learn as well.
    corrections : bool
        Whether to learn from the sentences annotated by hand as well, whole or in part.
    """

    takes_treebank: ClassVar[bool] = False  # whether another text's trees can be learnt from, with weights

    tags: str
    max_length: int | None = None
    warm: bool = True
    brackets: str = "none"
    marked: tuple = ()
    corrections: bool = False

    def __post_init__(self):
        object.__setattr__(self, "marked", tuple(self.marked))  # JSON has lists only
        require(self.tags in ("upos", "xpos"), f"tags must be upos or xpos, got {self.tags!r}")
        if self.max_length is not None:
            wanted = f"the longest sentence must have at least one word, got {self.max_length}"
            require(self.max_length >= 1, wanted)
        require_one_of("level of brackets", self.brackets, LEVELS)

    def as_dict(self) -> dict:
        """Plain values for the store."""
        return super().as_dict() | {"marked": list(self.marked)}

    @property
    def selection(self) -> tuple[str, int | None]:
        """What decides which sentences there are and what a constraint matches in them."""
        return self.tags, self.max_length

    @property
    def shape(self) -> tuple:
        """What decides which model is trained: two runs of equal shape on equal text can continue each other."""
        return self.selection

    @property
    def distribution(self) -> TreeDistribution:
        """The TreeDistribution over the trees of a sentence before anything is learnt."""
        return TreeDistribution(projective=True, decoding="posterior")

    @property
    def treebank(self) -> int | None:
        """Another corpus of the project, from whose trees to learn as well; None for learners that cannot."""
        return None

    def changed_from(self, other: "LinePlan") -> list[str]:
        """Names of the settings that differ, in order."""
        return [each.name for each in fields(self) if getattr(self, each.name) != getattr(other, each.name)]

    def with_choice(self, name: str, value: Any) -> Self:
        """With one value changed as people choose it, and what no longer fits beside it.

        A longest sentence of 0 words is no limit.
        """
        return replace(self, **self._changes(name, value))

    def _changes(self, name, value):
        return {name: (value or None) if name == "max_length" else value}


def require(holds: bool, message: str) -> None:
    """Raise WorkbenchError with a message unless something holds."""
    if not holds:
        raise WorkbenchError(message)


def require_one_of(what: str, value: str, names: Any) -> None:
    """Raise WorkbenchError unless a value is one of the names that there are."""
    require(value in names, f"there is no {what} {value!r}; choose one of {', '.join(names)}")
