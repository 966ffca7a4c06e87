"""Folders of shards: the sentences of ``extract_sentences``, and the same files to the byte after any end."""

import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest

from core.errors import Cancelled, FormatError, WorkbenchError
from core.languages import guessing
from core.markup import extract_sentences
from core.markup.reader import Extracting
from core.shards import LocalEngine, Shards
from core.treebank import conllu_text
from tests.shards import crawl
from tests.shards.crawl import folder, sample_pages, small_pages, warc, zipped

ROOT = Path(__file__).parents[2]
SMALL = 10_000  # bytes of a part: several shards
PAGES = sample_pages()
extract = partial(crawl.extract, part_size=SMALL)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """{kind: path} of the sample's pages."""
    place = tmp_path_factory.mktemp("sources")
    return {
        "folder": folder(place / "pages", PAGES),
        "zip": zipped(place / "pages.zip", PAGES),
        "gzip": warc(place / "pages.warc.gz", PAGES),
        "plain": warc(place / "pages.warc", PAGES, packed=False),
    }


@pytest.fixture(scope="module")
def whole(sources, tmp_path_factory):
    """The folder's shards, undisturbed: what comes of anything else is the same."""
    return extract([sources["folder"]], tmp_path_factory.mktemp("whole"))


def files(place):
    return {path.name: path.read_bytes() for path in Path(place).iterdir()}


def said(treebank):
    """What the sentences are, without their places on the page."""
    return [(sentence.comment("newdoc id"), sentence.sent_id, sentence.comment("source"), sentence.comment("markup"),
             sentence.text, tuple(sentence.forms)) for sentence in treebank]  # fmt: skip


def all_said(shards):
    return [row for piece in shards for row in said(piece.treebank())]


@pytest.mark.parametrize("kind", ["folder", "zip", "gzip", "plain"])
def test_sentences_are_those_of_one_process(sources, tmp_path, kind):
    expected = extract_sentences(sources[kind])
    done = extract([sources[kind]], tmp_path)
    assert len(done.shards) > 3 and done.found == 0
    assert all_said(done.shards) == said(expected.treebank)
    assert done.shards.sentences == len(expected.treebank) and done.shards.words == expected.treebank.token_count
    assert sum(row["brackets"] for row in done.shards.rows) == expected.report.brackets
    assert done.report.pages == expected.report.pages == len(PAGES)
    assert done.report.skipped == expected.report.skipped


def test_what_shards_before_have_is_left_out_unless_it_is_asked_for(sources, whole, tmp_path):
    assert [row[4] for row in all_said(whole.shards)].count("This paragraph stands on each of the pages.") == 1
    assert conllu_text(whole.shards.pieces[0].treebank()).count("This paragraph stands on each") == 1
    done = extract([sources["folder"]], tmp_path, Extracting(repeats=True))
    expected = extract_sentences(sources["folder"], repeats=True)
    assert "".join(conllu_text(piece.treebank()) for piece in done.shards) == conllu_text(expected.treebank)
    repeated = [sum(row["repeated"] for row in each.shards.rows) for each in (whole, done)]
    assert repeated == [len(whole.shards) - 1, 0]


def test_marks_compared_in_many_rounds_are_the_same(sources, whole, tmp_path, monkeypatch):
    monkeypatch.setattr("core.shards.extraction.MARKS", 40)
    assert files(extract([sources["folder"]], tmp_path).shards.folder) == files(whole.shards.folder)


def test_begun_again_all_is_kept(sources, whole):
    before = files(whole.shards.folder)
    again = extract([sources["folder"]], whole.shards.folder)
    assert again.found == len(whole.shards) == len(again.shards)
    assert again.report == whole.report and files(whole.shards.folder) == before


def copied(whole, place):
    for name, data in files(whole.shards.folder).items():
        (place / name).write_bytes(data)
    return place


@pytest.mark.parametrize(
    ("damage", "kept"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:1000]), -1),
        (lambda path: path.write_bytes(bytes([*path.read_bytes()[:-2000], *bytes(2000)])), -1),
        (lambda path: path.unlink(), -1),
        (lambda path: path.with_name("shards.json").unlink(), 0),
        (lambda path: path.with_name("shards.json").write_text("{"), 0),
        (lambda path: path.with_name("repeats.arrow").write_bytes(b"x"), 0),
    ],
    ids=["cut", "changed", "deleted", "unfinished", "list", "repeats"],
)
def test_what_is_damaged_is_made_anew(sources, whole, tmp_path, damage, kept):
    place = copied(whole, tmp_path)
    damage(place / whole.shards.rows[2]["file"])
    again = extract([sources["folder"]], place)
    assert again.found == len(whole.shards) + kept
    assert files(place) == files(whole.shards.folder)


