"""A saved tagger in place of one that learns: what it tags, what is not known of its scores, what cannot be taken."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from core.__main__ import main
from core.consistency import tag_consistently
from core.consistency.unknown import UnknownIndex
from core.constraints import parse_constraints, train_grammar
from core.errors import WorkbenchError
from core.parsers import Tagger
from core.treebank import conllu_text, load_sample
from core.workspace.consensus import saved_tagger
from core.workspace.consensus.saved_tagger import add_tagger
from core.workspace.consensus.tags_system import ConsistentTagging
from core.workspace.registry import Systems
from core.workspace.runs.deletion import older_runs, runs_before
from core.workspace.runs.list import main_figure, run_table
from core.workspace.runs.methods import methods_paragraph
from core.workspace.scoring import UNKNOWN_TRAINING
from tests.filled import filled
from tests.workspace.running import Recording, carried_out

TESTED = slice(200, 332)


@pytest.fixture(scope="module")
def tagger():
    return Tagger().fit(load_sample().limit(200), tags="upos", epochs=2)


@pytest.fixture(scope="module")
def data(tagger):
    file = io.BytesIO()
    tagger.save(file)
    return file.getvalue()


@pytest.fixture(scope="module")
def tagging(module_workspace):
    return ConsistentTagging(module_workspace)


@pytest.fixture(scope="module")
def tested():
    return load_sample().select(np.arange(len(load_sample()))[TESTED])


@pytest.fixture(scope="module")
def text(module_add, tested):
    return module_add("tested.conllu", conllu_text(tested.to_conllu()))


@pytest.fixture(scope="module")
def number(tagging, text, data):
    return add_tagger(tagging.workspace, text, "folder/mine.npz", data)


@pytest.fixture(scope="module")
def plan(tagging, text, number):
    return tagging.plan(text).with_values(tagger=number)


@pytest.fixture(scope="module")
def run(tagging, text, plan):
    return carried_out(tagging, text, plan)


def test_a_page_says_what_the_command_says_of_a_saved_tagger(tagging, run, tested, data, tmp_path, capsys):
    (tmp_path / "test.conllu").write_text(conllu_text(tested.to_conllu()))
    (tmp_path / "mine.npz").write_bytes(data)
    command = ["consistency", "tag", "-", str(tmp_path / "test.conllu"), "--model", str(tmp_path / "mine.npz")]
    assert main([*command, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    for name in ("base", "model"):
        assert run.figures[name]["accuracy"] == said["systems"][name]["pos_accuracy"]
        assert run.figures[name]["unknown_words"] == said["systems"][name]["unknown_words"]
        assert run.figures[name]["is_unknown"]
    for name in filled(("groups", "iterations", "primal", "bound", "certified_sentences", "changed_words", "p_value")):
        assert run.figures[name] == said[name], name
    assert main(command) == 0 and UNKNOWN_TRAINING in capsys.readouterr().out
    assert UNKNOWN_TRAINING in main_figure(run)


def test_what_a_saved_tagger_makes_of_no_account_is_not_told_as_a_setting(module_workspace, run):
    paragraph = methods_paragraph(Systems(module_workspace), run)
    assert f"tagger {run.settings['tagger']}" in paragraph and "epochs" not in paragraph and "imports" in paragraph


def test_it_tags_the_whole_text_as_it_does_alone_and_together(tagging, run, text, plan, tagger, tested):
    outcome, inputs = tagging.load(run), tagging.inputs(text, plan)
    assert inputs.tags == tagger.tags and inputs.column == "upos" and len(inputs.test) == len(tested)
    assert not inputs.taught and set(inputs.treebanks) == {"tagged text"} and inputs.learnt == 0
    words = UnknownIndex.of(tagger.trained().forms, tested).select()
    expected = tag_consistently(tagger, tested, words=words)
    assert outcome.tagging.tolist() == expected.tagging.tolist() and outcome.words.names == words.names
    assert outcome.base_tagging.tolist() == tagger.decode(tested)[0].tolist()


def test_a_killed_run_goes_on_with_the_same_tagger(tagging, run, text, plan):
    inputs, whole = tagging.inputs(text, plan), tagging.load(run)
    job = Recording(die_at=3)
    with pytest.raises(KeyboardInterrupt):
        tagging.work(inputs, plan)(job)
    again = Recording()
    again.resumed = job.checkpoints[-1]
    figures, _ = tagging.work(inputs, plan)(again)
    assert figures["model"] == run.figures["model"] and len(whole.trace) > 3


def test_what_teaches_counts_for_nothing_beside_it(tagging, text, plan):
    inputs, count = tagging.inputs(text, plan), len(tagging.workspace.treebank(text))
    other = plan.with_values(first=10, epochs=3, tags="xpos", trees=text.id)
    assert other.choosing(text, count) == plan.choosing(text, count)
    assert tagging.inputs(text, other).key == inputs.key != tagging.inputs(text, plan.with_values(tagger=None)).key


def test_its_file_is_kept_with_the_project_until_it_is_deleted(tagging, module_add, data, text):
    store, other = tagging.store, module_add("other.conllu", conllu_text(load_sample().limit(9).to_conllu()))
    number = add_tagger(tagging.workspace, other, "short.npz", data)
    listed = {run.id: run for run in tagging.saved_taggers(text)}
    assert listed[number].settings["name"] == "short.npz" and store.result_bytes(number) == data
    table = run_table(store, [listed[number]])
    assert (table["kind"], table["text"]) == (["saved tagger"], ["other.conllu"])
    every = store.runs(text.project)
    assert number not in older_runs([*every, listed[number]]) and number not in runs_before(every, -1)
    plan = tagging.plan(other).with_values(tagger=number)
    assert len(tagging.inputs(other, plan).test) == 9
    store.delete_runs(text.project, [number])
    with pytest.raises(WorkbenchError, match="the tagger that was chosen is gone; choose another one under Texts"):
        tagging.inputs(other, plan)


def test_what_cannot_be_taken_is_one_sentence_and_leaves_nothing(tagging, text, data, monkeypatch):
    kept = len(tagging.store.runs(text.project))
    strange = Tagger().fit(load_sample().limit(20), tags="xpos", epochs=1)
    strange.model = replace(strange.trained(), column="upos")
    renamed, parser = io.BytesIO(), io.BytesIO()
    strange.save(renamed)
    train_grammar(load_sample().limit(5), parse_constraints("DET <- NOUN = 0.9")).model.save(parser)
    for content, message in (
        (b"word\ttag\n", r"mine\.npz is no tagger, or not whole; choose a file that tagger train has saved"),
        (data[: len(data) // 2], r"mine\.npz is no tagger, or not whole"),
        (parser.getvalue(), r"mine\.npz is no tagger, or not whole"),
        (renamed.getvalue(), r"mine\.npz: tagger and text are in different tag sets: .*% of the words have a upos tag "
         r"that the tagger does not know \(.*\); give a tagger of the text's tags"),
    ):  # fmt: skip
        with pytest.raises(WorkbenchError, match=message):
            add_tagger(tagging.workspace, text, "mine.npz", content)
    monkeypatch.setattr(saved_tagger, "LARGEST", 1000)
    with pytest.raises(
        WorkbenchError, match=r"mine\.npz has [\d,]+ bytes, and the file of a tagger may have 1,000 here"
    ):
        add_tagger(tagging.workspace, text, "mine.npz", data)
    assert len(tagging.store.runs(text.project)) == kept


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "say what the tagger is: TRAIN to train one, or - in its place and --model M"),
        (["train.conllu", "--model", "mine.npz"], "say what the tagger is"),
        (["-", "--model", "mine.npz", "--epochs", "3"], "--epochs is of training, and --model gives a tagger"),
        (["-", "--model", "mine.npz", "--tags", "xpos"], "mine.npz gives upos tags, not xpos; leave out --tags"),
        (["-", "--model", "test.conllu"], "test.conllu"),
    ],
)
def test_a_command_that_names_no_tagger_or_two_says_so(
    arguments, message, data, tested, tmp_path, capsys, monkeypatch
):  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test.conllu").write_text(conllu_text(tested.limit(5).to_conllu()))
    (tmp_path / "mine.npz").write_bytes(data)
    assert main(["consistency", "tag", arguments[0], "test.conllu", *arguments[1:]]) == 2
    assert message in capsys.readouterr().err


def test_a_run_that_holds_no_tagger_is_refused(tagging, text, run):
    with pytest.raises(WorkbenchError, match="the tagger that was chosen is gone"):
        tagging.inputs(text, tagging.plan(text).with_values(tagger=run.id))
