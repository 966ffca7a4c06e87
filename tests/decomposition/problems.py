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
            members, liked = self.members[block], self.choice * 0 - 1 if preferred is None else preferred

            def value(outcomes, members=members, block=block):
                paid = sum(multipliers[k] for v, k in zip(members, outcomes, strict=True) if not self.gone[v])
                return self.score(block, outcomes) + paid

            def rank(outcomes, value=value, liked=liked[members]):
                return round(value(outcomes), 9), (liked == outcomes).sum(), [-k for k in outcomes]

            best = max(self.tables[block], key=rank)
            self.values[block] = value(best)
            self.choice[members] = best
            self.solution[members] = best

    def score(self, block, outcomes):
        left = ~self.gone[self.members[block]]
        if left.all():
            return self.tables[block][outcomes]
        return max(value for other, value in self.tables[block].items() if (np.array(other) == outcomes)[left].all())

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
        blocks = random.integers(0, count, decisions)
        blocks = np.sort(blocks) if count == second_blocks else blocks
        tables = []
        for block in range(count):
            members = np.flatnonzero(blocks == block)
            options = [range(v * outcomes, (v + 1) * outcomes) for v in members.tolist()]
            draw = (lambda: random.integers(0, 4)) if integral else random.normal
            tables.append({pick: float(draw()) for pick in product(*options)})
        sides.append(TableSolver(blocks, tables))
    first, second = sides
    return first, second, Agreement(first.blocks.astype(np.int64), second.blocks.astype(np.int64), owner)


def best_joint(first, second, decisions=5, outcomes=2):
    """The value of the best outcomes of all decisions under both."""
    picks = product(*(range(v * outcomes, (v + 1) * outcomes) for v in range(decisions)))
    return max(
        sum(side.value_at(np.array(pick), np.arange(len(side.values))).sum() for side in (first, second))
        for pick in picks
    )
