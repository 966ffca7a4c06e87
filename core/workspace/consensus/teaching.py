"""Which text teaches, for trees and tags alike: another text, the first sentences of the text, or those that can."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar, cast

import numpy as np

from core.store import Corpus, CorpusId, Run
from core.treebank import Treebank
from core.workspace.scoring import recorded_accuracy
from core.workspace.system import Citation, Inputs, Outcome, Plan, System
from core.workspace.wording import p_value, share_in_text

TREED = 0  # in place of a number of sentences: all that have trees, or tags
TAUGHT = 0.6  # share of a text's sentences, the first, that teach by default


@dataclass(frozen=True)
class TaughtPlan(Plan):
    """A plan of which a text teaches.

    Attributes
    ----------
    trees : int or None
        Corpus that teaches by its trees, or tags; None for sentences of the text itself.
    first : int
        How many sentences teach, the first, where the text itself does; the others are analysed. ``TREED`` for all
        that have trees, or tags: those of the file, and those that were annotated and are done.
    tags : "xpos", "upos" or None
    """

    trees: CorpusId | None = None
    first: int = TREED
    tags: str | None = None

    def choosing(self, corpus: Corpus, count: int) -> Self:
        """The same choices for a text of ``count`` sentences, what does not count left out: equal plans do the same."""
        trees = None if self.trees == corpus.id else self.trees
        first = TREED if trees is not None or self.first == TREED else min(max(self.first, 1), max(count - 1, 1))
        return replace(self, trees=trees, first=first)

    def divided(self, treebank: Treebank, can_teach: np.ndarray) -> tuple[Treebank, Treebank]:
        """(sentences that teach, the others) of a text that teaches itself; ``can_teach``, bool (S,), says which do."""
        teaches = can_teach if self.first == TREED else np.arange(len(treebank)) < self.first
        return treebank.select(teaches), treebank.select(~teaches)


def first_sentences(count: int) -> int:
    """How many of the ``count`` sentences of a text teach where its first do: three fifths, at least one."""
    first = round(TAUGHT * count)
    return max(1, round(first, -1) if count > 50 else first)


PlanT = TypeVar("PlanT", bound=TaughtPlan)
InputsT = TypeVar("InputsT", bound=Inputs)
OutcomeT = TypeVar("OutcomeT", bound=Outcome)


class TaughtSystem(System[PlanT, InputsT, OutcomeT]):
    """Consistency across the sentences of a text: what parsing and tagging have in common.

    Attributes
    ----------
    measured : (str, str)
        What the scores of a run are called in a paper, with consistency and without.
    """

    page = "consensus"
    counts_punctuation = True
    measured: ClassVar[tuple[str, str]]
    citation = Citation(
        "Rush et al., 2012",
        "Alexander M. Rush, Roi Reichart, Michael Collins and Amir Globerson (2012). Improved Parsing and POS Tagging "
        "Using Inter-Sentence Consistency Constraints. EMNLP-CoNLL.",
    )

    def choosing(self, corpus: Corpus, plan: PlanT) -> PlanT:
        """A plan as it counts for a Corpus."""
        return plan.choosing(corpus, len(self.workspace.treebank(corpus)))

    def recorded(self, inputs: InputsT, plan: PlanT) -> dict:
        """The plan, with the number of sentences that do teach where they are the text's first."""
        return super().recorded(inputs, self.choosing(inputs.corpus, plan))

    def differs(self, outcome: OutcomeT, inputs: InputsT, plan: PlanT) -> bool:
        """Whether a plan would analyse a text otherwise than the plan of an outcome."""
        return self.choosing(inputs.corpus, cast(PlanT, outcome.plan)) != self.choosing(inputs.corpus, plan)

    def has_outcome(self, run: Run) -> bool:
        """Whether a run left something: it was done, or cancelled in its search."""
        return run.status in ("done", "cancelled") and "model" in run.figures

    def figures(self, run: Run) -> dict[str, str]:
        figures = run.figures
        texts = {
            f"{name}, with punctuation": recorded_accuracy(figures.get(key), figures.get("decided", "heads"))
            for name, key in zip(self.measured, ("model", "base"), strict=True)
        }
        if figures.get("p_value") is not None:
            counts = f"{figures['corrected']:,} words corrected, {figures['harmed']:,} harmed"
            texts["sign test"] = f"{p_value(figures['p_value'])}, {counts}"
        if figures.get("sentences") is not None and figures.get("certified_sentences") is not None:
            texts["sentences proved optimal"] = share_in_text(figures["certified_sentences"], figures["sentences"])
        return texts
