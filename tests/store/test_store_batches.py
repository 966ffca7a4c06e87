"""What writes much does so in small transactions, unseen until it is whole; what a dead process left is cleared."""

import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from core.errors import StoreError
from core.jobs import Jobs
from core.store import Command, Store, archive, backup, batches
from core.store.schema import now
from core.workspace.stored import stored_kinds
from tests.benchmarks import locks
from tests.patience import wait_for

ENTRIES, TEXTS = 400, 60
TABLES = (
    "projects",
    "members",
    "entries",
    "commands",
    "documents",
    "corpora",
    "contents",
    "runs",
    "run_data",
    "traces",
)
# Restores a backup; each batch is said, and waits until a line is read.
SCRIPT = """
import sys
from contextlib import contextmanager
from core.store import Store, batches, restoring
from core.workspace.stored import stored_kinds

batches.ROWS = 50
whole = restoring.batch_on

@contextmanager
def batch_on(database, project):
    with whole(database, project) as connection:
        yield connection
    print(project, flush=True)
    sys.stdin.readline()

restoring.batch_on = batch_on
Store.open(sys.argv[1], kinds=stored_kinds).restore_backup(open(sys.argv[2], "rb"))
"""


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """A backup with many entries and texts."""
    path = tmp_path_factory.mktemp("large") / "large.zip"
    locks.archive(path, ENTRIES, texts=TEXTS)
    return path


@pytest.fixture
def small(monkeypatch):
    """Batches that a few hundred rows fill."""
    monkeypatch.setattr(batches, "ROWS", 50)
    monkeypatch.setattr(batches, "BYTES", 5000)
    monkeypatch.setattr(batches, "LONGEST_PAUSE", 0)


def counts(store):
    with store.database.read() as connection:
        return {name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() for name in TABLES}


def numbers(store, project):
    return sorted(value["number"] for value in store.documents(project).values())


def restored(store, path):
    with path.open("rb") as file:
        return store.restore_backup(file, limit=None)


def test_no_transaction_writes_much(store, large, small):
    before = counts(store)
    watch = locks.Watch(store)
    project = restored(store, large)
    assert len(store.history(project)) == ENTRIES and len(store.documents(project)) == ENTRIES // 2 + 1
    copy = store.copy_project(project, "Copy")
    assert numbers(store, copy) == numbers(store, project)
    for each in (project, copy):
        store.delete_project(each)
        store.purge_project(each)
    assert counts(store) == before
    # 50 commands with their documents and the project's sign of life; bytes as they are bound, keys and times too
    assert 50 < watch.most_rows <= 2 * 50 + 1 and watch.most_bytes <= 4 * 5000
    assert len(watch.transactions) > 4 * ENTRIES // 50


def test_batches_have_bounded_rows_and_bytes(monkeypatch):
    monkeypatch.setattr(batches, "ROWS", 3)
    monkeypatch.setattr(batches, "BYTES", 10)
    rows = [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 9), ("f", 1), ("g", 50), ("h", 1)]
    assert list(batches.batches(rows)) == [["a", "b", "c"], ["d", "e"], ["f"], ["g"], ["h"]]
    assert list(batches.batches([])) == []


def test_others_see_nothing_of_it_before_it_is_whole_and_go_on(store, large, small, monkeypatch):
    project, seen = store.default_project(), []
    whole = batches.batch_on

    def look(*arguments):
        seen.append([each.name for each in store.projects()])
        number = len(seen)
        store.execute(project, Command("step", str(number), None, number))
        return whole(*arguments)

    monkeypatch.setattr("core.store.restoring.batch_on", look)
    assert restored(store, large).name == "Large"
    assert len(seen) > ENTRIES // 50 and {tuple(names) for names in seen} == {("My project",)}


def test_a_project_that_is_not_whole_cannot_be_opened(store, project):
    with store.database.write() as connection:
        batches.hide(connection, project.id)
    with pytest.raises(StoreError, match=f"There is no project {project.id}"):
        store.project(project)
    assert store.projects() == store.trash() == []


def test_a_failure_midway_leaves_nothing(store, large, small, monkeypatch):
    before, done = counts(store), []
    whole = batches.batch_on

    def fail(*arguments):
        done.append(1)
        if len(done) == 12:
            raise StoreError("no room left")
        return whole(*arguments)

    monkeypatch.setattr("core.store.restoring.batch_on", fail)
    with pytest.raises(StoreError, match="no room left"):
        restored(store, large)
    assert counts(store) == before


