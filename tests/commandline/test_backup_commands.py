"""Projects on the command line: list, back up, restore, share; bad input is one line."""

import json

import pytest

from core.__main__ import main
from core.store import Command, Store


@pytest.fixture
def store(tmp_path):
    store = Store.open(f"sqlite:///{tmp_path / 'work.sqlite'}")
    store.execute(store.default_project(), Command("lexicon", "", None, "the DET"))
    return store


@pytest.fixture
def run(store, tmp_path, capsys):
    def call(*arguments, code=0):
        url = f"sqlite:///{tmp_path / 'work.sqlite'}"
        assert main([*map(str, arguments), "--store", url]) == code
        output = capsys.readouterr()
        if code:
            assert output.out == "" and output.err.count("\n") == 1
            return output.err
        return json.loads(output.out) if "--json" in arguments else output.out

    return call


def test_back_up_and_restore(run, store, tmp_path):
    path = tmp_path / "mine.zip"
    assert "My project: 1 text, 2 changes and 0 runs in" in run("backup", "--out", path)
    assert run("restore", path, "--json")["project"] == "My project (2)"
    assert run("restore", path, "--name", "Again", "--json")["project"] == "Again"
    assert store.document(3, "lexicon") == "the DET"
    assert [row["Project"] for row in run("project", "list", "--json")["projects"]] == [
        "My project", "My project (2)", "Again",
    ]  # fmt: skip
    assert [each.name for each in tmp_path.glob("*.part")] == []


def test_sharing(run, store):
    assert "ona@x.org  owner" in run("project", "share", "My project", "ona@x.org", "--role", "owner")
    assert store.on_behalf_of("ona@x.org").projects() == store.projects()
    assert "is the only owner" in run("project", "share", "My project", "ona@x.org", "--role", "none", code=2)


def test_bad_input(run, store, tmp_path):
    path = tmp_path / "mine.zip"
    path.write_bytes(b"PK\3\4 not much")
    assert "This is no backup, or only a piece of one" in run("restore", path, code=2)
    assert "there is no file" in run("restore", tmp_path / "nowhere.zip", code=2)
    assert "has no project 'Basque'" in run("backup", "--project", "Basque", "--out", path, code=2)
    assert "cannot write" in run("backup", "--out", tmp_path / "nowhere" / "mine.zip", code=2)
    store.create_project("Basque")
    assert "say which: 'My project', 'Basque'" in run("backup", "--out", path, code=2)
    assert path.read_bytes() == b"PK\3\4 not much"
    run("backup", "--project", "Basque", "--out", path)
    assert "would unpack to" not in run("restore", path, "--limit", "1")
    assert len(store.projects()) == 3
