"""What PostgreSQL does otherwise than SQLite: its types, its locks, its refusals."""

import subprocess
import sys
import threading

import pytest
from sqlalchemy.engine import make_url

from core.errors import StoreError
from core.store import Command, Store

COUNT = """
import sys
from core.errors import StoreError
from core.store import Command, Store
store, added, refused = Store.open(sys.argv[1]), 0, 0
while added < 25:
    value = store.document(1, "counter") or 0
    try:
        store.execute(1, Command("counter", "", value or None, value + 1), author=sys.argv[2])
        added += 1
    except StoreError as error:
        assert "was changed" in str(error) or "there is no counter" in str(error), error
        refused += 1
print(refused)
"""


def test_two_processes_lose_no_update(store, project, url):
    """On both databases: each adds one to a counter 25 times; a stale write is refused and said, not overwritten."""
    command = [sys.executable, "-c", COUNT, url]
    workers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("ana", "ben")]
    refused = [int(worker.communicate(timeout=60)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert store.document(project, "counter") == 50
    numbers = [entry.number for entry in store.history(project)]
    assert numbers == list(range(51, 0, -1)) and min(refused) >= 0
    assert store.replay(project) == store.documents(project)


RESUME = """
import sys
from core.errors import StoreError
from core.jobs import Jobs
from core.store import Store
jobs = Jobs(Store.open(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
try:
    run = jobs.resume(int(sys.argv[2]), lambda job: ({"began at": job.iteration}, job.resumed))
    print(jobs.wait(run, 30).status)
except StoreError as error:
    assert "cannot be resumed" in str(error), error
    print("refused")
"""


def test_of_two_processes_that_resume_a_run_one_does(store, project, url):
    """On both databases: what a killed process left goes on once, from its checkpoint; undo holds beside it."""
    run = store.create_run(project, "ge", {})
    store.start_run(run)
    store.append_trace(run, [{"iteration": number, "seconds": 0.0} for number in (1, 2, 3)])
    store.checkpoint(run, b"half", 2)
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET process = 'elsewhere 1 1', heartbeat = '2001-01-01T00:00:00+00:00'")
    store.execute(project, Command("d", "", None, 1))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen([sys.executable, "-c", RESUME, url, str(run)], **pipes) for _ in range(2)]
    assert [worker.stdout.readline() for worker in workers] == ["ready\n"] * 2
    said = [worker.communicate("\n", timeout=60)[0].strip() for worker in workers]
    assert sorted(said) == ["done", "refused"]
    assert store.run(run).figures["began at"] == 2 and store.result_bytes(run) == b"half"
    store.undo(project)
    assert store.document(project, "d") is None


def test_values_come_back_as_they_went_in(store, project):
    value = {"text": "a\0b \ud800 é 漢", "numbers": [1, -0.5, 10**25, float("inf")], "none": None}
    store.execute(project, Command("d", "key 漢", None, value))
    assert store.document(project, "d", "key 漢") == value
    data = bytes(range(256)) * 3
    assert store.corpus_bytes(store.add_corpus(project, "a", data)) == data
    run = store.create_run(project, "ge", {}, constraint_text="a\0b")
    store.start_run(run)
    store.finish_run(run, "done", result=b"\0\xff")
    assert store.result_bytes(run) == b"\0\xff" and store.run(run).constraint_text == "a\0b"


def test_a_key_that_a_server_cannot_hold(postgresql_url):
    store = Store.open(postgresql_url)
    project = store.default_project()
    with pytest.raises(StoreError, match="cannot hold such a value"):
        store.execute(project, Command("d", "a\0b", None, 1))
    assert len(store.history(project)) == 1


def test_a_writer_waits_for_the_one_before(postgresql_url):
    """SELECT FOR UPDATE: the second sees what the first wrote, and does not overwrite it."""
    store = Store.open(postgresql_url)
    project, other = store.default_project(), store.create_project("other")
    said = []

    def write():
        try:
            store.execute(project, Command("d", "", None, "second"))
        except StoreError as error:
            said.append(str(error))

    with store.database.write() as connection:
        from core.store.log import append
        from core.store.projects import require_project

        require_project(connection, project, lock=True)
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()  # it waits
        store.execute(other, Command("d", "", None, "elsewhere"))  # writers of other projects do not
        append(connection, project.id, [Command("d", "", None, "first")], author="ana")
    thread.join(10)
    assert store.document(project, "d") == "first"
    assert len(said) == 1 and "d was changed by ana" in said[0]


def test_a_reader_sees_one_state(postgresql_url):
    store = Store.open(postgresql_url)
    project = store.default_project()
    with store.database.read() as connection:
        count = "SELECT count(*) FROM entries"
        before = connection.exec_driver_sql(count).scalar()
        store.execute(project, Command("d", "", None, 1))
        assert connection.exec_driver_sql(count).scalar() == before


def test_no_server_there(postgresql_url):
    nowhere = make_url(postgresql_url).set(query={}).set(host="127.0.0.1", port=1, password="secret")
    with pytest.raises(StoreError, match=r"does not answer \(.*; check that the server runs") as caught:
        Store.open(nowhere.render_as_string(hide_password=False))
    assert "secret" not in str(caught.value)


def test_a_connection_cut_between_two_commands(postgresql_url, postgresql):
    store = Store.open(postgresql_url)
    project = store.default_project()
    store.execute(project, Command("d", "", None, 1))
    with store.database.read() as connection:
        own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
    with postgresql.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_terminate_backend({own})")
    store.execute(project, Command("d", "", 1, 2))
    assert store.document(project, "d") == 2


def test_a_connection_cut_within_a_command_keeps_nothing_of_it(postgresql_url, postgresql):
    store = Store.open(postgresql_url)
    project = store.default_project()
    with pytest.raises(StoreError, match="does not answer"), store.database.write() as connection:
        connection.exec_driver_sql("UPDATE projects SET name = 'half'")
        own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        with postgresql.connect() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({own})")
        connection.exec_driver_sql("SELECT 1")
    assert store.project(project).name == "My project"


def test_a_server_that_lets_nobody_write(postgresql_url):
    store = Store.open(postgresql_url)
    project = store.default_project()
    address = make_url(postgresql_url)
    options = f"{address.query['options']} -cdefault_transaction_read_only=on"
    reader = Store.open(address.update_query_dict({"options": options}).render_as_string(hide_password=False))
    assert reader.documents(project)
    with pytest.raises(StoreError, match="is read-only"):
        reader.execute(project, Command("d", "", None, 1))
