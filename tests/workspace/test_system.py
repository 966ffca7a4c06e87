"""A system from outside, registered by one line: it trains, its run is kept, compared, listed, described. Its ids are
those of a copy, its kernels are warmed and counted, its command runs."""

import json
import sys

import pytest

from core import __main__
from core.commandline.warm import everything
from core.compilation.compiling import kernels_of
from core.compilation.kernels import is_ours
from core.treebank import conllu_text, load_sample
from core.workspace import registry
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from core.workspace.runs.methods import methods_paragraph
from tests.workspace import offset
from tests.workspace.offset import OFFSET, Offset, warm_offset
from tests.workspace.running import carried_out


@pytest.fixture
def systems(workspace, monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", (*registry.SYSTEMS, Offset))
    return Systems(workspace)


def test_it_is_kept_compared_listed_and_described(systems, workspace, sample):
    system = systems["offset"]
    plan = system.plan(sample)
    run = carried_out(system, sample, plan)
    assert run.figures["right"][1] == max(run.figures["right"]) and run.figures["offset"] == 2
    outcome = system.latest(system.inputs(sample, plan))
    assert outcome is system.load(run) and outcome.parses[""][0].heads[1:4].tolist() == [0, 1, 1]
    words = outcome.tree.token_count - len(outcome.tree)  # without the roots
    assert sum(system.distances(outcome)) == words and system.distances(outcome) is system.distances(outcome)
    (offer,) = [offer for offer in offered_parses(systems, sample) if offer.key == f"run-{run.id}"]
    assert offer.name.startswith(f"run {run.id}, attached to the left, ")
    assert load_parse(systems, sample, offer.key)[0].heads[1:4].tolist() == [0, 1, 1]
    assert run_table(workspace.store, [run])["kind"] == ["left attachment"]
    paragraph = methods_paragraph(systems, run)
    method = "Every word was attached at a learned distance to its left (Nobody, 2026). Data (sample)"
    assert paragraph.startswith(method) and "farthest 5 (paper: 1)" in paragraph and "learned distance 2" in paragraph
    assert paragraph.endswith("Reference: Ann Nobody (2026). On Attaching to the Left. Unpublished.\n")


def test_its_plan_and_run_name_the_texts_of_a_copy(systems, workspace, sample, add):
    store, system = workspace.store, systems["offset"]
    teacher = add("two.conllu", conllu_text(load_sample().limit(9).to_conllu()))
    system.save(sample, "choosing", taught_corpus=teacher.id)
    run = carried_out(system, sample, system.plan(sample))
    copied = store.copy_project(sample.project, "copy")
    texts = {corpus.name: corpus for corpus in store.corpora(copied)}
    text, taught = texts[sample.name], texts[teacher.name]
    assert system.plan(text).taught_corpus == taught.id != teacher.id
    (again,) = store.runs(copied)
    assert again.settings["taught_corpus"] == taught.id and again.settings["corpus"] == text.id
    assert (system.load(again).tree.heads == system.load(run).tree.heads).all()


def test_its_kernels_are_warmed_and_counted(systems, sample):
    assert warm_offset in everything().steps
    (kernel,) = kernels_of(OFFSET)
    assert kernel.py_func.__module__ == OFFSET.modules[0] and is_ours(kernel)

    class Job:
        resumed = None

        def cancelled(self):
            return False

        report = checkpoint = lambda self, *_: None

    system, job = systems["offset"], Job()
    plan = system.plan(sample)
    system.carried_out(system.inputs(sample, plan), plan)(job)
    assert job.warming is OFFSET and kernel.signatures


def test_its_command_runs(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "core.commandline.offset", offset)
    monkeypatch.setattr(__main__, "MODULES", (*__main__.MODULES, "offset"))
    (tmp_path / "text.conllu").write_text(conllu_text(load_sample().limit(30).to_conllu()), encoding="utf-8")
    assert __main__.main(["offset", str(tmp_path / "text.conllu"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["right"]) == 5 and found["right"][found["offset"] - 1] == max(found["right"])
