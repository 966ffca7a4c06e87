"""The rounds that are taught are those of the production run, and its ingredients are what they are caption to be."""

import numpy as np
import pytest

from core.consistency import parse_consistently
from core.teach.decomposition import SETTINGS, TEST, TRAINING, TornParser, _bank, run_example, trace_decomposition
from tests.teach.problems import check_questions


@pytest.fixture(scope="module")
def trace():
    return trace_decomposition()


def test_rounds_are_the_records_of_the_run(trace):
    parses = run_example()
    assert parses.is_certified and len(trace) == len(parses.trace) + 2
    for record, step in zip(parses.trace, trace.steps[1:-1], strict=True):
        told = step.numbers
        assert (told["dual"], told["primal"], told["step"]) == (record.dual, record.primal, record.step)
        assert told["disagreements"] == record.disagreements
        assert np.concatenate(told["heads"]).tolist() == parses.trace.solution(record.iteration).tolist()
        assert told["dual"] >= parses.primal - 1e-9  # a bound, whatever the prices
    last = trace.steps[-1].numbers
    assert [heads.tolist() for heads in last["heads"]] == [parses.heads[k].tolist() for k in range(2)]
    assert last["primal"] == pytest.approx(last["bound"])
    check_questions(trace)


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
    train, test = _bank([TRAINING]), _bank(TEST[::-1])
    parses = parse_consistently(TornParser(), train, test, SETTINGS)
    assert parses.heads[1].tolist() == [-1, 3, 3, 4, 0]
