"""A universal parser that learns from finished sentences: kept where it helps on these, held back where it does not."""

import numpy as np
import pytest

from core.parsers.universal.learning import helped
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank, load_sample
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")


@pytest.fixture
def parser():
    return UniversalParser([small_network(1)], RELATIONS)


def right(parser, text):
    words = text.is_word & ~text.punctuation()
    return (parser.best_heads(text) == text.heads)[words].mean()


def test_what_is_learnt_from_trees_is_kept_where_it_helps(parser):
    bank = load_sample().limit(60).to_conllu()
    finished, later = bank.limit(20), bank.select(np.arange(20, 60))
    learning = helped(parser, finished)
    assert learning.corrections is not None and parser.corrections is None
    assert right(learning, later) > right(parser, later) + 0.1
    np.testing.assert_array_equal(learning.best_heads(later), parser.adapted(finished).best_heads(later))


def test_trees_that_teach_nothing_about_others_change_nothing(parser):
    own = parser.parse(load_sample().limit(12).to_conllu())
    assert helped(parser, own) is parser  # all its heads are right as they are
    before, numbers = own.numbers - 1, own.numbers
    last = np.repeat(own.lengths, own.lengths + 1)
    after = np.where(numbers == last, 0, numbers + 1)
    is_even = own.sentence_rows % 2 == 0
    chains = own.with_heads(np.where(is_even, before, after))  # what each half teaches is wrong in the other
    assert helped(parser, chains) is parser


def test_few_or_no_heads_teach_nothing(parser):
    marks = Treebank.from_sentences([{"forms": ["!"], "upos": ["PUNCT"], "heads": [0]}] * 5)
    bare = load_sample().limit(5).to_conllu()
    for text in (marks, bare.with_heads(np.full(len(bare.heads), -1)), load_sample().limit(1)):
        assert helped(parser, text) is parser