def test_a_killed_restore_is_cleared_by_the_next_workbench(store, url, large):
    store.default_project()
    before = counts(store)
    command = [sys.executable, "-c", SCRIPT, url, str(large)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(12):
            project = int(process.stdout.readline())
            print(file=process.stdin, flush=True)
        process.stdout.readline()
        assert store.abandoned() == []  # it lives
        os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: store.abandoned() == [project])
    assert counts(store)["entries"] > before["entries"] and len(store.projects()) == 1
    Jobs(store)
    wait_for(lambda: counts(store) == before)
    assert store.abandoned() == []


def test_two_that_clear_at_once_clear_once(store, large, small):
    before, project = counts(store), restored(store, large)
    with store.database.write() as connection:
        batches.hide(connection, project.id)
        dead = batches.projects.update().values(process="elsewhere 1 ?", heartbeat=now().replace(year=2020))
        connection.execute(dead.where(batches.projects.c.id == project.id))
    found = []
    threads = [threading.Thread(target=lambda: found.extend(store.clear_abandoned())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [project.id] and counts(store) == before


def test_a_content_that_another_project_has_stays(store, small):
    one, two = store.create_project("one"), store.create_project("two")
    texts = [store.add_corpus(each, "a text", b"1\\tword\\n") for each in (one, two)]
    store.delete_project(one)
    store.purge_project(one)
    assert store.corpus_bytes(texts[1]) == b"1\\tword\\n" and counts(store)["contents"] == 1


@pytest.fixture(scope="session")
def own(tmp_path_factory, made_store):
    """(store, project) with a large and well packed text."""
    store = Store.open(f"sqlite:///{tmp_path_factory.mktemp('own') / 'own.sqlite'}", kinds=stored_kinds)
    project = store.create_project("Own")
    store.add_corpus(project, "zeros", bytes(40_000_000))
    yield store, project
    store.close()


def test_a_backup_of_its_own_is_restored_whatever_its_size(own, monkeypatch):
    monkeypatch.setattr(backup, "LIMIT", 1_000_000)
    store, project = own
    file = io.BytesIO()
    store.backup_project(project, file)
    with pytest.raises(
        StoreError, match=r"would unpack to 40 MB and 1 MB is the limit here.*python -m core restore FILE"
    ):
        store.restore_backup(file, limit=backup.LIMIT)
    again = store.restore_backup(file, limit=None)
    assert store.corpus_bytes(store.corpora(again)[1].id) == bytes(40_000_000)


def test_more_parts_than_a_page_takes(store, large, monkeypatch):
    monkeypatch.setattr(archive, "MOST_PARTS", TEXTS)
    monkeypatch.setattr(batches, "LONGEST_PAUSE", 0)
    with large.open("rb") as file, pytest.raises(StoreError, match=rf"has {TEXTS + 6} parts, more than {TEXTS};"):
        store.restore_backup(file)
    assert len(restored(store, large).name) == len("Large")


def test_a_disk_without_room_is_said_before(store, large, monkeypatch):
    if store.database.folder is None:
        return
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10_000})())
    with pytest.raises(StoreError, match=r"The backup takes .* MB and .* has 0 MB free; nothing was restored"):
        restored(store, large)


def test_parts_are_read_and_written_in_pieces(own, monkeypatch):
    store, project = own
    monkeypatch.setattr(archive, "PIECE", 1 << 16)
    monkeypatch.setattr(backup, "PIECE", 1 << 16)
    sizes = []
    whole = archive.Archive.pieces

    def pieces(self, name):
        for piece in whole(self, name):
            sizes.append(len(piece))
            yield piece

    monkeypatch.setattr(archive.Archive, "pieces", pieces)
    file, written, read = io.BytesIO(), [], backup.unpacked_pieces
    monkeypatch.setattr(
        backup, "unpacked_pieces", lambda packed: map(lambda p: written.append(len(p)) or p, read(packed))
    )
    store.backup_project(project, file)
    store.restore_backup(file, limit=None)
    assert sum(written) == 40_000_000 and max(written) == 1 << 16 == max(sizes)
