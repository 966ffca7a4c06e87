"""What was learnt from is not scored: by number, by hand, from another text, from the run before; of old runs too."""

from dataclasses import replace

import numpy as np
import pytest

from core.treebank import load_sample
from core.workspace.constraints.constraint_set import save_text
from core.workspace.parses import learnt_from
from core.workspace.runs.list import main_figure, run_table
from core.workspace.runs.methods import methods_paragraph, run_figures
from tests.advising import correct, finished, written, written_bare

LINE = "DET <- NOUN per modifier = 0.9\n"
SHORT = load_sample().max_length(9).limit(12)


@pytest.fixture
def gold(add):
    """Twelve sentences with trees."""
    return add("gold.conllu", written(SHORT))


def scored_words(text, sentences):
    """How many words of some sentences are scored, where nothing is learnt."""
    scored = (text.treebank.heads >= 0) & ~text.treebank.punctuation()
    return np.add.reduceat(scored, text.treebank.offsets[:-1], dtype=int)[list(sentences)].sum()


def trained(learner, corpus, **changes):
    plan = learner.plan(corpus).with_values(**({"max_length": None} | changes))
    return finished(learner.workspace, learner.train(learner.text(corpus, plan), LINE))


def as_before(run):
    """The run as older versions recorded it."""
    model = {name: run.figures["model"][name] for name in ("right", "words")}
    return replace(
        run, figures={name: each for name, each in run.figures.items() if name != "learnt"} | {"model": model}
    )


@pytest.mark.parametrize("kind", ["ge", "grammar"])
def test_marked_sentences_are_not_scored_nor_are_those_of_the_run_before(systems, gold, kind):
    learner = systems[kind]
    runs = [trained(learner, gold, marked=marked) for marked in ((1, 2, 3), (), (3, 7))]
    learnt = [0, 1, 2], [0, 1, 2], [0, 1, 2, 6]
    assert [learnt_from(systems, gold, f"run-{run.id}").tolist() for run in runs] == [*learnt]
    assert [learner.learnt(as_before(run)).tolist() for run in runs] == [*learnt]
    text = learner.inputs_of(runs[2])[0]
    for run, left_out in zip(runs, learnt, strict=True):
        words = scored_words(text, set(range(12)) - set(left_out))
        model = run.figures["model"]
        assert (model["words"], model["learnt"]) == (words, len(left_out))
        assert learner.with_score(as_before(run)).figures["model"] == model
    old = run_table(systems.workspace.store, [as_before(each) for each in runs])["figure"]
    assert all(each.endswith("sentences that it learnt from among them") for each in old)
    change = learner.change(text, runs[1], runs[2])
    assert (change.scored, change.learnt, change.right_before) == (model["words"], 4, model["right"])
    share = f"{model['right'] / model['words']:.1%}"
    sentences = "in 8 sentences of the file, without 4 sentences learnt from"
    assert main_figure(run) == f"UAS {share} · {model['right']} of {words}, without punctuation, {sentences}"
    said = methods_paragraph(systems, run)
    assert f"UAS, no punctuation {share} ({model['right']} of {words}, {sentences})" in said


def test_errors_are_of_sentences_that_were_not_learnt_from(systems, gold):
    grammar = systems["grammar"]
    run = trained(grammar, gold, marked=(1, 2, 3))
    text, outcome = grammar.inputs_of(run)[0], grammar.load(run)
    known = grammar.known(text)
    unseen = grammar.unseen(known, outcome)
    model = run.figures["model"]
    found = grammar.mistakes(unseen, outcome)
    assert (found.tables.words, found.tables.correct) == (model["words"], model["right"])
    assert (known.sentences, unseen.sentences, unseen.learnt) == (12, 9, 3)
    score = grammar.score(text, outcome)
    assert (score.words, score.hits) == (model["words"], model["right"])
    assert score.conditions.text == "Without punctuation, in 9 sentences of the file, without 3 sentences learnt from"
    assert (unseen.treebank.heads == unseen.heads).all() and unseen.treebank[0].heads.max() == -1
    assert grammar.unseen(known, grammar.outcome(text)) is known


def test_nothing_is_left_to_score_where_all_was_learnt(systems, workspace, add, gold):
    bare = add("bare.conllu", written_bare(SHORT))
    save_text(workspace.store, bare, LINE, "typing")
    correct(workspace, bare, SHORT, range(4))
    grammar = systems["grammar"]
    run = finished(workspace, grammar.train_on_corrections(bare))
    text = grammar.inputs_of(run)[0]
    unseen = grammar.unseen(grammar.known(text), grammar.load(run))
    assert run.figures["learnt"] == [1, 2, 3, 4] and (unseen.sentences, unseen.learnt) == (0, 4)
    correct(workspace, bare, SHORT, [4, 5])  # after the run, which does not know them
    conditions = grammar.score(grammar.text(bare), grammar.load(run)).conditions
    assert conditions.basis.endswith("in 2 sentences corrected by hand, without 4 sentences learnt from")
    everything = trained(grammar, gold, marked=tuple(range(1, 13)))
    assert everything.figures["model"] == {"right": 0, "words": 0, "learnt": 12, "sentences": 0, "by_hand": 0}
    assert main_figure(everything) == "no score: all 12 sentences with known heads were learnt from"
    assert run_figures(systems, everything)["UAS, no punctuation"].startswith("none (all 12 sentences")


def test_the_same_sentences_of_another_text_are_learnt_from(systems, add, gold):
    teacher = add("teacher.conllu", written(SHORT.select([3, 5])))
    run = trained(systems["ge"], gold, trees=teacher.id)
    assert run.figures["learnt"] == [4, 6] and run.figures["model"]["learnt"] == 2
    systems.workspace.store.remove_corpus(teacher.id)
    assert systems["ge"].learnt(as_before(run)).tolist() == [*range(12)]  # what it learnt from is not known any more


def test_other_systems_score_no_sentence_of_the_trees_that_taught_them(systems, add, gold):
    teacher = add("teacher.conllu", written(load_sample().limit(30)))  # some of these are among the twelve
    words = {sentence.forms for sentence in load_sample().limit(30)}
    shared = [sentence.index for sentence in SHORT if sentence.forms in words]
    consensus, adaptation = systems["consensus"], systems["scl"]
    one = consensus.inputs(gold, consensus.plan(gold).with_values(trees=teacher.id))
    other = adaptation.inputs(teacher, adaptation.plan(teacher).with_values(target=gold.id, few=0))
    held = [sentence.forms for sentence in other.held]
    taught = [k for k in shared if SHORT[k].forms not in held]
    assert 0 < len(taught) <= len(shared) < 12
    for inputs, learnt in ((one, shared), (other, taught)):
        assert inputs.learnt == len(learnt) and inputs.has_gold
        assert [sentence.index for sentence in inputs.test if sentence.heads.max() < 0] == learnt
    everything = consensus.inputs(gold, consensus.plan(gold).with_values(trees=add("all.conllu", written(SHORT)).id))
    assert (everything.learnt, everything.has_gold) == (12, False)
