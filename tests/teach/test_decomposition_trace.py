"""The rounds that are taught are those of the production run: of the built-in example, and of a text's sentences."""

from dataclasses import replace

import numpy as np
import pytest

from core.consistency import parse_consistently
from core.errors import WorkbenchError
from core.teach.decomposition import (
    SETTINGS,
    TEST,
    TRAINING,
    bank_of,
    built_in_parser,
    run_example,
    run_pair,
    sharing_sentences,
    trace_decomposition,
)
from core.teach.scores import dice_scores
from core.teach.step import Example
from core.treebank import Treebank, load_sample
from tests.teach.problems import check_rounds


@pytest.fixture(scope="module")
def trace():
    return trace_decomposition()


def test_rounds_are_the_records_of_the_run(trace):
    parses = run_example()
    assert parses.is_certified
    check_rounds(trace, parses, parses.heads.values)
    assert trace.steps[-1].numbers["primal"] == pytest.approx(trace.steps[-1].numbers["bound"])


SAMPLE = load_sample()
SHORT = np.flatnonzero(SAMPLE.lengths <= 12).tolist()


def pair(first, second, text=SAMPLE):
    """The Example of two sentences of a text, with scores from dice."""
    one, two = (Example(tuple(text[k].forms), tuple(text[k].upos), dice_scores(text.lengths[k], k) / 4)
                for k in (first, second))  # fmt: skip
    return replace(one, second=two, text=text.select(np.delete(np.arange(len(text)), [first, second])))


def test_two_sentences_of_a_text_are_brought_to_agree_as_the_run_did():
    changed = 0
    for first in SHORT[:3]:
        second = sharing_sentences(SAMPLE, first, SHORT)[0]
        parses = run_pair(pair(first, second))
        trace = trace_decomposition(pair(first, second))
        check_rounds(trace, parses, parses.heads.values)
        changed += (parses.heads.values != parses.base_heads.values).any()
        assert ("the consensus brought" in trace.steps[-1].caption) == (
            parses.is_certified and (parses.heads.values != parses.base_heads.values).any()
        )
    assert changed


def test_two_sentences_that_cannot_be_brought_to_agree_say_why():
    alike = {"forms": ["a", "dog", "sleeps"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0]}
    other = {"forms": ["oh", "no"], "upos": ["INTJ", "PART"], "heads": [0, 1]}
    text = Treebank.from_sentences([alike, other, *[alike | {"forms": ["the", "cat", word]} for word in "xyz"]])
    bare, untagged = ([{**alike, gone: [None] * 3}, {**alike, gone: [None] * 3, "forms": ["x", "y", "z"]}] * 2
                      for gone in ("heads", "upos"))  # fmt: skip
    for first, second, among, message in (
        (0, 1, text, "share no context that the text’s other trees know; choose another second sentence"),
        (2, 2, text, "both sentences have the same words"),
        (0, 1, Treebank.from_sentences(bare), "there are none; choose the built-in example"),
        (0, 1, Treebank.from_sentences(untagged), "there are none; choose the built-in example"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            trace_decomposition(pair(first, second, among))
    assert sharing_sentences(text, 0, range(5)) == [2, 3, 4] and sharing_sentences(text, 1, range(5)) == []


def test_the_story_is_the_papers(trace):
    """One adjective of two hangs wrongly at first; prices bring it to the noun, the other sentence stays."""
    parses = trace.result["parses"]
    assert parses.base_heads[0].tolist() == [-1, 4, 4, 4, 0] and parses.heads[0].tolist() == [-1, 3, 3, 4, 0]
    assert parses.heads[1].tolist() == parses.base_heads[1].tolist() == [-1, *TEST[1][2]]
    answers = [step.question.answer for step in trace.steps[1:]]
    assert answers[0] == "No" and answers[-1] == "Proved the best"
    assert {"It rises", "It falls"} <= set(answers)
    prices = trace.steps[3].numbers["prices"]
    assert sum(prices.values()) == pytest.approx(0)  # what one arc gains another pays


def test_the_parser_scores_sentences_in_any_order():
    train, test = bank_of([TRAINING]), bank_of(TEST[::-1])
    parses = parse_consistently(built_in_parser(), train, test, SETTINGS)
    assert parses.heads[1].tolist() == [-1, 3, 3, 4, 0]
