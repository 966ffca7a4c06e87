"""Background jobs, with a clock of our own where time matters and events where threads meet."""

import logging
import os
import shutil
import sys
import threading

import pytest

from core.errors import Cancelled, InfeasibleError, StoreError
from core.jobs import CHECKPOINT_SECONDS, LOOK_SECONDS, RATE_WINDOW, TRACE_SECONDS, Jobs
from core.store import Store
from core.threads import NICE
from core.version import code_version
from tests.patience import PATIENCE

DEAD = "UPDATE runs SET process = 'elsewhere 1 1', heartbeat = '2009-12-07T00:00:00+00:00'"


class Clock:
    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


class Paced:
    """Work that does one step each time the test says so, and tells when it has."""

    def __init__(self, step):
        self.step, self.go, self.done = step, threading.Semaphore(0), threading.Semaphore(0)
        self.result = ({}, None)

    def __call__(self, job):
        number = job.iteration
        while not job.cancelled():
            assert self.go.acquire(timeout=PATIENCE)
            if self.result is None or job.cancelled():
                break
            number += 1
            self.step(job, number)
            self.done.release()
        return self.result

    def advance(self, steps=1):
        for _ in range(steps):
            self.go.release()
            assert self.done.acquire(timeout=PATIENCE)

    def finish(self):
        self.result = None
        self.go.release()


@pytest.fixture
def store(tmp_path, made_store):
    shutil.copy(made_store, tmp_path / "work.sqlite")
    store = Store.open(f"sqlite:///{tmp_path / 'work.sqlite'}", busy_seconds=PATIENCE)
    yield store
    store.close()


@pytest.fixture
def project(store):
    return store.default_project()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def jobs(store, clock):
    jobs = Jobs(store, limit=1, clock=clock)
    yield jobs
    for snapshot in jobs.running():
        jobs.wait(snapshot.run, PATIENCE)


@pytest.fixture
def paced(jobs):
    """paced(step) -> Paced, which ends with the test."""
    works = []

    def make(step=None):
        works.append(Paced(step or report))
        return works[-1]

    yield make
    for work in works:
        work.finish()


@pytest.fixture
def start(jobs, project):
    """start(work, kind) -> the id of a run that has begun or waits."""

    def call(work, kind="ge", settings=(), **details):
        return jobs.start(project, kind, dict(settings), work, **details)

    return call


@pytest.fixture
def ended(jobs, start):
    """ended(work) -> the last Snapshot of a run of it."""
    return lambda work, **details: jobs.wait(start(work, **details), PATIENCE)


def never(job):
    pytest.fail("it must not run")


def iterations(entries):
    return [entry["iteration"] for entry in entries]


def report(job, number):
    job.report(number, fraction=number / 10, figures={"value": number * 0.5})


def test_a_job_ends_with_its_figures_and_result(jobs, ended, store):
    def work(job):
        assert (job.iteration, job.resumed, job.cancelled()) == (0, None, False)
        for number in range(1, 4):
            report(job, number)
        return {"uas": 61.3}, b"weights"

    end = ended(work, settings={"features": "full"}, constraint_text="A -> B = 1", data_hash="abc")
    assert (end.status, end.active, end.iteration) == ("done", False, 3)
    assert end.figures == {"uas": 61.3, "code": code_version()}
    row = store.run(end.run)
    assert (row.status, row.constraint_text, row.data_hash) == ("done", "A -> B = 1", "abc")
    assert row.settings == {"features": "full"} and store.result_bytes(end.run) == b"weights"
    assert store.trace(end.run) == [{"iteration": n, "seconds": 0.0, "value": n * 0.5} for n in (1, 2, 3)]
    assert jobs.running() == [] and ended(lambda job: None).status == "done"  # work may return nothing


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
def test_people_go_before_jobs_unless_a_sandbox_forbids_priorities(ended, monkeypatch):
    def niceness(job=None):
        return {"niceness": os.getpriority(os.PRIO_PROCESS, threading.get_native_id())}, None

    monkeypatch.delenv("WORKBENCH_NICE")
    ours = niceness()
    assert ended(niceness).figures["niceness"] == max(NICE, ours[0]["niceness"]) and niceness() == ours

    monkeypatch.setenv("WORKBENCH_NICE", "15")
    assert ended(niceness).figures["niceness"] == max(15, ours[0]["niceness"])
    for wrong in ("20", "-1", "low"):
        monkeypatch.setenv("WORKBENCH_NICE", wrong)
        assert f"WORKBENCH_NICE is how far jobs stand behind pages, 0 to 19, not '{wrong}'" in ended(niceness).error
    monkeypatch.delenv("WORKBENCH_NICE")

    def forbidden(*_):
        raise PermissionError("no")

    monkeypatch.setattr(os, "setpriority", forbidden)
    assert ended(niceness).figures["niceness"] == ours[0]["niceness"]


