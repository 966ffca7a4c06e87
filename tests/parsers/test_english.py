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


def test_tags_that_are_there_are_kept(english):
    text = Treebank.from_sentences([{"forms": ["Dogs", "bark"], "upos": ["X", "X"]}])
    tagged = english.tag(text)
    assert tagged[0].upos[1:] == ("X", "X")
    assert all(tagged[0].xpos[1:])


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


def test_the_name_english_loads_them():
    assert isinstance(load_parser("english"), English)


def test_a_checkout_without_weights_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("core.parsers.english.FOLDER", tmp_path)
    with pytest.raises(ValueError, match="check the project out again"):
        English.load()
