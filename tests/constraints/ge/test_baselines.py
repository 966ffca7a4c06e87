"""What constraints and word order give without learning."""

import pytest

from core.constraints import parse_constraints
from core.constraints.ge.baselines import attach_left, attach_right, constraint_baseline
from core.treebank import Treebank

TEXT = Treebank.from_sentences([{"forms": list("abcd"), "xpos": list("DNVN")}, {"forms": ["x"], "xpos": ["N"]}])


def test_neighbours_are_attached():
    assert attach_left(TEXT).heads.tolist() == [-1, 0, 1, 2, 3, -1, 0]
    assert attach_right(TEXT).heads.tolist() == [-1, 2, 3, 4, 0, -1, 0]


@pytest.mark.parametrize("text", ["D <- N dist 1 = 1\nROOT -> V = 0.75\nN -- V = 0.2\nV -- N = 0.5..0.7"])
def test_targets_add_up_to_a_best_tree(text):
    parsed = constraint_baseline(TEXT, parse_constraints(text))
    assert parsed.heads.tolist() == [-1, 2, 3, 0, 3, -1, 0]
    assert parsed[0].deprels == ("", "dep", "dep", "root", "dep")
