"""Threads and processes racing on one store."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from core.errors import StoreError
from core.store import Command, Store

WORKERS = 6


def race(function):
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(function, range(WORKERS)))


def test_no_update_is_lost(store, project):
    """Each thread adds one to a counter ten times, again whenever another one was faster."""

    def count(worker):
        added = 0
        while added < 10:
            value = store.document(project, "counter") or 0
            try:
                store.execute(project, Command("counter", "", value or None, value + 1), author=f"{worker}")
                added += 1
            except StoreError as error:
                assert "was changed" in str(error) or "there is no counter" in str(error)

    race(count)
    assert store.document(project, "counter") == 10 * WORKERS
    history = store.history(project)
    assert [entry.number for entry in history] == list(range(len(history), 0, -1))
    assert store.replay(project) == store.documents(project)


def test_only_one_of_several_stale_windows_wins(store, project):
    def attempt(worker):
        try:
            return store.execute(project, Command("constraints", "main", None, f"by {worker}"))
        except StoreError:
            return None

    winners = [entry for entry in race(attempt) if entry is not None]
    assert len(winners) == 1
    assert store.document(project, "constraints", "main") == winners[0].commands[0].after


def test_undo_clicked_twice_at_once_takes_back_one_action_each(store, project):
    value = None
    for number in range(1, WORKERS + 3):
        store.execute(project, Command("n", "", value, number))
        value = number
    race(lambda _: store.undo(project))
    assert store.document(project, "n") == 2
    race(lambda _: store.redo(project))
    assert store.document(project, "n") == WORKERS + 2


def test_one_default_project_however_many_ask(store):
    assert len({project.id for project in race(lambda _: store.default_project())}) == 1
    assert len(store.projects()) == 1


def test_threads_opening_a_new_store_at_once(url):
    stores = race(lambda _: Store.open(url))
    assert len({store.default_project().id for store in stores}) == 1
    for store in stores:
        store.close()


def test_a_second_process_sees_each_command(store, project, url):
    store.execute(project, Command("lexicon", "", None, "the DET"))
    code = f"from core.store import Store; s = Store.open({url!r}); print(s.document({project.id}, 'lexicon'))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "the DET"