def test_a_tab_sees_how_far_it_is(jobs, start, paced, store, project, clock):
    work = paced()
    run = start(work)
    work.advance()
    clock.time += 2
    work.advance()
    clock.time += 1
    seen = jobs.snapshot(run)
    assert (seen.status, seen.iteration, seen.fraction, seen.figures) == ("running", 2, 0.2, {"value": 1.0})
    assert seen.seconds == 3
    assert seen.seconds_left == pytest.approx(16 - 1)  # eight more steps at 2 seconds each, one second ago
    assert jobs.running(project) == [seen] == jobs.running(project, "ge")
    assert jobs.running(project, "dmv") == [] == jobs.running(project.id + 1)
    assert iterations(jobs.trace(run)) == [1, 2]
    work.finish()
    assert jobs.wait(run, PATIENCE).status == "done" and jobs.trace(run) == store.trace(run)


def test_the_time_left_follows_the_last_iterations(jobs, start, paced, clock):
    def step(job, number):
        clock.time += 100 if number < 10 else 1
        job.report(number, fraction=number / 100)

    work = paced(step)
    run = start(work)
    work.advance()
    assert jobs.snapshot(run).seconds_left is None  # one report says nothing about speed
    work.advance(RATE_WINDOW + 10)
    assert jobs.snapshot(run).seconds_left == pytest.approx(100 - (RATE_WINDOW + 11))


def test_the_trace_is_written_four_times_a_second_and_always_to_the_end(ended, store, clock, monkeypatch):
    writes, append = [], store.append_trace
    monkeypatch.setattr(store, "append_trace", lambda run, entries: (writes.append(len(entries)), append(run, entries)))

    def work(job):
        for number in range(1, 101):
            clock.time += TRACE_SECONDS / 10
            job.report(number)

    assert iterations(store.trace(ended(work).run)) == list(range(1, 101))
    assert len([size for size in writes if size]) <= 11


def test_a_checkpoint_is_written_once_a_second(jobs, start, paced, store, clock):
    made = []

    def step(job, number):
        clock.time += CHECKPOINT_SECONDS / 4
        job.report(number)
        job.checkpoint(lambda: made.append(number) or str(number).encode())

    work = paced(step)
    run = start(work)
    work.advance(9)
    assert made == [4, 8] and store.checkpoint_bytes(run) == b"8"
    work.finish()
    jobs.wait(run, PATIENCE)
    assert store.checkpoint_bytes(run) is None  # it is done


def test_a_clock_that_jumps_backwards_loses_nothing(jobs, start, paced, store, clock):
    def step(job, number):
        clock.time += 10 if number < 5 else -1000 if number == 5 else 0.01
        job.report(number, fraction=number / 10)
        job.checkpoint(str(number).encode())

    work = paced(step)
    run = start(work)
    work.advance(8)
    assert jobs.snapshot(run).seconds_left == 0 and iterations(jobs.trace(run)) == list(range(1, 9))
    jobs.cancel(run)
    work.go.release()
    assert jobs.wait(run, PATIENCE).status == "cancelled"
    assert iterations(store.trace(run)) == list(range(1, 9)) and store.checkpoint_bytes(run) == b"8"


def test_cancel_keeps_the_last_checkpoint_and_resume_goes_on_from_it(jobs, start, paced, store, clock):
    def step(job, number):
        clock.time += 0.01
        job.report(number)
        job.checkpoint(str(number).encode())
        if number == 5:
            job.report(6)  # begun, but not in the checkpoint

    work = paced(step)
    run = start(work)
    work.advance(5)
    jobs.cancel(run)
    work.go.release()
    end = jobs.wait(run, PATIENCE)
    assert (end.status, end.iteration, store.checkpoint_bytes(run)) == ("cancelled", 6, b"5")

    def rest(job):
        assert (job.resumed, job.iteration) == (b"5", 5)
        clock.time += 1
        job.report(6)
        return {"uas": 1}, None

    assert jobs.resume(run, rest) == run
    assert jobs.wait(run, PATIENCE).status == "done"
    assert iterations(store.trace(run)) == [1, 2, 3, 4, 5, 6]
    seconds = [entry["seconds"] for entry in store.trace(run)]
    assert seconds == sorted(seconds) and seconds[-1] == pytest.approx(1.05)


def test_after_a_cancel_a_checkpoint_is_always_written(jobs, ended, store):
    def work(job):
        job.report(1)
        jobs.cancel(job.run)
        job.checkpoint(lambda: b"last")
        raise Cancelled

    end = ended(work)
    assert end.status == "cancelled" and store.checkpoint_bytes(end.run) == b"last"


