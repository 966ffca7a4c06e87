"""What constraints say above a parser: of all distributions over trees, the nearest to the parser's that keeps them.

The parser gives p(tree) ~ exp(sum of log-weights s of its arcs) over projective trees with one root word. Constraints
reach this module as bare arrays (``core.parsers.dual_ascent.PosteriorConstraints``). The result q has the weights s
plus the multipliers of the constraints that match an arc. All sums over its trees are exact. If the true trees keep
the constraints, q gives them no lower likelihood than p does, for any multipliers whose dual is at least 0. What a
false constraint can cost is limited by its largest multiplier.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from core.callbacks import Cancel
from core.errors import InfeasibleError
from core.parsers.dmv.text import Expectations
from core.parsers.dual_ascent import DualAscent, DualPoint, Moments, PosteriorConstraints, PosteriorSums
from core.trees.bracket_charts import bracketed_inside_outside
from core.trees.brackets import NONE, PackedBrackets, level_number
from core.trees.inside_outside import inside_outside
from core.trees.packed import PackedScores

POINT = 0.05  # what a share that is a number may lie off it
CELLS = {
    0.0: (0.0, 0.05), 0.1: (0.05, 0.175), 0.25: (0.175, 0.375), 0.5: (0.375, 0.625), 0.75: (0.625, 0.875),
    1.0: (0.875, 1.0),
}  # fmt: skip
STEPS = 5  # evaluations of the dual between two reports


def cell(share: float) -> tuple[float, float]:
    """The shares that a share stated as one number stands for.

    Those that round to it where it is one of 0, 0.1, 0.25, 0.5, 0.75 and 1 (druck2009, section 4.1), else those that
    lie within 0.05 of it. Shares above 1, of modifiers a head, have no cell of their own.
    """
    return CELLS.get(share, (max(0.0, share - POINT), min(1.0, share + POINT) if share <= 1 else share + POINT))


@dataclass(frozen=True, eq=False)
class ArcWeightSums:
    """The PosteriorSums of trees whose arcs have log-weights.

    Parameters
    ----------
    weights : PackedScores
        s, in nats; -inf forbids an arc.
    constraints : PosteriorConstraints
    brackets : PackedBrackets, optional
        All trees respect them.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        How; a sentence without such a tree is held at the next softer level, and so on.
    threads : int, optional
    single_root : bool, default=True
        Exactly one word attached to the root.
    """

    weights: PackedScores
    constraints: PosteriorConstraints
    brackets: PackedBrackets | None = None
    level: str = "none"
    threads: int | None = None
    single_root: bool = True

    @property
    def token_count(self) -> int:
        return int((self.weights.sides - 1).sum())

    @cached_property
    def levels(self) -> np.ndarray | None:
        """int8 (S,): the level of each sentence, as numbered in ``LEVELS``; None without brackets. O(sum of n^3)."""
        number = level_number(self.level)
        if self.brackets is None or number == NONE:
            return None
        levels = np.full(len(self.weights), number, np.int8)
        while True:
            totals = bracketed_inside_outside(
                self.weights, self.brackets, levels, self.single_root, threads=self.threads, errors="mark"
            )[0]  # fmt: skip
            strained = np.isneginf(totals) & (levels > NONE)
            if not strained.any():
                return levels
            levels[strained] -= 1

    def sums(self, multipliers: np.ndarray) -> tuple[np.ndarray, PackedScores]:
        """(log-partitions float64 (S,) in nats, the probability of every arc) of q. O(sum of n^3)."""
        weights = self.weights.like(self.weights.values + self.constraints.log_weights(multipliers))
        if self.levels is None or self.brackets is None:
            return inside_outside(weights, self.single_root, threads=self.threads)
        return bracketed_inside_outside(weights, self.brackets, self.levels, self.single_root, threads=self.threads)

    def moments(self, grammar: None, multipliers: np.ndarray) -> Moments:
        """The Moments of q at some multipliers; there are no parameters beside ``weights``."""
        totals, marginals = self.sums(multipliers)
        none = np.empty(0)
        arcs = Expectations(totals, marginals.values, none, none)
        return Moments(float(totals.sum()), *self.constraints.moments(marginals.values), arcs=arcs)


class ProjectionSums(PosteriorSums, Protocol):
    """Sums above a parser, with the constraints that they are under."""

    @property
    def constraints(self) -> PosteriorConstraints: ...


class TreeProjection:
    """The way to q: dual ascent from multipliers that may be those of an earlier projection.

    Parameters
    ----------
    sums : ProjectionSums
        Such as ArcWeightSums.
    start : ndarray of shape (C,), optional
        Multipliers in nats; zeros by default.

    Attributes
    ----------
    untrained : DualPoint
        p, with all multipliers at 0.
    point : DualPoint
        q so far.

    Raises
    ------
    InfeasibleError : a sentence has no projective tree.
    """

    def __init__(self, sums: ProjectionSums, start: np.ndarray | None = None):
        self.sums, none = sums, np.zeros(len(sums.constraints.low))
        self.ascent = DualAscent(sums, sums.constraints, start)
        self.untrained = self.ascent.point(None, none)
        if not np.isfinite(self.untrained.value):
            raise InfeasibleError("a sentence has no projective tree under this parser; forbid fewer of its arcs")
        self.point: DualPoint = self.untrained if start is None else self.ascent.point(None, self.ascent.multipliers)

    def climb(self, tolerance: float, cancel: Cancel | None = None) -> bool:
        """Go on for a few evaluations, O(sum of n^3) each: whether q is within ``tolerance`` nats a word of the end."""
        self.point = self.ascent.climb(None, STEPS + 1, cancel, tolerance, self.point)
        return self.point.gap(self.sums.constraints) <= tolerance * self.sums.token_count

    @property
    def dual(self) -> float:
        """In nats: KL(q | p) and what constraints outside their ranges cost, once the ascent is at its end."""
        return self.point.value - self.untrained.value
