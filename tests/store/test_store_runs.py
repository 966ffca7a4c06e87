from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import StoreError
from core.store import Store, processes, schema
from core.store import runs as runs_module
from core.store.processes import SILENCE, is_alive, store_time, this_process
from core.store.schema import now, runs


@pytest.fixture
def run(store, project):
    """A run that was started."""
    run = store.create_run(project, "ge", {"features": "full"})
    store.start_run(run)
    return run


def test_the_life_of_a_run(store, project):
    texts = {"constraint_text": "A\0 -> B = 1", "data_hash": "abc"}
    run = store.create_run(project, "ge", {"features": "full"}, **texts)
    queued = store.run(run)
    assert (queued.status, queued.started, queued.seconds) == ("queued", None, None)
    store.start_run(run)
    assert store.run(run).status == "running"
    store.finish_run(run, "done", {"uas": 61.3}, b"\0weights\xff")
    done = store.run(run)
    assert (done.status, done.figures, done.settings) == ("done", {"uas": 61.3}, {"features": "full"})
    assert {name: getattr(done, name) for name in texts} == texts and store.result_bytes(run) == b"\0weights\xff"
    assert done.seconds == (done.finished - done.started).total_seconds()


def test_runs_are_listed_newest_first(store, project):
    first = store.create_run(project, "ge", {})
    second = store.create_run(project, "dmv", {})
    store.create_run(store.create_project("other"), "ge", {})
    for asked, found in (({}, [second, first]), ({"limit": 1}, [second]), ({"kind": "ge"}, [first])):
        assert [run.id for run in store.runs(project, **asked)] == found


def test_the_trace_grows_in_batches(store, run):
    assert store.trace(run) == []
    batches = [[{"iteration": 1, "value": 0.5}, {"iteration": 2, "value": float("-inf")}], [], [{"iteration": 3}]]
    for batch in batches:
        store.append_trace(run, batch)
    assert store.trace(run) == [*batches[0], *batches[2]]


def test_the_last_checkpoint_counts_and_goes_when_the_run_is_done(store, run):
    assert store.checkpoint_bytes(run) is None
    for number, data in enumerate((b"one", b"two"), start=1):
        store.checkpoint(run, data, number)
    assert store.checkpoint_bytes(run) == b"two"
    store.finish_run(run, "done")
    assert store.checkpoint_bytes(run) is None and store.result_bytes(run) is None


@pytest.mark.parametrize(("checkpoint", "left"), [(b"five", 5), (None, 0)])
def test_a_stopped_run_goes_on_from_its_checkpoint_or_begins_again(store, run, checkpoint, left):
    store.append_trace(run, [{"iteration": number} for number in range(1, 8)])
    if checkpoint:
        store.checkpoint(run, checkpoint, left)
    store.finish_run(run, "failed", error="no tree")
    assert store.run(run).error == "no tree" and store.requeue_run(run) == checkpoint
    assert [entry["iteration"] for entry in store.trace(run)] == list(range(1, left + 1))
    assert (store.run(run).status, store.run(run).finished, store.run(run).error) == ("queued", None, "")
    with pytest.raises(StoreError, match=f"Run {run} cannot be resumed: it is queued"):
        store.requeue_run(run)


def test_refusals(store, run):
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


@pytest.fixture
def disown(store):
    """disown(process, **values): write another process, and perhaps when it was last heard of, into all runs."""

    def write(process, **values):
        with store.database.write() as connection:
            connection.execute(runs.update().values(process=process, **values))

    return write


@pytest.mark.parametrize("start", [False, True])
def test_runs_of_dead_processes_become_interrupted(store, project, disown, start):
    run = store.create_run(project, "ge", {})
    if start:
        store.start_run(run)
    assert store.recover() == [] and store.run(run).status != "interrupted"  # this process lives
    disown(this_process().rsplit(" ", 1)[0] + " 1")  # same number, started at another time
    assert store.recover() == [run]
    assert store.run(run).status == "interrupted" and store.run(run).finished is not None
    assert store.recover() == []


def test_elsewhere_the_heartbeat_decides_and_a_run_thought_dead_may_still_end(store, run, disown):
    disown("elsewhere 1 1", heartbeat=now() + timedelta(days=1))
    assert store.recover() == []  # whatever their clock says
    disown("elsewhere 1 1", heartbeat=now() - 2 * SILENCE)
    store.heartbeat()  # ours, not theirs
    assert store.recover() == [run]
    store.finish_run(run, "done", {"uas": 1})
    assert store.run(run).status == "done"


@pytest.fixture
def host(monkeypatch):
    """host(name, hours): from now on this process is one of that host, whose clock is so far ahead."""

    def move(name, hours):
        monkeypatch.setattr("socket.gethostname", lambda: name)
        for module in (schema, runs_module, processes):
            monkeypatch.setattr(module, "now", lambda: datetime.now(UTC) + timedelta(hours=hours))

    return move


@pytest.mark.parametrize("hours", [-1, 1])
def test_hosts_whose_clocks_differ_do_not_take_each_others_runs(postgresql_url, host, hours):
    with closing(Store.open(postgresql_url)) as store:
        project = store.default_project()
        host("here", 0)
        ours = store.create_run(project, "ge", {})
        host("elsewhere", hours)
        theirs = store.create_run(project, "ge", {})
        store.start_run(theirs)
        assert store.recover() == []
        host("here", 0)
        assert store.recover() == []
        with store.database.write() as connection:
            past = store_time(connection) - 2 * SILENCE
            connection.execute(runs.update().where(runs.c.id == theirs).values(heartbeat=past))
        host("elsewhere", hours)
        store.heartbeat()  # which is one of theirs, and as good as any
        host("here", 0)
        assert store.recover() == []
        with store.database.write() as connection:
            connection.execute(runs.update().values(heartbeat=past))
        assert store.recover() == [theirs] and store.run(ours).status == "queued"


def test_the_time_of_a_store_goes_on_within_a_transaction(store):
    with store.database.write() as connection:
        assert store_time(connection) < store_time(connection)


def test_to_look_for_the_dead_waits_for_no_writer(store, run, url):
    with closing(Store.open(url, busy_seconds=0.01)) as other, store.database.write():  # to close waits
        assert other.recover() == []


def test_a_heartbeat_keeps_ones_own_runs_fresh(store, run, disown):
    began = now() - timedelta(hours=1)
    disown(this_process(), heartbeat=began)
    store.heartbeat()
    assert store.run(run).heartbeat > began


def test_without_start_times_the_number_decides_who_is_dead(monkeypatch):
    monkeypatch.setattr(processes, "start_time", lambda number: "?")
    mine, time = this_process(), now()
    assert mine.endswith(" ?") and is_alive(mine, time, time) and not is_alive(mine, time - 2 * SILENCE, time)
    assert not is_alive(f"{mine.rsplit(' ', 2)[0]} 99999999 ?", time, time)  # above Linux's highest number
