"""From the conditions that examples share to the few that are meant: a conjunction, chosen by what it leaves out.

Somebody who wants a change everywhere shows some sentences that have it. Let S(c) be the number of sentences in which
a conjunction c has a hit. Had n examples been drawn among these, their probability would be S(c) ** -n. So a condition
that all examples share, and few other places have, is no accident: the size principle of Tenenbaum & Griffiths (2001).
The loss, in nats, is the sum of these terms:

- The costs of the conditions in c.
- (n - READ_OFF) log S(c).
- WRONG for each place in c that was looked at and not changed.
- SEVERAL times the share of words that would get more than one head.
- RENAMING where nearly every word of the old relation gets the new one.

It is minimised by a beam over conjunctions that hold at all examples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from core.search.by_example.conditions import ChangeSites, Statement
from core.search.by_example.units import SWAP

WRONG, SEVERAL = 6.0, 12.0  # nats
BEAM, MOST, POOL = 10, 5, 90  # conjunctions kept at a time, conditions of one, conditions tried
RENAMING, NEARLY_ALL = 1.5, 0.85  # nats for a new name in such a share of places: to rename all needs no examples
READ_OFF = 0.7  # of the first example: what is said of it was read off it, and cannot surprise
LOWEST = -1.0  # nats that a condition must be expected to gain at least to be tried, unless it leaves out what is wrong


@dataclass(frozen=True, eq=False)
class Conjunction:
    """Conditions together: where they hold, bool (K,), and the value that is minimised, in nats."""

    statements: tuple[Statement, ...]
    holds: np.ndarray
    loss: float

    @property
    def hits(self) -> int:
        """Places where they hold."""
        return int(self.holds.sum())


class Learner:
    """Conjunctions over one ChangeSites.

    Parameters
    ----------
    sites : ChangeSites
    is_wrong : ndarray of shape (K,), dtype bool
        Places of sentences that were looked at, where nothing was changed so.
    """

    def __init__(self, sites: ChangeSites, is_wrong: np.ndarray):
        self.sites, self.is_wrong = sites, is_wrong
        self.sentence = sites.text.sentence_rows[sites.places[:, 0]]
        self.shown = sites.shown
        self.seen: dict[frozenset[int], Conjunction] = {}

    def loss(self, cost: float, holds: np.ndarray) -> float:
        """The value to be minimised, in nats. O(K)."""
        sentences = self.sentence[holds]
        count = 1 + int(np.count_nonzero(np.diff(sentences))) if len(sentences) else 0
        wrong = int(np.count_nonzero(holds & self.is_wrong))
        value = cost + (self.shown - READ_OFF) * log(max(count, self.shown)) + WRONG * wrong
        if not self.sites.shape.target and self.sites.shape.name != SWAP and holds.mean() > NEARLY_ALL:
            value += RENAMING
        if self.sites.shape.downs:
            words = self.sites.places[holds, 0]
            value += SEVERAL * (1 - (1 + np.count_nonzero(np.diff(words))) / len(words))
        return value

    def pool(self, statements: Sequence[Statement]) -> list[Statement]:
        """The statements that may be worth their cost, the best first; of those that hold alike the cheapest."""
        best: dict[bytes, Statement] = {}
        for statement in statements:
            key = np.packbits(statement.holds).tobytes()
            if key not in best or best[key].cost > statement.cost:
                best[key] = statement
        everything = np.ones(len(self.sentence), bool)
        start = self.loss(0.0, everything)
        gains = [(start - self.loss(statement.cost, statement.holds), statement) for statement in best.values()]
        gains.sort(key=lambda pair: -pair[0])
        return [statement for gain, statement in gains[:POOL] if gain > LOWEST]

    def learn(self, statements: Sequence[Statement]) -> list[Conjunction]:
        """All conjunctions that were looked at, the best first. O(POOL BEAM MOST K)."""
        pool = self.pool(statements)
        everything = np.ones(len(self.sentence), bool)
        level = {frozenset[int](): Conjunction((), everything, self.loss(self.sites.shape.cost, everything))}
        self.seen |= level
        for _ in range(MOST):
            grown = {}
            for names, conjunction in level.items():
                for number, statement in enumerate(pool):
                    longer = names | {number}
                    if number in names or longer in self.seen or longer in grown:
                        continue
                    holds = conjunction.holds & statement.holds
                    cost = sum(each.cost for each in (*conjunction.statements, statement)) + self.sites.shape.cost
                    grown[longer] = Conjunction((*conjunction.statements, statement), holds, self.loss(cost, holds))
            best = sorted(grown, key=lambda names: grown[names].loss)[:BEAM]
            level = {names: grown[names] for names in best}
            self.seen |= grown
            if not level:
                break
        return sorted(self.seen.values(), key=lambda conjunction: conjunction.loss)
