"""The grammar as a learner: which one a text has, what its runs leave, why an arc, what a line is worth."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.__main__ import main
from core.constraints.authoring.preview import GrammarArcs
from core.errors import WorkbenchError
from core.parsers.stacked import Stacked
from core.rules.parsing import broken_sentences
from core.rules.reading import parse_rules
from core.treebank import conllu_text, load_sample
from core.workspace.annotations import Annotations
from core.workspace.constraints.ablation import ablation_table, judged, judged_words
from core.workspace.constraints.constraint_set import save_text
from core.workspace.constraints.effects import (
    ConstraintWhy,
    SingleEffect,
    alone_words,
    effect_table,
    effect_words,
    nats_table,
)
from core.workspace.constraints.inputs import parsed
from core.workspace.constraints.plan import choose_learner
from core.workspace.constraints.record import read_record, record_text, repeat_record
from core.workspace.constraints.results import course_words, curve, left_out_words
from core.workspace.parses import learnt_from
from core.workspace.rules import rules_text, save_rules
from tests.advising import finished, written
from tests.filled import filled

SET = """DET <- NOUN per modifier = 0.9..1
NOUN <- VERB per modifier = 0.5..0.8
ROOT -> VERB per head = 0.8..1
{DET ADP} -- * per modifier = 0..0.05
NOUN <- GHOST = 0.5
"""


@pytest.fixture
def grammar(systems):
    return systems["grammar"]


@pytest.fixture
def corpus(add):
    """Thirty short sentences of the sample, with their punctuation."""
    return add("short.conllu", written(load_sample().max_length(9).limit(30)))


def train(grammar, corpus, source=SET, **changes):
    plan = grammar.plan(corpus).with_values(words="no", max_length=9, **changes)
    return finished(grammar.workspace, grammar.train(grammar.text(corpus, plan), source))


def test_a_text_has_the_grammar_unless_it_was_set_or_trained_otherwise(systems, sample, add):
    store, found = systems.workspace.store, [systems.learner(sample).kind]
    systems["ge"].save(sample, "setting", strength=3.0)
    found.append(systems.learner(sample).kind)
    choose_learner(store, sample, "grammar")
    found.append(systems.learner(sample).kind)
    assert store.undo(sample.project).label == "choosing a learner"
    assert [*found, systems.learner(sample).kind] == ["grammar", "ge", "grammar", "ge"]
    trained = add("cats.txt", "the/DET cat/NOUN sleeps/VERB\n")
    store.create_run(trained.project, "ge", {"corpus": trained.id})
    assert systems.learner(trained).kind == "ge"
    choose_learner(store, sample, "oracle")
    with pytest.raises(WorkbenchError, match="no learner 'oracle'"):
        systems.learner(sample)


def test_a_run_meets_its_lines_and_its_trees_have_all_words_of_the_text(grammar, corpus):
    run = train(grammar, corpus)
    outcome = grammar.load(run)
    bank = outcome.parses[""]
    assert outcome.inputs.treebank.token_count < outcome.inputs.sentences.token_count == bank.token_count
    # what is drawn, what the parser makes of the text again, and what is offered elsewhere are the same
    assert (grammar.parser(run).parse(outcome.inputs.sentences).heads == bank.heads).all()
    shares, figures = dict(zip(SET.splitlines(), run.figures["expectations"], strict=True)), run.figures
    assert 0.89 <= shares["DET <- NOUN per modifier = 0.9..1"] <= 1 and shares["NOUN <- GHOST = 0.5"] == 0
    assert figures["end"] == "converged" and figures["unmet"] == [] and figures["gap"] >= 0
    trace = grammar.workspace.jobs.trace(run.id)
    course = curve(run, trace)
    assert len(course.iterations) == figures["iterations"] + 1 == len(trace)  # the last is of what is kept
    assert course.objective[-1] == figures["objective"] and course.shares[-1].tolist() == figures["expectations"]
    used = grammar.matches(outcome.inputs, SET).denominators > 0
    assert course.of(used).met[-1] == 4 and len(course.of(used).names) == 4
    assert "Each line meets its target." in course_words(run, course.objective[0])


def test_an_edited_line_begins_from_the_last_run(grammar, corpus):
    first = train(grammar, corpus)
    second = train(grammar, corpus, SET.replace("0.5..0.8", "0.7..0.8"))
    assert second.settings["start"] == first.id and second.figures["iterations"] < first.figures["iterations"]
    assert second.figures["expectations"][1] > 0.69
    assert train(grammar, corpus, price=2.0).settings["start"] == second.id
    assert train(grammar, corpus, together=True).settings["start"] is None  # another model


@pytest.mark.parametrize("together", [False, True])
def test_why_an_arc_is_what_its_probability_is_without_each_constraint(grammar, corpus, together):
    run = train(grammar, corpus, SET.replace("0.9..1", "0.2..0.3"), together=together)
    arcs, model = grammar.arcs(run), grammar.parser(run)
    index, word = next(
        (sentence.index, word) for sentence in arcs.words for word in range(1, len(sentence))
        if sentence.upos[word : word + 2] == ("DET", "NOUN")
    )  # fmt: skip
    found = grammar.why(run, index, word + 1, word)

    def under(*left_out):
        factors = np.where(np.isin(np.arange(4), left_out), 0.0, 1.0)
        other = replace(arcs, grammar=model.without_votes().reweighted(factors))
        heads, marginals = parsed(other)
        return pytest.approx(marginals[index][word + 1, word]), int(heads[arcs.words.offsets[index] + word])

    assert (found.probability, found.head) == under() and (found.alone, found.head_alone) == under(0, 1, 2, 3)
    names = [constraint.name for constraint in model.constraints]
    for effect in filled(found.effects):
        assert (effect.without, effect.head) == under(names.index(effect.what))
    sizes = [abs(nats) for _, nats in found.nats]
    assert sizes == sorted(sizes, reverse=True) and len(found.effects) == min(3, len(sizes))
    assert [name for name, _ in found.nats][: len(found.effects)] == [effect.what for effect in found.effects]
    assert nats_table(found)["nats"] == [nats for _, nats in found.nats]


def test_what_moves_an_arc_is_said_in_a_sentence():
    sentence = next(iter(load_sample()))
    why = ConstraintWhy(0.7, 0.2, 2, 3, (SingleEffect("A -> B", "line 1", 0.4, 3),), (("A -> B", 0.5),))
    assert effect_words(why, sentence, "").startswith("Without “A -> B” (line 1) the head would be 3 ")
    assert alone_words(why, sentence).startswith("Without any the head would be 3 ")
    same = replace(why, head_alone=2, effects=(SingleEffect("A -> B", "line 1", 0.4, 2),))
    assert effect_words(same, sentence, "") == (
        "Nothing alone turns it; “A -> B” (line 1) moves its probability most, by 0.30."
    )
    assert alone_words(same, sentence) == "" and effect_table(same, sentence)["head"] == ["the same"]
    assert effect_words(replace(same, effects=()), sentence, "Nothing moves it.") == "Nothing moves it."


def test_the_words_that_a_constraint_decides_are_judged_by_known_trees(grammar, corpus):
    run = train(grammar, corpus, SET.replace("0.9..1", "0.2..0.3"))
    finished(grammar.workspace, grammar.ablation.start_for(run))
    ablation, _ = grammar.ablation.latest(run)
    known = grammar.known(grammar.inputs_of(run)[0])
    flips = max(ablation.flips, key=len)
    gold = known.heads[known.text.treebank.offsets[flips.sentences] + flips.modifiers].tolist()
    pairs = list(zip(gold, flips.heads_with.tolist(), flips.heads_without.tolist(), strict=True))
    expected = sum(head == drawn for head, drawn, _ in pairs), sum(head == other for head, _, other in pairs)
    assert judged(flips, known) == (*expected, len(gold)) and sum(expected) > 0
    table = ablation_table(ablation, True, known)
    row = table["decides"].index(len(flips))
    assert (table["right"][row], table["wrong"][row]) == expected
    assert "right" not in ablation_table(ablation, True) and judged_words(flips, None) == ""
    assert f" {expected[1]:,} without it." in judged_words(flips, known)


def test_what_a_line_is_worth_is_what_the_model_loses_without_its_multiplier(grammar, corpus):
    run = train(grammar, corpus, SET.replace("NOUN <- VERB per modifier = 0.5..0.8", "VERB -> * = 0.5"))
    finished(grammar.workspace, grammar.ablation.start_for(run))
    found, _ = grammar.ablation.latest(run)
    text, _ = grammar.inputs_of(run)
    arcs = GrammarArcs.of(grammar.parser(run).reweighted(np.array([1.0, 0.0, 1.0, 1.0])), text.sentences)
    matches = grammar.matches(text, run.constraint_text)
    mass = arcs.marginals(np.zeros(len(arcs.fixed.values)))[matches.of(1)].sum() / matches.denominators[1]
    assert found.after[1, 1] == pytest.approx(mass) and found.after[4, 4] == 0.0
    assert np.abs(found.before - run.figures["expectations"]).max() < 0.05
    flips = max(found.flips, key=len)
    rows = text.treebank.offsets[flips.sentences] + flips.modifiers
    assert len(flips) > 0 and (grammar.load(run).heads[rows] == flips.heads_with).all()


def test_a_record_repeats_the_run_and_the_one_it_began_from(grammar, corpus, tmp_path, capsys):
    train(grammar, corpus)
    run = train(grammar, corpus, SET.replace("0.5..0.8", "0.7..0.8"), marked=(2,))
    record = read_record(record_text(grammar, run))
    assert record["learner"] == "grammar" and len(record["before"]) == 1
    result, treebank = repeat_record(record, grammar.workspace.source(corpus))
    assert result.dual == run.figures["objective"] and len(treebank) == record["text"]["sentences"]
    (tmp_path / "run.json").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "short.conllu").write_bytes(grammar.store.corpus_bytes(corpus.id))
    assert main(["ge", "train", str(tmp_path / "short.conllu"), "--record", str(tmp_path / "run.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["largest_difference"] < 1e-12
    record["before"][0]["evaluations"] = 7
    with pytest.raises(WorkbenchError, match="was cancelled"):
        repeat_record(record, grammar.workspace.source(corpus))


def test_trees_known_by_number_or_by_hand_are_held_while_it_learns(grammar, corpus):
    run = train(grammar, corpus, marked=(1, 2, 3))
    assert run.figures["trees"] == {"complete": 3, "partial": 0, "left_out": 0}
    text, _ = grammar.inputs_of(run)
    assert grammar.known_trees(text).complete == 3


def test_what_cannot_be_trained_is_said_before_a_run_begins(grammar, corpus, add):
    partly = add("partly.conllu", "1\tthe\t_\tDET" + "\t_" * 6 + "\n2\tcat" + "\t_" * 8 + "\n\n")
    with pytest.raises(WorkbenchError, match="tag on each of its words"):
        grammar.text(partly, grammar.usual_plan(corpus))
    for source, changes, message in (
        ("# nothing\n", {}, "no constraints to train on"),
        (SET, {"brackets": "tear"}, "no mark-up to respect"),
        (SET, {"max_length": 1}, "at most 1 word"),
        (SET, {"words": "maybe"}, "maybe"),
        (SET, {"price": -1.0}, "at least 0"),
        (SET, {"bound": 0.0}, "must be positive"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            grammar.train(grammar.text(corpus, grammar.plan(corpus).with_values(**changes)), source)


def test_sentences_annotated_by_hand_are_learnt_by_a_second_order_parser(grammar, corpus, systems):
    layer, plan = Annotations(grammar.workspace, corpus), grammar.plan(corpus)
    save_text(grammar.store, corpus, SET, "typing")
    with pytest.raises(WorkbenchError, match="no tree of this text is corrected and marked done yet"):
        grammar.train_on_corrections(corpus)
    assert grammar.plan(corpus) == plan
    for index in range(4):
        annotation, revision = layer.get(index)
        layer.write(index, annotation, revision, f"c{index}", "as it is")
        layer.set_status(index, "done")
    run = finished(grammar.workspace, grammar.train_on_corrections(corpus))
    assert run.figures["stacked"] == 4 and run.figures["trees"]["complete"] == 4
    assert grammar.plan(corpus).corrections and isinstance(grammar.parser(run).second_order, Stacked)
    outcome = grammar.load(run)
    assert (grammar.parser(run).parse(outcome.inputs.sentences).heads == outcome.parses[""].heads).all()
    again, _ = repeat_record(read_record(record_text(grammar, run)), grammar.workspace.treebank(corpus))
    plain = train(grammar, corpus, corrections=False)
    assert [learnt_from(systems, corpus, f"run-{each.id}").tolist() for each in (run, plain)] == [[*range(4)], []]
    assert not len(learnt_from(systems, corpus, "english"))
    assert again.learnt == 4 and (again.model.parse(outcome.inputs.sentences).heads == outcome.parses[""].heads).all()


def test_a_plan_of_before_there_was_stacking_is_without_it(grammar, corpus):
    values = grammar.plan(corpus).as_dict()
    assert values.pop("stacked") is True and not grammar.plan_class.from_dict(values).settings.stacked


def test_a_constraint_that_trees_speak_against_is_left_out_and_named(grammar, corpus):
    source = "DET <- NOUN per modifier = 0.0..0.1 weight 20\nNOUN <- GHOST = 0.5\n"
    run = train(grammar, corpus, source, prior="universal", marked=tuple(range(1, 16)))
    (group,) = run.figures["left_out"]
    assert group["constraints"] == ["DET <- NOUN per modifier"] and group["gain"] > group["error"]
    named = f"DET <- NOUN per modifier ({group['gain']:.1f} ± {group['error']:.1f})"
    assert left_out_words(run).endswith(f": {named}.") and not grammar.keeps_learnt(run)
    why = grammar.why(run, 0, 2, 1)
    assert why.probability == why.alone and why.effects == why.nats == ()
    result, _ = repeat_record(read_record(record_text(grammar, run)), grammar.workspace.source(corpus))
    assert result.left_out[0].gain == group["gain"] and result.dual == run.figures["objective"]
    kept = train(grammar, corpus, source, prior="universal", marked=tuple(range(1, 16)), keep_all=True)
    assert "left_out" not in kept.figures and left_out_words(kept) == ""
    assert kept.figures["expectations"][0] < run.figures["expectations"][0]


def test_trees_turn_to_keep_the_rules_of_the_text_and_a_record_trains_them_again(grammar, corpus):
    store, text = grammar.workspace.store, grammar.workspace.treebank(corpus)
    save_rules(store, corpus, "NOUN has no det  # none in truth\n", text)
    assert grammar.plan(corpus).rules == ""  # until somebody says so
    grammar.save(corpus, "keeping rules", prior="universal", rules=rules_text(store, corpus))
    plain, run = (train(grammar, corpus, SET, prior="universal", rules=said) for said in ("", "NOUN has no det\n"))
    assert plain.figures["rules"] == []
    (kept,) = run.figures["rules"]
    assert kept["rule"] == "NOUN has no det" and kept["alone"] < 0.9 < kept["kept"] and kept["met"]
    model, outcome = grammar.parser(run), grammar.load(run)
    drawn = outcome.parses[""]
    before, after = (list(broken_sentences(parse_rules("NOUN has no det"), bank)) for bank in (
        grammar.load(plain).parses[""], drawn))  # fmt: skip
    assert before and not after
    again = model.parse(outcome.inputs.sentences)
    assert (again.heads == drawn.heads).all() and conllu_text(again) == conllu_text(drawn)
    repeated, _ = repeat_record(read_record(record_text(grammar, run)), grammar.workspace.source(corpus))
    assert repeated.dual == run.figures["objective"] and repeated.rules[0].values == kept


def test_rules_that_change_elsewhere_are_those_of_the_next_training(grammar, corpus):
    store, text = grammar.workspace.store, grammar.workspace.treebank(corpus)
    save_rules(store, corpus, "NOUN has no det\n", text)
    grammar.save(corpus, "keeping rules", prior="universal", rules=rules_text(store, corpus))
    run = train(grammar, corpus, "")
    assert not grammar.is_behind(grammar.inputs_of(run)[0], "")
    save_rules(store, corpus, "NOUN has no amod\n", text)
    plan = grammar.plan(corpus)
    assert plan.rules == "NOUN has no amod\n"
    assert grammar.is_behind(grammar.text(corpus, plan.with_values(words="no", max_length=9)), "")
    assert plan.with_choice("prior", "none").rules == ""  # it scores no relations
    bracketed = plan.with_values(brackets="loose")
    with pytest.raises(WorkbenchError, match="rules are counted on trees without brackets; in Settings, Trees"):
        grammar.train(grammar.text(corpus, bracketed), "")
    save_rules(store, corpus, "NOUN has no amod price 2\n", text)
    with pytest.raises(WorkbenchError, match="has a price, and training asks for a share"):
        grammar.train(grammar.text(corpus, grammar.plan(corpus)), "")
