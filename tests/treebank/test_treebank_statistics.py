"""Counts over a treebank."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.treebank import Treebank, read_conllu, statistics
from core.treebank.statistics import non_projective
from tests.oracles.treebank_texts import trees
from tests.oracles.trees import is_projective


@given(st.lists(st.integers(1, 2).flatmap(lambda roots: trees(min_words=2, max_words=8, roots=roots)), min_size=1))
def test_crossing_trees_are_found(forest):
    treebank = Treebank.from_sentences({"forms": ["w"] * (len(heads) - 1), "heads": heads[1:]} for heads in forest)
    expected = [not is_projective(heads) for heads in forest]
    assert non_projective(treebank.offsets, treebank.heads).tolist() == expected
    counts = statistics(treebank)
    assert (counts.non_projective, counts.with_heads) == (sum(expected), len(forest))
    assert counts.lengths == dict(sorted(Counter(len(heads) - 1 for heads in forest).items()))
    arcs = [heads[m] - m for heads in forest for m in range(1, len(heads)) if heads[m] > 0]
    assert counts.arc_lengths == dict(sorted(Counter(map(abs, arcs)).items()))
    assert (counts.left_arcs, counts.right_arcs) == (sum(a > 0 for a in arcs), sum(a < 0 for a in arcs))


def test_a_small_treebank_is_counted():
    annotated = {
        "forms": ["the", "dog", "barks"],
        "upos": ["DET", "NOUN", "VERB"],
        "xpos": ["DT", "NN", None],
        "heads": [2, 3, 0],
        "deprels": ["det", "nsubj", "root"],
    }
    counts = statistics(Treebank.from_sentences([annotated, annotated, {"forms": ["the"]}], name="small"))
    assert (counts.name, counts.sentences, counts.tokens, counts.forms) == ("small", 3, 7, 3)
    assert (counts.mean_length, counts.longest, counts.lengths) == (pytest.approx(7 / 3), 3, {1: 1, 3: 2})
    assert counts.upos == {"DET": 2, "NOUN": 2, "VERB": 2}
    assert counts.xpos == {"DT": 2, "NN": 2}
    assert list(counts.relations.items()) == [("det", 2), ("nsubj", 2), ("root", 2)]
    assert (counts.with_heads, counts.several_roots, counts.share_non_projective) == (2, 0, 0)
    assert counts.share_with_heads == pytest.approx(2 / 3)
    assert json.loads(json.dumps(counts.as_dict()))["share_with_heads"] == counts.share_with_heads


def test_nothing_is_counted_as_nothing():
    counts = statistics(Treebank.from_sentences([]))
    assert (counts.sentences, counts.tokens, counts.longest, counts.lengths) == (0, 0, 0, {})
    assert (counts.mean_length, counts.share_with_heads, counts.share_non_projective) == (None, None, None)
    assert (counts.several_roots, counts.relations) == (0, {})


@pytest.mark.parametrize(
    ("name", "sentences", "tokens", "longest", "percent"),
    [  # as the test data's own table counts them
        ("en-wsj/wsj-sample.conllu", 3914, 94084, 249, 0.0),
        ("en-ewt/ewt-train.conllu", 12544, 204577, 159, 2.3),
        ("nl-cdbl/nl_cdbl-train.conllu", 2500, 49279, 72, 47.9),
        ("ud/tr_imst-train.conllu", 3435, 37522, 52, 5.0),
        ("ud/nl_alpino-test.conllu", 596, 11046, 67, 14.3),
    ],
)
def test_shared_treebanks_are_counted(large_files, name, sentences, tokens, longest, percent):
    counts = statistics(read_conllu(large_files / name))
    assert (counts.sentences, counts.tokens, counts.longest) == (sentences, tokens, longest)
    assert 100 * counts.share_non_projective == pytest.approx(percent, abs=0.05)
    assert (counts.with_heads, counts.several_roots) == (sentences, 0)
