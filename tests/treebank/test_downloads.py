"""Treebanks by name, fetched from a server of our own that goes on, breaks off and lies when it is told to."""

import json
import re
from dataclasses import replace

import pytest

from core.__main__ import main
from core.errors import Cancelled, WorkbenchError
from core.treebank import read_conllu
from core.treebank.downloads import RemoteFile, download, treebank_files, treebank_names
from tests.mirror import FILES, serving


@pytest.fixture
def mirror(monkeypatch):
    with serving() as server:
        monkeypatch.setenv("WORKBENCH_TREEBANKS", server.base)
        yield server


def test_listing_names_the_parts_training_first(mirror):
    files = treebank_files("UD_Toy-Small")
    assert [file.part for file in files] == ["train", "test"]
    assert files[1].size == len(FILES["xx_toy-ud-test.conllu"])


def test_download_reads_and_is_not_repeated(mirror, tmp_path):
    train = treebank_files("Toy-Small")[0]
    seen = []
    path = download(train, tmp_path, progress=seen.append)
    assert len(read_conllu(path)) == 9000
    assert seen == sorted(seen) and seen[-1] == train.size
    asked = len(mirror.asked)
    assert download(train, tmp_path) == path
    assert len(mirror.asked) == asked


@pytest.mark.parametrize("ranges", [True, False])
def test_broken_connection_is_gone_on_from(mirror, tmp_path, ranges):
    train = treebank_files("Toy-Small")[0]
    mirror.breaks, mirror.ranges = 70_000, ranges
    with pytest.raises(WorkbenchError, match=r"broke at 70,000 of [\d,]+ bytes of xx_toy-ud-train.conllu"):
        download(train, tmp_path)
    assert not list(tmp_path.rglob("*.conllu"))
    mirror.breaks = None
    path = download(train, tmp_path)
    assert mirror.asked[-1][1] == "bytes=70000-"
    assert path.read_bytes() == mirror.files[train.name]
    assert [each.name for each in path.parent.iterdir()] == [train.name]


def test_cancel_keeps_what_came(mirror, tmp_path):
    train = treebank_files("Toy-Small")[0]
    with pytest.raises(Cancelled, match="are kept"):
        download(train, tmp_path, cancelled=lambda: True)
    part = next(tmp_path.rglob("*.part"))
    have = part.stat().st_size
    assert 0 < have < train.size
    download(train, tmp_path)
    assert mirror.asked[-1][1] == f"bytes={have}-"


def test_another_content_than_promised_is_not_kept(mirror, tmp_path):
    mirror.lies = True
    with pytest.raises(WorkbenchError, match="damaged: its checksum is not"):
        download(treebank_files("Toy-Small")[0], tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../etc", "is no name of a treebank"),
        ("Toy-Missing", "there is no treebank UD_Toy-Missing in release master"),
        ("Toy-Empty", "UD_Toy-Empty holds no CoNLL-U file"),
        ("Toy-Odd", "gives no listing of files"),
    ],
)
def test_refusals(mirror, name, said):
    with pytest.raises(WorkbenchError, match=said):
        treebank_files(name)


def test_no_connection(monkeypatch):
    for base, message in (
        ("http://127.0.0.1:9", "does not answer"),
        ("file:///etc", "over http and https only, not f"),
    ):
        monkeypatch.setenv("WORKBENCH_TREEBANKS", base)
        with pytest.raises(WorkbenchError, match=message):
            treebank_files("Toy-Small")


def test_names_are_names():
    names = treebank_names()
    assert "English-EWT" in names and len(set(names)) == len(names) > 100
    assert list(names) == sorted(names)


def test_command(mirror, tmp_path, capsys):
    assert main(["corpus", "fetch", "Toy-Small", "--part", "test", "--out", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(read_conllu(found["files"][0]["file"])) == 900
    assert main(["corpus", "fetch", "Toy-Small", "--part", "dev"]) == 2
    assert "UD_Toy-Small has no part dev; choose train, test" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [{"name": "/tmp/x.conllu"}, {"treebank": "../../x"}, {"blob": "/../../x"}])
def test_a_file_stays_in_its_folder(tmp_path, wrong):
    file = RemoteFile("Toy-Small", "toy_small-ud-test.conllu", 1, "0" * 40, "http://localhost:1/")
    with pytest.raises(WorkbenchError, match="is no file of a treebank"):
        download(replace(file, **wrong), tmp_path)


@pytest.mark.parametrize("base", ["", "http://127.0.0.1:9", "https://ud.example"])
def test_a_file_of_another_host_is_no_way_to_a_private_address(monkeypatch, tmp_path, base):
    with serving() as server:
        monkeypatch.setenv("WORKBENCH_TREEBANKS", server.base)
        file = treebank_files("Toy-Small")[0]
        monkeypatch.setenv("WORKBENCH_TREEBANKS", base)  # as where a backup brings a run from elsewhere
        asked = len(server.asked)
        with pytest.raises(WorkbenchError, match=r"at the private address 127\.0\.0\.1, which is never fetched from"):
            download(file, tmp_path)
        assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://169.254.169.254/latest/meta-data", "private address 169.254.169.254"),
        ("http://[::1]/x", "private address ::1"),
        ("http://user:secret@127.0.0.1/", "a host and no user name"),
        ("gopher://127.0.0.1/", "over http and https only"),
        ("file:///etc/passwd", "over http and https only"),
        ("http://127.0.0.1:99999/", "this is no URL"),
        ("http://[", "this is no URL"),
    ],
)
def test_a_run_from_a_backup_reaches_no_private_place(tmp_path, url, message):
    file = RemoteFile("Toy-Small", "xx_toy-ud-train.conllu", 100, "0" * 40, url)  # as its record may have it
    with pytest.raises(WorkbenchError, match=re.escape(message)):
        download(file, tmp_path)


def test_redirects_go_through_the_same_door(monkeypatch, tmp_path):
    with serving() as inside, serving() as mirror:
        monkeypatch.setenv("WORKBENCH_TREEBANKS", mirror.base)
        file = treebank_files("Toy-Small")[0]
        mirror.sends_to = inside.base
        with pytest.raises(WorkbenchError, match=r"private address 127\.0\.0\.1"):
            download(file, tmp_path)
        assert not inside.asked
