"""A store of an older workbench goes on working, and a copy of it is kept; one of a newer workbench is left alone."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, create_engine, text

from core.__main__ import main
from core.errors import StoreError
from core.store import Command, Store
from core.store.schema import SCHEMA_VERSION, checksum, metadata
from tests.patience import PATIENCE
from tests.store.replaying import replayed


def version_2(url):
    """A store as release 0.1 left it: two projects, the second changed twice."""
    old = MetaData()
    for name, table in metadata.tables.items():
        if name not in ("people", "sessions", "exercises", "answers"):
            table.to_metadata(old)
    for table, column in (("projects", "process"), ("projects", "heartbeat"), ("documents", "checksum")):
        old.tables[table]._columns.remove(old.tables[table].c[column])
    old.tables["documents"].indexes.clear()
    engine = create_engine(url)
    with engine.begin() as connection:
        old.create_all(connection)
        time = "'2026-11-01T10:00:00.000000+00:00'"
        for statement in (
            "INSERT INTO workbench_schema VALUES (2)",
            f"INSERT INTO projects (name, created) VALUES ('My project', {time}), ('Basque', {time})",
            "INSERT INTO entries (project_id, number, time, author, label, undoable)"
            f" VALUES (2, 1, {time}, 'local', 'writing', true), (2, 2, {time}, 'local', 'writing more', true)",
            "INSERT INTO commands (entry_id, kind, key, before, after)"
            " VALUES (1, 'lexicon', '', NULL, '\"the\"'), (2, 'lexicon', '', '\"the\"', '\"the DET\"')",
            "INSERT INTO documents VALUES (2, 'lexicon', '', '\"the DET\"', 2)",
        ):
            connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(scope="session")
def made_by_version_2(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "work.sqlite"
    version_2(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(path, made_by_version_2):
    shutil.copy(made_by_version_2, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgresql_url(postgresql_url):
    version_2(postgresql_url)
    return postgresql_url


def upgraded(url):
    return Store.open(url, upgrade=True, busy_seconds=PATIENCE)


def dump(path):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return list(connection.iterdump())


def test_an_older_store_goes_on_working(url):
    store = upgraded(url)
    assert [project.name for project in store.projects()] == ["My project", "Basque"]
    assert store.document(2, "lexicon") == "the DET" and replayed(store, 2) == store.documents(2)
    store.undo(2)
    assert store.document(2, "lexicon") == "the"
    assert store.create_project("new").id == 3  # ids are never used twice
    store.delete_project(2)
    store.close()
    assert [project.name for project in Store.open(url).projects()] == ["My project", "new"]


def test_the_steps_lead_to_the_tables_of_today(url):
    store = upgraded(url)
    with store.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert context.get_current_revision() == str(SCHEMA_VERSION)
        assert compare_metadata(context, metadata) == []
        if store.database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    with pytest.raises(StoreError):  # the foreign keys are watched again
        store.execute(99, Command("lexicon", "", None, "x"))


def test_documents_have_their_checksums(url):
    store = upgraded(url)
    store.undo(2)
    with store.database.read() as connection:
        row = connection.exec_driver_sql("SELECT value, checksum FROM documents").one()
    assert row == ('"the"', checksum('"the"'))


def test_servers_that_open_it_at_once_upgrade_it_once(url):
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: upgraded(url), range(4)))
    assert {store.document(2, "lexicon") for store in stores} == {"the DET"}
    for store in stores:
        store.close()


def test_a_step_that_fails_leaves_the_old_store(url, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr("alembic.op.create_index", lambda *arguments: 1 / 0)
        upgraded(url)
    assert upgraded(url).document(2, "lexicon") == "the DET"


def test_a_copy_of_the_file_is_kept_as_it_was(sqlite_url, path, tmp_path):
    before = dump(path)
    store = Store.open(sqlite_url)
    store.execute(2, Command("lexicon", "", "the DET", "later"))
    store.close()
    assert dump(tmp_path / "work.version-2.sqlite") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work.sqlite", "work.version-2.sqlite"]
    Store.open(sqlite_url).close()
    assert len(list(tmp_path.glob("*version*"))) == 1  # a store that is up to date is not copied


def test_without_a_copy_the_store_stays_as_it_is(sqlite_url, path, tmp_path):
    before, blocked = dump(path), tmp_path / "work.version-2.sqlite.part"
    blocked.mkdir()
    with pytest.raises(StoreError, match=r"no copy of it could be kept as work\.version-2\.sqlite .*; make room"):
        Store.open(sqlite_url)
    assert dump(path) == before
    blocked.rmdir()
    assert Store.open(sqlite_url).document(2, "lexicon") == "the DET"


def test_a_servers_database_waits_for_the_command(postgresql_url, capsys):
    with pytest.raises(StoreError, match=r"has schema version 2 .* with pg_dump, .*, then run python -m core upgrade"):
        Store.open(postgresql_url)
    for said in ("went from schema version 2 to", f"has schema version {SCHEMA_VERSION} already"):
        assert main(["upgrade", "--store", postgresql_url]) == 0
        assert said in capsys.readouterr().out
    assert Store.open(postgresql_url).document(2, "lexicon") == "the DET"


def test_the_command_names_the_copy(sqlite_url, tmp_path, capsys):
    assert main(["upgrade", "--store", sqlite_url]) == 0
    assert f"as it was it is kept in {tmp_path / 'work.version-2.sqlite'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "remedy"), [(99, "update the workbench"), (1, "with version 0.1.0 of the workbench first")]
)
def test_another_version(url, version, remedy, capsys):
    store = upgraded(url)
    with store.database.write() as connection:
        connection.exec_driver_sql(f"UPDATE workbench_schema SET version = {version}")
    store.close()
    with pytest.raises(StoreError, match=f"has schema version {version} and this workbench .*{remedy}"):
        Store.open(url)
    assert main(["project", "list", "--store", url]) == 2
    error = capsys.readouterr().err
    assert remedy in error and error.count("\n") == 1
