"""The graph-based parser: learning, applying, saving, and what it refuses."""

import numpy as np
import pytest

from core.parsers import MSTParser, load_parser
from core.treebank import Treebank

SMALL = {"bits": 12, "label_bits": 10, "minimum_count": 1}
WORDS = {
    "forms": ["the", "old", "dog", "saw", "a", "cat", "."],
    "upos": ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
    "xpos": ["DT", "JJ", "NN", "VBD", "DT", "NN", "."],
    "heads": [3, 3, 4, 0, 6, 4, 4],
    "deprels": ["det", "amod", "nsubj", "root", "det", "obj", "punct"],
}
SHORT = {
    "forms": ["dogs", "sleep"],
    "upos": ["NOUN", "VERB"],
    "xpos": ["NNS", "VBP"],
    "heads": [2, 0],
    "deprels": ["nsubj", "root"],
}
CROSSING = {**WORDS, "heads": [3, 4, 4, 0, 6, 3, 4]}


@pytest.fixture(scope="module")
def trees():
    return Treebank.from_sentences([WORDS, SHORT, WORDS])


KINDS = {
    "order 1": {"order": 1},
    "order 1, perceptron": {"order": 1, "learner": "perceptron"},
    "order 1, joint labels": {"order": 1, "labels": "joint"},
    "order 1, non-projective": {"order": 1, "projective": False},
    "order 2": {"order": 2},
    "order 2, no labels, no forms": {"order": 2, "labels": False, "features": "unlexicalized"},
    "order 2, joint labels": {"order": 2, "labels": "joint"},
    "order 2, grandparents": {"order": 2, "grandparents": True},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_told_apart_is_learnt(trees, kind):
    parser = MSTParser(**KINDS[kind], **SMALL).fit(trees, epochs=5)
    parsed = parser.parse(trees)
    np.testing.assert_array_equal(parsed.heads, trees.heads)
    labelled = KINDS[kind].get("labels", True)
    assert parsed[1].deprels == ("", "nsubj", "root") if labelled else ("", "dep", "root")
    assert parsed[0].deprels == trees[0].deprels or not labelled


@pytest.mark.parametrize("kind", KINDS)
def test_saved_scores_are_the_same(trees, kind, tmp_path):
    parser = MSTParser(**KINDS[kind], **SMALL).fit(trees, epochs=2)
    parser.save(tmp_path / "parser.npz")
    loaded = load_parser(tmp_path / "parser.npz")
    one, other = parser.score(trees), loaded.score(trees)
    assert one.arcs.values.tobytes() == other.arcs.values.tobytes()
    for name in ("siblings", "grandparents"):
        if getattr(one, name) is not None:
            assert getattr(one, name).values.tobytes() == getattr(other, name).values.tobytes()
    assert loaded.parse(trees)[0].deprels == parser.parse(trees)[0].deprels
