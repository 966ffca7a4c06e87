"""The English weights that come with the workbench."""

import numpy as np
import pytest

from core.evaluation import attachment_scores
from core.parsers import English, load_parser
from core.treebank import Treebank
from core.treebank.retag import with_column
from core.treebank.sample import load_sample
from core.treebank.source import Column


@pytest.fixture(scope="module")
def english():
    return English.load()


def without(treebank, *names):
    for name in names:
        treebank = with_column(treebank, name, Column(np.zeros(len(treebank.heads), np.int32), ("",)))
    return treebank


def test_text_without_tags_is_tagged_and_parsed(english):
    """The figures beside the weights are 85.9 and 80.9; the sample was no training text."""
    sample = load_sample()
    scores = attachment_scores(sample, english.parse(without(sample, "upos", "xpos")))
    assert scores.uas > 84
    assert scores.las > 79


def test_only_sentences_without_a_tree_are_parsed(english):
    known = {"forms": ["Dogs", "bark"], "heads": [0, 1], "deprels": ["root", "dep"]}
    text = Treebank.from_sentences([known, {"forms": ["The", "cat", "sleeps", "."]}])
    completed, parsed = english.complete(text)
    assert parsed == 1
    assert completed[0].heads.tolist() == [-1, 0, 1]
    assert completed[0].deprels[1:] == ("root", "dep")
    assert completed[1].heads.tolist() == [-1, 2, 3, 0, 3]
    assert completed[1].deprels[1:] == ("det", "nsubj", "root", "punct")
    assert english.complete(completed) == (completed, 0)
    assert isinstance(load_parser("english"), English)


def test_an_installation_without_weights_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("core.parsers.english.FOLDER", tmp_path)
    with pytest.raises(ValueError, match="install the workbench again"):
        English.load()


STORM = ["Nobody", "had", "told", "the", "captain", "about", "the", "storm", "."]


def test_x_says_nothing_of_a_word_and_never_reaches_the_parser(english):
    """With X from a word list the captain is the root and "told" a case mark."""
    listed = Treebank.from_sentences(
        [{"forms": STORM, "upos": ["PRON", "AUX", "X", "DET", "X", "ADP", "DET", "X", "PUNCT"]}]
    )
    parsed, bare = (english.parse(each)[0] for each in (listed, without(listed, "upos")))
    assert parsed.heads.tolist() == bare.heads.tolist() == [-1, 3, 3, 0, 5, 3, 8, 8, 5, 3]
    assert parsed.deprels[1:5] == ("nsubj", "aux", "root", "det")
    assert parsed.upos[3:6] == ("X", "DET", "X")  # what stands in the text stays
    assert english.tag_unknown(listed)[0].upos[3:6] == ("VERB", "DET", "NOUN")


def test_only_words_without_a_tag_are_tagged(english):
    text = Treebank.from_sentences(
        [{"forms": ["Dogs", "bark"], "upos": ["X", "X"]}, {"forms": STORM, "upos": ["X", *[""] * 8]}]
    )
    tagged = english.tag(text)
    assert tagged[0].upos[1:] == ("X", "X") and all(tagged[0].xpos[1:])
    assert tagged[1].upos[1:4] == ("X", "AUX", "VERB")
    assert all(tagged[1].xpos[1:])
