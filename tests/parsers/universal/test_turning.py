"""Turned languages: trees stay the same, words of some kinds change sides, and turning twice gives the text back."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsers.universal.questions import NAMES, answers_of_trees, arc_classes
from core.parsers.universal.text import ROOT, TAGS, TaggedWords
from core.parsers.universal.turning import turned
from core.treebank import load_sample

RANDOM = np.random.default_rng(0)


@st.composite
def texts(draw):
    """A sentence without crossing arcs: each word takes its head among those before it, then all are put in line."""
    side = draw(st.integers(2, 9))
    heads = np.array([-1, *(draw(st.integers(0, m - 1)) for m in range(1, side))])
    heads[heads == 0] = np.where(np.flatnonzero(heads == 0) == 1, 0, 1)
    left = [draw(st.booleans()) for _ in range(side)]

    def line(h):
        below = [m for m in range(1, side) if heads[m] == h]
        before, after = ([line(m) for m in below if left[m] == way] for way in (True, False))
        return [*chain(*before), h, *chain(*after)]

    order = line(0)
    order.remove(0)
    order = [0, *order]
    place = {word: number for number, word in enumerate(order)}
    new = np.array([-1] + [place[heads[word]] for word in order[1:]])
    tags = np.array([ROOT, *(draw(st.integers(0, 3)) for _ in range(side - 1))])
    relations = np.array([0, *(draw(st.integers(0, 2)) for _ in range(side - 1))])
    return TaggedWords(tags, np.array([0, side]), new, relations, np.arange(side), np.arange(side)[:, None] > 1)


def arcs(words):
    """(head's form, dependent's form, relation) of every word of one sentence."""
    rows = range(1, len(words.tags))
    return sorted((int(words.forms[words.heads[m]]), int(words.forms[m]), int(words.relations[m])) for m in rows)


@settings(deadline=None)
@given(texts(), st.integers(0, 2))
def test_the_tree_stays_and_only_what_is_turned_changes_sides(words, relation):
    turn = np.zeros((len(TAGS) + 1, len(TAGS) + 1, 3), bool)
    turn[..., relation] = True
    other = turned(words, turn, 1.0, RANDOM)
    assert arcs(other) == arcs(words)
    for text, flip in ((words, 1), (other, -1)):
        sides = {int(text.forms[m]): np.sign(m - text.heads[m]) for m in range(1, len(text.tags)) if text.heads[m]}
        if flip == 1:
            before = sides
    for m in range(1, len(words.tags)):
        if words.heads[m]:
            way = -1 if words.relations[m] == relation else 1
            assert sides[int(words.forms[m])] == way * before[int(words.forms[m])]


@settings(deadline=None)
@given(texts())
def test_what_is_turned_wholly_is_the_mirror_image(words):
    words = replace(words, shares=words.forms[:, None].astype(np.float32))
    other = turned(words, np.ones((len(TAGS) + 1, len(TAGS) + 1, 3), bool), 1.0, RANDOM)
    np.testing.assert_array_equal(other.shares[:, 0], other.forms)
    np.testing.assert_array_equal(other.forms[1:], words.forms[:0:-1])
    np.testing.assert_array_equal(other.features[:, 0], other.forms > 1)


def test_answers_turn_with_the_words():
    text = load_sample().without_punctuation()
    relations = tuple(sorted({name.split(":")[0] for name in text.deprel.values}))
    words = TaggedWords.of(text, relations)
    number = NAMES.index("adposition")
    turn = np.repeat(arc_classes()[number][..., None], len(relations), axis=2)
    before = answers_of_trees(words, relations)[number]
    assert answers_of_trees(turned(words, turn, 1.0, RANDOM), relations)[number] == pytest.approx(-before)
    half = answers_of_trees(turned(words, turn, 0.5, RANDOM), relations)[number]
    assert before < half < -before
