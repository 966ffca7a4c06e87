"""What PostgreSQL does otherwise than SQLite: its types, its locks, its refusals."""

import threading

import pytest
from sqlalchemy.engine import make_url

from core.errors import StoreError
from core.store import Command, Store
from core.store.database import LARGE
from core.store.log import append
from core.store.projects import require_project
from tests.patience import PATIENCE, wait_for

OWN = "SELECT pg_backend_pid()"
WRITE = Command("d", "", None, 1)


@pytest.fixture
def store(postgresql_url):
    store = Store.open(postgresql_url)
    yield store
    store.close()


@pytest.fixture
def answer(postgresql):
    """answer(question) -> what another connection is told."""

    def ask(question):
        with postgresql.connect() as connection:
            return connection.exec_driver_sql(question).scalar()

    return ask


def test_a_key_that_a_server_cannot_hold(store, project):
    with pytest.raises(StoreError, match="cannot hold such a value"):
        store.execute(project, Command("d", "a\0b", None, 1))
    assert len(store.history(project)) == 1


def test_a_writer_waits_for_the_one_before(store, project, answer):
    """SELECT FOR UPDATE: the second sees what the first wrote, and does not overwrite it."""
    other, said = store.create_project("other"), []

    def write():
        try:
            store.execute(project, Command("d", "", None, "second"))
        except StoreError as error:
            said.append(str(error))

    with store.database.write() as connection:
        require_project(connection, project, lock=True)
        own = connection.exec_driver_sql(OWN).scalar()
        thread = threading.Thread(target=write)
        thread.start()
        wait_for(lambda: answer(f"SELECT count(*) FROM pg_stat_activity WHERE {own} = ANY(pg_blocking_pids(pid))"))
        store.execute(other, Command("d", "", None, "elsewhere"))  # writers of other projects do not wait
        append(connection, project.id, [Command("d", "", None, "first")], author="ana")
    thread.join(PATIENCE)
    assert store.document(project, "d") == "first"
    assert len(said) == 1 and "d was changed by ana" in said[0]


def test_a_reader_sees_one_state(store, project):
    with store.database.read() as connection:
        count = "SELECT count(*) FROM entries"
        before = connection.exec_driver_sql(count).scalar()
        store.execute(project, WRITE)
        assert connection.exec_driver_sql(count).scalar() == before


def test_no_server_there(postgresql_url):
    nowhere = make_url(postgresql_url).set(query={}).set(host="127.0.0.1", port=1, password="secret")
    with pytest.raises(StoreError, match=r"does not answer \(.*; check that the server runs") as caught:
        Store.open(nowhere.render_as_string(hide_password=False))
    assert "secret" not in str(caught.value)


def test_a_connection_cut_between_two_commands(store, project, answer):
    store.execute(project, WRITE)
    with store.database.read() as connection:
        own = connection.exec_driver_sql(OWN).scalar()
    answer(f"SELECT pg_terminate_backend({own}, 60000)")  # and waits until it is gone
    store.execute(project, Command("d", "", 1, 2))
    assert store.document(project, "d") == 2


def test_a_connection_cut_within_a_command_keeps_nothing_of_it(store, project, answer):
    with pytest.raises(StoreError, match="does not answer"), store.database.write() as connection:
        connection.exec_driver_sql("UPDATE projects SET name = 'half'")
        answer(f"SELECT pg_terminate_backend({connection.exec_driver_sql(OWN).scalar()})")
        connection.exec_driver_sql("SELECT 1")
    assert store.project(project).name == "My project"


def test_a_server_that_lets_nobody_write(store, project, postgresql_url):
    address = make_url(postgresql_url)
    options = f"{address.query['options']} -cdefault_transaction_read_only=on"
    reader = Store.open(address.update_query_dict({"options": options}).render_as_string(hide_password=False))
    assert reader.documents(project)
    with pytest.raises(StoreError, match="is read-only"):
        reader.execute(project, WRITE)


def test_a_connection_that_carried_much_is_closed(store, project):
    def connection():
        with store.database.read() as connection:
            return connection.exec_driver_sql(OWN).scalar()

    run, numbers = store.create_run(project, "ge", {}), [connection()]
    for data in (b"little", bytes(LARGE + 1)):
        store.checkpoint(run, data, 1)
        numbers.append(connection())
        assert store.checkpoint_bytes(run) == data
        numbers.append(connection())
    first, *little, written, read = numbers
    assert little == [first, first] and len({first, written, read}) == 3
