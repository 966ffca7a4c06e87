"""Every way an SQLite file refuses is one sentence with its remedy, and the store goes on afterwards."""

import sqlite3
import traceback
from contextlib import closing

import pytest
from sqlalchemy import exc

from core.errors import StoreError
from core.store import Command, Store, workbench_home
from core.store.failures import explained
from core.store.schema import stored
from tests.benchmarks import store_damage

WRITE = Command("lexicon", "", None, "the DET")
NO_URL = "given as the store is not a database URL"


@pytest.fixture
def url(sqlite_url):
    return sqlite_url


def test_the_environment_says_where(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "new" / "home"))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    store = Store.open()
    assert store.location == str(tmp_path / "new" / "home" / "workbench.sqlite")
    store.default_project()
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///{tmp_path / 'else.sqlite'}")
    assert Store.open().location == str(tmp_path / "else.sqlite")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(StoreError, match=r"cannot be made .*; name one you may write to in WORKBENCH_HOME"):
        workbench_home()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite:///HERE/nowhere/work.sqlite", r"folder .*nowhere does not exist; make it"),
        ("sqlite:///HERE", "cannot be opened; check that its folder exists"),
        ("sqlite:///HERE/text", "is not a database; name another file"),
        ("sqlite:///HERE/other", r"another program's database .*'bookmarks'"),
        ("sqlite://", "in memory would be lost"),
        ("sqlite:///:memory:", "in memory would be lost"),
        ("ana:secret@server/work", NO_URL),
        ("postgresql://ana:secret@server:port/work", NO_URL),
        ("postgresql://ana:x@secret@server/w", NO_URL),
        ("postgresql+nothing://ana:secret@server/work", "check its URL or install its driver"),
    ],
)
def test_a_place_that_cannot_be_is_named_without_its_password(tmp_path, url, sentence):
    (tmp_path / "text").write_bytes(b"1\tThe\tthe\tDET\n" * 100)
    with closing(sqlite3.connect(tmp_path / "other")) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    with pytest.raises(StoreError, match=sentence) as caught:
        Store.open(url.replace("HERE", str(tmp_path)))
    assert "secret" not in (str(caught.value) if "+" in url else "".join(traceback.format_exception(caught.value)))
    assert (tmp_path / "text").read_bytes() == b"1\tThe\tthe\tDET\n" * 100


def test_a_damaged_file(store, project, path, url):
    store.add_corpus(project, "big", bytes(range(256)) * 40)
    store.close()
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with pytest.raises(StoreError, match="is damaged; restore a backup"):
        Store.open(url).corpora(1)


def test_locked(store, project, path, url):
    impatient = Store.open(url, busy_seconds=0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert impatient.document(project, "lexicon") is None  # reading goes on
        with pytest.raises(StoreError, match="is locked by another program; close what else"):
            impatient.execute(project, WRITE)
        other.execute("ROLLBACK")
    assert impatient.execute(project, WRITE) is not None


def test_read_only(store, project, path):
    store.execute(project, WRITE)
    reader = Store.open(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert reader.document(project, "lexicon") == "the DET"
    with pytest.raises(StoreError, match="is read-only; allow writing to the file and its folder"):
        reader.undo(project)


def test_a_full_disk(store, project):
    def allow(pages):
        with store.database.write() as connection:
            count = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {count + pages}")

    large = Command("lexicon", "", None, "x" * 100_000)
    allow(2)
    with pytest.raises(StoreError, match="has no room left on its disk; free some space"):
        store.execute(project, large)
    assert store.document(project, "lexicon") is None and len(store.history(project)) == 1
    allow(1_000_000)
    store.execute(project, large)
    assert store.document(project, "lexicon") == large.after


class ServerError(Exception):
    sqlstate = None


@pytest.mark.parametrize(
    ("kind", "state", "sentence"),
    [
        (exc.OperationalError, None, r"server/work does not answer \(connection refused\); check that the server runs"),
        (exc.InterfaceError, None, "does not answer"),
        (exc.DataError, "22001", "cannot hold such a value"),
        (exc.DataError, "22003", "has nothing of that number"),
        (exc.IntegrityError, "23505", "given the same name by somebody else"),
    ],
)
def test_what_a_server_says(kind, state, sentence):
    original = ServerError("connection refused\nmore lines")
    original.sqlstate = state
    with pytest.raises(StoreError, match=sentence), explained("server/work"):
        raise kind("SELECT 1", {}, original)


def test_too_many_at_once_are_a_sentence_and_a_mistake_of_ours_stays_a_traceback(store):
    with pytest.raises(StoreError, match="too many requests at once"), explained("work"):
        raise exc.TimeoutError()
    with pytest.raises(exc.OperationalError), store.database.read() as connection:
        connection.exec_driver_sql("SELECT nonsense FROM nowhere")


def test_a_record_with_fields_that_nobody_knows_is_refused_by_name():
    assert stored(Command, {"kind": "a", "key": "", "before": None, "after": 1}) == Command("a", "", None, 1)
    with pytest.raises(StoreError, match="the store holds a Command with other fields; update the workbench"):
        stored(Command, {"kind": "a", "odd": 1})


def test_damage_anywhere_is_a_sentence_or_does_not_matter(tmp_path):
    counts, raw = store_damage.measure(tmp_path, 3, 3)
    assert raw == [] and counts["whole"] > 0 < counts["said"]


def test_a_table_of_another_name_is_damage(store, path, url):
    store.close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"REFERENCES projects", b"REFERENCES pMojects"))
    with pytest.raises(StoreError, match="is damaged; restore a backup"):
        Store.open(url).create_project("new")
