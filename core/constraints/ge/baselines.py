"""Baselines from constraints and word order, without learning (druck2009, section 5)."""

from collections.abc import Sequence

import numpy as np

from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import as_matcher
from core.parsers.crf.tree_crf import with_trees
from core.treebank import Treebank
from core.trees import maximum_spanning_tree
from core.trees.packed import PackedScores


def constraint_baseline(
    treebank: Treebank, constraints: Sequence[Constraint], *, tags: str | None = None, single_root: bool = True
) -> Treebank:
    """The best trees when an arc scores the sum of the targets of all constraints that match it.

    Other arcs score 0; a range counts as its middle. The maximum spanning tree of these scores is the paper's
    strong baseline: it spreads information across a sentence, but learns nothing. O(sum of n^2).
    """
    matches = as_matcher(treebank, tags, constraints).match(constraints)
    targets = np.array([(constraint.low + constraint.high) / 2 for constraint in matches.constraints])
    scores = PackedScores(matches.scatter(targets).astype(np.float64), matches.arc_offsets)
    return with_trees(treebank, maximum_spanning_tree(scores, single_root=single_root).values)


def attach_left(treebank: Treebank) -> Treebank:
    """Every word attached to its left neighbour; the first word is the root."""
    return with_trees(treebank, (treebank.numbers - 1).astype(np.int32))


def attach_right(treebank: Treebank) -> Treebank:
    """Every word attached to its right neighbour; the last word is the root."""
    sides = treebank.lengths + 1
    heads = (treebank.numbers + 1) % np.repeat(sides, sides)
    heads[treebank.offsets[:-1]] = -1
    return with_trees(treebank, heads.astype(np.int32))
