"""Answers that stand for as long as nobody writes: never an old one, and no statement for what is known."""

import inspect
import linecache
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine, create_engine, event, text

from core.errors import StoreError
from core.store import Command, Store
from core.store.query_cache import QueryCache
from core.store.silence import WatchedConnection
from tests.patience import wait_for

READS = {
    "projects": lambda store, project: store.projects(),
    "project": lambda store, project: store.project(project.id),
    "recent_project": lambda store, project: store.recent_project(),
    "corpora": lambda store, project: store.corpora(project),
    "document": lambda store, project: store.document(project, "view", "corpus"),
    "documents": lambda store, project: store.documents(project),
    "standing": lambda store, project: store.save_status(project),
    "runs": lambda store, project: store.runs(project),
}


@pytest.fixture
def statements():
    """The statements sent to any database, newest last."""
    sent = []

    def note(_connection, _cursor, statement, *_rest):
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield sent
    event.remove(Engine, "before_cursor_execute", note)


def asked(store, project):
    return {name: ask(store, project) for name, ask in READS.items()}


@pytest.mark.parametrize("here", [True, False])
def test_what_this_or_another_connection_writes_is_read_at_once(store, project, url, here):
    other = store if here else Store.open(url)
    before = [asked(store, project) for _ in range(2)]
    with_more = other.create_project("another")
    other.add_corpus(project, "mine", b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    other.remember(project, "view", "corpus", 7)
    other.create_run(project, "ge", {})
    other.rename_project(project, "renamed")
    other.remember(with_more, "view", "corpus", 7)
    after = asked(store, project)
    assert before[0] == before[1] and after == asked(other, project)
    assert [name for name in READS if after[name] == before[0][name]] == []
    other.close()


def test_a_role_taken_away_is_gone_at_once(store, project, url):
    ana, other = store.on_behalf_of("ana@example.org"), Store.open(url)
    for role in ("annotator", "reader"):
        other.set_role(project, "ana@example.org", role)
        assert ana.role(project) == role and ana.projects() == [project]
    other.set_role(project, "ana@example.org", None)
    with pytest.raises(StoreError, match="There is no project"):
        ana.role(project)
    assert ana.projects() == []
    other.close()


def test_each_process_reads_what_the_other_one_wrote(store, project, url):
    store.execute(project, Command("lexicon", "", None, "the DET"))
    code = (
        f"from core.store import Store; store = Store.open({url!r}); print(store.document({project.id}, 'lexicon'));"
        f" store.remember({project.id}, 'lexicon', '', 'a DET')"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "the DET\n"
    )
    assert store.document(project, "lexicon") == "a DET"


def wait_until_known(read, statements):
    """Until something is read without a statement; other tests may be writing on the same server meanwhile."""

    def silent():
        statements.clear()
        read()
        return not statements

    wait_for(silent)


def test_what_is_known_costs_no_statement(store, project, statements):
    first = asked(store, project)
    for ask in READS.values():
        wait_until_known(lambda ask=ask: ask(store, project), statements)
    store.close()
    statements.clear()
    assert asked(store, project) == first and statements  # the next call opens it again


def test_a_connection_that_is_lost_is_made_anew(postgresql, postgresql_url, statements):
    store = Store.open(postgresql_url)
    project = store.default_project()
    assert store.project(project.id) == project
    watch = store.database.answers.watch.dbapi_connection.info.backend_pid
    with postgresql.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_terminate_backend({watch})")
    statements.clear()
    assert store.project(project.id) == project, "read as ever where it cannot be told whether somebody wrote"
    assert statements
    store.remember(project, "view", "corpus", 7)
    assert store.document(project, "view", "corpus") == 7
    wait_until_known(lambda: store.document(project, "view", "corpus"), statements)
    store.close()


def test_where_undo_stands_is_read_in_one_transaction(store, project, statements):
    assert store.save_status(project).undo is None
    for former, share in ((None, 0.9), (0.9, 0.8)):
        store.execute(project, Command("constraints", "", former, share), label=f"writing {share}")
    store.undo(project)
    statements.clear()
    standing = store.save_status(project)
    assert len([each for each in statements if each.startswith("SELECT")]) == 3
    assert standing.undo == "writing 0.9" == store.next_undo(project).label
    assert standing.redo == "writing 0.8" == store.next_redo(project).label
    assert standing.saved == store.last_saved(project)


def test_a_value_belongs_to_whoever_asked(store, project):
    store.remember(project, "view", "list", [{"a": 1}])
    store.document(project, "view", "list")[0]["a"] = 2
    store.projects().clear()
    assert store.document(project, "view", "list") == [{"a": 1}] and store.projects() == [project]


def test_people_have_answers_of_their_own(store):
    ana, ben = (store.on_behalf_of(f"{name}@example.org") for name in ("ana", "ben"))
    hers = ana.default_project()
    assert [each.id for each in ana.projects()] == [hers.id] and ben.projects() == []
    with pytest.raises(StoreError, match="There is no project"):
        ben.project(hers.id)
    assert ana.project(hers.id) == hers


def test_many_threads_read_what_was_written_before_they_asked(store, project):
    """A thread that has seen a write end never reads what was there before it."""
    written, wrong, done = [0], [], threading.Event()
    store.remember(project, "view", "count", 0)

    def read():
        while not done.is_set():
            least = written[0]
            if store.document(project, "view", "count") < least:
                wrong.append(least)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for count in range(1, 40):
        store.remember(project, "view", "count", count)
        written[0] = count
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_thread_at_one_moment_sees_one_version_until_it_writes(store, project, url):
    other, seen = Store.open(url), []
    moment = store.database.answers.begin_moment()
    assert store.document(project, "view", "corpus") is None
    other.remember(project, "view", "corpus", 7)
    assert store.document(project, "view", "corpus") is None and not moment.is_over
    thread = threading.Thread(target=lambda: seen.append(store.document(project, "view", "corpus")))
    thread.start()
    thread.join()
    assert seen == [7]
    store.remember(project, "view", "text", 1)
    assert moment.is_over and store.document(project, "view", "corpus") == 7
    other.close()


class SlowServer:
    """An engine whose server says each time that all is as it was, once ``go_on`` is set."""

    dialect = SimpleNamespace(name="postgresql", loaded_dbapi=SimpleNamespace(Error=OSError))

    def __init__(self):
        self.questions, self.go_on = 0, threading.Event()
        self.driver_connection = SimpleNamespace()

    def raw_connection(self):
        return self

    cursor = raw_connection

    def detach(self):
        return

    def execute(self, _question):
        self.questions += 1
        self.go_on.wait()

    def fetchall(self):
        return [("1:1:",)]


def waits_for_the_lock(thread):
    """Whether a thread stands where ``QueryCache.get`` takes the lock."""
    frame = sys._current_frames().get(thread.ident)
    if frame is None or frame.f_code.co_filename != inspect.getfile(QueryCache):
        return False
    return "with self._lock" in linecache.getline(frame.f_code.co_filename, frame.f_lineno)


def test_who_waits_for_a_question_takes_the_answer_to_the_next():
    server = SlowServer()
    cache = QueryCache(server)
    threads = [threading.Thread(target=cache.get, args=(number, lambda: 0)) for number in range(8)]
    threads[0].start()
    wait_for(lambda: server.questions == 1)
    for thread in threads[1:]:
        thread.start()
    wait_for(lambda: all(map(waits_for_the_lock, threads[1:])))
    server.go_on.set()
    for thread in threads:
        thread.join()
    assert server.questions == 2, "who came later than a question cannot tell what was written since"


def test_a_server_is_asked_once_for_what_is_read_alone(postgresql_url, monkeypatch):
    store, waits = Store.open(postgresql_url), []
    project, wait = store.default_project(), WatchedConnection.wait

    def counted(talk):
        """What psycopg has to say to the server; most of what it does needs no answer."""
        try:
            state = next(talk)
            waits.append(talk.__qualname__)
            while True:
                state = talk.send((yield state))
        except StopIteration as end:
            return end.value

    monkeypatch.setattr(WatchedConnection, "wait", lambda self, talk, *given: wait(self, counted(talk), *given))
    store.database.answers.begin_moment()
    store.projects()
    waits.clear()
    store.document(project, "view", "corpus")
    assert len(waits) == 1, "no transaction, no trial of the connection, no second look at the version"
    store.close()


def test_an_answer_from_before_the_watch_was_opened_anew_is_not_kept(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path}/a.sqlite")
    answers = QueryCache(engine)

    def run(statement):
        with engine.begin() as connection:
            return connection.execute(text(statement))

    def value():
        with engine.connect() as connection:
            return connection.execute(text("SELECT x FROM t")).scalar()

    def value_read_slowly():
        former = value()
        run("UPDATE t SET x = 2")
        answers.close()  # as where the file was locked; SQLite numbers versions anew for the next connection
        answers.get("other", value)
        return former

    run("CREATE TABLE t (x)")
    run("INSERT INTO t VALUES (1)")
    assert answers.get("value", value_read_slowly) == 1
    assert answers.get("value", value) == 2
    answers.close()
    engine.dispose()
