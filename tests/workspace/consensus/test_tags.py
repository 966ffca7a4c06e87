"""Consistent tagging as a system: whose tags teach and count, what the command says of the same, a run that goes on."""

import io
import json

import numpy as np
import pytest

from core.__main__ import main
from core.consistency.unknown import UnknownIndex
from core.errors import FormatError, WorkbenchError
from core.parsers import Tagger
from core.treebank import conllu_text, load_sample
from core.treebank.retag import with_values
from core.workspace.consensus.tags_layer import give_back, take_over, taken_over
from core.workspace.consensus.tags_run import read_tags
from core.workspace.consensus.tags_system import ConsistentTagging
from core.workspace.consensus.teaching import TREED
from core.workspace.decomposition import playback
from core.workspace.runs.list import main_figure
from core.workspace.word_tags import Tagging, save_tagging
from tests.filled import filled
from tests.workspace.running import Recording, carried_out

LAST = 132  # sentences that are tagged


@pytest.fixture(scope="module")
def tagging(module_workspace):
    return ConsistentTagging(module_workspace)


@pytest.fixture(scope="module")
def sample(tagging):
    corpus, *_ = tagging.store.corpora(tagging.store.default_project())
    return corpus


@pytest.fixture(scope="module")
def plan(tagging, sample):
    return tagging.plan(sample).with_values(first=len(load_sample()) - LAST)


@pytest.fixture(scope="module")
def run(tagging, sample, plan):
    return carried_out(tagging, sample, plan)


@pytest.fixture(scope="module")
def bare(module_add):
    """The last sentences of the sample without tags or trees."""
    bank = load_sample()
    forms = [" ".join(sentence.forms[1:]) for sentence in bank.select(np.arange(len(bank) - LAST, len(bank)))]
    return module_add("bare.txt", "\n".join(forms) + "\n")


