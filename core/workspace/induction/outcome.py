"""The outcome of an induction: a grammar, which is a parser, and the trees that it gives the text."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.parsers.crf.tree_crf import with_trees
from core.parsers.dmv.grammar import DMV
from core.store import Run
from core.treebank import Treebank
from core.workspace.induction.plan import InductionInputs, InductionPlan
from core.workspace.system import File, Outcome


@dataclass(frozen=True, eq=False, kw_only=True)
class Induced(Outcome):
    """A grammar and its trees.

    Attributes
    ----------
    run : Run or None
        None before any training.
    model : DMV
    heads : int32 array (rows of ``inputs.treebank``,)
    cross_entropy : float
        Bits per token of the tags.
    right : int or None
        How many heads are as in the text's own trees; None if it has none.
    """

    run: Run | None
    inputs: InductionInputs
    plan: InductionPlan
    model: DMV
    heads: np.ndarray
    cross_entropy: float
    right: int | None
    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, model: DMV, inputs: InductionInputs, plan: InductionPlan, run: Run | None = None) -> "Induced":
        """The trees that a grammar gives its text, and how good they are."""
        text = inputs.treebank
        heads = drawn_heads(model, inputs)
        right = int((heads == text.heads)[text.heads >= 0].sum()) if inputs.gold else None
        return cls(
            run=run, inputs=inputs, plan=plan, model=model, heads=heads, cross_entropy=model.cross_entropy(text),
            right=right,
        )  # fmt: skip

    @cached_property
    def treebank(self) -> Treebank:
        """``inputs.treebank`` under these trees; a grammar of tags knows no relations."""
        return with_trees(self.inputs.treebank.to_conllu(), self.heads)

    @property
    def parses(self) -> Mapping[str, Treebank]:
        """The trees over the whole text, in which punctuation has no head unless it was kept."""
        whole = self.inputs.whole
        return {"": with_trees(whole, restore_indices(whole, self.inputs.treebank, self.heads))}


def drawn_heads(model: DMV, inputs: InductionInputs) -> np.ndarray:
    """int32 (rows,): the best trees of a text, which respect its mark-up at the level of training. O(sum of n^3)."""
    return model.best_heads(inputs.treebank, brackets=inputs.brackets, level=model.settings.level).values


def restore_indices(whole: Treebank, part: Treebank, heads: np.ndarray) -> np.ndarray:
    """Heads (rows of ``part``,) as heads of ``whole``, of which ``part`` has some words: the other words have none.

    ``whole`` has all rows of the source that ``part`` comes from, or of one with the same words.
    """
    roots = part.root_rows
    numbers = part.rows[roots + np.maximum(heads, 0)] - part.rows[roots]
    restored = np.full(len(whole.heads), -1, np.int32)
    restored[part.rows] = np.where(heads >= 0, numbers, -1)
    return restored
