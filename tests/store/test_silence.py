"""A server that falls silent: who waits is told, long statements are not disturbed, and all goes on once it answers."""

import selectors
import socket
import threading
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from core.errors import StoreError
from core.store import Store, silence
from tests.patience import PATIENCE, wait_for

SILENT = "does not answer: its server, or the network to it, stands still; all goes on here once it answers"


class Line:
    """A proxy before the server: a connection is taken as ever, but while it is ``dead`` nothing goes through."""

    def __init__(self, target):
        self.target = target
        self.ends, self.selector = {}, selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.is_over, self.is_alive = threading.Event(), threading.Event()
        self.is_alive.set()
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()

    def carry(self):
        while not self.is_over.is_set():
            for key, _ in self.selector.select(0.02):
                if not self.is_alive.is_set():
                    break
                self.pass_on(key.fileobj)

    def pass_on(self, end):
        if end is self.listener:
            ours, _ = end.accept()
            theirs = socket.socket(socket.AF_UNIX) if isinstance(self.target, str) else socket.socket()
            theirs.connect(self.target)
            for one, other in ((ours, theirs), (theirs, ours)):
                self.ends[one] = other
                self.selector.register(one, selectors.EVENT_READ)
            return
        if end not in self.ends:  # closed a moment ago, with its other end
            return
        try:
            data = end.recv(1 << 16)
            self.ends[end].sendall(data)
        except OSError:
            data = b""
        if not data:
            for each in (end, self.ends.pop(end)):
                self.ends.pop(each, None)
                self.selector.unregister(each)
                each.close()

    @contextmanager
    def dead(self):
        self.is_alive.clear()
        try:
            yield
        finally:
            self.is_alive.set()

    def close(self):
        self.is_alive.set()
        self.is_over.set()
        self.thread.join(PATIENCE)
        for each in (*self.ends, self.listener):
            each.close()


@pytest.fixture
def line(postgresql_url):
    address = make_url(postgresql_url)
    host, port = address.query.get("host") or address.host, address.port or 5432
    with closing(Line(f"{host}/.s.PGSQL.{port}" if str(host).startswith("/") else (host, port))) as line:
        yield line


@pytest.fixture
def store(line, postgresql_url, monkeypatch):
    monkeypatch.setattr(silence, "PATIENCE", 0.3)
    monkeypatch.setattr(silence, "ANSWER", 0.3)
    monkeypatch.setattr(silence, "PAUSE", 0.1)
    address = make_url(postgresql_url).difference_update_query(["host"])
    host, port = line.listener.getsockname()
    store = Store.open(address.set(host=host, port=port).render_as_string(hide_password=False))
    yield store
    store.close()


def projects(store):
    try:
        return store.projects()
    except StoreError:
        return []


def test_who_waits_is_told_and_all_goes_on_by_itself(store, line, caplog):
    project = store.default_project()
    with line.dead():
        for _ in range(2):  # when it is found out, and when it is known
            with pytest.raises(StoreError, match=SILENT):
                store.projects()
        with pytest.raises(StoreError, match=SILENT):
            store.create_project("lost")
    wait_for(lambda: [each.name for each in projects(store)] == [project.name])
    store.create_project("kept")
    assert not caplog.records


def test_a_transaction_that_is_under_way_ends(store, line):
    store.default_project()
    with pytest.raises(StoreError, match=SILENT), store.database.write() as connection, line.dead():
        connection.execute(text("SELECT 1"))
    wait_for(lambda: len(projects(store)) == 1)


def test_many_who_wait_are_told_at_once(store, line, monkeypatch):
    """One asks for all: else each would wait for those before it."""
    store.default_project()
    asked, answers = [], silence.is_answering
    monkeypatch.setattr(silence, "PAUSE", 3600)
    monkeypatch.setattr(silence, "is_answering", lambda place: asked.append(place) or answers(place))
    told = []

    def ask():
        try:
            store.projects()
        except StoreError as error:
            told.append(str(error))

    with line.dead():
        threads = [threading.Thread(target=ask) for _ in range(20)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(PATIENCE)
    assert len(told) == 20 and len(asked) == 1


def test_a_new_process_finds_it_silent(store, line):
    with line.dead(), pytest.raises(StoreError, match=SILENT):
        Store.open(store.database.engine.url.render_as_string(hide_password=False))


def test_a_long_statement_is_waited_for(store):
    with store.database.read() as connection:
        assert connection.execute(text("SELECT 1 FROM pg_sleep(0.8)")).scalar() == 1


def test_a_server_that_answers_others_only_is_waited_for_no_longer_than_a_statement_may_take(store, monkeypatch):
    monkeypatch.setattr(silence, "LONGEST", 0.2)
    monkeypatch.setattr(silence, "GRACE", 0.2)
    with store.database.engine.connect() as connection:  # which was made with the usual limits
        connection.connection.driver_connection.longest = 0.4
        with pytest.raises(OperationalError, match="has been silent for"):
            connection.execute(text("SELECT pg_sleep(3)"))


def test_limits_are_the_servers_too(store, postgresql_url, monkeypatch):
    monkeypatch.setattr(silence, "LONGEST", 0.1)
    other = Store.open(postgresql_url, busy_seconds=0.1)
    with pytest.raises(StoreError, match="took longer than a minute"), other.database.read() as connection:
        connection.execute(text("SELECT pg_sleep(30)"))
    other.close()
    monkeypatch.setattr(silence, "LONGEST", 60)
    with closing(Store.open(postgresql_url, busy_seconds=0.1)) as other, store.database.write() as connection:
        store.database.lock_names(connection)
        with pytest.raises(StoreError, match="is locked by another program"):
            other.create_project("late")


def test_what_the_url_says_of_limits_stands(postgresql_url):
    address = make_url(postgresql_url)
    options = f"{address.query['options']} -clock_timeout=7s -cstatement_timeout=8s"
    url = address.update_query_dict({"options": options}).render_as_string(hide_password=False)
    with closing(Store.open(url)) as store, store.database.read() as connection:
        assert connection.execute(text("SHOW lock_timeout")).scalar() == "7s"
        assert connection.execute(text("SHOW statement_timeout")).scalar() == "8s"


@pytest.mark.parametrize("answer", [b"N", b""])
def test_any_answer_will_do_and_a_hung_up_line_is_one(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            channel, _ = server.accept()
            with channel:
                assert channel.recv(8) == silence.QUESTION
                channel.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        place = server.getsockname()
        assert silence.is_answering(place)
        thread.join(PATIENCE)
    assert not silence.is_answering(place)


@pytest.mark.parametrize("folder", ["/", "@"])
def test_a_server_on_a_socket_of_its_machine(tmp_path, monkeypatch, folder):
    host = str(tmp_path) if folder == "/" else f"@{tmp_path.name}"
    with socket.socket(socket.AF_UNIX) as server:
        path = f"{host}/.s.PGSQL.5432"
        server.bind(path if folder == "/" else f"\0{path[1:]}")
        server.listen()
        monkeypatch.setattr(silence, "ANSWER", 0.05)
        assert not silence.is_answering((host, 5432))  # it takes the question, and says nothing
    if folder == "/":
        Path(path).unlink()
    assert not silence.is_answering((host, 5432))
