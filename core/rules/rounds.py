"""A run of dual decomposition under rules, round by round: the tree, the rules that it breaks, what is in dispute."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.rules.checking import Breach, RuleTree, breaches
from core.rules.decomposing import DecomposedTree, tree_of
from core.rules.factors import CLASSES
from core.rules.rule import Rule


@dataclass(frozen=True, eq=False)
class RuleRound:
    """One round.

    Attributes
    ----------
    tree : RuleTree
        The best one under this round's prices.
    broken : tuple of Breach
        Where it breaks rules.
    disputed : tuple of int
        Words of whose arcs the tree and a rule have different classes; their prices move next.
    moved : tuple of int
        Words on whose arcs prices moved before this round.
    changed : tuple of int
        Words with another head or relation than in the round before.
    dual, bound : float
        The dual value, and the least so far: no tree that keeps the rules is worth more.
    best : float
        The value of the best tree so far that keeps them; minus infinity without one.
    step : float
        By how much prices moved at the most.
    """

    tree: RuleTree
    broken: tuple[Breach, ...]
    disputed: tuple[int, ...]
    moved: tuple[int, ...]
    changed: tuple[int, ...]
    dual: float
    bound: float
    best: float
    step: float


def rounds_of(found: DecomposedTree, rules: Sequence[Rule]) -> list[RuleRound]:
    """The rounds of a run, in order; none where nothing was decoded. O(rounds * rules * n)."""
    if found.result is None:
        return []
    trace = found.result.trace
    moved = [
        tuple(np.unique(found.factors.word_of[record.entries // len(CLASSES)]).tolist()) for record in trace.records
    ]
    rounds, solution, before = [], trace[0].after.copy(), None
    for record, words, follows in zip(trace, moved, [*moved[1:], ()], strict=True):
        solution[record.rows] = record.after
        tree = tree_of(solution, found.arcs)
        changed = () if before is None else _differing(before, tree)
        broken, bound = tuple(breaches(rules, tree)), record.best_dual
        best, step = record.best_primal, record.step
        rounds.append(RuleRound(tree, broken, follows, words, changed, record.dual, bound, best, step))
        before = tree
    return rounds


def _differing(before: RuleTree, tree: RuleTree) -> tuple[int, ...]:
    """The words with another head or relation in one tree than in another."""
    words = range(1, len(tree))
    return tuple(
        word
        for word in words
        if (tree.heads[word], tree.relations[word]) != (before.heads[word], before.relations[word])
    )