DAMAGED = "this list of shards is damaged; run the command that writes them again"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("repeats.arrow", "x", r"repeats.arrow: this is no shard, or a damaged one"),
        ("repeats.arrow", None, r"repeats.arrow: there is no such file; run the command"),
        *(("shards.json", text, DAMAGED) for text in ("{", "[]", "{}", '{"format": 1, "settings": 1, "shards": 2}')),
        ("shards.json", '{"format": 7}', "its shards have format 7, not 1; write them anew"),
        ("shards.json", None, "its shards are not all there yet; run the command that writes them again"),
        ("settings.json", None, r"this is no folder of shards: it has no settings.json"),
    ],
)
def test_a_folder_that_is_not_whole_is_said_to_be_none(whole, tmp_path, name, text, sentence):
    place = copied(whole, tmp_path)
    (place / name).unlink() if text is None else (place / name).write_text(text)
    with pytest.raises(FormatError, match=sentence):
        Shards(place).pieces[0].columns()


@pytest.mark.parametrize(
    ("settings", "options", "named"),
    [
        (Extracting(headings=True), {}, "headings"),
        (Extracting(language="de"), {"part_size": 9}, "language, part_size"),
    ],
)
def test_a_folder_begun_with_other_settings_is_one_sentence(sources, whole, settings, options, named):
    before = files(whole.shards.folder)
    with pytest.raises(WorkbenchError, match=rf"was begun with other settings \({named}\); choose another folder"):
        extract([sources["folder"]], whole.shards.folder, settings, **options)
    assert files(whole.shards.folder) == before


@pytest.mark.parametrize(
    ("source", "settings", "there", "sentence"),
    [
        ("folder", None, "settings.json", r"was begun with other settings \(they cannot be read\)"),
        ("folder", None, "letter.txt", "holds other files; choose an empty or a new folder"),
        ("none", None, None, "there is no page, zip file or archive to read; name one, or a folder"),
    ],
)
def test_what_cannot_be_extracted_leaves_all_as_it_was(sources, tmp_path, source, settings, there, sentence):
    place, sources = tmp_path / "out", sources | {"none": folder(tmp_path / "s", {"a.png": b"x"})}
    if there:
        folder(place, {there: b"{"})
    with pytest.raises(WorkbenchError, match=sentence):
        extract([sources[source]], place, settings)
    assert files(place) == {there: b"{"} if there else not place.exists()


