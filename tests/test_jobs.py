"""Background jobs, with a clock of our own where time matters and events where threads meet."""

import logging
import os
import sys
import threading

import pytest

from core.errors import Cancelled, InfeasibleError, StoreError
from core.jobs import CHECKPOINT_SECONDS, LOOK_SECONDS, RATE_WINDOW, TRACE_SECONDS, Jobs
from core.store import Store
from core.threads import NICE
from core.version import code_version

PATIENCE = 20  # seconds until a test that hangs gives up


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
def store(tmp_path):
    store = Store.open(f"sqlite:///{tmp_path / 'work.sqlite'}")
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
        jobs.cancel(snapshot.run)


def iterations(entries):
    return [entry["iteration"] for entry in entries]


def report(job, number):
    job.report(number, fraction=number / 10, figures={"value": number * 0.5})


def test_a_job_ends_with_its_figures_and_result(jobs, store, project):
    def work(job):
        assert (job.iteration, job.resumed, job.cancelled()) == (0, None, False)
        for number in range(1, 4):
            report(job, number)
        return {"uas": 61.3}, b"weights"

    run = jobs.start(project, "ge", {"features": "full"}, work, constraint_text="A -> B = 1", data_hash="abc")
    ended = jobs.wait(run, PATIENCE)
    assert (ended.status, ended.active, ended.iteration) == ("done", False, 3)
    assert ended.figures == {"uas": 61.3, "code": code_version()}
    row = store.run(run)
    assert (row.status, row.constraint_text, row.data_hash, row.settings) == (
        "done",
        "A -> B = 1",
        "abc",
        {"features": "full"},
    )
    assert store.result_bytes(run) == b"weights"
    assert store.trace(run) == [{"iteration": n, "seconds": 0.0, "value": n * 0.5} for n in (1, 2, 3)]
    assert jobs.running() == []


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
def test_people_go_before_jobs(jobs, project):
    def niceness():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    ours = niceness()
    figures = jobs.wait(jobs.start(project, "ge", {}, lambda job: ({"niceness": niceness()}, None))).figures
    assert figures["niceness"] == max(NICE, ours) and niceness() == ours


def test_a_sandbox_that_forbids_priorities_stops_no_job(jobs, project, monkeypatch):
    def forbidden(*_):
        raise PermissionError("no")

    monkeypatch.setattr(os, "setpriority", forbidden, raising=False)
    assert jobs.wait(jobs.start(project, "ge", {}, lambda job: None), PATIENCE).status == "done"


def test_work_may_return_nothing(jobs, project):
    assert jobs.wait(jobs.start(project, "ge", {}, lambda job: None), PATIENCE).status == "done"


def test_a_tab_sees_how_far_it_is(jobs, store, project, clock):
    work = Paced(report)
    run = jobs.start(project, "ge", {}, work)
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
    assert jobs.wait(run, PATIENCE).status == "done"
    assert jobs.trace(run) == store.trace(run)


def test_the_time_left_follows_the_last_iterations(jobs, project, clock):
    def step(job, number):
        clock.time += 100 if number < 10 else 1
        job.report(number, fraction=number / 100)

    work = Paced(step)
    run = jobs.start(project, "ge", {}, work)
    work.advance()
    assert jobs.snapshot(run).seconds_left is None  # one report says nothing about speed
    work.advance(RATE_WINDOW + 10)
    assert jobs.snapshot(run).seconds_left == pytest.approx(100 - (RATE_WINDOW + 11))
    work.finish()


def test_the_trace_is_written_four_times_a_second_and_always_to_the_end(jobs, store, project, clock, monkeypatch):
    writes = []
    append = store.append_trace
    monkeypatch.setattr(store, "append_trace", lambda run, entries: (writes.append(len(entries)), append(run, entries)))

    def work(job):
        for number in range(1, 101):
            clock.time += TRACE_SECONDS / 10
            job.report(number)

    run = jobs.start(project, "ge", {}, work)
    jobs.wait(run, PATIENCE)
    assert iterations(store.trace(run)) == list(range(1, 101))
    assert len([size for size in writes if size]) <= 11


