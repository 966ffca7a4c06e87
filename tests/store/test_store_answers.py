"""Answers that stand for as long as nobody writes: never an old one, and no statement for what is known."""

import subprocess
import sys
import threading

import pytest
from sqlalchemy import Engine, event

from core.errors import StoreError
from core.store import Command, Store

READS = {
    "projects": lambda store, project: store.projects(),
    "project": lambda store, project: store.project(project.id),
    "recent_project": lambda store, project: store.recent_project(),
    "corpora": lambda store, project: store.corpora(project),
    "document": lambda store, project: store.document(project, "view", "corpus"),
    "documents": lambda store, project: store.documents(project),
    "standing": lambda store, project: store.standing(project),
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


def change(store, project):
    """Something that every answer of ``READS`` says otherwise afterwards."""
    with_more = store.create_project("another")
    store.add_corpus(project, "mine", b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    store.remember(project, "view", "corpus", 7)
    store.create_run(project, "ge", {})
    store.rename_project(project, "renamed")
    store.remember(with_more, "view", "corpus", 7)


@pytest.mark.parametrize("name", READS)
def test_what_another_connection_writes_is_read_at_once(store, project, url, name):
    ask = READS[name]
    ask(store, project)
    before = ask(store, project)
    other = Store.open(url)
    change(other, project)
    assert ask(store, project) != before
    assert ask(store, project) == ask(other, project)
    other.close()


@pytest.mark.parametrize("name", READS)
def test_what_is_written_here_is_read_at_once(store, project, name):
    before = READS[name](store, project)
    change(store, project)
    assert READS[name](store, project) != before


def test_a_role_taken_away_is_gone_at_once(store, project, url):
    ana, other = store.on_behalf_of("ana@example.org"), Store.open(url)
    for role in ("annotator", "reader"):
        other.set_role(project, "ana@example.org", role)
        assert ana.role(project) == role
    other.set_role(project, "ana@example.org", None)
    with pytest.raises(StoreError, match="There is no project"):
        ana.role(project)
    other.close()


def test_what_another_process_writes_is_read_at_once(store, project, url):
    assert store.document(project, "lexicon") is None
    code = f"from core.store import Store; Store.open({url!r}).remember({project.id}, 'lexicon', '', 'the DET')"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert store.document(project, "lexicon") == "the DET"


def asked_nothing(read, statements, attempts=200):
    """Whether something can be read without a statement; other tests may be writing on the same server meanwhile."""
    for _ in range(attempts):
        statements.clear()
        read()
        if not statements:
            return True
    return False


def test_what_is_known_costs_no_statement(url, statements):
    store = Store.open(url)
    project = store.default_project()
    first = {name: ask(store, project) for name, ask in READS.items()}
    for name, ask in READS.items():
        assert asked_nothing(lambda ask=ask: ask(store, project), statements), name
    store.close()
    statements.clear()
    assert {name: ask(store, project) for name, ask in READS.items()} == first  # the next call opens it again
    assert statements


def test_a_connection_that_is_lost_is_made_anew(postgresql, postgresql_url, statements):
    store = Store.open(postgresql_url)
    project = store.default_project()
    assert store.project(project.id) == project
    watch = store.database.answers._watch.dbapi_connection.info.backend_pid
    with postgresql.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_terminate_backend({watch})")
    statements.clear()
    assert store.project(project.id) == project, "read as ever where it cannot be told whether somebody wrote"
    assert statements
    store.remember(project, "view", "corpus", 7)
    assert store.document(project, "view", "corpus") == 7
    assert asked_nothing(lambda: store.document(project, "view", "corpus"), statements)
    store.close()


def test_where_undo_stands_is_read_in_one_transaction(store, project, statements):
    store.remember(project, "view", "corpus", 7)  # else it would be known
    statements.clear()
    store.standing(project)
    assert len([each for each in statements if each.startswith("SELECT")]) == 3


def test_standing_says_what_the_others_say(store, project):
    assert store.standing(project).undo is None
    for share in (0.9, 0.8):
        former = store.document(project, "constraints")
        store.execute(project, Command("constraints", "", former, f"A <- B = {share}"), label=f"writing {share}")
    store.undo(project)
    standing = store.standing(project)
    assert (standing.undo, standing.redo) == ("writing 0.9", "writing 0.8")
    assert standing.undo == store.next_undo(project).label
    assert standing.redo == store.next_redo(project).label
    assert standing.saved == store.last_saved(project)


def test_a_value_belongs_to_whoever_asked(store, project):
    store.remember(project, "view", "list", [{"a": 1}])
    store.document(project, "view", "list")[0]["a"] = 2
    store.projects().clear()
    assert store.document(project, "view", "list") == [{"a": 1}]
    assert store.projects() == [project]


def test_people_have_answers_of_their_own(store):
    ana, ben = (store.on_behalf_of(f"{name}@example.org") for name in ("ana", "ben"))
    hers = ana.default_project()
    assert [each.id for each in ana.projects()] == [hers.id]
    assert ben.projects() == []
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
