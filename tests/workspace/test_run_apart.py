"""A run on a large text is carried out by a process of its own, and is as any other to whoever looks."""

import logging
import signal

import psutil
import pytest

from core.errors import Cancelled, StoreError, WorkbenchError
from core.workspace import run_apart, run_worker
from core.workspace.registry import Systems
from core.workspace.workspace import LARGE
from tests.patience import wait_for
from tests.workspace.running import PATIENCE, ended

LINES = "DET <- NOUN = 0.9\nADJ <- NOUN = 0.8\n"
LONG = {"stages": ", ".join(map(str, range(5, 46))), "algorithm": "em", "max_iterations": 1000}


def processes():
    """Those that carry out runs."""
    return [each for each in psutil.Process().children() if "core.processes.apart_worker" in each.cmdline()]


@pytest.fixture
def apart(workspace):
    """The workspace, all of whose texts are large."""
    workspace.large = 0
    yield workspace
    assert not processes()


@pytest.fixture
def long_run(apart, sample):
    """(induction, run) of one that goes on until it is stopped, and has a checkpoint."""
    induction = Systems(apart)["induction"]
    plan = induction.plan(sample).with_values(**LONG)
    number = induction.start(induction.inputs(sample, plan), plan)
    wait_for(lambda: apart.store.checkpoint_bytes(number))
    return induction, apart.store.run(number)


def test_a_small_text_needs_none(workspace, sample):
    assert workspace.treebank(sample).token_count < LARGE == workspace.large


def test_iterations_and_trees_are_looked_at_as_ever(apart, ge, sample, monkeypatch):
    shown, here = [], type(apart).show_live
    monkeypatch.setattr(apart, "show_live", lambda *given: (shown.append(given), here(apart, *given)))
    text = ge.text(sample, ge.plan(sample).with_values(warm=False))
    traces = []
    for large in (0, LARGE):
        apart.large = large
        traces.append(apart.store.trace(ended(ge, ge.train(text, LINES)).id))
        iteration, heads = shown[0][1:]
        assert iteration == 1 and len(heads) == len(text.treebank.heads) and shown[-1][1:] == (None, None)
        assert apart.live(shown[0][0]) is None
        traces[-1].append({"trees": heads.tolist(), "seconds": 0.0})
        shown.clear()
    assert [each | {"seconds": 0} for each in traces[0]] == [each | {"seconds": 0} for each in traces[1]]


def stop(apart, run):
    apart.jobs.cancel(run.id)
    assert apart.jobs.wait(run.id, PATIENCE).status == "cancelled"
    return apart.store.trace(run.id)[-1]["iteration"]


def test_it_keeps_its_checkpoint_and_resumes_be_it_cancelled_or_ended_by_the_system(apart, long_run):
    induction, run = long_run
    last = stop(apart, run)
    assert not processes() and apart.store.checkpoint_bytes(run.id)
    resume(induction, run, last)
    processes()[0].send_signal(signal.SIGKILL)
    failed = apart.jobs.wait(run.id, PATIENCE)
    assert failed.status == "failed" and failed.error == (
        "the computation was ended by the system, which had no memory left; resume the run when there is more, or "
        "train on part of the text"
    )
    resume(induction, run, failed.iteration)
    assert stop(apart, run) > failed.iteration > last


def resume(induction, run, last):
    """Go on with a run until it is further than it was."""
    workspace = induction.workspace
    induction.resume(workspace.store.run(run.id))
    wait_for(lambda: workspace.jobs.snapshot(run.id).iteration > last)


def test_one_that_has_not_begun_is_ended_at_once(apart, ge, sample):
    number = ge.train(ge.text(sample), LINES)
    wait_for(processes)
    apart.jobs.cancel(number)
    assert apart.jobs.wait(number, PATIENCE).status == "cancelled"


def test_what_it_may_not_do_it_does_not_there_either(apart, ge, sample):
    text = ge.text(sample)
    theirs = apart.on_behalf_of("ana@example.org")
    number = apart.jobs.start(
        text.project, ge.kind, ge.recorded(text, text.settings), run_apart.work_apart(theirs), data_hash=text.hash
    )
    with pytest.raises(StoreError) as refusal:
        theirs.store.run(number)
    assert ended(ge, number, "failed").error == str(refusal.value)


class Heard:
    """An ``Apart`` whose reports are heard here."""

    def __init__(self):
        self.said = []

    def report(self, message, parts=()):
        self.said.append((message, [*parts]))

    def cancelled(self):
        return False


@pytest.mark.parametrize("kind", [KeyError, MemoryError])
def test_what_nobody_foresaw_names_its_kind_and_the_log_the_place(apart, ge, sample, monkeypatch, caplog, kind):
    def broken(job):
        raise kind("a word of a text")

    number = apart.store.create_run(sample.project, ge.kind, {}, constraint_text="")
    monkeypatch.setattr(run_worker, "work_of", lambda workspace, run: broken)
    found, parts = run_worker.carry_out(Heard(), [], apart.store.database.address, None, number, "ana", 0)
    assert found["fault"] == kind.__name__ and found["at"][-1].endswith(" broken") and parts == []
    monkeypatch.setattr(run_apart, "call_apart", lambda *_, **__: (found, parts))
    with caplog.at_level(logging.ERROR), pytest.raises(WorkbenchError, match=rf"unexpectedly \({kind.__name__}\)"):
        run_apart.work_apart(apart)(Job(number))
    assert "test_run_apart.py" in caplog.text and "a word of" not in caplog.text


class Job:
    """As much of one as is asked."""

    iteration, resumed, person = 0, None, ""

    def __init__(self, run):
        self.run = run


@pytest.mark.parametrize("kind", [Cancelled, WorkbenchError])
def test_what_is_foreseen_is_raised(apart, ge, sample, monkeypatch, kind):
    def stopping(job):
        raise kind("stopped")

    number = apart.store.create_run(sample.project, ge.kind, {}, constraint_text="")
    monkeypatch.setattr(run_worker, "work_of", lambda workspace, run: stopping)
    with pytest.raises(kind, match="stopped"):
        run_worker.carry_out(Heard(), [], apart.store.database.address, None, number, "ana", 0)


def test_a_checkpoint_is_made_where_it_is_due_and_bytes_are_handed_over(apart, ge, sample, monkeypatch):
    made, heard = [], Heard()

    def working(job):
        for number in range(1, 4):
            job.report(number)
            job.checkpoint(lambda: made.append("costly") or b"costly")
            job.checkpoint(b"%d" % number)
        return {"iterations": job.iteration}, b"result"

    number = apart.store.create_run(sample.project, ge.kind, {}, constraint_text="")
    monkeypatch.setattr(run_worker, "work_of", lambda workspace, run: working)
    monkeypatch.setattr("core.jobs.CHECKPOINT_SECONDS", PATIENCE)
    answer = run_worker.carry_out(heard, [], apart.store.database.address, None, number, "", 0)
    assert answer == ({"figures": {"iterations": 3}}, [b"result"]) and made == []
    assert [parts for message, parts in heard.said if "checkpoint" in message] == [[b"1"], [b"2"], [b"3"]]
