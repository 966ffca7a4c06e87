"""A sixth system, registered by one line: it trains, resumes, is undone, and is offered, listed and described."""

import pytest

from core.workspace import registry
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from core.workspace.runs.methods import methods_paragraph
from tests.workspace.offset import Offset


@pytest.fixture
def systems(workspace, monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", (*registry.SYSTEMS, Offset))
    return Systems(workspace)


@pytest.fixture
def run(systems, sample):
    """A run of the usual plan that has ended."""
    system = systems["offset"]
    plan = system.plan(sample)
    number = system.start(system.inputs(sample, plan), plan)
    assert systems.workspace.jobs.wait(number, timeout=60).status == "done"
    return systems.workspace.store.run(number)


def test_it_trains_and_its_outcome_is_kept(systems, sample, run):
    system = systems["offset"]
    assert run.figures["right"][1] == max(run.figures["right"]) and run.figures["offset"] == 2
    outcome = system.latest(system.inputs(sample, system.plan(sample)))
    assert outcome is system.load(run) and outcome.parses[""][0].heads[1:4].tolist() == [0, 0, 1]
    assert outcome.files[0].data().startswith("# ")


def test_its_plan_is_undone(systems, sample):
    system, store = systems["offset"], systems.workspace.store
    system.save(sample, "looking further", farthest=9)
    assert system.plan(sample).farthest == 9
    assert store.undo(sample.project).label == "looking further"
    assert system.plan(sample).farthest == 5


def test_it_stops_and_resumes_to_the_same_end(systems, sample, run):
    system, jobs = systems["offset"], systems.workspace.jobs
    inputs, plan = system.inputs_of(run)
    work = system.work(inputs, plan)

    def stopped(job):
        job.cancelled = lambda: job.iteration == 2
        return work(job)

    half = jobs.start(sample.project, "offset", run.settings, stopped, data_hash=inputs.hash)
    assert jobs.wait(half, timeout=60).status == "cancelled"
    assert system.resume(systems.workspace.store.run(half)) == half
    assert jobs.wait(half, timeout=60).status == "done"
    assert systems.workspace.store.run(half).figures == run.figures
    assert len(jobs.trace(half)) == plan.farthest  # 1 and 2, then 3 to 5


def test_it_is_compared_listed_and_described(systems, sample, run):
    offers = [offer for offer in offered_parses(systems, sample) if offer.key == f"run-{run.id}"]
    assert [offer.name for offer in offers] == [f"run {run.id}, attached to the left"]
    assert load_parse(systems, sample, offers[0].key)[0].heads[1:4].tolist() == [0, 0, 1]
    assert run_table(systems.workspace.store, [run])["kind"] == ["left attachment"]
    paragraph = methods_paragraph(systems, run)
    assert paragraph.startswith(
        "Every word was attached at a learned distance to its left (Nobody, 2026). Data (sample)"
    )
    assert "farthest 5 (paper: 1)" in paragraph and "learned distance 2" in paragraph
    assert paragraph.endswith("Reference: Ann Nobody (2026). On Attaching to the Left. Unpublished.\n")
