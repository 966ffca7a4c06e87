"""Advice over a text of the store: what is known, what was taken and predicted, what came true, further texts."""

import io
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest

from core.advice import ANSWER, KIN, LINE, QUESTIONS, TAGS, TEXT, TREEBANK, TREES, Advice, GainEstimates, MeasuredGain
from core.advice.tags import NONE_BY_HAND
from core.constraints.authoring.word_order import parse_order
from core.errors import FormatError, StoreError, WorkbenchError
from core.parsers import MSTParser
from core.parsers.universal.questions import NAMES
from core.store import Command
from core.workspace.constraints import advice_record as log
from core.workspace.constraints.advice import read_estimate
from core.workspace.constraints.advice_inputs import advice_state_of, still_open, training_state_of
from core.workspace.constraints.conditioning import conditioned_parser
from core.workspace.constraints.constraint_set import save_text
from core.workspace.constraints.plan import AdvicePlan, GrammarPlan
from core.workspace.system import packed
from core.workspace.word_tags import Tagging, save_tagging
from tests.advising import SET, ask, correct, finished, longer_sentences, short_sentences, written, written_bare

NOTHING_MEASURED = GainEstimates((), None, 0, 0)
LINE_ADVICE = Advice(LINE, "ADJ <- NOUN per modifier = 0.8..1.0", 5.0)


