"""EM and Viterbi as they are taught are the production trainings."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.teach.induction import METHODS, settings_of, small_corpus, trace_induction
from core.teach.step import Example
from core.treebank import Treebank
from tests.teach.problems import check_questions

SENTENCES = [
    ("DET NOUN VERB", (2, 3, 0)),
    ("PRON VERB DET NOUN", (2, 0, 4, 2)),
    ("DET ADJ NOUN VERB ADV", (3, 3, 4, 0, 4)),
    ("NOUN VERB", (2, 0)),
]


def corpus(heads=True):
    rows = [
        {"forms": tags.lower().split(), "upos": tags.split()} | ({"heads": list(tree)} if heads else {})
        for tags, tree in SENTENCES
    ]
    return Treebank.from_sentences(rows)


def one(text=None, tags=("", "DET", "NOUN", "VERB")):
    return Example(("", "the", "cat", "sleeps")[: len(tags)], tags, np.zeros((len(tags),) * 2), text=text)


def test_every_iteration_is_that_of_the_production_training():
    text = corpus()
    trace = trace_induction(one(text))
    sentence = Treebank.from_sentences([{"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"]}])
    for name in METHODS:
        model = DMV(settings_of(name), tags="upos").fit(text, watch=text, threads=1)
        told = [step.numbers for step in trace.steps][: len(model.history)]
        assert [numbers["bits"][name] for numbers in told] == [each.cross_entropy for each in model.history]
        assert [numbers["accuracy"][name] for numbers in told] == [each.accuracy for each in model.history]
        for k in (1, 2):  # an iteration is told of before its update
            after = DMV(replace(settings_of(name), max_iterations=k), tags="upos").fit(text, threads=1)
            assert told[k]["heads"][name].tolist() == after.best_heads(sentence)[0].tolist()
        for mine, theirs in zip(trace.result[name].parameters.arrays, model.parameters.arrays, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    check_questions(trace)


def test_a_text_without_trees_is_taught_without_their_share():
    trace = trace_induction(one(corpus(heads=False)))
    assert "gold" not in trace.steps[0].caption and trace.steps[1].numbers["accuracy"]["em"] is None
    check_questions(trace)


def test_what_has_no_tags_or_is_long_is_refused():
    with pytest.raises(WorkbenchError, match="a word of this sentence has none"):
        trace_induction(one(corpus(), tags=("", "", "")))
    untagged = Treebank.from_sentences([{"forms": ["a", "b"]}])
    with pytest.raises(WorkbenchError, match="this corpus has none; open one with tags"):
        small_corpus(untagged)
    long = Treebank.from_sentences([{"forms": ["a"] * 11, "upos": ["X"] * 11}])
    with pytest.raises(WorkbenchError, match="no sentence of at most 10 words"):
        small_corpus(long)