def test_a_file_is_no_folder(sources, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(WorkbenchError, match=r"cannot write .*letter.txt.*; choose another place"):
        extract([sources["folder"]], tmp_path / "letter.txt")


def test_pages_without_prose_are_shards_without_sentences(tmp_path):
    pages = {"a.html": b"<p>12 34", "b.zip": b"no zip", "c.warc.gz": b""}
    done = crawl.extract([folder(tmp_path / "s", pages)], tmp_path / "out")
    assert (len(done.shards), done.shards.sentences, done.shards.words) == (3, 0, 0)
    assert [one.reason for one in done.report.skipped] == [
        "it holds no prose; see what was dropped",
        *["this archive cannot be read, or holds nothing; pack it again"] * 2,
    ]


def test_the_same_pages_given_twice_count_once(sources, whole, tmp_path):
    done = extract([sources["zip"], sources["zip"]], tmp_path / "zip")
    assert done.shards.sentences == whole.shards.sentences and done.report.pages == len(PAGES)
    count = len(done.shards)
    assert done.report.notes == [
        f"part {count + number} has the same pages as one before; it counts once" for number in range(1, count + 1)
    ]


def test_it_can_be_cancelled_and_gone_on_with(sources, whole, tmp_path):
    told = []
    with pytest.raises(Cancelled):
        extract(
            [sources["folder"]], tmp_path, progress=lambda *state: told.append(state), cancel=lambda: len(told) == 2
        )
    assert told == [(1, len(whole.shards)), (2, len(whole.shards))]
    assert extract([sources["folder"]], tmp_path).found == 2
    assert files(tmp_path) == files(whole.shards.folder)


KILLED = """
import os, sys
from core.shards import extract_shards

source, out, part_size = sys.argv[1:]
written, fsync = [], os.fsync

def stop(descriptor):
    written.append(descriptor)
    if len(written) == 3:
        print("here", flush=True)
        sys.stdin.read()
    fsync(descriptor)

os.fsync = stop
extract_shards([source], out, part_size=int(part_size))
"""


def test_a_process_killed_as_it_writes_is_gone_on_with(sources, whole, tmp_path):
    """At its third file: that of the settings is the first."""
    command = [sys.executable, "-c", KILLED, sources["folder"], tmp_path, str(SMALL)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, **pipes) as process:
        assert process.stdout.readline() == "here\n"
        process.kill()
    again = extract([sources["folder"]], tmp_path)
    assert again.found == 1
    found = {name: data for name, data in files(tmp_path).items() if not name.startswith(".writing-")}
    assert found == files(whole.shards.folder) and len(found) < len(files(tmp_path))


@pytest.mark.parametrize("moment", [1, 3, -1], ids=["settings", "shard", "list"])
def test_two_runs_at_once_into_one_folder_give_one_result(sources, whole, tmp_path, monkeypatch, moment):
    """The second from its beginning to its end as the first is about to name a file."""
    names, replace, found = [], os.replace, []
    moment %= len(files(whole.shards.folder)) + 1

    def second(*paths):
        names.append(paths)
        if len(names) == moment:
            found.append(extract([sources["folder"]], tmp_path))
        replace(*paths)

    monkeypatch.setattr("core.files.whole_files.os.replace", second)
    found.append(extract([sources["folder"]], tmp_path))
    assert len(found) == 2 and all(each.shards.sentences == whole.shards.sentences for each in found)
    assert files(tmp_path) == files(whole.shards.folder)


def test_a_run_may_begin_the_folder_as_another_looks_whether_it_is_empty(sources, whole, tmp_path, monkeypatch):
    begun, iterdir = [], Path.iterdir

    def second(path):
        if path == tmp_path and not begun:
            begun.append(path)
            extract([sources["folder"]], tmp_path)
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", second)
    again = extract([sources["folder"]], tmp_path)
    assert begun and again.found == len(whole.shards) and files(tmp_path) == files(whole.shards.folder)


@contextmanager
def little_room():
    """No file may grow beyond 4,000 bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_is_one_sentence_and_leaves_no_file(sources, whole, tmp_path):
    """``whole`` has begun what reads pages."""
    with little_room(), pytest.raises(WorkbenchError) as error:
        extract([sources["folder"]], tmp_path)
    assert str(error.value).startswith(f"cannot write {tmp_path}") and "\n" not in str(error.value)
    assert str(error.value).endswith("File too large; make room or choose another place, and run it again")
    assert list(files(tmp_path)) == ["settings.json"]


def test_without_room_for_the_model_of_languages_nothing_is_begun(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(guessing, "identifier", guessing.identifier.__wrapped__)  # not unpacked yet
    monkeypatch.setattr("core.shards.extraction.known_languages", guessing.known_languages.__wrapped__)
    message = "the model that tells languages apart cannot be unpacked in .*: File too large; make room there"
    with little_room(), pytest.raises(WorkbenchError, match=message):
        extract([sources["folder"]], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_last_files_may_not_fit_either(sources, whole, tmp_path, monkeypatch):
    place = copied(whole, tmp_path)
    (place / "shards.json").unlink()
    before = files(place)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.files.whole_files.os.replace", full)
    with pytest.raises(WorkbenchError, match=r"cannot write .*: No space left on device; make room and run it again"):
        extract([sources["folder"]], place)
    assert files(place) == before


def test_a_list_never_stands_beside_the_repeats_of_another(sources, tmp_path, monkeypatch):
    """A folder that grows, stopped between the two: the list of before would leave out the wrong sentences."""
    place = extract([sources["folder"]], tmp_path / "grown").shards.folder
    replace = os.replace

    def stopped(source, target):
        if Path(target).name == "shards.json":
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr("core.files.whole_files.os.replace", stopped)
    with pytest.raises(WorkbenchError, match="cannot write"):
        extract([sources["zip"], sources["folder"]], place)
    with pytest.raises(FormatError, match="its shards are not all there yet"):
        Shards(place)
    monkeypatch.undo()
    grown = extract([sources["zip"], sources["folder"]], place)
    anew = extract([sources["zip"], sources["folder"]], tmp_path / "anew")
    assert grown.found == len(anew.shards) and all_said(grown.shards) == all_said(anew.shards)


def test_processes_end_with_their_engine(sources, tmp_path):
    """A server that once read pages keeps none of them."""

    def running():
        every = psutil.Process().children()
        return {process.pid for process in every if "core.shards.page_worker" in process.cmdline()}

    before, engine = running(), LocalEngine()
    extract([sources["folder"]], tmp_path / "a", engine=engine)
    kept = running() - before
    extract([sources["zip"]], tmp_path / "b", engine=engine)
    assert len(kept) == 1 and running() - before == kept
    del engine
    assert running() <= before


def test_damaged_archives_give_what_they_have_beside_good_ones(tmp_path):
    pages = small_pages(9)
    place = folder(tmp_path / "crawl", {})
    warc(place / "a.warc.gz", pages)
    whole = (place / "a.warc.gz").read_bytes()
    (place / "a.warc.gz").write_bytes(whole[: len(whole) // 2])
    zipped(place / "b.zip", pages)
    done = extract([place / "*"], tmp_path / "out", part_size=300)
    assert [one.reason for one in done.report.skipped] == ["it is cut short"]
    assert done.report.pages == 4 + 9
    assert done.shards.sentences == len(extract_sentences([place / "a.warc.gz", place / "b.zip"]).treebank)
