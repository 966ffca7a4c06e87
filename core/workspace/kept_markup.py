"""Whether the trees of marked sentences keep to their mark-up: one count for all pages, and heads for punctuation.

A sentence keeps its mark-up at a level if its tree respects each of its brackets at that level.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.offsets import any_of_each
from core.treebank import Treebank
from core.treebank.unpunctuated import attach_marks
from core.trees.brackets import Bracket, PackedBrackets
from core.trees.packed import PackedHeads
from core.trees.respecting import nearest_respecting
from core.workspace.wording import amount

PUNCT = "punct"


@dataclass(frozen=True)
class KeptMarkup:
    """How many sentences keep their mark-up at a level: ``kept`` of ``judged``, the ``marked`` that have a tree."""

    level: str
    kept: int
    judged: int
    marked: int

    @property
    def words(self) -> str:
        """As in "18 of 20 sentences with mark-up keep it at *loose*"; the trees are named by who shows it."""
        keep = "keeps" if self.kept == self.judged == 1 else "keep"
        counted = f"{self.kept:,} of {amount(self.judged, 'sentence')} with mark-up {keep} it at *{self.level}*"
        unparsed = self.marked - self.judged
        return f"{counted}; {unparsed:,} {'has' if unparsed == 1 else 'have'} no tree" if unparsed else counted


def with_marks_attached(treebank: Treebank, brackets: Sequence[Sequence[Bracket]], level: str = "loose") -> Treebank:
    """A treebank in which punctuation has heads where a parser gave heads to all words and to no punctuation.

    Its arcs cross none, and keep the brackets of each sentence at the ``level`` if those of the words do.
    """
    free = treebank.punctuation() & (treebank.heads < 0)
    unparsed = any_of_each((treebank.heads < 0) & treebank.is_word & ~free, treebank.offsets)
    free &= ~np.repeat(unparsed, treebank.lengths + 1)
    if not free.any():
        return treebank
    heads = treebank.heads.astype(np.int32)
    attach_marks(treebank.offsets, free, heads)
    completed = any_of_each(free, treebank.offsets)
    marks = [spans if complete else () for spans, complete in zip(brackets, completed.tolist(), strict=True)]
    relations = np.where(free, PUNCT, treebank.deprel.strings())
    return treebank.with_heads(_respecting(treebank, heads, marks, level, free), relations.tolist())


def marks_respecting(
    treebank: Treebank, heads: np.ndarray, brackets: Sequence[Sequence[Bracket]], level: str
) -> np.ndarray:  # fmt: skip
    """int32 (rows,): whole trees of a text in which punctuation hangs so that brackets that the words keep are kept."""
    return _respecting(treebank, heads, brackets, level, treebank.punctuation())


def _respecting(treebank, heads, brackets, level, free):
    packed = PackedBrackets.from_lists(brackets)
    return nearest_respecting(PackedHeads(heads, treebank.offsets), packed, level, free)
