"""Advice over a text of the store: what is known, what was taken and predicted, what came true, further texts."""

from dataclasses import replace

import numpy as np
import pytest

from core.advice import LINE, TEXT, TREEBANK, TREES, Advice
from core.annotation import Annotation
from core.errors import FormatError, StoreError, WorkbenchError
from core.treebank import conllu_text, load_sample
from core.workspace.annotations import Annotations
from core.workspace.constraints.advised import read_estimate
from core.workspace.constraints.advised_plan import AdvicePlan, situation_of
from core.workspace.constraints.advised_record import (
    advice_table,
    kept_came,
    named,
    points,
    record_table,
    records,
    state_of,
    unsettled,
)
from core.workspace.constraints.documents import save_text
from core.workspace.registry import Systems, kind_name
from core.workspace.system import packed

SET = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.8..1\nNOUN <- GHOST = 0.5\n"


@pytest.fixture(scope="module")
def gold():
    """Forty short sentences of the sample."""
    bank = load_sample()
    return bank.select(np.flatnonzero((bank.lengths >= 3) & (bank.lengths <= 9))[:40])


@pytest.fixture
def systems(workspace):
    return Systems(workspace)


@pytest.fixture
def advised(systems):
    return systems["advised"]


@pytest.fixture
def bare(add, gold, workspace):
    """The sentences without trees, under a set."""
    corpus = add("bare.conllu", conllu_text(gold.with_heads(np.full(len(gold.heads), -1)).to_conllu()))
    save_text(workspace.store, corpus, SET, "typing")
    return corpus


@pytest.fixture
def correct(workspace, gold):
    """correct(corpus, begin, end): the sentences are corrected and marked done."""

    def correct(corpus, begin, end):
        annotations = Annotations(workspace, corpus)
        for index in range(begin, end):
            right = Annotation.of(gold[index])
            annotations.write(index, right, annotations.get(index)[1], f"step-{index}", "correcting")
            annotations.set_status(index, "done")

    return correct


def ask(advised, corpus, **changes):
    plan = replace(advised.plan(corpus), **changes)
    number = advised.start_advice(advised.inputs(corpus, plan), plan)
    assert advised.workspace.jobs.wait(number, timeout=120).status == "done", advised.store.run(number).error
    found, run = advised.advice(corpus)
    assert run.id == number and kind_name(run) == "advice"
    return found


def by_kind(found):
    return {each.kind: each for each in found.advice}


def test_nothing_is_known_without_trees_and_sentences_are_named_all_the_same(advised, bare):
    assert advised.advice(bare) == (None, None)
    found = ask(advised, bare, sentences=3)
    kinds = by_kind(found)
    assert kinds[TREES].reason.startswith("no sentence has a known tree") and len(kinds[TREES].sentences) == 3
    assert kinds[LINE].gain is None and found.accuracy is None


def test_what_is_known_are_corrected_sentences_and_lines_that_match(advised, bare, correct, workspace):
    correct(bare, 0, 5)
    inputs = advised.inputs(bare, advised.plan(bare))
    situation = situation_of(workspace, inputs)
    assert situation.learnt.tolist() == [True] * 5 + [False] * 35 and len(situation.lines) == 2
    assert state_of(inputs, situation)["learnt"] == [0, 1, 2, 3, 4]


def test_own_trees_are_scored_on_and_learnt_from_where_they_are_marked(advised, systems, add, gold, workspace):
    corpus = add("gold.conllu", conllu_text(gold.to_conllu()))
    systems["grammar"].save(corpus, "marking", marked=(2, 4))
    situation = situation_of(workspace, advised.inputs(corpus, advised.plan(corpus)))
    assert situation.known.all() and np.flatnonzero(situation.learnt).tolist() == [1, 3]


def test_sentences_are_taken_and_what_came_true_is_measured_when_they_are_corrected(advised, bare, correct):
    correct(bare, 0, 12)
    inputs = advised.inputs(bare, advised.plan(bare))
    found = ask(advised, bare, sentences=5)
    trees = by_kind(found)[TREES]
    assert found.learnt == 12 and trees.low <= trees.gain <= trees.high
    _, run = advised.advice(bare)
    assert not advised.is_outdated(inputs, run)
    advised.take(inputs, trees)
    (record,) = records(advised.store, bare)
    assert Advice.from_dict(record["advice"]) == trees and record["learnt"] == list(range(12))
    assert unsettled(advised.store, bare, record) == []
    assert record_table(advised.store, bare)["came"] == ["not measured yet"]
    correct(bare, 12, 16)  # four of five
    assert advised.is_outdated(inputs, run)
    ask(advised, bare, sentences=5)
    assert record_table(advised.store, bare)["came"] == ["not measured yet"]
    correct(bare, 16, 18)
    ask(advised, bare, sentences=5)
    came = kept_came(advised.store, bare)[record["id"]]
    assert came.low <= came.value <= came.high
    table = record_table(advised.store, bare)
    assert table["came"] == [points((came.value, came.low, came.high))] and table["work"] == ["Correct 5 sentences"]
    assert advised.store.undo(bare.project).label == "marking sentence 18 done"


