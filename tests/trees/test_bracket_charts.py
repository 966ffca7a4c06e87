"""Trees under brackets: ties, and what cannot be. That answers are right stands in ``test_decoders.py``."""

import numpy as np
import pytest

from core.errors import InfeasibleError, WorkbenchError
from core.trees import (
    Bracket,
    PackedBrackets,
    PackedScores,
    bracketed_eisner,
    bracketed_inside_outside,
    bracketed_matrix_tree,
)
from core.trees.brackets import LEVELS
from tests.oracles import brackets as oracle
from tests.oracles import trees
from tests.parsers.dmv.test_charts import KINDS, require_right


def test_equally_good_trees_are_equally_likely():
    listed = oracle.keep(trees.trees(4, True, True), ((2, 4),), "loose")
    packed = PackedScores.from_matrices([np.zeros((5, 5))] * 3000)
    brackets = PackedBrackets.from_lists([[Bracket(2, 4)]] * 3000)
    heads = bracketed_eisner(packed, brackets, "loose", seed=5)
    counts = [(heads.values.reshape(-1, 5) == tree).all(axis=1).sum() for tree in listed]
    assert sum(counts) == 3000 and len(counts) == 14
    assert sum((count - 3000 / 14) ** 2 / (3000 / 14) for count in counts) < 34.5  # chi-squared, 13 degrees: p = 0.001
    again = bracketed_eisner(packed, brackets, "loose", seed=5, threads=1)
    np.testing.assert_array_equal(heads.values, again.values)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_valences_and_adjacency_count_too(level, kind):
    """Of those that give charts such weights the DMV is the only one."""
    require_right(level, True, kind)


FLAT, NO_ARC, TWO = np.zeros((5, 5)), np.full((3, 3), -np.inf), PackedScores.from_matrices([np.zeros((5, 5))] * 2)
CROSSING, LATE = [Bracket(1, 3), Bracket(2, 4)], [Bracket(2, 6)]
NONE_OF_TWO = PackedBrackets.from_lists([[], []])
DEEP = [Bracket(1, end) for end in range(3, 17)]
WIDE = [Bracket(start, start + 10) for start in (1, 11, 21, 31, 41)]


@pytest.mark.parametrize(
    ("decoder", "scores", "brackets", "level", "error", "message"),
    [
        (bracketed_eisner, FLAT, CROSSING, "strict", InfeasibleError,
         "^no projective tree satisfies its brackets at level strict; take a softer level or fewer brackets"),
        (bracketed_inside_outside, TWO, PackedBrackets.from_lists([[], CROSSING]), "strict", InfeasibleError,
         "^sentence 1: no projective tree satisfies"),
        (bracketed_matrix_tree, FLAT, CROSSING, "strict", InfeasibleError,
         "no tree satisfies the sentence's brackets at level strict"),
        (bracketed_eisner, NO_ARC, [], "tear", InfeasibleError, "every head of word 1 is forbidden"),
        (bracketed_eisner, TWO, CROSSING, "strict", WorkbenchError, "2 score matrices need PackedBrackets"),
        (bracketed_eisner, TWO, NONE_OF_TWO, np.array([5, 0]), WorkbenchError, "2 numbers from 0 to 4"),
        (bracketed_eisner, FLAT, LATE, "loose", WorkbenchError,
         "sentence 0: the bracket 2-5 does not lie within words 1-4"),
        (bracketed_eisner, np.zeros((6, 6)), [Bracket(2, 7)], "loose", WorkbenchError,
         "the bracket 2-6 does not lie within words 1-5"),
        (bracketed_matrix_tree, FLAT, LATE, "loose", WorkbenchError, "the bracket 2-5 does not lie within words 1-4"),
        (bracketed_eisner, np.zeros((18, 18)), DEEP, "tear", WorkbenchError,
         "sentence 0 has more than 12 brackets over one word, too many for tear"),
        (bracketed_matrix_tree, np.zeros((52, 52)), WIDE, "loose", WorkbenchError,
         "allow 100000 combinations of heads or sides, more than 20000"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_named(decoder, scores, brackets, level, error, message):
    with pytest.raises(error, match=message):
        decoder(scores, brackets, level)
