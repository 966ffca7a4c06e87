"""Trees around given arcs: of a tiny sentence every tree is listed, and those with these arcs are ranked."""

import numpy as np
import pytest

from core.parsers.held_arcs import best_around, several_around
from core.trees import PackedScores
from tests.filled import filled
from tests.oracles.trees import is_projective, tree_score, trees

LONGEST, DRAWS = 5, 120


def drawn(seed, crossing):
    """(scores, known heads) of DRAWS tiny sentences: some arcs of a tree, of one whose arcs cross or of any."""
    random = np.random.default_rng(seed)
    matrices, known = [], []
    for _ in range(DRAWS):
        n = int(random.integers(3 if crossing else 1, LONGEST + 1))
        listed = [tree for tree in trees(n) if not crossing or not is_projective(tree)]
        tree = listed[random.integers(len(listed))]
        kept = np.arange(n + 1) > 0 if crossing else random.random(n + 1) < 0.4
        if crossing:
            kept[random.integers(1, n + 1)] = False
        matrices.append(random.normal(size=(n + 1, n + 1)))
        known.append(np.where(kept, tree, -1))
    return matrices, known


def expected(scores, known):
    """All trees that are answers, best first: projective ones with the known arcs, or any where there is none."""
    has_head = known >= 0
    fits = [tree for tree in trees(len(known) - 1) if (tree == known)[has_head].all()]
    answers = [tree for tree in fits if is_projective(tree)] or fits
    return sorted(answers, key=lambda tree: -tree_score(scores, tree))


@pytest.mark.parametrize("crossing", [False, True])
def test_trees_around_given_arcs_are_the_best_that_have_them(crossing):
    matrices, known = drawn(3, crossing)
    packed, heads, k = PackedScores.from_matrices(matrices), np.concatenate(known), 7
    best, several = best_around(packed, heads), several_around(packed, heads, k)
    rows, crossed = np.cumsum([0, *map(len, known)]), 0
    for i, (scores, own) in filled(enumerate(zip(matrices, known, strict=True))):
        answers = expected(scores, own)
        crossed += not is_projective(answers[0])
        assert best[rows[i] : rows[i + 1]].tolist() == answers[0].tolist()
        ranked, values = several[i]
        assert ranked.tolist() == [tree.tolist() for tree in answers[:k]]
        assert np.allclose(values, [tree_score(scores, tree) for tree in answers[:k]])
    assert crossed > 20 if crossing else crossed < DRAWS / 2


def test_a_sentence_whose_given_arcs_fit_no_tree_gets_none():
    scores = PackedScores.from_matrices([np.zeros((3, 3)), np.zeros((3, 3))])
    circle = np.array([-1, 2, 1, -1, 2, 0])
    assert best_around(scores, circle).tolist() == [-1, -1, -1, -1, 2, 0]
    assert several_around(scores, circle, 4).counts.tolist() == [0, 1]
