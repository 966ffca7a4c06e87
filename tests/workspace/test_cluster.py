"""Jobs of a server that has a cluster train there, on shards, and nowhere else."""

import pytest

from core.shards import engine
from core.shards.engine import CLUSTER
from core.store import workbench_home
from core.treebank import conllu_text, load_sample
from core.workspace import cluster as workspace_cluster
from core.workspace.registry import Systems
from tests.workspace.running import ended

LINES = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.8..1\n"


@pytest.fixture
def corpus(add, monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setattr(workspace_cluster, "WORDS", 40)
    return add("some.conllu", conllu_text(load_sample().limit(50).to_conllu()))


def train_dmv(workspace, corpus, status="done"):
    induction = Systems(workspace)["induction"]
    plan = induction.plan(corpus).with_values(init="harmonic", stages="8", max_iterations=3)
    return ended(induction, induction.start(induction.inputs(corpus, plan), plan), status)


def train_lines(workspace, corpus):
    grammar = Systems(workspace)["grammar"]
    plan = grammar.plan(corpus).with_values(words="no", max_length=12, warm=False)
    return ended(grammar, grammar.train(grammar.text(corpus, plan), LINES))


@pytest.mark.parametrize(("train", "figure"), [(train_dmv, "bits"), (train_lines, "objective")])
def test_they_learn_there_what_they_learn_here(workspace, corpus, cluster, monkeypatch, train, figure):
    here = train(workspace, corpus)
    monkeypatch.setenv(CLUSTER, cluster.local_cluster.scheduler_address)
    said = []
    monkeypatch.setattr(workspace_cluster.Job, "set_detail", lambda job, detail: said.append(detail))
    there = train(workspace, corpus)
    assert there.figures[figure] == pytest.approx(here.figures[figure], abs=1e-9)
    assert said and said[-1].endswith(" shards") and int(said[-1].split()[2]) > 2
    assert not list((workbench_home() / workspace_cluster.FOLDER).iterdir())


def test_a_small_text_stays_here(workspace, corpus, monkeypatch):
    monkeypatch.setattr(workspace_cluster, "WORDS", 100_000)
    monkeypatch.setenv(CLUSTER, "tcp://127.0.0.1:9")
    train_dmv(workspace, corpus)


def test_a_cluster_that_does_not_answer_is_the_runs_sentence(workspace, corpus, monkeypatch):
    monkeypatch.setattr(engine, "PATIENCE", 1)
    monkeypatch.setenv(CLUSTER, "tcp://127.0.0.1:9")
    run = train_dmv(workspace, corpus, "failed")
    assert "no cluster with a worker answers at tcp://127.0.0.1:9" in run.error
