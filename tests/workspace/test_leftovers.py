"""Folders that runs left go with them, with their project, and at the next start; those still needed stay."""

import os

import pytest

from core.store import workbench_home
from core.workspace.leftovers import UNTOUCHED, purge_project, sweep
from core.workspace.runs.deletion import delete_runs

TOKEN, OTHER = "ab" * 16, "cd" * 16


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    return workbench_home()


@pytest.fixture
def store(workspace):
    return workspace.store


def folder(home, *names):
    """A folder with a file in it."""
    made = home.joinpath(*map(str, names))
    made.mkdir(parents=True)
    (made / "file").write_bytes(b"x")
    return made


def reading(store, project, token, status="cancelled"):
    run = store.create_run(project, "markup", {"folder": token, "files": ["0/a.html"]})
    store.start_run(run)
    store.finish_run(run, status)
    return run


def test_a_deleted_run_takes_its_folders_along(store, home):
    project = store.default_project()
    run, other = reading(store, project, TOKEN), reading(store, project, OTHER)
    gone = [folder(home, "shards", run), folder(home, "uploads", TOKEN)]
    kept = [folder(home, "shards", other), folder(home, "uploads", OTHER)]
    assert delete_runs(store, project, [run]).runs == (run,)
    assert not any(map(os.path.exists, gone)) and all(map(os.path.exists, kept))


def test_a_purged_project_takes_the_folders_of_its_runs_along(store, home):
    project = store.on_behalf_of("ana@x.org").create_project("Basque")
    run = reading(store, project, TOKEN)
    gone = [folder(home, "shards", run), folder(home, "uploads", TOKEN)]
    hers = store.on_behalf_of("ana@x.org")
    hers.delete_project(project)
    purge_project(hers, project)
    assert not any(map(os.path.exists, gone)) and hers.trash() == []


def test_at_the_start_goes_what_no_run_needs_but_nothing_young(store, home):
    project, trashed = store.default_project(), store.create_project("Basque")
    under_way = store.create_run(project, "grammar", {})
    waiting, read = reading(store, trashed, TOKEN), reading(store, project, OTHER, "done")
    store.delete_project(trashed)
    gone = [folder(home, "shards", read), folder(home, "shards", 99), folder(home, "uploads", OTHER)]
    kept = [folder(home, "shards", under_way), folder(home, "uploads", TOKEN)]
    part = folder(home, "treebanks", "UD_Toy-Small") / "toy.conllu.abc.part"
    part.write_bytes(b"x")
    assert sweep(store) == [] and all(map(os.path.exists, [*gone, part]))  # somebody may be about to record its run
    old = os.stat(home).st_mtime - 2 * UNTOUCHED
    for path in (*gone, *kept, part):
        os.utime(path, (old, old))
    fetch = store.create_run(project, "fetch", {})
    assert sorted(sweep(store)) == sorted(gone) and part.exists()
    assert all(map(os.path.exists, kept)) and store.run(waiting).status == "cancelled"
    store.start_run(fetch)
    store.finish_run(fetch, "cancelled")
    assert sweep(store) == [part]


def test_a_name_that_leads_elsewhere_is_no_folder_of_a_run(store, home, tmp_path):
    precious = folder(home, "uploads", "..", "precious")
    project = store.default_project()
    delete_runs(store, project, [reading(store, project, "../precious"), reading(store, project, "../../x")])
    assert precious.exists()