@pytest.fixture(scope="module")
def gold():
    return short_sentences()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Parsers that learn in a moment: these tests are about what is kept of advice, not about how good it is."""
    usual = GrammarPlan.grammar_settings
    monkeypatch.setattr(
        GrammarPlan, "grammar_settings", lambda plan: replace(usual(plan), lengths=(12,), iterations=(2,), epochs=2)
    )
    for module in ("constraints.grammar.stacking", "advice.training_state"):
        monkeypatch.setattr(f"core.{module}.MSTParser", partial(MSTParser, bits=12))


@pytest.fixture
def unmeasured(monkeypatch):
    """What further work would bring is not measured: a dozen trainings."""
    monkeypatch.setattr("core.workspace.constraints.advice.estimate", lambda *_, **__: NOTHING_MEASURED)


@pytest.fixture
def advised(systems):
    return systems["advised"]


@pytest.fixture
def bare(add, gold, workspace):
    """The sentences without trees, under a set, with no other text to learn from."""
    store = workspace.store
    for corpus in store.corpora(store.default_project()):
        store.remove_corpus(corpus.id)
    corpus = add("bare.conllu", written_bare(gold))
    save_text(workspace.store, corpus, SET + "NOUN <- GHOST = 0.5\n", "typing")
    return corpus


@pytest.fixture
def other(add):
    """A treebank of other sentences."""
    return add("other.conllu", written(longer_sentences().limit(20)))


def by_kind(found):
    return {each.kind: each for each in found.advice}


def test_nothing_is_known_without_trees_and_sentences_are_named_all_the_same(advised, bare):
    assert advised.advice.latest(bare) == (None, None, None)
    found = ask(advised, bare, sentences=3)
    trees, line = (by_kind(found)[kind] for kind in (TREES, LINE))
    assert trees.reason.startswith("no sentence has a known tree") and len(trees.sentences) == 3
    assert line.gain is None and found.accuracy is None and TAGS not in by_kind(found)


def test_a_text_tagged_by_a_list_is_told_of_its_tags(advised, add, workspace):
    corpus = add("listed.txt", "the cat sleeps\nthe dog barks\n")
    save_text(workspace.store, corpus, "DET <- NOUN = 0.9\n", "typing")
    save_tagging(workspace.store, corpus, Tagging(text="the DET\ncat NOUN\ndog NOUN\nsleeps VERB\n"), "tagging")
    tags = by_kind(ask(advised, corpus, sentences=1))[TAGS]
    assert tags.reason == NONE_BY_HAND and log.named(tags) == "Correct the tags of the rest"


def test_what_is_known_are_corrected_sentences_and_lines_that_match(advised, bare, gold, workspace):
    correct(workspace, bare, gold, range(5))
    inputs = advised.inputs(bare, advised.plan(bare))
    situation = training_state_of(workspace, inputs)
    assert situation.learnt.tolist() == [True] * 5 + [False] * 35 and len(situation.lines) == 2
    assert advice_state_of(inputs, situation).learnt == [0, 1, 2, 3, 4]


def test_own_trees_are_scored_on_and_learnt_from_where_they_are_marked(advised, systems, add, gold, workspace):
    corpus = add("gold.conllu", written(gold))
    systems["grammar"].save(corpus, "marking", marked=(2, 4))
    situation = training_state_of(workspace, advised.inputs(corpus, advised.plan(corpus)))
    assert situation.known.all() and np.flatnonzero(situation.learnt).tolist() == [1, 3]


def test_sentences_are_taken_and_what_came_true_is_measured_when_they_are_corrected(
    advised, bare, gold, workspace, request
):
    correct(workspace, bare, gold, range(12))
    inputs = advised.inputs(bare, advised.plan(bare))
    found = ask(advised, bare, sentences=5)
    trees = by_kind(found)[TREES]
    assert found.learnt == 12 and trees.low <= trees.gain <= trees.high
    _, run, _ = advised.advice.latest(bare)
    assert not advised.is_outdated(inputs, run)
    advised.take(bare, trees)
    (record,) = log.records(advised.store, bare)
    assert record.advice == trees and record.state.learnt == list(range(12))
    assert log.unsettled(advised.store, bare, record.state) == []
    assert log.record_table(advised.store, bare)["came"] == ["not measured yet"]
    others = [k for k in range(12, 40) if k not in trees.sentences]
    correct(workspace, bare, gold, [*trees.sentences[:4], *others[:2]])  # four of five, and two that were not named
    inputs = advised.inputs(bare, advised.plan(bare))
    assert advised.is_outdated(inputs, run)
    assert log.unsettled(advised.store, bare, advice_state_of(inputs, training_state_of(workspace, inputs))) == []
    correct(workspace, bare, gold, trees.sentences[4:])
    request.getfixturevalue("unmeasured")
    ask(advised, bare, sentences=5)
    came = log.measured_gains(advised.store, bare)[record.id]
    assert came.low <= came.value <= came.high
    table = log.record_table(advised.store, bare)
    assert table["came"] == [log.points((came.value, came.low, came.high))] and table["work"] == ["Correct 5 sentences"]
    assert advised.store.undo(bare.project).label == f"marking sentence {trees.sentences[4] + 1} done"


@pytest.mark.usefixtures("unmeasured")
def test_what_came_true_of_a_piece_of_work_is_of_that_work_alone(advised, bare, gold, other, workspace):
    correct(workspace, bare, gold, range(12))
    advised.take(bare, LINE_ADVICE)
    ask(advised, bare, sentences=5)
    (line,) = log.records(advised.store, bare)
    alone = log.measured_gains(advised.store, bare)[line.id]
    advised.store.remember(bare.project, log.CAME, f"{bare.id}/{line.id}", None)  # as if nobody had asked
    advised.take(bare, Advice(TREEBANK, other.name, 15.0, source_corpus=other.id))
    correct(workspace, bare, gold, range(5))
    ask(advised, bare, sentences=5)
    treebank = log.records(advised.store, bare)[1]
    came = log.measured_gains(advised.store, bare)
    assert came[line.id] == alone and came[treebank.id] != alone


def test_a_state_after_a_piece_of_work():
    before = log.AdviceState(SET, [0, 4], [7])
    assert before.after(Advice(TREES, "", 1.0, sentences=(5, 2))).learnt == [0, 2, 4, 5]
    assert before.after(LINE_ADVICE).lines == f"{SET}{LINE_ADVICE.what}\n"
    assert before.after(Advice(TEXT, "news", 1.0, source_corpus=9)) == log.AdviceState(SET, [0, 4], [7, 9])


def test_what_came_true_stays_with_its_record_when_that_is_undone(advised, bare):
    advised.take(bare, LINE_ADVICE)
    (record,) = log.records(advised.store, bare)
    log.save_gain(advised.store, bare, record, MeasuredGain(9.9, 1.0, 20.0))
    advised.store.undo(bare.project)
    assert log.records(advised.store, bare) == []
    advised.take(bare, replace(LINE_ADVICE, what="ADV <- VERB per modifier = 0.5..1.0"))
    assert log.record_table(advised.store, bare)["came"] == ["not measured yet"]
    advised.store.undo(bare.project)
    advised.take(bare, LINE_ADVICE)
    assert log.record_table(advised.store, bare)["came"] == ["not measured yet"]


def test_records_of_an_older_version_and_what_they_came_to_are_left_out(advised, bare):
    old = {"id": 1, "advice": LINE_ADVICE.as_dict() | {"number": 0}, "time": "2026", "lines": "", "learnt": []}
    advised.store.execute(bare.project, Command(log.TAKEN, str(bare.id), None, [old, "nothing"]))
    advised.store.remember(bare.project, log.CAME, f"{bare.id}/1", [1.0, 0.0, 2.0])
    assert log.records(advised.store, bare) == [] and log.record_table(advised.store, bare)["work"] == []
    advised.take(bare, LINE_ADVICE)
    assert [each.advice for each in log.records(advised.store, bare)] == [LINE_ADVICE]


def source_of(advised, bare):
    return advised.inputs(bare, advised.plan(bare)).constraint_text


def test_a_line_is_added_in_one_step(advised, bare):
    advised.take(bare, LINE_ADVICE)
    source = source_of(advised, bare)
    assert source.splitlines()[-1] == LINE_ADVICE.what
    (record,) = log.records(advised.store, bare)
    assert log.unsettled(advised.store, bare, replace(record.state, lines=source)) == [record]
    assert log.unsettled(advised.store, bare, record.state) == []
    with pytest.raises(WorkbenchError, match="line 4 of the set says this already"):
        advised.take(bare, LINE_ADVICE)
    assert log.records(advised.store, bare) == [record] and source_of(advised, bare) == source
    assert advised.store.undo(bare.project).label == f"adding {LINE_ADVICE.what}"
    assert log.records(advised.store, bare) == []


def test_a_line_takes_the_place_of_the_one_that_was_named_wherever_that_stands_now(advised, bare):
    line, new = SET.splitlines()[0], "DET <- NOUN per modifier = 0.7..0.8"
    advice = Advice(LINE, new, 5.0, replaces="DET <- NOUN per modifier = 0.9..1.0")
    save_text(advised.store, bare, f"# first\n{SET}", "typing")
    advised.take(bare, advice)
    assert source_of(advised, bare) == f"# first\n{SET}".replace(line, new)
    assert log.named(advice) == f"Change a constraint: {new}"
    with pytest.raises(WorkbenchError, match=r"the line DET <- NOUN per modifier = 0\.9\.\.1\.0 has been changed"):
        advised.take(bare, advice)
    assert len(log.records(advised.store, bare)) == 1
    assert advised.store.undo(bare.project).label == f"changing {advice.replaces} to {new}"


def test_a_treebank_is_learnt_from_and_its_parser_is_offered(advised, bare, other, gold):
    advice = Advice(TREEBANK, other.name, 15.0, source_corpus=other.id)
    advised.take(bare, advice)
    plan = advised.plan(bare)
    inputs = advised.inputs(bare, plan)
    (record,) = log.records(advised.store, bare)
    assert log.unsettled(advised.store, bare, record.state) == []
    assert log.unsettled(advised.store, bare, replace(record.state, texts=plan.texts)) == [record]
    assert plan.texts == (other.id,) and [each.name for each in inputs.taken] == ["other.conllu"]
    run = finished(advised.workspace, advised.start(inputs, plan))
    assert run.figures["trees"] == 20 and run.figures["sentences"] == 60
    tree = advised.load(run).parses[""]
    assert (tree.heads == gold.heads).mean() > 0.5
    advised.store.remove_corpus(other.id)
    assert advised.inputs(bare, plan).taken == ()
    with pytest.raises(StoreError, match=r"other\.conllu was removed from the project"):
        advised.take(bare, advice)
    ask(advised, bare, sentences=5)
    said = "not known: a text that was learnt from has been removed from the project"
    assert log.record_table(advised.store, bare)["came"] == [said]


def test_a_restored_project_learns_from_the_same_texts(advised, bare, other):
    store = advised.store
    advice = Advice(TREEBANK, other.name, 15.0, source_corpus=other.id)
    advised.take(bare, advice)
    file = io.BytesIO()
    store.backup_project(bare.project, file)
    restored = {each.name: each for each in store.corpora(store.restore_backup(file))}
    again, text = restored[bare.name], restored[other.name]
    assert text.id != other.id and advised.plan(again).texts == (text.id,)
    assert [each.number for each in advised.inputs(again, advised.plan(again)).taken] == [text.id]
    (record,) = log.records(store, again)
    assert record.advice.source_corpus == text.id and record.state.after(record.advice).texts == [text.id]
    for wrong in (other.id, again.id):
        with pytest.raises(StoreError, match=r"other\.conllu was removed from the project, or is another text by now"):
            advised.take(again, replace(advice, source_corpus=wrong))


def test_an_estimate_is_outdated_by_settings_and_by_a_new_text(advised, systems, bare, add, gold):
    inputs = advised.inputs(bare, advised.plan(bare))
    state = advised.recorded(inputs, advised.plan(bare))["state"]
    save_text(advised.store, bare, source_of(advised, bare) + "# a remark\n", "typing")
    assert advised.recorded(advised.inputs(bare, advised.plan(bare)), advised.plan(bare))["state"] == state
    systems["grammar"].save(bare, "price", price=7.0)
    dear = advised.recorded(advised.inputs(bare, advised.plan(bare)), advised.plan(bare))["state"]
    add("more.conllu", written(gold.limit(3)))
    assert len({state, dear, advised.recorded(inputs, advised.plan(bare))["state"]}) == 3


def test_training_begins_with_what_other_languages_know_where_that_of_the_text_does(advised, systems, bare, workspace):
    prior = training_state_of(workspace, advised.inputs(bare, advised.plan(bare))).prior
    expected = conditioned_parser(workspace, *of_text(systems["grammar"].text(bare)))
    words = short_sentences().without_punctuation()
    np.testing.assert_allclose(prior.log_probabilities(words).values, expected.log_probabilities(words).values)
    systems["grammar"].save(bare, "beginning from nothing", prior="none")
    assert training_state_of(workspace, advised.inputs(bare, advised.plan(bare))).prior is None


def of_text(text):
    return text.corpus, text.key, text.sentences, text.settings


@pytest.mark.usefixtures("unmeasured")
def test_answers_are_advised_until_they_are_given(advised, systems, bare):
    grammar = systems["grammar"]
    grammar.save(bare, "answering", word_order="adposition=before,object=after")
    found = ask(advised, bare)
    asked = [each for each in found.advice if each.kind == ANSWER]
    names = [each.what for each in asked]
    assert names and not {"adposition", "object"} & {*names} and len({*names}) == len(names)
    expected = [each.turned.expected for each in asked]
    assert expected == sorted(expected, reverse=True) and all(each.turned.arcs > 0 for each in asked)
    _, run, _ = advised.advice.latest(bare)
    assert not advised.is_outdated(advised.inputs(bare, advised.plan(bare)), run)
    grammar.save(bare, "answering", word_order=f"adposition=before,object=after,{names[0]}=0.8")
    assert advised.is_outdated(advised.inputs(bare, advised.plan(bare)), run)
    left = still_open(found.advice, grammar.plan(bare))
    assert [each.what for each in left if each.kind == ANSWER] == names  # answered ones stay
    assert [each.what for each in left if each.kind == QUESTIONS] == ["5"]
    answers = parse_order(grammar.plan(bare).word_order)
    hours = log.advice_table([each for each in left if each.kind == ANSWER], answers)["hour"]
    assert hours[0] == "answered: 0.8" and all(hour.startswith("at most +") for hour in hours[1:])
    assert all(hour.endswith(" in 1 minute") for hour in hours[1:])
    assert still_open(found.advice, grammar.plan(bare).with_values(prior="none")) == []


@pytest.mark.usefixtures("unmeasured")
def test_languages_are_taken_undoably_and_no_longer_advised(advised, systems, bare):
    grammar, answered = systems["grammar"], ",".join(f"{name}=0.5" for name in NAMES[6:])
    grammar.save(bare, "choosing", word_order=answered, prior="universal")
    (nearest,) = (each for each in ask(advised, bare).advice if each.kind == KIN)
    assert nearest.languages == () and nearest.what.startswith("English") and log.what_turns(nearest)
    assert log.named(nearest).startswith("Use the nearest languages: English")
    grammar.save(bare, "choosing", kin=("Japanese", "Turkish"), prior="nearest")
    both = [each for each in ask(advised, bare).advice if each.kind == KIN]
    assert {each.languages for each in both} == {(), ("Japanese", "Turkish", "English")}
    more = next(each for each in both if each.languages)
    advised.take(bare, more)
    plan = grammar.plan(bare)
    assert (plan.prior, plan.kin) == ("nearest", more.languages) and log.records(advised.store, bare) == []
    assert still_open(both, plan) == [nearest_of(both)]
    assert advised.store.undo(bare.project).label == "choosing languages that answer"
    advised.take(bare, nearest_of(both))
    assert grammar.plan(bare).kin == () and more in still_open(both, grammar.plan(bare))


def nearest_of(both):
    return next(each for each in both if each.languages == ())


def test_a_text_with_other_tags_is_refused_and_nothing_is_kept(advised, bare, add):
    other = add("strange.txt", "a/X1 b/X2 c/X3\n", "tagged")
    with pytest.raises(WorkbenchError, match=r"strange\.txt has (another tag set|no UPOS tags)"):
        advised.take(bare, Advice(TEXT, other.name, 10.0, source_corpus=other.id))
    assert log.records(advised.store, bare) == [] and advised.plan(bare).texts == ()


def test_without_lines_and_trees_nothing_is_trained_where_nothing_is_known_of_other_languages(
    advised, systems, bare, workspace
):
    systems["grammar"].save(bare, "beginning from nothing", prior="none")
    save_text(workspace.store, bare, "", "clearing")
    plan = advised.plan(bare)
    with pytest.raises(WorkbenchError, match="there are no lines and no trees to learn from"):
        advised.start(advised.inputs(bare, plan), plan)


def test_a_run_that_asked_is_repeated_and_has_no_trees(advised, bare):
    ask(advised, bare, sentences=3)
    _, run, _ = advised.advice.latest(bare)
    assert advised.parts(run) == {} and not advised.has_outcome(run) and advised.figures(run) == {}
    assert list(advised.repeated(run)[1]) == ["training text"]
    finished(advised.workspace, advised.again(run))


def stopped(after):
    """A Job that somebody stops after some reports."""
    job = Mock(run=0)
    job.cancelled = lambda: job.report.call_count >= after
    return job


def test_a_run_that_is_stopped_leaves_what_it_had_measured_and_if_nothing_the_one_before_counts(
    advised, bare, gold, other, workspace
):
    correct(workspace, bare, gold, range(12))
    whole, store = ask(advised, bare), advised.store
    _, run, _ = advised.advice.latest(bare)
    work, _ = advised.repeated(run)

    def ended(status, *left):
        number = store.create_run(bare.project, "advice", run.settings, data_hash=run.data_hash)
        store.start_run(number)
        store.finish_run(number, status, *left)
        return store.run(number)

    assert not read_estimate(work(stopped(1))[1]).accuracy
    for status, left in (("cancelled", work(stopped(1))), ("failed", ({},)), ("done", ({"scored": 1}, b"older"))):
        newest = ended(status, *left)
        assert advised.advice.latest(bare) == (whole, run, newest)
    figures, data = work(stopped(12))
    found = read_estimate(data)
    assert found.stopped and found.accuracy is not None and figures == {"learnt": 12, "scored": 12}
    assert {bool(each.reason) for each in found.advice} == {True, False}
    half = ended("cancelled", figures, data)
    assert advised.advice.latest(bare) == (found, half, half)


def test_a_plan_that_cannot_be_is_refused():
    with pytest.raises(WorkbenchError, match="1 to 200 sentences can be corrected next, got 0"):
        AdvicePlan(sentences=0)
    with pytest.raises(WorkbenchError, match="the minutes that a line takes must be above 0"):
        AdvicePlan.of(line=0.0)


def test_what_is_no_estimate_is_refused():
    with pytest.raises(FormatError, match="this advice cannot be read"):
        read_estimate(packed("advice", {"accuracy": None}))


def test_advice_in_words():
    unknown = Advice(TREES, "", 30.0, reason="why")
    known = Advice(TREEBANK, "UD Dutch", 15.0, 1.0, -0.5, 2.5)
    table = log.advice_table([known, unknown])
    assert table["work"] == ["Learn from the trees of UD Dutch", "Correct sentences"]
    assert table["hour"] == ["+4.0, may be none", "not known"] and table["gain"][0] == "+1.0 (-0.5 to +2.5)"
    assert log.named(Advice(TEXT, "news", 1.0)) == "Learn from the text news"
    assert log.named(Advice(LINE, "", 1.0)) == "Add a constraint"
