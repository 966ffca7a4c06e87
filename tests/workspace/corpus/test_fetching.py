"""A treebank fetched as a job: what a run's record says of its file is not believed when it goes on."""

import pytest

from core.errors import WorkbenchError
from core.store.locations import treebank_folder
from core.treebank.downloads import treebank_files
from core.workspace import Workspace
from core.workspace.corpus.fetching import Fetch
from core.workspace.task import ProjectContent
from tests.mirror import serving
from tests.workspace.running import PATIENCE


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    with serving() as server:
        monkeypatch.setenv("WORKBENCH_TREEBANKS", server.base)
        yield server


@pytest.fixture
def stopped(workspace, mirror):
    """stopped(**settings) -> the Run of a restored project that was fetching a file, its record changed on the way."""

    def make(**settings):
        store, fetch = workspace.store, Fetch(workspace)
        project = store.default_project()
        file = treebank_files("Toy-Small")[1]
        recorded = fetch.recorded(ProjectContent(project), file) | settings
        run = store.create_run(project, "fetch", recorded, data_hash=file.blob)
        store.finish_run(run, "cancelled")
        return store.runs(store.copy_project(project, "restored"))[0]

    return make


def test_a_fetch_records_no_address(workspace, mirror):
    fetch, file = Fetch(workspace), treebank_files("Toy-Small")[1]
    run = fetch.start(ProjectContent(workspace.store.default_project(), file.blob), file)
    assert workspace.jobs.wait(run, PATIENCE).status == "done"
    assert "http" not in str(workspace.store.run(run).settings)
    assert workspace.store.corpus(workspace.store.run(run).figures["corpus"]).name == file.name


def test_a_restored_run_asks_the_catalogue_and_nobody_else(workspace, mirror, stopped):
    with serving() as elsewhere:
        run = stopped(url=f"{elsewhere.base}/raw/xx_toy-ud-test.conllu", size=331_000_000, blob="f" * 40)
        Fetch(workspace).resume(run)
        end = workspace.jobs.wait(run.id, PATIENCE)
        assert (end.status, end.figures["sentences"], elsewhere.asked) == ("done", 900, [])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"treebank": "../../etc"}, "is no name of a treebank"),
        ({"treebank": None}, "is no name of a treebank"),
        ({"treebank": ["Toy-Small"]}, "is no name of a treebank"),
        ({"treebank": "Toy-Missing"}, "there is no treebank UD_Toy-Missing"),
        ({"name": "/etc/passwd"}, "UD_Toy-Small has not this /etc/passwd any more"),
        ({"name": 7}, "UD_Toy-Small has not this 7 any more"),
        ({"name": "xx_toy-ud-train.conllu"}, "has not this xx_toy-ud-train.conllu any more; fetch the one it has now"),
    ],
)
def test_what_the_catalogue_does_not_have_is_not_fetched(workspace, mirror, stopped, settings, said):
    run = stopped(**settings)
    with pytest.raises(WorkbenchError, match=said):
        Fetch(workspace).resume(run)
    assert not any("/raw/" in path for path, _ in mirror.asked)


def test_a_start_removes_what_a_killed_process_was_fetching(mirror, tmp_path):
    folder = treebank_folder() / "UD_Toy-Small"
    folder.mkdir(parents=True)
    (folder / ".writing-00-xx_toy-ud-test.conllu").write_text("a part")
    Workspace.open(f"sqlite:///{tmp_path}/work.sqlite").store.close()
    assert list(folder.iterdir()) == []
