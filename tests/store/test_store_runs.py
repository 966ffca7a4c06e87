from datetime import timedelta

import pytest

from core.errors import StoreError
from core.store import processes
from core.store.processes import SILENCE, is_alive, this_process
from core.store.schema import now, runs


def started(store, project, **details):
    run = store.create_run(project, "ge", {"features": "full"}, **details)
    store.start_run(run)
    return run


def test_the_life_of_a_run(store, project):
    run = store.create_run(
        project, "ge", {"features": "full"}, constraint_text="A -> B = 1", data_hash="abc", author="ana"
    )
    queued = store.run(run)
    assert (queued.status, queued.started, queued.seconds) == ("queued", None, None)
    store.start_run(run)
    assert store.run(run).status == "running"
    store.finish_run(run, "done", {"uas": 61.3}, b"weights")
    done = store.run(run)
    assert (done.status, done.figures, done.settings) == ("done", {"uas": 61.3}, {"features": "full"})
    assert (done.constraint_text, done.data_hash, done.author) == ("A -> B = 1", "abc", "ana")
    assert done.seconds >= 0 and store.result_bytes(run) == b"weights"


def test_runs_are_listed_newest_first(store, project):
    first = store.create_run(project, "ge", {})
    second = store.create_run(project, "dmv", {})
    store.create_run(store.create_project("other"), "ge", {})
    assert [run.id for run in store.runs(project)] == [second, first]
    assert [run.id for run in store.runs(project, limit=1)] == [second]
    assert [run.id for run in store.runs(project, kind="ge")] == [first]


def test_the_trace_grows_in_batches(store, project):
    run = started(store, project)
    assert store.trace(run) == []
    store.append_trace(run, [{"iteration": 1, "value": 0.5}, {"iteration": 2, "value": float("-inf")}])
    store.append_trace(run, [])
    store.append_trace(run, [{"iteration": 3}])
    assert [entry["iteration"] for entry in store.trace(run)] == [1, 2, 3]
    assert store.trace(run)[1]["value"] == float("-inf")


def test_the_last_checkpoint_counts_and_goes_when_the_run_is_done(store, project):
    run = started(store, project)
    assert store.checkpoint_bytes(run) is None
    store.checkpoint(run, b"one", 1)
    store.checkpoint(run, b"two", 2)
    assert store.checkpoint_bytes(run) == b"two"
    store.finish_run(run, "done")
    assert store.checkpoint_bytes(run) is None and store.result_bytes(run) is None


def test_a_stopped_run_goes_on_from_its_checkpoint(store, project):
    run = started(store, project)
    store.append_trace(run, [{"iteration": number} for number in range(1, 8)])
    store.checkpoint(run, b"five", 5)
    store.finish_run(run, "cancelled")
    assert store.requeue_run(run) == b"five"
    assert [entry["iteration"] for entry in store.trace(run)] == [1, 2, 3, 4, 5]
    assert (store.run(run).status, store.run(run).finished) == ("queued", None)
    with pytest.raises(StoreError, match=f"Run {run} cannot be resumed: it is queued"):
        store.requeue_run(run)


def test_without_a_checkpoint_it_begins_again(store, project):
    run = started(store, project)
    store.append_trace(run, [{"iteration": 1}])
    store.finish_run(run, "failed", error="no tree")
    assert store.run(run).error == "no tree"
    assert store.requeue_run(run) is None
    assert store.trace(run) == [] and store.run(run).error == ""


def test_refusals(store, project):
    run = started(store, project)
    with pytest.raises(StoreError, match=f"Run {run} cannot be started: it is running"):
        store.start_run(run)
    with pytest.raises(StoreError, match="A run cannot end as 'queued'"):
        store.finish_run(run, "queued")
    store.finish_run(run, "done")
    with pytest.raises(StoreError, match="cannot be finished: it is done"):
        store.finish_run(run, "failed")
    for act in (store.run, store.trace, store.start_run):
        with pytest.raises(StoreError, match="no run 99"):
            act(99)
    with pytest.raises(StoreError, match="no project 99"):
        store.create_run(99, "ge", {})


def test_runs_of_living_processes_are_left_alone(store, project):
    run = started(store, project)
    assert store.recover() == []
    assert store.run(run).status == "running"


@pytest.mark.parametrize("start", [False, True])
def test_runs_of_dead_processes_become_interrupted(store, project, start):
    run = store.create_run(project, "ge", {})
    if start:
        store.start_run(run)
    disown(store, this_process().rsplit(" ", 1)[0] + " 1")  # same number, started at another time
    assert store.recover() == [run]
    assert store.run(run).status == "interrupted" and store.run(run).finished is not None
    assert store.recover() == []


def test_a_run_thought_dead_may_still_end(store, project):
    run = started(store, project)
    disown(store, "elsewhere 1 1", heartbeat=now() - 2 * SILENCE)
    assert store.recover() == [run]
    store.finish_run(run, "done", {"uas": 1})
    assert store.run(run).status == "done"


def test_elsewhere_the_heartbeat_decides(store, project):
    run = started(store, project)
    disown(store, "elsewhere 1 1")
    assert store.recover() == []
    store.heartbeat()  # ours, not theirs
    disown(store, "elsewhere 1 1", heartbeat=now() - 2 * SILENCE)
    assert store.recover() == [run]


def test_a_heartbeat_keeps_ones_own_runs_fresh(store, project):
    run = started(store, project)
    disown(store, this_process(), heartbeat=now() - timedelta(hours=1))
    store.heartbeat()
    assert now() - store.run(run).heartbeat < timedelta(minutes=1)


def test_without_start_times_the_number_decides_who_is_dead(monkeypatch):
    monkeypatch.setattr(processes, "_start_time", lambda number: "?")
    mine = this_process()
    assert mine.endswith(" ?")
    assert is_alive(mine, now(), now())
    assert not is_alive(mine, now() - 2 * SILENCE, now())
    host = mine.rsplit(" ", 2)[0]
    assert not is_alive(f"{host} 99999999 ?", now(), now())  # above Linux's highest number


def disown(store, process, **values):
    """Write another process, and perhaps when it was last heard of, into all runs."""
    with store.database.write() as connection:
        connection.execute(runs.update().values(process=process, **values))
