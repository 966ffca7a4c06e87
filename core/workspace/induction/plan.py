"""The plan of an induction, and the text that it learns from."""

from dataclasses import dataclass, replace
from typing import TypedDict

from core.errors import WorkbenchError
from core.parsers.dmv.training import DMVSettings
from core.settings import Departure, stated
from core.store import CorpusId
from core.treebank import Treebank
from core.trees.brackets import Bracket
from core.workspace.scope import Scope, scope
from core.workspace.system import Inputs, Plan

USUAL = DMVSettings(level="loose", max_iterations=40)  # on a page


@dataclass(frozen=True)
class InductionPlan(Plan):
    """The choices for induction, with the paper's names in capitals.

    ``stages`` are the longest sentences of each stage, ``15, 45`` (SCOPE), empty for all lengths at once. ``tags`` is
    the column, "" the filled one, XPOS if both are. ``init_from`` is another corpus on which the start is estimated
    (INIT), or 0 for the text itself. ``adapt_to`` is another corpus to train on last, without brackets
    (ADAPT), or 0. ``punctuation`` keeps it.
    """

    tags: str = ""
    stages: str = stated("15, 45", "Maximum length of each stage", "15, 45")
    init_from: CorpusId = 0
    adapt_to: CorpusId = 0
    punctuation: bool = stated(False, "Keep punctuation", False)
    settings: DMVSettings = USUAL

    def departures(self) -> list[Departure]:
        """With INIT and ADAPT on another text, which is chosen."""
        start = Departure("init_from", "Start estimated on", "the text itself", "the WSJ", "it takes a second text")
        adapt = Departure("adapt_to", "Then adapt to", "nothing", "the WSJ", "it takes a second text")
        by_text = self.settings.init != "uniform" and not self.init_from
        return super().departures() + [start] * by_text + [adapt] * (not self.adapt_to)

    def dmv_settings(self) -> DMVSettings:
        """The settings of the DMV. Raises WorkbenchError for settings that training does not take."""
        return replace(self.settings, lengths=stage_lengths(self.stages), adapt=bool(self.adapt_to))


class OtherTexts(TypedDict, total=False):
    """The texts besides its own that a plan reads, by the names of ``DMV.fit``: of the start, and of the last stage."""

    init_from: Treebank
    adapt_to: Treebank


@dataclass(frozen=True, eq=False, kw_only=True)
class InductionInputs(Inputs):
    """The sentences that are trained on.

    Attributes
    ----------
    treebank : Treebank
        Without punctuation unless the plan keeps it.
    brackets : tuple of lists of Bracket
        Of each of its sentences.
    whole : Treebank
        The text with its punctuation.
    """

    treebank: Treebank
    brackets: tuple[list[Bracket], ...]
    whole: Treebank

    @property
    def treebanks(self) -> dict[str, Treebank]:
        return {"training text": self.treebank}

    @property
    def gold(self) -> int:
        """How many words have a head to score against; training never looks at it."""
        return int((self.treebank.heads >= 0).sum())

    @property
    def marked(self) -> int:
        """How many sentences have brackets."""
        return sum(bool(brackets) for brackets in self.brackets)

    def scope(self, plan: InductionPlan) -> Scope:
        """The Scope of what a plan trains on: the sentences that are short enough for one of its stages."""
        lengths = stage_lengths(plan.stages)
        longest = max((length for length in lengths if length is not None), default=None)
        if plan.settings.schedule != "plain" or longest is None:
            return scope(self.treebank, self.treebank, None)
        return scope(self.treebank, self.treebank.max_length(longest), longest)


def stage_lengths(text: str) -> tuple[int | None, ...]:
    """Lengths of stages from ``15, 45``; (None,) of nothing. Raises WorkbenchError for what is no such list."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise WorkbenchError(f"stages are whole numbers separated by commas, as in 15, 45; got {text!r}")
    return tuple(int(part) for part in parts) or (None,)
