"""A store of an older workbench goes on working; one of a newer workbench is left alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, text

from core.errors import StoreError
from core.store import Command, Store
from core.store.schema import SCHEMA_VERSION, metadata


def version_1(url):
    """A store as the first workbench left it: two projects, the second changed twice."""
    old = MetaData()
    Table(
        "projects",
        old,
        Column("id", Integer, primary_key=True, autoincrement=True),
        Column("name", String, nullable=False, unique=True),
        Column("created", String, nullable=False),
        sqlite_autoincrement=True,
    )
    for name, table in metadata.tables.items():
        if name not in ("projects", "members"):
            table.to_metadata(old)
    engine = create_engine(url)
    with engine.begin() as connection:
        old.create_all(connection)
        time = "'2026-11-01T10:00:00.000000+00:00'"
        for statement in (
            "INSERT INTO workbench_schema VALUES (1)",
            f"INSERT INTO projects (name, created) VALUES ('My project', {time}), ('Basque', {time})",
            "INSERT INTO entries (project_id, number, time, author, label, undoable)"
            f" VALUES (2, 1, {time}, 'local', 'writing', true), (2, 2, {time}, 'local', 'writing more', true)",
            "INSERT INTO commands (entry_id, kind, key, before, after)"
            " VALUES (1, 'lexicon', '', NULL, '\"the\"'), (2, 'lexicon', '', '\"the\"', '\"the DET\"')",
            "INSERT INTO documents VALUES (2, 'lexicon', '', '\"the DET\"', 2)",
        ):
            connection.execute(text(statement))
    engine.dispose()


def test_an_older_store_goes_on_working(url):
    version_1(url)
    store = Store.open(url)
    assert [project.name for project in store.projects()] == ["My project", "Basque"]
    assert store.document(2, "lexicon") == "the DET" and store.replay(2) == store.documents(2)
    store.undo(2)
    assert store.document(2, "lexicon") == "the"
    assert store.create_project("new").id == 3  # ids are never used twice
    store.delete_project(2)
    store.close()
    assert [project.name for project in Store.open(url).projects()] == ["My project", "new"]


def test_the_steps_lead_to_the_tables_of_today(url):
    version_1(url)
    store = Store.open(url)
    with store.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert context.get_current_revision() == str(SCHEMA_VERSION)
        assert compare_metadata(context, metadata) == []
        if store.database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    with pytest.raises(StoreError):  # the foreign keys are watched again
        store.execute(99, Command("lexicon", "", None, "x"))


def test_servers_that_open_it_at_once_upgrade_it_once(url):
    version_1(url)
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: Store.open(url), range(4)))
    assert {store.document(2, "lexicon") for store in stores} == {"the DET"}
    for store in stores:
        store.close()


def test_a_step_that_fails_leaves_the_old_store(url, monkeypatch):
    version_1(url)
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", lambda *arguments: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            Store.open(url)
    store = Store.open(url)
    assert store.document(2, "lexicon") == "the DET"


@pytest.mark.parametrize(("version", "remedy"), [(99, "update the workbench"), (0, "with the older workbench")])
def test_another_version(url, version, remedy):
    store = Store.open(url)
    with store.database.write() as connection:
        connection.exec_driver_sql(f"UPDATE workbench_schema SET version = {version}")
    store.close()
    with pytest.raises(StoreError, match=f"has schema version {version} and this workbench .*{remedy}"):
        Store.open(url)
