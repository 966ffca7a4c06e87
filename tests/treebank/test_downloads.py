"""Treebanks by name, fetched from a server of our own that goes on, breaks off and lies when it is told to."""

import contextlib
import errno
import json
import os
import re
import shutil
from dataclasses import replace

import pytest

from core.__main__ import main
from core.errors import Cancelled, WorkbenchError
from core.files.whole_files import written_whole
from core.treebank import downloads, read_conllu
from core.treebank.downloads import RemoteFile, download, remove_parts, treebank_files, treebank_names
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


def test_a_broken_connection_is_gone_on_from(mirror, tmp_path):
    train = treebank_files("Toy-Small")[0]
    mirror.breaks = train.size // 3 + 1
    path = download(train, tmp_path)
    assert [wanted for _, wanted in mirror.asked[1:]] == [None, *(f"bytes={n * mirror.breaks}-" for n in (1, 2))]
    assert path.read_bytes() == mirror.files[train.name]
    assert [each.name for each in path.parent.iterdir()] == [train.name]


@pytest.mark.parametrize(("ranges", "last"), [(True, 5 * 20_000), (False, 20_000)])
def test_of_one_that_breaks_again_and_again_nothing_is_left(mirror, tmp_path, ranges, last):
    train = treebank_files("Toy-Small")[0]
    mirror.breaks, mirror.ranges = 20_000, ranges
    with pytest.raises(WorkbenchError, match=rf"broke 5 times, at last at {last:,} of [\d,]+ bytes of xx_toy-ud-train"):
        download(train, tmp_path)
    assert files(tmp_path) == []
    mirror.breaks = None
    assert download(train, tmp_path).read_bytes() == mirror.files[train.name]


def files(folder):
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_of_one_that_was_cancelled_nothing_is_left(mirror, tmp_path):
    train, here = treebank_files("Toy-Small")[0], []
    with pytest.raises(Cancelled, match="nothing of it is kept"):
        download(train, tmp_path, progress=lambda _: here.extend(files(tmp_path)), cancelled=lambda: True)
    assert len(here) == 1 and files(tmp_path) == []


def test_another_content_than_promised_is_not_kept(mirror, tmp_path):
    mirror.lies = True
    with pytest.raises(WorkbenchError, match="damaged: its checksum is not"):
        download(treebank_files("Toy-Small")[0], tmp_path)
    assert files(tmp_path) == []


@pytest.mark.parametrize("announced", ["1", "331000000"])
def test_another_size_than_listed_is_refused_before_a_byte_is_written(mirror, tmp_path, announced):
    mirror.announces = {"Content-Length": announced}
    seen = []
    with pytest.raises(
        WorkbenchError, match=rf"announces {int(announced):,} bytes of xx_toy\S+, and its listing [\d,]+;"
    ):
        download(treebank_files("Toy-Small")[0], tmp_path, progress=seen.append)
    assert seen == [] and files(tmp_path) == []


def test_a_body_without_an_end_is_read_to_the_size_that_was_listed(mirror, tmp_path):
    mirror.announces, mirror.endless = {"Content-Length": None}, True
    train = treebank_files("Toy-Small")[0]
    path = download(train, tmp_path)
    assert path.stat().st_size == train.size
    mirror.files[train.name] = mirror.files[train.name][:-1]  # so that it goes on where it should end
    path.unlink()
    with pytest.raises(WorkbenchError, match="damaged"):
        download(train, tmp_path)
    assert files(tmp_path) == []


def test_packed_data_is_not_unpacked(mirror, tmp_path):
    mirror.announces = {"Content-Encoding": "gzip"}
    with pytest.raises(WorkbenchError, match=r"sends xx_toy\S+ packed \(gzip\) though asked not to"):
        download(treebank_files("Toy-Small")[0], tmp_path)
    assert files(tmp_path) == []


def test_what_there_is_no_room_for_is_not_asked_for(mirror, tmp_path, monkeypatch):
    train = treebank_files("Toy-Small")[0]
    asked = len(mirror.asked)
    with pytest.raises(WorkbenchError, match=r"files of up to 512 MB are fetched"):
        download(replace(train, size=513 << 20), tmp_path)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(WorkbenchError, match=r"has [\d,]+ bytes, and \S+ has room for 1,000 bytes; make room there"):
        download(train, tmp_path)
    assert len(mirror.asked) == asked and files(tmp_path) == []


def test_a_disk_that_is_full_half_way_leaves_nothing(mirror, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "written_whole", full_after(50_000))
    with pytest.raises(WorkbenchError, match=r"cannot be kept in \S+ \(No space left on device\); make room there"):
        download(treebank_files("Toy-Small")[0], tmp_path)
    assert files(tmp_path) == []


def full_after(most):
    @contextlib.contextmanager
    def writing(path):
        with written_whole(path) as file:
            write = file.write

            class Full:
                seek, truncate = file.seek, file.truncate

                def write(self, data):
                    if file.tell() + len(data) > most:
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    return write(data)

            yield Full()

    return writing


def test_what_a_killed_process_left_is_removed_and_what_is_fetched_now_stays(mirror, tmp_path):
    folder = tmp_path / "UD_Toy-Small"
    folder.mkdir()
    (folder / ".writing-0000-xx_toy-ud-train.conllu").write_text("a part")
    (folder / f"xx_toy-ud-train.conllu.{'0' * 40}.part").write_text("a part of a former version")
    seen = []

    def progress(_):
        remove_parts(tmp_path)
        seen.append(len(files(tmp_path)))

    path = download(treebank_files("Toy-Small")[0], tmp_path, progress)
    assert set(seen) == {1} and files(tmp_path) == [path.name]
    remove_parts(tmp_path / "nowhere")


def test_a_list_without_an_end_is_none(mirror, monkeypatch):
    monkeypatch.setattr(downloads, "MOST_LISTING", 100)
    monkeypatch.setattr(downloads, "CHUNK", 50)
    with pytest.raises(WorkbenchError, match="gives no listing of files"):
        treebank_files("Toy-Small")
    monkeypatch.setattr(downloads, "LISTING_SECONDS", 0)
    with pytest.raises(WorkbenchError, match=r"the list of files broke off \(too slow\)"):
        treebank_files("Toy-Small")


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
        monkeypatch.setenv("WORKBENCH_TREEBANKS", base)
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
def test_no_file_is_at_a_private_place(tmp_path, url, message):
    file = RemoteFile("Toy-Small", "xx_toy-ud-train.conllu", 100, "0" * 40, url)
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