def test_a_checkpoint_is_written_once_a_second(jobs, store, project, clock):
    made = []

    def step(job, number):
        clock.time += CHECKPOINT_SECONDS / 4
        job.report(number)
        job.checkpoint(lambda: made.append(number) or str(number).encode())

    work = Paced(step)
    run = jobs.start(project, "ge", {}, work)
    work.advance(9)
    assert made == [4, 8] and store.checkpoint_bytes(run) == b"8"
    work.finish()
    jobs.wait(run, PATIENCE)
    assert store.checkpoint_bytes(run) is None  # it is done


def test_cancel_keeps_the_last_checkpoint_and_resume_goes_on_from_it(jobs, store, project, clock):
    def step(job, number):
        clock.time += 0.01
        job.report(number)
        job.checkpoint(str(number).encode())
        if number == 5:
            job.report(6)  # begun, but not in the checkpoint

    work = Paced(step)
    run = jobs.start(project, "ge", {}, work)
    work.advance(5)
    jobs.cancel(run)
    work.go.release()
    ended = jobs.wait(run, PATIENCE)
    assert (ended.status, ended.iteration) == ("cancelled", 6)
    assert store.checkpoint_bytes(run) == b"5"

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


def test_after_a_cancel_a_checkpoint_is_always_written(jobs, store, project):
    def work(job):
        job.report(1)
        jobs.cancel(job.run)
        job.checkpoint(lambda: b"last")
        raise Cancelled

    run = jobs.start(project, "ge", {}, work)
    assert jobs.wait(run, PATIENCE).status == "cancelled"
    assert store.checkpoint_bytes(run) == b"last"


def test_what_a_cancelled_job_returns_is_kept(jobs, store, project):
    work = Paced(report)
    work.result = ({"uas": 1}, b"half")
    run = jobs.start(project, "ge", {}, work)
    work.advance()
    assert not jobs.snapshot(run).stopping
    jobs.cancel(run)
    assert jobs.snapshot(run).stopping
    work.go.release()
    ended = jobs.wait(run, PATIENCE)
    assert (ended.status, ended.figures, store.result_bytes(run)) == (
        "cancelled",
        {"uas": 1, "code": code_version()},
        b"half",
    )
    jobs.cancel(run)  # once more does no harm


def test_more_jobs_than_the_limit_wait_their_turn(jobs, project):
    first, second = Paced(report), Paced(report)
    runs = [jobs.start(project, "ge", {}, first), jobs.start(project, "dmv", {}, second)]
    first.advance()
    assert [snapshot.status for snapshot in jobs.running()] == ["running", "queued"]
    assert jobs.snapshot(runs[1]).seconds == 0
    first.finish()
    second.advance()
    assert jobs.wait(runs[0], PATIENCE).status == "done"
    second.finish()
    assert jobs.wait(runs[1], PATIENCE).status == "done"


def test_two_run_at_once_where_the_limit_is_two(store, project):
    jobs, works = Jobs(store, limit=2), [Paced(report), Paced(report)]
    runs = [jobs.start(project, "ge", {}, work) for work in works]
    for work in works:
        work.advance()
    assert [snapshot.status for snapshot in jobs.running()] == ["running", "running"]
    for work, run in zip(works, runs, strict=True):
        work.finish()
        jobs.wait(run, PATIENCE)


def test_a_waiting_job_is_cancelled_at_once(jobs, store, project):
    first = Paced(report)
    running = jobs.start(project, "ge", {}, first)
    waiting = jobs.start(project, "ge", {}, lambda job: pytest.fail("it must not run"))
    jobs.cancel(waiting)
    assert jobs.snapshot(waiting).status == store.run(waiting).status == "cancelled"
    first.advance()
    first.finish()
    assert jobs.wait(running, PATIENCE).status == "done"