def test_what_a_cancelled_job_returns_is_kept(jobs, start, paced, store):
    work = paced()
    work.result = ({"uas": 1}, b"half")
    run = start(work)
    work.advance()
    assert not jobs.snapshot(run).stopping
    jobs.cancel(run)
    assert jobs.snapshot(run).stopping
    work.go.release()
    end = jobs.wait(run, PATIENCE)
    assert (end.status, end.figures) == ("cancelled", {"uas": 1, "code": code_version()})
    assert store.result_bytes(run) == b"half"
    jobs.cancel(run)  # once more does no harm


def test_more_jobs_than_the_limit_wait_their_turn(jobs, start, paced, store):
    first, second = paced(), paced()
    runs = [start(first), start(second, "dmv")]
    waiting = start(never)
    first.advance()
    assert [snapshot.status for snapshot in jobs.running()] == ["running", "queued", "queued"]
    assert jobs.snapshot(runs[1]).seconds == 0
    jobs.cancel(waiting)
    assert jobs.snapshot(waiting).status == store.run(waiting).status == "cancelled"  # at once
    first.finish()
    second.advance()
    assert jobs.wait(runs[0], PATIENCE).status == "done"
    second.finish()
    assert jobs.wait(runs[1], PATIENCE).status == "done"


def test_two_run_at_once_where_the_limit_is_two(store, project, paced):
    jobs, works = Jobs(store, limit=2), [paced(), paced()]
    runs = [jobs.start(project, "ge", {}, work) for work in works]
    for work in works:
        work.advance()
    assert [snapshot.status for snapshot in jobs.running()] == ["running", "running"]
    for work, run in zip(works, runs, strict=True):
        work.finish()
        jobs.wait(run, PATIENCE)


def test_an_edit_trains_anew(jobs, start, paced):
    first, other = paced(), paced()
    old = start(first)
    first.advance()
    beside = start(other, "dmv")
    waiting = start(never, settings={"edit": 1}, replace=True)
    new = start(lambda job: ({"new": 1}, None), settings={"edit": 2}, replace=True)
    first.go.release()
    assert jobs.wait(old, PATIENCE).status == jobs.wait(waiting, PATIENCE).status == "cancelled"
    other.advance()
    other.finish()
    assert jobs.wait(beside, PATIENCE).status == "done"
    assert jobs.wait(new, PATIENCE).figures == {"new": 1, "code": code_version()}


def test_a_click_that_is_heard_twice_begins_one_run(jobs, start, paced, store, project):
    """A page can carry out one click in two runs of its script; the second asks for what is under way."""
    works, asked = [], {"settings": {"steps": (1, 2)}, "constraint_text": "A -> B", "data_hash": "1"}

    def click(**other):
        works.append(paced())
        return start(works[-1], replace=True, **(asked | other))

    run = click()
    assert click() == run and not jobs.snapshot(run).stopping
    others = [click(settings={"steps": (1,)}), click(constraint_text="A <- B"), click(data_hash="2")]
    assert click(data_hash="2") == others[-1] and len({run, *others}) == 4
    jobs.cancel(others[-1])
    last = click(data_hash="2")  # one that is about to end, or has ended, is no answer
    assert last not in (run, *others) and len(store.runs(project)) == 5
    for work in works:
        work.finish()
    ends = [jobs.wait(each, PATIENCE).status for each in (run, *others, last)]
    assert ends == ["cancelled"] * 4 + ["done"]


def test_how_far_an_iteration_is_shows_until_the_next_report(jobs, ended):
    seen = []

    def work(job):
        job.report(1, 0.5, {"objective": 1.0}, "first")
        job.set_detail("3 of 7 shards")
        seen.append(jobs.snapshot(job.run))
        job.report(2, 1.0, {}, "second")
        seen.append(jobs.snapshot(job.run))

    ended(work, kind="dmv")
    found = [(each.message, each.detail, each.iteration) for each in seen]
    assert found == [("first", "3 of 7 shards", 1), ("second", "", 2)]


@pytest.mark.parametrize("mistake", [ZeroDivisionError("secret"), KeyboardInterrupt(), SystemExit(2)])
def test_an_unexpected_error_is_in_the_servers_log(ended, caplog, mistake):
    def work(job):
        raise mistake

    with caplog.at_level(logging.ERROR, "core.jobs"):
        end = ended(work)
    assert end.status == "failed"
    assert end.error.startswith(f"The computation stopped unexpectedly ({type(mistake).__name__})")
    assert "secret" not in end.error and "Traceback" in caplog.text
    assert ended(lambda job: None).status == "done"  # its place is free


