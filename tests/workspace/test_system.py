"""A system of eighty lines, registered by one line: it trains, and its run is kept, compared, listed and described."""

from core.workspace import registry
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from core.workspace.runs.methods import methods_paragraph
from tests.workspace.offset import Offset
from tests.workspace.running import carried_out


def test_it_is_kept_compared_listed_and_described(workspace, sample, monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", (*registry.SYSTEMS, Offset))
    systems = Systems(workspace)
    system = systems["offset"]
    plan = system.plan(sample)
    run = carried_out(system, sample, plan)
    assert run.figures["right"][1] == max(run.figures["right"]) and run.figures["offset"] == 2
    outcome = system.latest(system.inputs(sample, plan))
    assert outcome is system.load(run) and outcome.parses[""][0].heads[1:4].tolist() == [0, 1, 1]
    (offer,) = [offer for offer in offered_parses(systems, sample) if offer.key == f"run-{run.id}"]
    assert offer.name.startswith(f"run {run.id}, attached to the left, ")
    assert load_parse(systems, sample, offer.key)[0].heads[1:4].tolist() == [0, 1, 1]
    assert run_table(workspace.store, [run])["kind"] == ["left attachment"]
    paragraph = methods_paragraph(systems, run)
    method = "Every word was attached at a learned distance to its left (Nobody, 2026). Data (sample)"
    assert paragraph.startswith(method) and "farthest 5 (paper: 1)" in paragraph and "learned distance 2" in paragraph
    assert paragraph.endswith("Reference: Ann Nobody (2026). On Attaching to the Left. Unpublished.\n")
