"""What is said of sentences whose trees were sought among likely arcs alone."""

import pytest

from core.parsers import MSTParser
from core.parsers.labelled import LabelledParser
from core.parsers.pruning import is_pruned, pruning_note
from core.treebank import Treebank

TREES = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["X", "Y"], "heads": [2, 0], "deprels": ["x", "root"]}])


def text(*lengths):
    return Treebank.from_sentences([{"forms": ["a"] * n, "upos": ["X"] * n} for n in lengths])


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(("order", "pruned"), [(1, [False] * 3), (2, [False, True, True])])
def test_parsers_of_second_order_prune_long_sentences(order, pruned, wrapped):
    parser = MSTParser(order, bits=8, label_bits=8).fit(TREES, epochs=1)
    if wrapped:
        parser = LabelledParser(parser, parser)
    assert is_pruned(parser, text(200, 201, 1_250)).tolist() == pruned


def test_the_longest_sentence_is_named():
    parser, rest = MSTParser(2, bits=8).fit(TREES, epochs=1), "on average, were considered"
    assert pruning_note(parser, text(3, 200)) == ""
    only = "only the 20 likeliest heads of each word"
    assert pruning_note(parser, text(3, 1_250)) == f"sentence 2 has 1,250 words: {only}, {rest}"
    assert (
        pruning_note(parser, text(300, 1_250)) == f"sentence 2 has 1,250 words, and 1 more is so long: {only}, {rest}"
    )
    several = pruning_note(parser, text(300, 1_250, 300))
    assert several == f"sentence 2 has 1,250 words, and 2 more sentences are so long: {only}, {rest}"
