"""How probable tags are, in MISC and back."""

import numpy as np
import pytest

from core.parsers.universal.text import ROOT, TAGS, TaggedWords
from core.treebank import Treebank
from core.treebank.tag_shares import read_tag_shares, with_tag_shares

NOUN, VERB, ADJ = (TAGS.index(tag) for tag in ("NOUN", "VERB", "ADJ"))


@pytest.fixture
def text():
    sentence = {"forms": ["old", "fish", "swim"], "heads": [2, 3, 0], "deprels": ["amod", "nsubj", "root"],
                "upos": ["ADJ", "NOUN", "VERB"], "misc": [None, "Gloss=f", "SpaceAfter=No"]}  # fmt: skip
    return Treebank.from_sentences([sentence])


@pytest.fixture
def told(text):
    shares = np.zeros((2, len(TAGS)))
    shares[0, [NOUN, VERB]], shares[1, [VERB, NOUN, ADJ]] = [0.7, 0.3], [0.6, 0.37, 0.03]
    return with_tag_shares(text, np.array([2, 3]), shares, TAGS)


def test_they_stand_in_misc_beside_what_is_there(told):
    assert told[0].misc[1:] == ("", "Gloss=f|TagProb=NOUN:0.70,VERB:0.30", "SpaceAfter=No|TagProb=VERB:0.60,NOUN:0.37")
    again = with_tag_shares(told, np.array([2]), np.eye(len(TAGS))[[ADJ]], TAGS)
    assert again[0].misc[2] == "Gloss=f|TagProb=ADJ:1.00"


def test_they_are_read_back(text, told):
    assert read_tag_shares(text, TAGS) is None
    found = read_tag_shares(told, TAGS)
    assert not found[:2].any() and found[2, NOUN] == pytest.approx(0.7) and found[3, VERB] == pytest.approx(0.6 / 0.97)
    assert (found.sum(axis=1)[2:] == pytest.approx(1)) and found.dtype == np.float32


@pytest.mark.parametrize(
    "value",
    [
        "TagProb=",
        "TagProb=NOUN",
        "TagProb=NOUN:x,WHAT:0.5",
        "OtherTagProb=NOUN:1",
        "TagProb=NOUN:2,VERB:" + "9" * 400,
    ],
)
def test_what_is_no_probability_is_passed_over(text, value):
    odd = with_tag_shares(text, np.array([], np.int64), np.zeros((0, len(TAGS))), TAGS)
    sentence = {"forms": ["fish"], "heads": [0], "deprels": ["root"], "upos": ["NOUN"], "misc": [value]}
    assert len(odd) == 1 and read_tag_shares(Treebank.from_sentences([sentence]), TAGS) is None


def test_a_tag_that_was_corrected_is_no_longer_in_doubt(told):
    words = TaggedWords.of(told)
    assert words.shares[2, NOUN] == pytest.approx(0.7) and words.shares[1, ADJ] == 1 and words.shares[0, ROOT] == 1
    sentence = {
        "forms": ["fish"],
        "heads": [0],
        "deprels": ["root"],
        "upos": ["ADJ"],
        "misc": ["TagProb=NOUN:0.9,ADJ:0.1"],
    }
    shares = TaggedWords.of(Treebank.from_sentences([sentence])).shares
    assert shares[1, ADJ] == 1 and shares[1].sum() == 1


def test_probabilities_are_made_surer_and_sure_tags_stay(text, told):
    words = TaggedWords.of(told)
    found = words.surer(2).shares
    assert found[2, NOUN] == pytest.approx(0.49 / 0.58) and found[2, VERB] == pytest.approx(0.09 / 0.58)
    np.testing.assert_array_equal(found[:2], words.shares[:2])
    assert TaggedWords.of(text).surer(2).shares is None
