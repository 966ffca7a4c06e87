"""The settings of training a grammar from lines, and those that suit a text for which nobody has chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from core.constraints.grammar_settings import WORDS, GrammarSettings
from core.treebank import Treebank
from core.workspace.constraints.line_plan import LinePlan, require, require_one_of
from core.workspace.constraints.settings import first_tags

LONGEST = GrammarSettings.lengths[-1]
FIRST = GrammarSettings.lengths[0]


@dataclass(frozen=True)
class GrammarPlan(LinePlan):
    """Settings of a training run of the grammar; ``max_length`` counts words without punctuation.

    Attributes
    ----------
    words : {"auto", "yes", "no"}
        Whether frequent words are symbols of their own.
    together, second_order : bool
        As in ``GrammarSettings``.
    stacked : bool
        As in ``GrammarSettings``; plans of before it was there are without it.
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    bound : float
        The largest multiplier, in nats, of a line of weight 1.
    """

    max_length: int | None = LONGEST
    words: str = GrammarSettings.words
    together: bool = GrammarSettings.together
    second_order: bool = GrammarSettings.second_order
    stacked: bool = True
    price: float = GrammarSettings.price
    bound: float = GrammarSettings.bound

    def __post_init__(self):
        super().__post_init__()
        require_one_of("answer about words", self.words, WORDS)
        require(self.price >= 0, f"the price of crossing a punctuation mark must be at least 0, got {self.price:g}")
        require(self.bound > 0, f"the largest multiplier must be positive, got {self.bound:g}")

    @classmethod
    def from_dict(cls, values: Mapping) -> Self:
        """From stored values."""
        return super().from_dict({"stacked": False} | dict(values))

    @property
    def shape(self) -> tuple:
        """The sentences, and which parsers there are."""
        return (*self.selection, self.words, self.together, self.second_order, self.stacked)

    def grammar_settings(self) -> GrammarSettings:
        """The trainer's settings: a stage of short sentences, and one of all that are let in."""
        short = self.max_length is not None and self.max_length <= FIRST
        lengths = (self.max_length,) if short else (FIRST, self.max_length)
        return GrammarSettings(
            tags=self.tags, lengths=lengths, iterations=GrammarSettings.iterations[: len(lengths)], words=self.words,
            together=self.together, second_order=self.second_order, price=self.price, bound=self.bound,
            level=self.brackets, stacked=self.stacked,
        )  # fmt: skip


def default_plan(treebank: Treebank) -> GrammarPlan:
    """The usual plan of a text, with sentences as long as its shortest one at least. WorkbenchError without tags."""
    shortest = int(treebank.lengths.min()) if len(treebank) else 0
    return GrammarPlan(first_tags(treebank), max_length=max(LONGEST, shortest))
