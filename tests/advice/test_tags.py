"""What better tags would bring: measured on sentences whose tags were corrected, by parsers of either tags."""

import numpy as np

from core.advice import TAGS, Costs, tags_advice
from core.advice.tags import NONE_BY_HAND
from core.treebank import Treebank

NOBODY = np.zeros(40, bool)  # who has said that a sentence is done


def retagged(gold, count):
    """The same text with other tags in the first sentences: every second noun a verb, as a poor word list has it."""
    sentences = []
    for index, sentence in enumerate(gold):
        tags = [
            "VERB" if index < count and place % 2 and tag in ("NOUN", "DET", "ADP") else tag
            for place, tag in enumerate(sentence.upos[1:])
        ]
        sentences.append({"forms": sentence.forms[1:], "upos": tags, "xpos": sentence.xpos[1:]})
    return Treebank.from_sentences(sentences)


def test_better_tags_are_worth_points_where_they_were_corrected(state, gold):
    found = tags_advice(state(24), retagged(gold, 24), NOBODY, Costs())
    assert found.kind == TAGS and 0 < found.gain <= found.high and found.low < found.gain and not found.reason
    rest = int(gold.lengths[24:].sum())
    assert 0 < found.minutes < Costs().word * rest
    done = np.arange(40) < 30  # six more that were right: fewer tags are wrong, and fewer are left
    assert tags_advice(state(30), retagged(gold, 24), done, Costs()).minutes < found.minutes


def test_what_is_not_known_says_why_and_what_is_done_is_no_work(state, gold):
    assert tags_advice(state(24), gold, NOBODY, Costs()).reason == NONE_BY_HAND
    assert "where tags were corrected, only" in tags_advice(state(24), retagged(gold, 3), NOBODY, Costs()).reason
    for former in ({}, {"upos": "X"}):  # no tags before; tags of which each sentence has some corrected
        words = [{"forms": each.forms[1:]} | {name: [tag] * len(each) for name, tag in former.items()} for each in gold]
        assert tags_advice(state(24), Treebank.from_sentences(words), NOBODY, Costs()) is None
