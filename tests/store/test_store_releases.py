"""A store of each release opens on both databases, says what that release said of it, and goes on."""

import json
import shutil

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from core.store import Command, Store
from core.store.schema import SCHEMA_VERSION, metadata
from core.workspace import Workspace
from core.workspace.registry import Systems
from core.workspace.stored import stored_kinds
from tests.patience import PATIENCE
from tests.store.everything import ELSEWHERE, numbered_from, require_same_but_ids, restored_elsewhere
from tests.store.releases import STORES, people, read_backup, read_record, release, seen, trees, write_store
from tests.store.replaying import replayed

RELEASES = sorted(path.name.removesuffix(".json.xz") for path in STORES.glob("*.json.xz"))
BACKUPS = sorted(path.stem for path in STORES.glob("*.zip"))


@pytest.fixture(params=RELEASES, scope="module")
def recorded(request):
    return read_record(request.param)


@pytest.fixture(scope="module")
def left(recorded, tmp_path_factory):
    """The file that the release left."""
    path = tmp_path_factory.mktemp("left") / "work.sqlite"
    write_store(recorded, f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(left, path):
    shutil.copy(left, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgresql_url(recorded, postgresql_url):
    write_store(recorded, postgresql_url)
    return postgresql_url


def test_this_release_has_its_store():
    assert release() in RELEASES and release() in BACKUPS, "write it with python -m tests.store.releases"
    assert read_record(release())["schema"] == SCHEMA_VERSION


def test_what_a_release_left_is_there_and_goes_on(recorded, url):
    store = Store.open(url, upgrade=True)
    assert seen(store) == recorded["seen"] and people(store) == recorded.get("people", [])
    with store.database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": False}), metadata) == []
    for project in store.projects():
        assert replayed(store, project) == store.documents(project)
    basque = next(project for project in store.projects() if project.name == "Basque")
    assert store.document(basque, "n") == 2
    store.undo(basque)
    assert store.document(basque, "n") == 1
    store.execute(basque, Command("n", "", 1, 7))
    assert store.create_project("new").id > max(project["id"] for project in recorded["seen"].values())
    with store.database.read() as connection:
        largest = connection.exec_driver_sql("SELECT max(id) FROM entries").scalar()
    assert store.history(basque, 1)[0].id <= largest and store.document(basque, "n") == 7
    store.close()


def test_the_trees_of_its_runs_are_the_same_and_a_stopped_run_goes_on(recorded, sqlite_url):
    workspace = Workspace.open(sqlite_url)
    systems = Systems(workspace.without_corrected_trees())  # which did not count for a release
    assert trees(systems) == recorded["trees"]
    run = workspace.store.run(recorded["resumed"]["run"])
    systems.of(run).resume(run)
    ended = workspace.jobs.wait(run.id, PATIENCE)
    assert ended.status == "done", ended.error
    assert trees(systems) == recorded["resumed"]["trees"]
    workspace.store.close()


@pytest.mark.parametrize("name", BACKUPS)
def test_a_backup_is_restored_whole_and_its_ids_are_those_of_the_store(name, path):
    recorded = read_record(name)
    workspace = Workspace.open(f"sqlite:///{path}", stored_kinds)
    project = restored_elsewhere(read_backup(name), workspace.store)
    require_same_but_ids(seen(workspace.store)[project.name], recorded["seen"][project.name])
    assert replayed(workspace.store, project) == workspace.store.documents(project)
    systems = Systems(workspace.without_corrected_trees())
    assert trees(systems) == json.loads(numbered_from(json.dumps(recorded["trees"]), ELSEWHERE))
    workspace.store.close()