def test_a_line_is_added_in_one_step(advised, bare):
    advice = Advice(LINE, "ADJ <- NOUN per modifier = 0.8..1.0", 5.0)
    advised.take(advised.inputs(bare, advised.plan(bare)), advice)
    source = advised.inputs(bare, advised.plan(bare)).constraint_text
    assert source.splitlines()[-1] == advice.what
    (record,) = records(advised.store, bare)
    assert unsettled(advised.store, bare, record | {"lines": source}) == [record]
    assert unsettled(advised.store, bare, record) == []
    assert advised.store.undo(bare.project).label == f"adding {advice.what}"
    assert records(advised.store, bare) == []
    changed = replace(advice, replaces=1)
    advised.take(advised.inputs(bare, advised.plan(bare)), changed)
    assert advised.inputs(bare, advised.plan(bare)).constraint_text.splitlines()[0] == advice.what
    assert named(changed) == f"Change line 1: {advice.what}"


def test_a_treebank_is_learnt_from_and_its_parser_is_offered(advised, systems, bare, add, gold):
    other = add("other.conllu", conllu_text(gold.limit(20).to_conllu()))
    advice = Advice(TREEBANK, other.name, 15.0, number=other.id)
    advised.take(advised.inputs(bare, advised.plan(bare)), advice)
    plan = advised.plan(bare)
    inputs = advised.inputs(bare, plan)
    (record,) = records(advised.store, bare)
    assert unsettled(advised.store, bare, record) == []
    assert unsettled(advised.store, bare, record | {"texts": list(plan.texts)}) == [record]
    assert plan.texts == (other.id,) and [each.name for each in inputs.taken] == ["other.conllu"]
    number = advised.start(inputs, plan)
    assert advised.workspace.jobs.wait(number, timeout=120).status == "done"
    run = advised.store.run(number)
    assert run.figures["trees"] == 20 and run.figures["sentences"] == 60
    tree = advised.load(run).parses[""]
    assert (tree.heads == gold.heads)[: gold.offsets[20]].mean() > 0.7
    advised.store.remove_corpus(other.id)
    assert advised.inputs(bare, plan).taken == ()
    with pytest.raises(StoreError, match=r"other\.conllu was removed from the project"):
        advised.take(inputs, advice)


def test_a_text_with_other_tags_is_refused_and_nothing_is_kept(advised, bare, add):
    other = add("strange.txt", "a/X1 b/X2 c/X3\n", "tagged")
    with pytest.raises(WorkbenchError, match=r"strange\.txt has (another tag set|no UPOS tags)"):
        advised.take(advised.inputs(bare, advised.plan(bare)), Advice(TEXT, other.name, 10.0, number=other.id))
    assert records(advised.store, bare) == [] and advised.plan(bare).texts == ()


def test_without_lines_and_trees_nothing_is_trained(advised, bare, workspace):
    save_text(workspace.store, bare, "", "clearing")
    plan = advised.plan(bare)
    with pytest.raises(WorkbenchError, match="there are no lines and no trees to learn from"):
        advised.start(advised.inputs(bare, plan), plan)


def test_a_run_that_asked_is_repeated_and_has_no_trees(advised, bare):
    ask(advised, bare, sentences=3)
    _, run = advised.advice(bare)
    assert advised.parts(run) == {} and not advised.has_outcome(run) and advised.figures(run) == {}
    assert list(advised.repeated(run)[1]) == ["training text"]
    again = advised.again(run)
    assert advised.workspace.jobs.wait(again, timeout=120).status == "done"


class Stopped:
    """A Job that somebody stops after some reports."""

    run = 0

    def __init__(self, after):
        self.left = after

    def report(self, *arguments, **options):
        self.left -= 1

    def cancelled(self):
        return self.left <= 0


def test_a_run_that_is_stopped_leaves_what_it_had_measured(advised, bare, correct, add, gold):
    correct(bare, 0, 12)
    add("other.conllu", conllu_text(gold.limit(20).to_conllu()))
    plan = advised.plan(bare)
    number = advised.start_advice(advised.inputs(bare, plan), plan)
    advised.workspace.jobs.wait(number, timeout=120)
    work, _ = advised.repeated(advised.store.run(number))
    figures, data = work(Stopped(12))
    found = read_estimate(data)
    assert found.stopped and found.accuracy is not None and figures == {"learnt": 12, "scored": 12}
    assert {bool(each.reason) for each in found.advice} == {True, False}
    store, run = advised.store, advised.store.run(number)
    half = store.create_run(bare.project, "advice", run.settings, data_hash=run.data_hash)
    store.start_run(half)
    store.finish_run(half, "cancelled", figures, data)
    assert advised.advice(bare) == (found, store.run(half))


def test_a_plan_that_cannot_be_is_refused():
    with pytest.raises(WorkbenchError, match="1 to 200 sentences can be corrected next, got 0"):
        AdvicePlan(sentences=0)
    with pytest.raises(WorkbenchError, match="the minutes that a line takes must be above 0"):
        AdvicePlan(line=0.0)
    assert AdvicePlan().costs.word == pytest.approx(0.1)


def test_what_is_no_estimate_is_refused():
    with pytest.raises(FormatError, match="this advice cannot be read"):
        read_estimate(packed("advice", {"accuracy": None}))


def test_advice_in_words():
    unknown = Advice(TREES, "", 30.0, reason="why")
    known = Advice(TREEBANK, "UD Dutch", 15.0, 1.0, -0.5, 2.5)
    table = advice_table([known, unknown])
    assert table["work"] == ["Learn from the trees of UD Dutch", "Correct sentences"]
    assert table["hour"] == ["+4.0 (-2.0 to +10.0)", "not known"] and table["gain"][0] == "+1.0 (-0.5 to +2.5)"
    assert (
        named(Advice(TEXT, "news", 1.0)) == "Learn from the text news" and named(Advice(LINE, "", 1.0)) == "Add a line"
    )
