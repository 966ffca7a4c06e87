"""Decoders and marginals over arrays of arc scores; they know nothing of models or treebanks."""

from core.trees.bracket_charts import bracketed_eisner, bracketed_inside_outside
from core.trees.bracket_contraction import bracketed_matrix_tree
from core.trees.brackets import Bracket, PackedBrackets, hardest_levels, offending_arcs, satisfies
from core.trees.druck_covariance import approximate_covariance, pairwise_covariance
from core.trees.eisner import eisner
from core.trees.eisner_grandparent import eisner_grandparent
from core.trees.eisner_kbest import PackedTrees, eisner_kbest
from core.trees.eisner_sibling import eisner_sibling
from core.trees.feasibility import require_tree, tree_exists
from core.trees.inside_outside import inside_outside, inside_outside_covariance
from core.trees.matrix_tree import TreeSums, matrix_tree, matrix_tree_covariance
from core.trees.max_marginals import max_marginals
from core.trees.maximum_spanning_tree import maximum_spanning_tree
from core.trees.packed import PackedHeads, PackedScores, PackedTriples
from core.trees.surviving import SparseTriples, SurvivingArcs

__all__ = [
    "Bracket",
    "PackedBrackets",
    "PackedHeads",
    "PackedScores",
    "PackedTrees",
    "PackedTriples",
    "SparseTriples",
    "SurvivingArcs",
    "TreeSums",
    "approximate_covariance",
    "bracketed_eisner",
    "bracketed_inside_outside",
    "bracketed_matrix_tree",
    "eisner",
    "eisner_grandparent",
    "eisner_kbest",
    "eisner_sibling",
    "hardest_levels",
    "inside_outside",
    "inside_outside_covariance",
    "matrix_tree",
    "matrix_tree_covariance",
    "max_marginals",
    "maximum_spanning_tree",
    "offending_arcs",
    "pairwise_covariance",
    "require_tree",
    "satisfies",
    "tree_exists",
]
