"""Lists of words read off tagged texts, and texts tagged by these."""

from collections import Counter

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.dictionary.lists import (
    doubted,
    frequent_words,
    lexicon_of,
    tag_counts_of,
    tagged_by_list,
    without_tags,
)
from core.parsers.universal.sources import usable_sentences
from core.parsers.universal.text import TAGS
from core.treebank import Treebank, load_sample
from core.treebank.retag import interned, with_column

RELATIONS = ("root", "nsubj", "obj")


@pytest.fixture
def sample():
    return load_sample().to_conllu().limit(30)


def test_a_list_has_the_commonest_tag_of_each_word_or_several():
    said = {"saw": Counter(VERB=6, NOUN=4), "the": Counter(DET=9)}
    assert lexicon_of(said, ["the", "Saw", "unseen"]).entries == {"the": ("DET",), "Saw": ("VERB",)}
    assert lexicon_of(said, ["saw"], 0.3).entries == {"saw": ("VERB", "NOUN")}


def test_words_say_their_tags_universal_ones_or_their_own(sample):
    the = tag_counts_of(sample)["the"]
    assert the == Counter(DET=the.total()) and frequent_words(sample, 3)[0].lower() == "the"
    assert set(tag_counts_of(without_tags(sample))["the"]) == {"DT"}
    assert "" not in tag_counts_of(sample)


def test_a_text_keeps_its_words_and_gets_the_tags_of_a_list(sample, tagger):
    tagged = tagged_by_list(sample, tagger, 20)
    np.testing.assert_array_equal(tagged.punctuation(), sample.punctuation())
    np.testing.assert_array_equal(tagged.heads, sample.heads)
    assert tagged.form.strings().tolist() == sample.form.strings().tolist()
    assert set(tag_counts_of(tagged)["the"]) == {"DET"}
    assert sum("TagProb=" in value for value in tagged.misc.strings()) > 100


def test_words_to_learn_from_have_their_own_tags_and_those_in_doubt(sample, tagger):
    """The tagger reads the whole text, so a word has the same doubts whichever sentences are chosen."""
    words = usable_sentences(sample)
    read = doubted(words, RELATIONS, tagger)
    np.testing.assert_allclose(read.shares.sum(axis=1), 1, rtol=1e-5)
    assert (read.shares[read.offsets[:-1], len(TAGS)] == 1).all()
    assert (read.shares.max(axis=1) < 1).any() and (read.shares.argmax(axis=1) != read.tags).any()
    by_hand = tagged_by_list(sample.limit(int(words.picks.max()) + 1), tagger)
    forms = by_hand.upos.strings()[words.rows]
    likeliest = np.array([*TAGS, ""])[read.shares.argmax(axis=1)]
    sure = read.shares.max(axis=1) == 1
    assert likeliest[sure].tolist() == forms[sure].tolist()
    last = words.select([0, len(words) - 1])
    np.testing.assert_array_equal(doubted(last, RELATIONS, tagger).shares, read.select([0, len(words) - 1]).shares)


def test_tags_of_no_tag_set_are_refused(sample, tagger):
    strange = with_column(sample, "upos", interned(sample.upos.ids.astype(np.int64), ["", *"abcdefghijklmnopqrstu"]))
    with pytest.raises(WorkbenchError, match="of no tag set that is known here"):
        doubted(Treebank(strange.source), RELATIONS, tagger)


def test_a_few_strange_tags_are_passed_over(sample, tagger):
    tags = ["STRANGE" if tag == "CCONJ" else tag for tag in sample.upos.values]
    strange = with_column(sample, "upos", interned(sample.upos.ids.astype(np.int64), tags))
    read = doubted(usable_sentences(Treebank(strange.source)), RELATIONS, tagger)
    assert (
        "and" not in tag_counts_of(strange)
        and "and" in tag_counts_of(sample)
        and read.shares.shape == (len(read.tags), len(TAGS) + 1)
    )