def test_an_edit_trains_anew(jobs, project):
    first, other = Paced(report), Paced(report)
    old = jobs.start(project, "ge", {}, first)
    first.advance()
    beside = jobs.start(project, "dmv", {}, other)
    waiting = jobs.start(project, "ge", {"edit": 1}, lambda job: pytest.fail("it must not run"), replace=True)
    new = jobs.start(project, "ge", {"edit": 2}, lambda job: ({"new": 1}, None), replace=True)
    first.go.release()
    assert jobs.wait(old, PATIENCE).status == jobs.wait(waiting, PATIENCE).status == "cancelled"
    other.advance()
    other.finish()
    assert jobs.wait(beside, PATIENCE).status == "done"
    assert jobs.wait(new, PATIENCE).figures == {"new": 1, "code": code_version()}


def test_a_click_that_is_heard_twice_begins_one_run(jobs, store, project):
    """A page can carry out one click in two runs of its script; the second asks for what is under way."""
    works, asked = [], {"settings": {"steps": (1, 2)}, "constraint_text": "A -> B", "data_hash": "1"}

    def start(**other):
        works.append(Paced(report))
        return jobs.start(project, "ge", work=works[-1], replace=True, **(asked | other))

    run = start()
    assert start() == run and not jobs.snapshot(run).stopping
    others = [start(settings={"steps": (1,)}), start(constraint_text="A <- B"), start(data_hash="2")]
    assert start(data_hash="2") == others[-1] and len({run, *others}) == 4
    jobs.cancel(others[-1])
    last = start(data_hash="2")  # one that is about to end, or has ended, is no answer
    assert last not in (run, *others) and len(store.runs(project)) == 5
    for work in works:
        work.finish()
    ends = [jobs.wait(each, PATIENCE).status for each in (run, *others, last)]
    assert ends == ["cancelled"] * 4 + ["done"]


def test_how_far_an_iteration_is_shows_until_the_next_report(jobs, project):
    seen = []

    def work(job):
        job.report(1, 0.5, {"objective": 1.0}, "first")
        job.say("3 of 7 shards")
        seen.append(jobs.snapshot(job.run))
        job.report(2, 1.0, {}, "second")
        seen.append(jobs.snapshot(job.run))

    jobs.wait(jobs.start(project, "dmv", {}, work), PATIENCE)
    assert [(each.message, each.detail, each.iteration) for each in seen] == [
        ("first", "3 of 7 shards", 1), ("second", "", 2)
    ]  # fmt: skip


def test_an_expected_error_is_the_runs_own_sentence(jobs, store, project):
    def work(job):
        report(job, 1)
        raise InfeasibleError("sentence 3 has no tree; take a constraint back")

    run = jobs.start(project, "ge", {}, work)
    ended = jobs.wait(run, PATIENCE)
    assert (ended.status, ended.error) == ("failed", "sentence 3 has no tree; take a constraint back")
    assert iterations(store.trace(run)) == [1]


@pytest.mark.parametrize("mistake", [ZeroDivisionError("secret"), KeyboardInterrupt(), SystemExit(2)])
def test_an_unexpected_error_is_in_the_servers_log(jobs, project, caplog, mistake):
    def work(job):
        raise mistake

    with caplog.at_level(logging.ERROR, "core.jobs"):
        ended = jobs.wait(jobs.start(project, "ge", {}, work), PATIENCE)
    assert ended.status == "failed"
    assert ended.error.startswith(f"The computation stopped unexpectedly ({type(mistake).__name__})")
    assert "secret" not in ended.error and "Traceback" in caplog.text
    assert jobs.wait(jobs.start(project, "ge", {}, lambda job: None), PATIENCE).status == "done"  # its place is free


