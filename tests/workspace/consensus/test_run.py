"""A run of consistency stops anywhere, goes on from there, and is read in the layout that it has always had."""

import io

import numpy as np
import pytest

from core.errors import FormatError
from core.parsers.labels import has_relations
from core.parsers.mst.parser import MSTParser
from core.workspace.consensus import run as consensus_run
from core.workspace.consensus.run import read_outcome
from core.workspace.consensus.system import Consensus
from core.workspace.decomposition.playback import certificate
from tests.filled import filled
from tests.workspace.running import Recording, ended

STATE = {
    "settings", "multipliers", "active", "moved", "component_first", "component_second", "rises", "previous_dual",
    "best_dual", "best_primal", "best_solution", "full_solution", "raised", "swings", "trace_iteration", "trace_round",
    "trace_dual", "trace_primal", "trace_best_dual", "trace_best_primal", "trace_disagreements", "trace_step",
    "trace_seconds", "trace_first_blocks", "trace_first_blocks_ends", "trace_second_blocks", "trace_second_blocks_ends",
    "trace_entries", "trace_entries_ends", "trace_multipliers", "trace_multipliers_ends", "trace_first_rows",
    "trace_first_rows_ends", "trace_first_after", "trace_first_after_ends", "trace_rows", "trace_rows_ends",
    "trace_after", "trace_after_ends",
}  # fmt: skip
LEFT = {"heads", "base_heads", "labels", "certified", "released", "opened", "pruned_exactly"}
LEFT |= {"relations", "values", "base_relations", "base_values"}  # since the parser learns them where it can


@pytest.fixture(scope="module")
def consensus(module_workspace):
    return Consensus(module_workspace)


@pytest.fixture(scope="module")
def inputs_and_plan(consensus):
    (sample,) = consensus.store.corpora(consensus.store.default_project())
    plan = consensus.plan(sample).with_values(epochs=1, order=1)
    return consensus.inputs(sample, plan), plan


@pytest.fixture(scope="module")
def whole(consensus, inputs_and_plan):
    """The outcome of a run that nobody stopped."""
    return consensus.load(ended(consensus, consensus.start(*inputs_and_plan)))


@pytest.fixture
def stored(consensus, inputs_and_plan):
    """stored(checkpoint, iteration, status, figures, data) -> a Run that ended so."""

    def stored(checkpoint, iteration, status, figures, data):
        store, (inputs, plan) = consensus.store, inputs_and_plan
        settings = consensus.recorded(inputs, plan)
        number = store.create_run(inputs.corpus.project, consensus.kind, settings, data_hash=inputs.hash)
        store.start_run(number)
        store.checkpoint(number, checkpoint, iteration)
        store.finish_run(number, status, figures, data)
        return store.run(number)

    return stored


def test_a_cancelled_run_keeps_its_best_answer_and_goes_on(consensus, inputs_and_plan, whole, stored):
    job = Recording(stop_at=3)
    figures, data = consensus.work(*inputs_and_plan)(job)
    assert figures["status"] == "cancelled"
    run = stored(job.checkpoints[-1], 3, "cancelled", figures, data)
    stopped = consensus.load(run)
    verdict, words = certificate(stopped)
    assert verdict == "uncertified" and "was cancelled after 3 iterations" in words
    assert len(stopped.trace) == 3
    found = consensus.load(ended(consensus, consensus.resume(run)))
    assert len(found.trace) == len(whole.trace)
    assert found.parse.heads.tolist() == whole.parse.heads.tolist()


def test_a_killed_run_goes_on_from_the_iteration_kept_last(consensus, inputs_and_plan, whole, stored, monkeypatch):
    assert len(whole.trace) > 2
    job = Recording(die_at=3)
    with pytest.raises(KeyboardInterrupt):
        consensus.work(*inputs_and_plan)(job)
    run = stored(job.checkpoints[-1], 2, "interrupted", {}, None)
    monkeypatch.setattr(consensus_run, "trained_parser", lambda *_: pytest.fail("the parser was trained again"))
    found = consensus.load(ended(consensus, consensus.resume(run)))
    assert [record.dual for record in found.trace] == [record.dual for record in whole.trace]
    assert found.parse.heads.tolist() == whole.parse.heads.tolist()


def test_what_runs_leave_has_the_layout_it_always_had(consensus, inputs_and_plan, tmp_path):
    (inputs, plan), job = inputs_and_plan, Recording(stop_at=2)
    _, data = consensus.work(inputs, plan)(job)
    parser, *searches = job.checkpoints
    MSTParser.load(io.BytesIO(parser))
    for search in filled(searches):
        assert {"parser", "opened"} <= arrays_of(search).keys() <= STATE | LEFT | {"parser"}
    arrays = arrays_of(data)
    assert arrays.keys() == STATE | LEFT
    np.savez_compressed(tmp_path / "search.npz", **arrays)  # as it was written to a file, and read from there
    contexts = consensus.selection(inputs, plan)
    again = read_outcome(None, inputs, plan, contexts, (tmp_path / "search.npz").read_bytes())
    assert again.parse.heads.tolist() == arrays["heads"].tolist() and len(again.trace) == 2
    assert {"det", "nsubj"} <= set(again.parse.on(inputs.test).deprel.values)
    old = {name: array for name, array in arrays.items() if "relations" not in name and "values" not in name}
    np.savez_compressed(tmp_path / "search.npz", **old)  # of before the parser learnt them
    former = read_outcome(None, inputs, plan, contexts, (tmp_path / "search.npz").read_bytes())
    assert not has_relations(former.parses[""])
    arrays.pop("certified")
    np.savez_compressed(tmp_path / "search.npz", **arrays)
    with pytest.raises(FormatError, match="it lacks certified"):
        read_outcome(None, inputs, plan, contexts, (tmp_path / "search.npz").read_bytes())


def arrays_of(data):
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def test_under_the_papers_settings_figure_2_runs_and_its_last_trees_are_the_answer(consensus, inputs_and_plan):
    inputs, usual = inputs_and_plan
    plan = usual.under("paper", usual).with_values(iterations=6, delta1=2.0, delta2=1.5, delta3=0.2, step=0.5)
    outcome = consensus.load(ended(consensus, consensus.start(inputs, plan)))
    trace = outcome.trace
    assert len(trace) == 6 and not outcome.run.figures["released_sentences"]
    assert outcome.parse.heads.tolist() == outcome.values_at(6).tolist()
    duals = np.array([record.dual for record in trace])
    rises = np.concatenate(([0, 0], np.cumsum(np.diff(duals) > 0)))[: len(duals)]
    assert [record.step for record in trace] == pytest.approx(0.5 / (1 + rises))
    assert [each.name for each in outcome.plan.departures()] == ["iterations"]