def test_a_page_says_what_the_command_says(tagging, run, tmp_path, capsys):
    bank = load_sample()
    for name, rows in (("train", np.arange(len(bank) - LAST)), ("test", np.arange(len(bank) - LAST, len(bank)))):
        (tmp_path / f"{name}.conllu").write_text(conllu_text(bank.select(rows).to_conllu()))
    assert main(["consistency", "tag", str(tmp_path / "train.conllu"), str(tmp_path / "test.conllu"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    figures = run.figures
    for name in ("base", "model"):
        assert figures[name]["accuracy"] == said["systems"][name]["pos_accuracy"]
        assert figures[name]["words"] == said["systems"][name]["words"]
        assert figures[name]["unknown_words"] == said["systems"][name]["unknown_words"]
        assert figures[name]["learnt"] == 0 and "learnt_sentences" not in said
    for name in (
        "groups",
        "iterations",
        "primal",
        "bound",
        "certified_sentences",
        "changed_words",
        "active",
        "p_value",
    ):
        assert figures[name] == said[name], name
    effects = [(effect.name, effect.label, effect.size, len(effect.changes)) for effect in tagging.load(run).effects]
    assert {tuple(row.values()) for row in said["effects"]} <= set(effects)


def test_groups_are_those_that_a_trained_tagger_does_not_know(tagging, sample, plan):
    inputs = tagging.inputs(sample, plan)
    tagger = Tagger().fit(inputs.train, tags=inputs.column, epochs=1)
    words, found = UnknownIndex.of(tagger.trained().forms, inputs.test).select(), tagging.selection(inputs, plan)
    assert inputs.tags == tagger.tags and found.names == words.names and found.rows.tolist() == words.rows.tolist()
    assert len(tagging.selection(inputs, plan.with_values(least=4))) < len(found)


def test_a_killed_run_goes_on_from_the_iteration_kept_last(tagging, sample, plan, run):
    inputs, whole = tagging.inputs(sample, plan), tagging.load(run)
    assert len(whole.trace) > 3
    job = Recording(die_at=3)
    with pytest.raises(KeyboardInterrupt):
        tagging.work(inputs, plan)(job)
    for kept in (job.checkpoints[0], job.checkpoints[-1]):  # the tagger alone, and in the search
        again = Recording()
        again.resumed = kept
        figures, data = tagging.work(inputs, plan)(again)
        found = read_tags(run, inputs, plan, whole.words, data)
        assert [record.dual for record in found.trace] == [record.dual for record in whole.trace]
        assert found.tagging.tolist() == whole.tagging.tolist()
        assert figures["model"] == run.figures["model"]


def test_a_run_plays_back_to_what_it_found(tagging, run):
    outcome = tagging.load(run)
    words = outcome.test.is_word
    last = outcome.values_at(len(outcome.trace))
    assert (last[words] == outcome.tagging[words]).all()
    changed = 0
    for iteration in range(1, len(outcome.trace) + 1):
        arcs = playback.flips(outcome, iteration)
        changed += len(arcs)
        table = playback.flip_table(outcome, arcs)
        assert all(name in outcome.inputs.tags for side in ("before", "after") for name in table[side])
    assert changed >= run.figures["changed_words"] > 0
    group, name = next(iter(playback.disputed(outcome).items()))
    assert name.startswith(outcome.words.names[group])
    assert playback.consensus_at(outcome, group, len(outcome.trace)) == outcome.inputs.tags[outcome.labels[group]]
    table = playback.multiplier_table(outcome, group, len(outcome.trace))
    assert set(table["head"]) <= set(outcome.inputs.tags) and playback.multiplier_course(outcome, group)
    verdict, said = playback.certificate(outcome)
    assert verdict == "certified" and said.startswith("Proved optimal after ")
    effect = outcome.effects[0]
    sentence = effect.changes[0].sentence
    drawing = outcome.change_of(sentence, outcome.base_tagging, outcome.tagging)
    assert f"{effect.changes[0].before} → {effect.changes[0].after}" in {span.label for span in drawing.spans}


def test_what_changed_is_scored_by_the_texts_own_tags(tagging, run):
    outcome = tagging.load(run)
    for effect in filled(outcome.effects):
        for change in effect.changes:
            assert change.gold == outcome.test[change.sentence].xpos[change.word]
    figures, effects = run.figures, outcome.effects
    assert sum(effect.corrected for effect in effects) <= figures["corrected"]
    assert figures["model"]["right"] - figures["base"]["right"] == figures["corrected"] - figures["harmed"]


def test_what_was_learnt_from_is_not_scored(tagging, sample, module_add):
    bank = load_sample()
    half = module_add("half.conllu", conllu_text(bank.limit(40).to_conllu()))
    plan = tagging.plan(sample).with_values(trees=half.id)
    inputs = tagging.inputs(sample, plan)
    learnt = {tuple(sentence.forms) for sentence in bank.limit(40)}
    both = [tuple(sentence.forms) in learnt for sentence in bank]
    assert inputs.learnt == sum(both) >= 40
    assert (np.repeat(both, bank.lengths + 1) & (inputs.test.xpos.ids > 0)).sum() == 0
    own = tagging.inputs(half, tagging.plan(half).with_values(trees=sample.id))
    assert own.learnt == 40 and not own.has_gold and len(own.test) == 40


def test_a_taggers_tags_neither_teach_nor_score(tagging, bare, sample, module_workspace):
    with pytest.raises(WorkbenchError, match=r"bare\.txt: no word has a tag; tag the text first"):
        tagging.inputs(bare, tagging.plan(bare).with_values(trees=None))
    save_tagging(module_workspace.store, bare, Tagging("@other NOUN\nthe DET"), "typing")
    inputs = tagging.inputs(bare, tagging.plan(bare).with_values(trees=sample.id))
    assert inputs.learnt == 0 and not inputs.has_gold and len(inputs.test) == LAST
    with pytest.raises(WorkbenchError, match=r"none of the sentences of bare\S* that should teach has a tag on every"):
        tagging.inputs(bare, tagging.plan(bare).with_values(trees=None))


def test_texts_that_do_not_go_together_are_one_sentence(tagging, sample, module_add):
    same = module_add("same.conllu", "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n\n" * 2)
    other = module_add("other.conllu", "1\ta\t_\tF\tF\t_\t_\t_\t_\t_\n2\tb\t_\tG\tG\t_\t_\t_\t_\t_\n\n" * 2)
    usual = tagging.plan(sample)
    for changes, message in (
        ({"trees": same.id}, "that have one have the xpos tag X; a tagger learns from two tags or more"),
        ({"trees": other.id}, "training and test text are in different tag sets"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            tagging.inputs(sample, usual.with_values(**changes))
    with pytest.raises(WorkbenchError, match="nothing to agree on"):
        carried_out(tagging, other, tagging.plan(other).with_values(first=1))
    with pytest.raises(WorkbenchError, match=r"all sentences of other\.conllu teach, none is left to tag"):
        tagging.inputs(other, tagging.plan(other).with_values(first=0))


def test_what_a_run_left_is_read_whole_or_refused(tagging, sample, plan, run):
    inputs, words = tagging.inputs(sample, plan), tagging.load(run).words
    _, data = tagging.work(inputs, plan.with_values(epochs=1))(Recording())
    with np.load(io.BytesIO(data)) as file:
        arrays = {name: file[name] for name in file.files if name != "certified"}
    short = io.BytesIO()
    np.savez_compressed(short, **arrays)
    for broken, message in ((b"no archive", "no saved run"), (short.getvalue(), "it lacks certified")):
        with pytest.raises(FormatError, match=message):
            read_tags(run, inputs, plan, words, broken)


def test_tags_are_taken_over_in_one_step_where_the_file_has_none(tagging, sample, module_add, module_workspace):
    bank, store = load_sample(), module_workspace.store
    tags = np.array(bank.xpos.strings())
    tags[np.repeat(np.arange(len(bank)) >= len(bank) - LAST, bank.lengths + 1)] = ""
    half = module_add("half tagged.conllu", conllu_text(with_values(bank.to_conllu(), "xpos", tags)))
    assert tagging.plan(half).first == TREED and not tagging.plan(half).trees
    outcome = tagging.load(carried_out(tagging, half, tagging.plan(half).with_values(tags="xpos")))
    inputs = outcome.inputs
    assert len(inputs.test) == LAST and len(inputs.train) == len(bank) - LAST and not inputs.has_gold
    assert outcome.run.figures["model"] == {} and main_figure(outcome.run).endswith("tags changed")
    before = module_workspace.treebank(half)
    assert take_over(module_workspace, outcome) == inputs.test.token_count
    now = module_workspace.treebank(half)
    found = now.select(np.isin(now.picks, inputs.test.picks))
    words = found.is_word
    assert (found.xpos.strings()[words] == np.array(inputs.tags, object)[outcome.tagging[words]]).all()
    known = ~np.isin(now.picks, inputs.test.picks)
    assert now.select(known).xpos.strings().tolist() == before.select(known).xpos.strings().tolist()
    assert now.upos.strings().tolist() == before.upos.strings().tolist()
    again = tagging.inputs(half, tagging.plan(half).with_values(tags="xpos"))
    assert len(again.test) == LAST and not again.has_gold  # they neither teach nor score
    assert again.hash == inputs.hash  # nor has the text that was tagged changed
    assert tagging.latest(again).run.id == outcome.run.id and taken_over(module_workspace, half)
    assert store.undo(half.project).label == "taking over consistent tags"
    assert module_workspace.treebank(half).xpos.strings().tolist() == before.xpos.strings().tolist()
    store.redo(half.project)
    give_back(module_workspace, half)
    assert not taken_over(module_workspace, half) and not module_workspace.treebank(half).xpos.strings()[-1]


def test_tags_of_the_file_stay(tagging, run, module_workspace):
    with pytest.raises(WorkbenchError, match="have tags of the file, which stay; nothing to take over"):
        take_over(module_workspace, tagging.load(run))
