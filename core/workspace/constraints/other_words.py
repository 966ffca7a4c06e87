"""A run whose words are no longer those of its text: what a learner does not see, punctuation, goes by tags."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import WorkbenchError
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.wording import amount

if TYPE_CHECKING:
    from core.workspace.constraints.learner import LearningSystem


@dataclass(frozen=True, eq=False)
class FormerTrees:
    """The newest run that left trees on a text of which it saw other words.

    Attributes
    ----------
    outcome : ConstraintOutcome
        What it left, on the text as it was.
    words, sentences : int
        How many words became punctuation since or were it, in how many sentences.
    places : ndarray of int64
        The sentences of the outcome's treebank whose words are the same, ascending.
    """

    outcome: ConstraintOutcome
    words: int
    sentences: int
    places: np.ndarray

    @property
    def text(self) -> str:
        """What became of the run, in sentences."""
        words, where = amount(self.words, "word"), amount(self.sentences, "sentence")
        kept = "Its trees of the other sentences stay below." if len(self.places) else "No sentence is as it was."
        return (
            f"Since run {self.outcome.number} a corrected tag made {words} in {where} punctuation, or took that back. "
            f"This learner sees no punctuation. {kept} Train again."
        )


def former_trees(learner: "LearningSystem", text: ConstraintInputs) -> FormerTrees | None:
    """The FormerTrees of a text; None where no run left any, and where the newest saw the same words. O(rows).

    It is asked where no run is on the words of now.
    """
    for run in learner.runs(text.project, corpus=text.corpus.id):
        if not learner.has_outcome(run) or learner.plan_of(run).selection != text.settings.selection:
            continue
        try:
            outcome = learner.load(run)
        except WorkbenchError:  # its text cannot be read any more; Runs says why
            return None
        former = outcome.inputs.treebank
        changed = np.setxor1d(former.rows, text.treebank.rows)
        others = np.unique(np.searchsorted(former.source.offsets, changed, side="right")) - 1
        same = np.isin(former.picks, text.treebank.picks) & ~np.isin(former.picks, others)
        return FormerTrees(outcome, len(changed), len(others), np.flatnonzero(same)) if len(changed) else None
    return None
