"""The rounds that are taught under rules are those of the production run; what is proved is the best of all."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.rules.checking import breaches
from core.rules.searching import best_ruled
from core.teach.rules import trace_rules
from core.teach.scores import dice_scores
from core.teach.step import Example
from tests.filled import filled
from tests.teach.problems import check_questions

WORDS, TAGS = ("", "the", "old", "man", "saw", "her", "duck"), ("", "DET", "ADJ", "NOUN", "VERB", "PRON", "NOUN")
SCORES = np.zeros((7, 7))
SCORES[[3, 3, 4, 0, 4, 4], [1, 2, 3, 4, 5, 6]] = 3.0
SCORES[6, 5] = 2.0
OBJECTS = "VERB has at most 1 obj"


def traced(scores, constraint=""):
    return trace_rules(Example(WORDS, TAGS, np.asarray(scores, float), constraint=constraint))


@pytest.mark.parametrize("seed", range(6))
def test_rounds_are_the_records_of_the_run_and_the_proof_is_that_of_the_search(seed):
    trace = traced(dice_scores(6, seed))
    run, rules, scores = (trace.result[name] for name in ("run", "rules", "scores"))
    check_questions(trace)
    assert len(trace) == run.rounds + 1
    for record, step in filled(list(zip(run.result.trace, trace.steps, strict=False))):
        assert (step.numbers["dual"], step.numbers["step"]) == (record.dual, record.step)
        assert step.numbers["heads"] == run.result.trace.solution(record.iteration)[:7].tolist()
        assert step.numbers["dual"] >= run.value - 1e-9
    best = best_ruled(run.arcs.words, scores, rules)
    assert best.value <= run.bound + 1e-9
    assert not run.certified or best.value == pytest.approx(run.value)


def test_a_verb_with_two_objects_keeps_one():
    trace = traced(SCORES, OBJECTS)
    run = trace.result["run"]
    assert (
        run.certified
        and run.value == pytest.approx(17.0)
        and not list(breaches(trace.result["rules"], run.tree))
        and run.rounds > 1
    )
    assert "breaks a rule: duck (6) is obj of 4 saw, beside 5 her" in trace.steps[0].caption
    assert (
        trace.steps[-1].title == "The proof" and "no tree that keeps the rules is worth more" in trace.steps[-1].caption
    )
    usual = traced(SCORES)  # no rule of one's own
    assert usual.result["rules"][0].text == OBJECTS and usual.steps[-1].title == "The proof"


def test_rules_that_no_tree_keeps_are_named():
    trace = traced(SCORES, "VERB has no nsubj\nVERB has at least 1 nsubj\nNOUN has at most 5 det")
    check_questions(trace)
    said = trace.steps[-1].caption
    assert "No tree" in said and "these clash: VERB has no nsubj; VERB has at least 1 nsubj." in said
    alone = traced(SCORES, "VERB has at least 7 nsubj")
    assert len(alone) == 1 and "these clash: VERB has at least 7 nsubj." in alone.steps[0].caption


def test_words_without_tags_are_refused():
    with pytest.raises(WorkbenchError, match="rules speak of tags, and these words have none"):
        trace_rules(Example(WORDS, ("",) * 7, SCORES))