def test_figures_that_are_no_json_and_results_that_are_no_bytes(jobs, project):
    def reports(job):
        job.report(1, figures={"weights": object()})

    ended = jobs.wait(jobs.start(project, "ge", {}, reports), PATIENCE)
    assert ended.status == "failed" and "only JSON values can be stored" in ended.error
    ended = jobs.wait(jobs.start(project, "ge", {}, lambda job: ({"x": object()}, None)), PATIENCE)
    assert ended.status == "failed" and "only JSON values can be stored" in ended.error
    ended = jobs.wait(jobs.start(project, "ge", {}, lambda job: ({}, [1.0])), PATIENCE)
    assert ended.status == "failed" and "TypeError" in ended.error


def test_figures_are_copied_when_reported(jobs, store, project):
    def work(job):
        shared = {"values": [1]}
        job.report(1, figures=shared)
        shared["values"].append(2)
        job.report(2, figures=shared)

    run = jobs.start(project, "ge", {}, work)
    jobs.wait(run, PATIENCE)
    assert [entry["values"] for entry in store.trace(run)] == [[1], [1, 2]]


def test_a_store_that_refuses_for_a_while_stops_nothing(jobs, store, project, clock, monkeypatch):
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

    run = jobs.start(project, "ge", {}, work)
    assert jobs.wait(run, PATIENCE).status == "done"
    assert len(refusals) == 3 and iterations(store.trace(run)) == list(range(1, 8))


def test_an_end_that_cannot_be_written_is_told(jobs, store, project, monkeypatch):
    def refuse(*_args, **_details):
        raise StoreError("The disk is full")

    monkeypatch.setattr(store, "finish_run", refuse)
    run = jobs.start(project, "ge", {}, lambda job: ({}, b"weights"))
    ended = jobs.wait(run, PATIENCE)
    assert (ended.status, ended.error) == ("failed", "The result could not be kept. The disk is full")
    assert not ended.active and jobs.running() == []


def test_a_new_registry_finds_what_a_dead_process_left(jobs, store, project):
    run = store.create_run(project, "ge", {})
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1, "seconds": 2.0}, {"iteration": 2, "seconds": 4.0}])
    store.checkpoint(run, b"one", 1)
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET process = 'gone 1 1', heartbeat = '2009-12-07T00:00:00+00:00'")
    again = Jobs(store)
    assert again.snapshot(run).status == "interrupted"
    assert (again.snapshot(run).iteration, iterations(again.trace(run))) == (2, [1, 2])

    def rest(job):
        assert (job.resumed, job.iteration) == (b"one", 1)
        report(job, 2)

    again.resume(run, rest)
    assert again.wait(run, PATIENCE).status == "done"
    assert iterations(store.trace(run)) == [1, 2]


def test_a_run_of_another_process_is_watched_but_not_cancelled(jobs, store, project):
    run = store.create_run(project, "ge", {})
    assert jobs.snapshot(run).active and jobs.running() == []
    with pytest.raises(StoreError, match=r"belongs to another workbench process .*cancel it there"):
        jobs.cancel(run)


def test_refusals(jobs, project):
    with pytest.raises(StoreError, match="no project 99"):
        jobs.start(99, "ge", {}, lambda job: None)
    for act in (jobs.snapshot, jobs.trace, jobs.cancel, lambda run: jobs.resume(run, lambda job: None)):
        with pytest.raises(StoreError, match="no run 99"):
            act(99)
    run = jobs.start(project, "ge", {}, lambda job: None)
    jobs.wait(run, PATIENCE)
    with pytest.raises(StoreError, match="cannot be resumed: it is done"):
        jobs.resume(run, lambda job: None)


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


def test_what_a_process_that_died_meanwhile_left_is_marked(store, project):
    now = [0.0]
    jobs = Jobs(store, clock=lambda: now[0])
    run = store.create_run(project, "ge", {})
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET process = 'elsewhere 1 1', heartbeat = '2001-01-01T00:00:00+00:00'")
    assert jobs.running() == [] and store.run(run).status == "queued"  # it has just looked
    now[0] = LOOK_SECONDS
    assert jobs.running() == [] and store.run(run).status == "interrupted"
