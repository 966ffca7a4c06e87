"""Sentences whose trees were learnt from: found by their words, with a head, and left without one."""

import numpy as np

from core.evaluation import attachment_scores
from core.evaluation.learnt import learnt_sentences, without_trees_of
from core.treebank import Treebank


def bank(*sentences):
    return Treebank.from_sentences({"forms": words.split(), "heads": heads} for words, heads in sentences)


def test_the_very_words_under_a_head_are_learnt_wherever_they_stand():
    text = bank(("a b", [2, 0]), ("c", [0]), ("a b", [0, 1]), ("d e", [2, 0]), ("A b", [2, 0]))
    taught = bank(("a b", [-1, 0]), ("d e", [-1, -1]))
    assert learnt_sentences(text, taught).tolist() == [True, False, True, False, False]
    assert learnt_sentences(text, taught, bank(("c", [0]))).sum() == 3
    assert not learnt_sentences(text).any() and not learnt_sentences(text, taught.select(np.zeros(2, bool))).any()


def test_what_was_learnt_is_not_scored():
    text = bank(("a b", [2, 0]), ("c d", [2, 0]))
    gold = without_trees_of(text, np.array([True, False]))
    scores = attachment_scores(gold, text)
    assert (scores.heads, scores.words) == (2, 2) and text.heads.min(initial=0) == -1 == text.heads[0]
    assert without_trees_of(text, np.zeros(2, bool)) is text
