"""The plan of adaptation to another domain: training trees, the target text, the pivots.

An ``AdaptationPlan`` is kept with each source corpus; ``AdaptationInputs`` are the texts of a plan.
"""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from core.adaptation import StructuralCorrespondence
from core.adaptation.pivots import Pivot, by_words, format_pivots, load_pivots, parse_pivots
from core.adaptation.settings import CorrespondenceSettings
from core.adaptation.systems import common_tags
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads, learnt_sentences, without_trees_of
from core.settings import stated, unchecked
from core.store import Corpus, CorpusId
from core.treebank import Treebank
from core.workspace.scoring import recorded_conditions
from core.workspace.standing import Standing
from core.workspace.system import Inputs, Plan

SOURCE, TARGET = "source", "target"  # names of the texts that are scored
OWN = 0  # in place of a corpus id: the sample's questions as target, the target's own words as unlabelled text
HELD = 10  # every tenth sentence of the source is held out for scoring
SMALL, BITS = 20_000, (18, 22)  # words of the source; bits of the table of weights below that and from there on
USUAL = unchecked(CorrespondenceSettings(), dimensions=0)  # a number on the page: 0 is None


@dataclass(frozen=True)
class AdaptationPlan(Plan):
    """The choices for adaptation: plain values, stored even where they do not fit each other.

    Attributes
    ----------
    target : int
        Corpus of the other domain; OWN, 0, is the sample's questions.
    unlabelled : int
        Corpus whose words the correspondence is learnt from beside the source's; OWN for the target's.
    few : int
        Number of first target sentences whose trees the baseline "a few target trees" learns from; they are not scored.
    rounds : int
        Rounds of self-training; 0 leaves it out.
    language, pivots : str
        The language whose word lists are used; ``pivots`` are lines that take their place.
    decide : "tags" or "words"
        Whether tags decide where all text has them.
    epochs : int
        Iterations of training.
    """

    target: CorpusId = OWN
    unlabelled: CorpusId = OWN
    few: int = 10
    rounds: int = 1
    language: str = "en"
    pivots: str = ""
    decide: str = stated("tags", "Decided by", "words", "tags are surer, and the paper's unlabelled text had none")
    epochs: int = stated(4, "Iterations", 4)
    settings: CorrespondenceSettings = USUAL

    def pivot_lines(self) -> str:
        """The pivots as lines to edit."""
        return self.pivots or format_pivots(load_pivots(self.language))

    def chosen_pivots(self) -> tuple[Pivot, ...]:
        """The pivots in use. Raises WorkbenchError for unreadable lines, or pivots without words if words decide."""
        pivots = parse_pivots(self.pivots, "your pivots") if self.pivots else load_pivots(self.language)
        return by_words(pivots) if self.decide == "words" else pivots

    def correspondence(self) -> StructuralCorrespondence:
        """An untrained StructuralCorrespondence. Raises WorkbenchError for settings that it does not take."""
        settings = replace(self.settings, dimensions=self.settings.dimensions or None)
        return StructuralCorrespondence(self.chosen_pivots(), **asdict(settings))


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptationInputs(Inputs):
    """The texts of a plan; ``corpus`` is the source.

    Attributes
    ----------
    target : Corpus or None
        The target; None while the sample's questions are no text of the project yet.
    target_name : str
    source, held : Treebank
        Source sentences to learn from, and to score on.
    test : Treebank
        Target sentences that are parsed, and scored where they have trees.
    few : Treebank or None
        The target sentences before ``test`` that teach a baseline.
    unlabelled : Treebank
    tags : {"both", "upos", "xpos"}
        The tag columns that the parser reads.
    learnt : int
        Sentences of ``test`` that have no heads here, since their words stand among the trees that are learnt from.
    settled : Standing or None
        The whole target, of which ``test`` is part, under the corrections that count.
    """

    target: Corpus | None
    target_name: str
    source: Treebank
    held: Treebank
    test: Treebank
    few: Treebank | None
    unlabelled: Treebank
    tags: str
    learnt: int
    settled: Standing | None = None

    @classmethod
    def divided(cls, trees: Treebank, parsed: Treebank, further: Treebank | None, few: int, **names: Any) -> Self:
        """The inputs from whole texts, of which some sentences are kept back.

        Parameters
        ----------
        trees, parsed : Treebank
            The source and the target.
        further : Treebank or None
            The unlabelled text; None for the target's own words.
        few : int
            As in the plan.
        **names
            ``corpus``, ``target``, ``target_name``, ``key``, ``words`` and ``settled``.

        Raises WorkbenchError where the source has no trees, or the texts have no tags in common.
        """
        if not (trees.heads >= 0).any():
            raise WorkbenchError(f"{names['corpus'].name} has no trees to learn from; open a text with trees")
        scored = np.arange(len(trees)) % HELD == HELD - 1
        source, first, test = trees.select(~scored), None, parsed
        count = min(few, len(parsed) // 2)  # half of the target at most teaches
        if count and (parsed.limit(count).heads >= 0).any():
            first, test = parsed.limit(count), parsed.select(np.arange(count, len(parsed)))
        learnt = learnt_sentences(test, *(bank for bank in (source, first) if bank is not None)) & has_heads(test)
        held, test = trees.select(scored), without_trees_of(test, learnt)
        return cls(
            source=source,
            held=without_trees_of(held, learnt_sentences(held, source)),
            test=test,
            learnt=int(learnt.sum()),
            few=first,
            unlabelled=test if further is None else further,
            tags=common_tags(source, test),
            **names,
        )

    @property
    def treebanks(self) -> dict[str, Treebank]:
        """The texts that have sentences, by their role."""
        texts = {
            "source trees": self.source, "source held out": self.held, "target trees": self.few,
            "unlabelled text": self.unlabelled, "parsed text": self.test,
        }  # fmt: skip
        return {name: text for name, text in texts.items() if text is not None and len(text)}

    @property
    def taught(self) -> tuple[Treebank, ...]:
        return tuple(text for text in (self.source, self.few) if text is not None)

    @property
    def scored(self) -> dict[str, Treebank]:
        """The texts that are parsed, by name."""
        return {TARGET: self.test} | ({SOURCE: self.held} if len(self.held) else {})

    @cached_property
    def has_gold(self) -> bool:
        """Whether the target has trees of its own to score against."""
        return bool((self.test.heads >= 0).any())

    @cached_property
    def conditions(self) -> dict[str, int]:
        """What a run records of the target sentences that it scores."""
        scored = self.test.picks[has_heads(self.test)]
        return recorded_conditions(len(scored), {} if self.settled is None else self.settled.marked(scored))

    @property
    def bits(self) -> int:
        """The size of the parser's table of weights, in bits."""
        return BITS[self.source.token_count >= SMALL]
