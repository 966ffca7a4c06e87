"""Surface statistics against counting in plain Python, and what tags of other tag sets stand for."""

from itertools import pairwise

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.universal.statistics import COUNT, surface_statistics
from core.parsers.universal.text import ROOT, TAGS, TaggedWords, part_numbers
from core.treebank import Treebank, load_sample


def test_statistics_are_those_of_plain_counting():
    text = load_sample().without_punctuation().limit(40)
    lists = [list(sentence.upos[1:]) for sentence in text]
    pairs = [pair for tags in lists for pair in pairwise(tags)]
    every = [tag for tags in lists for tag in tags]
    expected = []
    for i, a in enumerate(TAGS):
        for b in TAGS[i + 1 :]:
            before, after = pairs.count((a, b)), pairs.count((b, a))
            expected.append((before - after) / (before + after + 3))
    expected += [np.sqrt(every.count(tag) / len(every)) for tag in TAGS]
    found = surface_statistics(TaggedWords.of(text))
    assert found.shape == (COUNT,) == (153,)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_text_without_words_says_nothing():
    nothing = TaggedWords(*(np.zeros(length, np.int64) for length in (0, 1, 0, 0, 0)), np.zeros((0, 0), bool))
    assert not surface_statistics(nothing).any()


def one(**columns):
    return Treebank.from_sentences([{"forms": ["a"] * 10, **columns}])


def test_tags_of_other_tag_sets_are_read():
    penn = one(xpos=["DT", "NN", "VBD", "IN", "NNP", "CC", "RB", "JJ", "PRP", "MD"])
    named = [TAGS[number] for number in part_numbers(penn)[1:]]
    assert named == ["DET", "NOUN", "VERB", "ADP", "PROPN", "CCONJ", "ADV", "ADJ", "PRON", "AUX"]
    assert part_numbers(penn)[0] == ROOT
    both = one(upos=["NOUN"] * 10, xpos=["?"] * 10)
    assert set(part_numbers(both)[1:].tolist()) == {TAGS.index("NOUN")}  # UPOS where it is filled


def test_unknown_tags_are_named_where_they_are_many():
    assert part_numbers(one(xpos=["NN"] * 9 + ["zzz"]))[-1] == TAGS.index("X")
    with pytest.raises(WorkbenchError, match="2 of 10 words have tags of no tag set that is known here: zzz"):
        part_numbers(one(xpos=["NN"] * 8 + ["zzz"] * 2))
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        part_numbers(one())
