"""``run list``, ``run delete`` and ``store compact`` on a store."""

import pytest

from core.store import Store
from core.workspace.runs.deletion import runs_before


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    store = Store.open()
    yield store
    store.close()


@pytest.fixture
def runs(store):
    """Ids of five: two trainings, another that begins from the second, one that failed, one of another kind."""

    def made(kind="grammar", status="done", **settings):
        run = store.create_run(project, kind, {"corpus": 1} | settings)
        store.start_run(run)
        store.finish_run(run, status, result=bytes(30_000))
        return run

    project = store.default_project()
    first, second = made(), made()
    return [first, second, made(start=second), made(status="failed"), made("saved-parser", name="mine.npz")]


def test_runs_are_listed_with_what_they_take(run, runs):
    listed = run("run", "list", "--json")["runs"]
    assert [each["run"] for each in listed] == runs[::-1] and listed[0]["MB"] == pytest.approx(0.03, abs=0.001)
    assert "grammar from constraints" in run("run", "list")


def test_all_but_the_newest_of_each_go_and_what_stays_is_said(run, runs, store):
    first, second, third, failed, saved = runs
    said = f"Run {second} cannot be deleted: run {third} begins from it"
    found = run("run", "delete", "--but-newest", "--dry-run", "--json")
    assert found["runs"] == [first] and found["kept"][str(second)].startswith(said)
    text = run("run", "delete", "--but-newest")
    assert "deleted 1 run, 0.0 MB" in text and said in text
    assert [each.id for each in store.runs(1)] == [saved, failed, third, second]


def test_runs_go_by_number_with_those_that_begin_from_them(run, runs, store):
    first, second, third, failed, saved = runs
    assert f"run {third} begins from it" in run("run", "delete", second, code=2)
    assert len(store.runs(1)) == 5
    assert run("run", "delete", second, failed, "--later", "--json")["runs"] == [second, third, failed]
    assert "There is no run 99 in this project" in run("run", "delete", first, 99, code=2)
    assert [each.id for each in store.runs(1)] == [saved, first]


def test_old_runs_go_but_no_added_parser(run, runs, store):
    assert run("run", "delete", "--older", 1, "--json")["runs"] == []
    ended = store.run(runs[3]).finished
    assert runs_before(store.runs(1), 0, ended) == runs[2::-1]
    assert run("run", "delete", "--older", 0, "--json")["runs"] == runs[:4]
    assert [each.id for each in store.runs(1)] == [runs[4]]


@pytest.mark.parametrize("arguments", [(), (3, "--but-newest"), (3, "--older", 7)])
def test_which_runs_is_to_be_said(run, runs, arguments):
    said = "say which runs to delete: their numbers, or --but-newest or --older DAYS"
    assert said in run("run", "delete", *arguments, code=2)


def test_freed_room_is_given_back_to_the_disk(run, runs, tmp_path):
    run("run", "delete", *runs)
    found = run("store", "compact", "--json")
    assert found["after"] <= found["before"] == pytest.approx((tmp_path / "workbench.sqlite").stat().st_size, rel=0.5)
    assert "MB now" in run("store", "compact")


def test_a_store_without_projects_says_so(run, store):
    assert "holds no project; the app makes one when it is first opened" in run("run", "list", code=2)
