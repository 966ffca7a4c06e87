"""The plan of consistency across sentences: training trees, the text that is parsed, what a context must be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from core.consistency import ConsistencySettings, ContextIndex
from core.consistency.labels import Labels
from core.errors import WorkbenchError
from core.parsers.word_scorer import WordScorer
from core.settings import stated
from core.store import RunId
from core.treebank import Treebank
from core.workspace.consensus.teaching import TaughtPlan
from core.workspace.system import Inputs

SMALL = 20_000  # words that teach; below it a small table of weights is as good, and quicker to store
BITS = (18, 22)  # bits of the table of weights, for small texts and others
USUAL = ConsistencySettings()


@dataclass(frozen=True)
class ConsensusPlan(TaughtPlan):
    """The choices for consistent parsing: plain values, stored even where they do not fit each other.

    Attributes
    ----------
    close_tags : str
        Groups of close tags, one a line; "" for the usual ones (``shared_labels``).
    parser : int or None
        Run of Constraints on this text whose parser is taken; None for an ``MSTParser`` that learns the trees.
    order, epochs : int
        Settings of the ``MSTParser``.
    """

    former: ClassVar[Mapping[str, object]] = {"close": str}

    close_tags: str = ""
    parser: RunId | None = None
    order: int = stated(2, "Order", 2)
    epochs: int = 5
    settings: ConsistencySettings = USUAL

    @classmethod
    def renewed(cls, values: Mapping) -> Mapping:
        """Earlier versions called close tags ``close``."""
        return {"close_tags" if name == "close" else name: value for name, value in values.items()}

    @classmethod
    def unused(cls, values: Mapping[str, object]) -> frozenset[str]:
        """Those of the parser, where one is given."""
        return frozenset() if values.get("parser") is None else frozenset({"order", "epochs"})

    def checked(self) -> ConsistencySettings:
        """The settings for ``parse_consistently``. Raises WorkbenchError for settings that contradict each other."""
        return replace(self.settings)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsensusInputs(Inputs):
    """The trees that teach and the text to parse, their contexts counted.

    Sentences of the text whose words stand among the trees that teach have no heads here: ``learnt`` says how many had.
    ``marked`` is ``Standing.marked`` of those that have some, ``parser_tags`` are what the parser reads, "both" or a
    column. ``given`` loads the parser of a run, None where one learns the trees.
    """

    train: Treebank
    test: Treebank
    index: ContextIndex
    learnt: int
    marked: Mapping[str, int]
    parser_tags: str
    given: Callable[[], WordScorer] | None = None

    @property
    def treebanks(self) -> dict[str, Treebank]:
        return {"training trees": self.train, "parsed text": self.test}

    @property
    def taught(self) -> tuple[Treebank, ...]:
        return (self.train,)

    @property
    def has_gold(self) -> bool:
        """Whether the text has heads of its own to compare with."""
        return bool((self.test.heads >= 0).any())

    @property
    def table_bits(self) -> int:
        """The size of the parser's table of weights that suits the trees that teach."""
        return BITS[self.train.token_count >= SMALL]


def parse_groups(text: str) -> dict[str, str] | None:
    """Groups of close tags, one a line, as tag -> class; None where nothing is written: the usual relation.

    Raises WorkbenchError for a tag in two groups.
    """
    groups = {}
    for number, line in enumerate(text.splitlines(), 1):
        for tag in line.split():
            if groups.setdefault(tag, number) != number:
                raise WorkbenchError(f"{tag} is in line {groups[tag]} and in line {number}; leave it in one group")
    return {tag: str(number) for tag, number in groups.items()} or None


def format_groups(labels: Labels) -> str:
    """The groups of Labels that hold more than one tag, as ``parse_groups`` reads them."""
    groups = {}
    for name, kind in zip(labels.names[1:], labels.close[1:], strict=True):
        groups.setdefault(kind, []).append(name)
    return "\n".join(" ".join(group) for group in groups.values() if len(group) > 1)
