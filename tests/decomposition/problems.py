"""Small random problems whose every answer can be listed: two sums over shared decisions, in blocks."""

from itertools import product

import numpy as np

from core.decomposition import Agreement


class TableSolver:
    """A solver that lists the outcomes of a block's decisions: the reference for the protocol.

    ``tables[b]`` maps the tuple of outcomes of block b's decisions to its score.
    """

    def __init__(self, blocks, tables):
        self.blocks, self.tables = np.asarray(blocks), tables
        self.members = [np.flatnonzero(self.blocks == b).tolist() for b in range(len(tables))]
        self.choice = np.zeros(len(self.blocks), dtype=np.int64)
        self.values = np.zeros(len(tables))
        self.solution = np.full(len(self.blocks), -1, dtype=np.int32)
        self.solution_blocks = self.blocks
        self.gone = np.zeros(len(self.blocks), dtype=bool)
        self.solved = []

    def argmax(self, multipliers, blocks, preferred=None):
        for block in blocks.tolist():
            self.solved.append(block)
            members = self.members[block]

            def rank(outcomes, members=members, block=block):
                paid = sum(multipliers[k] for v, k in zip(members, outcomes, strict=True) if not self.gone[v])
                kept = (
                    0 if preferred is None else sum(preferred[v] == k for v, k in zip(members, outcomes, strict=True))
                )
                return round(self.score(block, outcomes) + paid, 9), kept, [-k for k in outcomes]

            best = max(self.tables[block], key=rank)
            paid = sum(multipliers[k] for v, k in zip(members, best, strict=True) if not self.gone[v])
            self.values[block] = self.score(block, best) + paid
            self.choice[members] = best
            self.solution[members] = best

    def score(self, block, outcomes):
        members = self.members[block]
        if not any(self.gone[v] for v in members):
            return self.tables[block][outcomes]
        kept = [k for v, k in zip(members, outcomes, strict=True) if not self.gone[v]]
        fits = [
            value
            for other, value in self.tables[block].items()
            if [k for v, k in zip(members, other, strict=True) if not self.gone[v]] == kept
        ]
        return max(fits)

    def value_at(self, choice, blocks):
        return np.array([self.score(b, tuple(choice[self.members[b]].tolist())) for b in blocks.tolist()])

    def release(self, decisions):
        self.gone |= decisions


def random_problem(seed, decisions=5, outcomes=2, first_blocks=3, second_blocks=3, integral=False):
    """(first, second, agreement): two TableSolvers over the same decisions in different blocks."""
    random = np.random.default_rng(seed)
    owner = np.repeat(np.arange(decisions), outcomes).astype(np.int32)
    sides = []
    for count in (first_blocks, second_blocks):
        blocks = (
            np.sort(random.integers(0, count, decisions))
            if count == second_blocks
            else random.integers(0, count, decisions)
        )
        tables = []
        for block in range(count):
            members = np.flatnonzero(blocks == block)
            options = [range(v * outcomes, (v + 1) * outcomes) for v in members.tolist()]
            scores = {
                pick: float(random.integers(0, 4)) if integral else float(random.normal()) for pick in product(*options)
            }
            tables.append(scores)
        sides.append(TableSolver(blocks, tables))
    first, second = sides
    return first, second, Agreement(first.blocks.astype(np.int64), second.blocks.astype(np.int64), owner)


def best_joint(first, second, decisions=5, outcomes=2):
    """The value of the best outcomes of all decisions under both."""
    best = -np.inf
    for pick in product(*(range(v * outcomes, (v + 1) * outcomes) for v in range(decisions))):
        choice = np.array(pick)
        value = sum(s.value_at(choice, np.arange(len(s.values))).sum() for s in (first, second))
        best = max(best, value)
    return best
