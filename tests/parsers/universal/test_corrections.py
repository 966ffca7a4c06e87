"""Corrections from a few trees: their features against names written out, what they learn, and what stays alone."""

import itertools

import numpy as np
import pytest

from core.parsers.universal import corrections
from core.parsers.universal.corrections import Ends, form_numbers, forms_of, learn_arcs, learn_relations
from core.parsers.universal.text import ROOT as PAD
from core.parsers.universal.text import part_numbers
from core.treebank import Treebank
from core.trees import PackedScores

TREES = Treebank.from_sentences(
    [
        {"forms": ["The", "cat", "saw", "it", "then"], "upos": ["DET", "NOUN", "VERB", "PRON", "ADV"],
         "heads": [2, 3, 0, 3, -1], "deprels": ["det", "nsubj", "root", "obj", ""]},
        {"forms": ["Rain", "fell"], "upos": ["NOUN", "VERB"], "heads": [2, 0], "deprels": ["nsubj", "root"]},
    ]
)  # fmt: skip


@pytest.fixture
def flat():
    return PackedScores.from_matrices([np.zeros((length + 1, length + 1)) for length in TREES.lengths])


def test_arcs_have_the_same_feature_where_they_look_the_same():
    tags, forms = part_numbers(TREES), forms_of(TREES)
    assert forms == ("cat", "fell", "it", "rain", "saw", "the", "then")
    numbers = form_numbers(TREES, forms)
    found = corrections.arc_features(tags, numbers, TREES.offsets, len(forms))
    assert found.min() >= 0 and found.max() < corrections.arc_size(len(forms))
    named = []
    for i in range(len(TREES)):
        rows = slice(TREES.offsets[i], TREES.offsets[i + 1])
        t, f = (["-", *each, "-"] for each in (tags[rows].tolist(), numbers[rows].tolist()))
        t = [PAD if each == "-" else each for each in t]
        for h, m in itertools.product(range(len(f) - 2), repeat=2):
            side = "root" if h == 0 else "right" if h < m else "left"
            apart = abs(h - m)
            far = next(k for k, most in enumerate((1, 2, 4, 8, 99)) if apart <= most)
            head, modifier, before, after = t[h + 1], t[m + 1], t[m], t[m + 2]
            pair = head, modifier, side
            named.append([
                ("pair", *pair), ("far", *pair, far), ("length", side, far), ("modifier", modifier, side, far),
                ("before", *pair, before), ("after", *pair, after), ("modifier's word", f[m + 1], side, head),
                ("head's word", f[h + 1], side, modifier), ("its length", f[m + 1], side, far),
                ("head", f[h + 1], side),
            ])  # fmt: skip
    pairs = {(number, name) for row, names in zip(found.tolist(), named, strict=True)
             for number, name in zip(row, names, strict=True)}  # fmt: skip
    assert len({number for number, _ in pairs}) == len({name for _, name in pairs}) == len(pairs)


def test_weights_of_arcs_are_where_the_gradient_is_zero(flat):
    tags, forms = part_numbers(TREES), forms_of(TREES)
    weights = learn_arcs(TREES, tags, flat, forms)
    features = corrections.arc_features(tags, form_numbers(TREES, forms), TREES.offsets, len(forms))
    expected = np.zeros_like(weights)
    scores = flat.like(weights[features].sum(axis=1))
    for i in range(len(TREES)):
        heads = TREES.heads[TREES.offsets[i] : TREES.offsets[i + 1]]
        at, side = flat.offsets[i], flat.sides[i]
        for m in range(1, side):
            if heads[m] < 0:
                continue
            others = [h for h in range(side) if h != m]
            shares = np.exp([scores[i][h, m] for h in others])
            for h, share in zip(others, shares / shares.sum(), strict=True):
                np.add.at(expected, features[at + h * side + m], (h == heads[m]) - share)
    np.testing.assert_allclose(corrections.ARC_PENALTY * weights, expected, atol=0.02)


def test_a_word_whose_head_is_not_known_teaches_nothing(flat):
    forms = forms_of(TREES)
    bare = TREES.with_heads(np.full(len(TREES.heads), -1))
    assert not learn_arcs(bare, part_numbers(bare), flat, forms).any()


def test_relations_follow_what_is_shown():
    tags, forms = part_numbers(TREES), forms_of(TREES)
    rows = np.array([1, 2, 4, 7])
    ends = Ends(TREES.root_rows[rows] + TREES.heads[rows], rows, np.zeros((4, 6), np.float32))
    gold = np.array([0, 1, 2, 1])
    numbers = form_numbers(TREES, forms)
    weights, scale = learn_relations(np.zeros((4, 3)), tags, numbers, len(forms), ends, gold)
    assert scale == 1 and weights.shape[1] == 3
    found = corrections.Corrections(forms, np.zeros(1), weights, scale).relation_scores(TREES, tags, ends)
    assert found.argmax(axis=1).tolist() == gold.tolist()
    features = corrections.relation_features(tags, numbers, len(forms), ends, scale).toarray()
    shares = np.exp(found) / np.exp(found).sum(axis=1, keepdims=True)
    penalties = np.where(np.arange(len(weights)) < len(weights) - 7, 1.0, 0.3)[:, None]
    np.testing.assert_allclose(penalties * weights, features.T @ (np.eye(3)[gold] - shares), atol=0.02)


def test_portions_hold_each_sentence_once(monkeypatch):
    monkeypatch.setattr(corrections, "MOST_ARCS", 50)
    lengths = np.array([1, 1, 9, 2, 30, 1, 1])
    bounds = list(corrections.portions(lengths))
    assert bounds[0][0] == 0 and bounds[-1][1] == len(lengths) and len(bounds) == 3
    assert all(one[1] == two[0] for one, two in itertools.pairwise(bounds))
