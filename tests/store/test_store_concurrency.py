"""Threads and processes racing on one store."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from core.errors import StoreError
from core.jobs import Jobs
from core.store import Command, Store
from tests.patience import PATIENCE, wait_for
from tests.store.replaying import replayed

WORKERS = 6


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(WORKERS) as pool:
        yield pool


def race(function):
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(function, range(WORKERS)))


def count(url, author):
    """Add one to a counter ten times, again whenever another one was faster."""
    store, added = Store.open(url, busy_seconds=PATIENCE), 0
    while added < 10:
        value = store.document(1, "counter")
        try:
            store.execute(1, Command("counter", "", value, (value or 0) + 1), author=str(author))
            added += 1
        except StoreError as error:
            assert "was changed" in str(error) or "there is no counter" in str(error)
    store.close()


@pytest.mark.parametrize(("pool", "workers"), [("threads", WORKERS), ("processes", 2)])
def test_no_update_is_lost(request, store, project, url, pool, workers):
    list(request.getfixturevalue(pool).map(partial(count, url), range(workers)))
    assert store.document(project, "counter") == 10 * workers
    numbers = [entry.number for entry in store.history(project)]
    assert numbers == list(range(10 * workers + 1, 0, -1)) and replayed(store, project) == store.documents(project)


def resume(url, run, folder, name):
    """Resume a run once another process is about to; returns how that ended."""
    store = Store.open(url, busy_seconds=PATIENCE)
    jobs = Jobs(store)
    (folder / name).touch()
    wait_for(lambda: len(list(folder.iterdir())) == 2)
    try:
        jobs.resume(run, lambda job: ({"began at": job.iteration}, job.resumed))
        return jobs.wait(run, PATIENCE).status
    except StoreError as error:
        return str(error)
    finally:
        store.close()


def test_of_two_processes_that_resume_a_run_one_does(store, project, url, processes, tmp_path):
    """What a killed process left goes on once, from its checkpoint; undo holds beside it."""
    run = store.create_run(project, "ge", {})
    store.start_run(run)
    store.append_trace(run, [{"iteration": number, "seconds": 0.0} for number in (1, 2, 3)])
    store.checkpoint(run, b"half", 2)
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET process = 'elsewhere 1 1', heartbeat = '2001-01-01T00:00:00+00:00'")
    store.execute(project, Command("d", "", None, 1))
    (tmp_path / "ready").mkdir()
    refused, ended = sorted(processes.map(partial(resume, url, run, tmp_path / "ready"), ["ana", "ben"]))
    assert ended == "done" and f"Run {run} cannot be resumed" in refused
    assert store.run(run).figures["began at"] == 2 and store.result_bytes(run) == b"half"
    store.undo(project)
    assert store.document(project, "d") is None


def test_only_one_of_several_stale_windows_wins(store, project):
    def attempt(worker):
        try:
            return store.execute(project, Command("constraints", "main", None, f"by {worker}"))
        except StoreError:
            return None

    (winner,) = filter(None, race(attempt))
    assert store.document(project, "constraints", "main") == winner.commands[0].after


def test_undo_clicked_twice_at_once_takes_back_one_action_each(store, project):
    for number in range(1, WORKERS + 3):
        store.execute(project, Command("n", "", number - 1 or None, number))
    race(lambda _: store.undo(project))
    assert store.document(project, "n") == 2
    race(lambda _: store.redo(project))
    assert store.document(project, "n") == WORKERS + 2


def test_threads_that_open_a_new_store_at_once_make_one_project(url):
    stores = race(lambda _: Store.open(url, busy_seconds=PATIENCE))
    assert len({project.id for project in race(lambda number: stores[number].default_project())}) == 1
    assert len(stores[0].projects()) == 1
    for store in stores:
        store.close()
