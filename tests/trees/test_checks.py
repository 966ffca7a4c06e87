"""What the doors refuse, by name and place."""

import numpy as np
import pytest

from core.errors import ScoreShapeError
from core.trees.checks import as_matrix, as_packed
from core.trees.packed import PackedScores


def test_a_plain_array_is_passed_on_without_a_copy():
    scores = np.zeros((3, 3))
    assert as_matrix(scores) is scores
    assert as_matrix(scores.T[:, ::-1]).flags.c_contiguous
    assert as_matrix([[0, 1], [0, 0]]).dtype == np.float64


@pytest.mark.parametrize("scores", [[[1, 2]], [1.0], 3, np.zeros((1, 1)), np.zeros((2, 2, 2)), np.zeros((2, 3))])
def test_shapes_that_are_not_sentences(scores):
    with pytest.raises(ScoreShapeError, match=r"bonus must have shape \(n \+ 1, n \+ 1\)"):
        as_matrix(scores, "bonus")


def test_things_that_are_not_numbers():
    with pytest.raises(ScoreShapeError, match="scores must be a square array of numbers"):
        as_matrix("words")
    with pytest.raises(ScoreShapeError, match="scores must be a PackedScores like the scores, got list"):
        as_packed([np.zeros((2, 2))])


@pytest.mark.parametrize(
    ("values", "offsets", "message"),
    [
        (np.zeros(5), [0, 5], "sentence 0 of scores takes 5 values"),
        (np.zeros(4), [0, 9, 4], "sentence 1 of scores takes -5 values"),
        (np.zeros(1), [0, 1], "sentence 0 of scores takes 1 values"),
        (np.zeros(9), [0, 4], "scores must hold 4 values as its offsets say"),
        (np.zeros(4), [1, 5], "offsets of scores must be"),
        (np.zeros(4), [], "offsets of scores must be"),
    ],
)
def test_offsets_that_are_not_squares(values, offsets, message):
    with pytest.raises(ScoreShapeError, match=message):
        as_packed(PackedScores(values, np.array(offsets, dtype=np.int64)))


def test_another_layout_is_refused():
    one, other = PackedScores.empty([2, 3]), PackedScores.empty([3, 2])
    assert as_packed(one, layout=one).values is one.values
    with pytest.raises(ScoreShapeError, match="direction must be packed like the scores"):
        as_packed(other, "direction", layout=one)
