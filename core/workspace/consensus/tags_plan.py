"""The plan of consistent tagging: the text that teaches, where unknown words are looked up, the search."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from core.consistency import ConsistencySettings, ContextSettings
from core.consistency.tagging import TAGGING
from core.consistency.unknown import IMPORTS, LEAST, UnknownIndex
from core.parsers import Tagger
from core.settings import Departure
from core.store import Corpus, CorpusId, RunId
from core.treebank import Treebank
from core.workspace.consensus.teaching import TREED, TaughtPlan
from core.workspace.system import Inputs

OF_CONTEXTS = tuple(asdict(ContextSettings()))  # settings that tags have no use for


@dataclass(frozen=True)
class TagsPlan(TaughtPlan):
    """The choices for consistent tagging: plain values, stored even where they do not fit each other.

    Attributes
    ----------
    tagger : int or None
        Run that holds a saved tagger, by which the whole text is tagged; None for one that learns the tags.
    unlabelled : int or None
        Corpus in which unknown words are looked up; its tags are not used. None for none.
    imports, least : int
        As for ``UnknownIndex.select``.
    epochs : int
        Passes of the tagger over its training text.
    """

    tagger: RunId | None = None
    unlabelled: CorpusId | None = None
    imports: int = IMPORTS
    least: int = LEAST
    epochs: int = 8
    settings: ConsistencySettings = TAGGING

    @classmethod
    def unused(cls, values: Mapping[str, object]) -> frozenset[str]:
        """Those of a tagger that learns, where one is given."""
        return frozenset() if values.get("tagger") is None else frozenset({"first", "epochs"})

    def values(self) -> dict[str, object]:
        """All choices by name, but for those that select contexts."""
        return {name: value for name, value in super().values().items() if name not in OF_CONTEXTS}

    @classmethod
    def paper(cls) -> dict[str, object]:
        """As of every plan, without what selects contexts; so are ``departures``."""
        return {name: value for name, value in super().paper().items() if name not in OF_CONTEXTS}

    def departures(self) -> list[Departure]:
        return [each for each in super().departures() if each.name not in OF_CONTEXTS]

    def choosing(self, corpus: Corpus, count: int) -> "TagsPlan":
        """As every TaughtPlan; a text is not looked up in itself, and nothing teaches where a tagger is given."""
        plan = super().choosing(corpus, count)
        if plan.tagger is not None:
            plan = replace(plan, trees=None, first=TREED, tags=None, epochs=TagsPlan.epochs)
        return replace(plan, unlabelled=None) if plan.unlabelled == corpus.id else plan

    def checked(self) -> ConsistencySettings:
        """The settings for ``tag_consistently``. Raises WorkbenchError for settings that contradict each other."""
        return replace(self.settings)


@dataclass(frozen=True, eq=False, kw_only=True)
class TagsInputs(Inputs):
    """The text whose tags teach, the text to tag, and its unknown words.

    Attributes
    ----------
    train : Treebank
        Sentences with a tag on every word; none where a tagger is given.
    test : Treebank
        In ``column`` it has the tags that are known: those of its file, and of sentences corrected and done. Sentences
        whose words stand in ``train`` have none: ``learnt`` says how many had.
    column : {"xpos", "upos"}
    index : UnknownIndex
    learnt, skipped : int
        ``skipped`` counts sentences that should teach, and lack a tag.
    marked : mapping of str to int
        ``Standing.marked`` of the sentences with known tags.
    given : Tagger or None
        A tagger that was saved, of which nobody knows what it learnt from.
    """

    train: Treebank
    test: Treebank
    column: str
    index: UnknownIndex
    learnt: int
    skipped: int
    marked: Mapping[str, int] = field(default_factory=dict)
    given: Tagger | None = None

    @property
    def treebanks(self) -> dict[str, Treebank]:
        further = {} if self.index.extra is None else {"text to look words up in": self.index.extra}
        training = {} if self.given is not None else {"training tags": self.train}
        return training | {"tagged text": self.test} | further

    @property
    def taught(self) -> tuple[Treebank, ...]:
        return () if self.given is not None else (self.train,)

    @property
    def has_gold(self) -> bool:
        """Whether the text has tags of its own to compare with."""
        return getattr(self.test, self.column).filled

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the tagger, in its order."""
        if self.given is not None:
            return self.given.tags
        return tuple(sorted(getattr(self.train, self.column).counts()))

    @property
    def gold(self) -> np.ndarray | None:
        """object (rows,): the known tags of ``test``, "" for none; None where it has none at all."""
        return getattr(self.test, self.column).strings() if self.has_gold else None