def test_what_fails_says_why(ended, store):
    def infeasible(job):
        report(job, 1)
        raise InfeasibleError("sentence 3 has no tree; take a constraint back")

    for work, sentence in (
        (infeasible, "sentence 3 has no tree; take a constraint back"),
        (lambda job: job.report(1, figures={"weights": object()}), "only JSON values can be stored"),
        (lambda job: ({"x": object()}, None), "only JSON values can be stored"),
        (lambda job: ({}, [1.0]), "TypeError"),
    ):
        end = ended(work)
        assert end.status == "failed" and sentence in end.error
        if work is infeasible:
            assert end.error == sentence and iterations(store.trace(end.run)) == [1]


def test_figures_are_copied_when_reported(ended, store):
    def work(job):
        shared = {"values": [1]}
        job.report(1, figures=shared)
        shared["values"].append(2)
        job.report(2, figures=shared)

    assert [entry["values"] for entry in store.trace(ended(work).run)] == [[1], [1, 2]]


def test_a_store_that_refuses_for_a_while_stops_nothing(ended, store, clock, monkeypatch):
    append, refusals = store.append_trace, []

    def sometimes(run, entries):
        if len(refusals) < 3:
            refusals.append(run)
            raise StoreError("locked")
        append(run, entries)

    monkeypatch.setattr(store, "append_trace", sometimes)

    def work(job):
        for number in range(1, 8):
            clock.time += CHECKPOINT_SECONDS
            job.report(number)
            job.checkpoint(b"x")

    end = ended(work)
    assert end.status == "done" and len(refusals) == 3 and iterations(store.trace(end.run)) == list(range(1, 8))


def test_an_end_that_cannot_be_written_is_told(jobs, ended, store, monkeypatch):
    def refuse(*_args, **_details):
        raise StoreError("The disk is full")

    monkeypatch.setattr(store, "finish_run", refuse)
    end = ended(lambda job: ({}, b"weights"))
    assert (end.status, end.error) == ("failed", "The result could not be kept. The disk is full")
    assert not end.active and jobs.running() == []


def test_a_new_registry_finds_what_a_dead_process_left(jobs, store, project):
    run = store.create_run(project, "ge", {})
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1, "seconds": 2.0}, {"iteration": 2, "seconds": 4.0}])
    store.checkpoint(run, b"one", 1)
    with store.database.write() as connection:
        connection.exec_driver_sql(DEAD)
    again = Jobs(store)
    assert again.snapshot(run).status == "interrupted"
    assert (again.snapshot(run).iteration, iterations(again.trace(run))) == (2, [1, 2])

    def rest(job):
        assert (job.resumed, job.iteration) == (b"one", 1)
        report(job, 2)

    again.resume(run, rest)
    assert again.wait(run, PATIENCE).status == "done" and iterations(store.trace(run)) == [1, 2]


def test_a_run_of_another_process_is_watched_but_not_cancelled_and_marked_once_that_is_dead(
    jobs, store, project, clock
):
    run = store.create_run(project, "ge", {})
    assert jobs.snapshot(run).active and jobs.running() == []
    with pytest.raises(StoreError, match=r"belongs to another workbench process .*cancel it there"):
        jobs.cancel(run)
    with store.database.write() as connection:
        connection.exec_driver_sql(DEAD)
    assert jobs.running() == [] and store.run(run).status == "queued"  # it has just looked
    clock.time += LOOK_SECONDS
    assert jobs.running() == [] and store.run(run).status == "interrupted"


def test_refusals(jobs, ended):
    with pytest.raises(StoreError, match="no project 99"):
        jobs.start(99, "ge", {}, never)
    for act in (jobs.snapshot, jobs.trace, jobs.cancel, lambda run: jobs.resume(run, never)):
        with pytest.raises(StoreError, match="no run 99"):
            act(99)
    with pytest.raises(StoreError, match="cannot be resumed: it is done"):
        jobs.resume(ended(lambda job: None).run, never)


def test_many_threads_start_watch_and_cancel(store, project):
    """No deadlock, no lost run: every run has an end, and at most one is active of those that replace each other."""
    jobs = Jobs(store, limit=2)

    def work(job):
        for number in range(1, 6):
            job.report(number, fraction=number / 5)
            job.checkpoint(b"x")
            if job.cancelled():
                raise Cancelled

    def visit(worker):
        for number in range(3):
            settings = {"worker": worker, "number": number}
            run = jobs.start(project, f"kind {worker % 2}", settings, work, replace=True)
            jobs.snapshot(run)
            jobs.trace(run)
            if worker == 0:
                jobs.cancel(run)

    threads = [threading.Thread(target=visit, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    runs = store.runs(project)
    assert len(runs) == 12
    assert {jobs.wait(run.id, PATIENCE).status for run in runs} <= {"done", "cancelled"}
    assert jobs.running() == []
