"""The sentences that a number counts, in words that stand beside it."""

from dataclasses import dataclass

import numpy as np

from core.treebank import Treebank
from core.workspace.wording import amount


@dataclass(frozen=True)
class Scope:
    """``used`` of ``total`` sentences of a text, those of at most ``longest`` words (None: no limit).

    A computation over every pair of words takes ``cost`` times as long on all sentences.
    """

    used: int
    total: int
    longest: int | None
    cost: float = 1.0
    noun: str = "sentence"

    @property
    def is_all(self) -> bool:
        """Whether no sentence is left out."""
        return self.used == self.total

    @property
    def words(self) -> str:
        """For example ``916 of 1,684 sentences (at most 20 words)``, or ``1,684 sentences``."""
        if self.is_all:
            return amount(self.total, self.noun)
        limit = "" if self.longest is None else f" (at most {amount(self.longest, 'word')})"
        return f"{self.used:,} of {amount(self.total, self.noun)}{limit}"

    @property
    def cost_of_all(self) -> str:
        """A sentence on how long it takes to use all sentences."""
        times = f"about {self.cost:.0f} times as long" if self.cost >= 1.5 else "about as long"
        return f"Use all {amount(self.total, self.noun)}, however long. This takes {times}; it can be undone."


def scope(whole: Treebank, used: Treebank, longest: int | None) -> Scope:
    """The Scope of the part ``used`` of a Treebank ``whole``: its sentences of at most ``longest`` words."""
    arcs = [int(((bank.lengths + 1) ** 2).sum(dtype=np.int64)) for bank in (used, whole)]
    return Scope(len(used), len(whole), longest, arcs[1] / max(arcs[0], 1))
