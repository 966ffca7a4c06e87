"""Folders of shards: the sentences of ``extract_sentences``, and the same files to the byte after any end."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core.errors import Cancelled, FormatError, WorkbenchError
from core.markup import extract_sentences
from core.markup.reader import Extracting
from core.shards import Here, PageLimits, Shards, extract_shards
from core.treebank import conllu_text
from tests.shards.crawl import folder, sample_pages, small_pages, warc, zipped

ROOT = Path(__file__).parents[2]
SMALL = 10_000  # bytes of a part: several shards
PAGES = sample_pages()
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}


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
    return extract_shards([sources["folder"]], tmp_path_factory.mktemp("whole"), part_size=SMALL)


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
    done = extract_shards([sources[kind]], tmp_path, part_size=SMALL)
    assert len(done.shards) > 3 and done.found == 0
    assert all_said(done.shards) == said(expected.treebank)
    assert done.shards.sentences == len(expected.treebank) and done.shards.words == expected.treebank.token_count
    assert sum(row["brackets"] for row in done.shards.rows) == expected.report.brackets
    assert done.report.pages == expected.report.pages == len(PAGES)
    assert done.report.skipped == expected.report.skipped


def test_what_shards_before_have_is_left_out(whole):
    texts = [row[4] for row in all_said(whole.shards)]
    assert texts.count("This paragraph stands on each of the pages.") == 1
    assert sum(row["repeated"] for row in whole.shards.rows) == len(whole.shards) - 1
    assert conllu_text(whole.shards.pieces[0].treebank()).count("This paragraph stands on each") == 1


def test_repeats_are_kept_when_asked_for(sources, tmp_path):
    done = extract_shards([sources["folder"]], tmp_path, Extracting(repeats=True), part_size=SMALL)
    expected = extract_sentences(sources["folder"], repeats=True)
    assert "".join(conllu_text(piece.treebank()) for piece in done.shards) == conllu_text(expected.treebank)
    assert sum(row["repeated"] for row in done.shards.rows) == 0


def test_marks_compared_in_many_rounds_are_the_same(sources, whole, tmp_path, monkeypatch):
    monkeypatch.setattr("core.shards.extraction.MARKS", 40)
    assert files(extract_shards([sources["folder"]], tmp_path, part_size=SMALL).shards.folder) == files(
        whole.shards.folder
    )


def test_begun_again_all_is_kept(sources, whole):
    before = files(whole.shards.folder)
    again = extract_shards([sources["folder"]], whole.shards.folder, part_size=SMALL)
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
    again = extract_shards([sources["folder"]], place, part_size=SMALL)
    assert again.found == len(whole.shards) + kept
    assert files(place) == files(whole.shards.folder)


def test_a_folder_that_is_not_whole_is_said_to_be_none(whole, tmp_path):
    place = copied(whole, tmp_path)
    (place / "repeats.arrow").write_bytes(b"x")
    with pytest.raises(FormatError, match=r"repeats.arrow: this is no shard, or a damaged one"):
        Shards(place).pieces[0].columns()
    (place / "repeats.arrow").unlink()
    with pytest.raises(FormatError, match=r"repeats.arrow: there is no such file; run the command"):
        Shards(place).pieces[0].columns()
    for text in ("{", "[]", "{}", '{"format": 1, "settings": 1, "shards": 2}'):
        (place / "shards.json").write_text(text)
        with pytest.raises(FormatError, match="this list of shards is damaged; run the command that writes them again"):
            Shards(place)
    (place / "shards.json").write_text('{"format": 7}')
    with pytest.raises(FormatError, match="its shards have format 7, not 1; write them anew"):
        Shards(place)
    (place / "shards.json").unlink()
    with pytest.raises(FormatError, match="its shards are not all there yet; run the command that writes them again"):
        Shards(place)
    (place / "settings.json").unlink()
    with pytest.raises(FormatError, match=r"this is no folder of shards: it has no settings.json"):
        Shards(place)


@pytest.mark.parametrize(
    ("settings", "options", "named"),
    [
        (Extracting(headings=True), {}, "headings"),
        (Extracting(language="de"), {"part_size": 9}, "language, part_size"),
        (None, {"page_limits": PageLimits(seconds=7)}, "page"),
    ],
)
def test_a_folder_begun_with_other_settings_is_one_sentence(sources, whole, settings, options, named):
    before = files(whole.shards.folder)
    with pytest.raises(WorkbenchError, match=rf"was begun with other settings \({named}\); choose another folder"):
        extract_shards([sources["folder"]], whole.shards.folder, settings, **{"part_size": SMALL, **options})
    assert files(whole.shards.folder) == before


def test_a_folder_whose_settings_cannot_be_read_is_one_sentence(sources, tmp_path):
    (tmp_path / "settings.json").write_text("{")
    with pytest.raises(WorkbenchError, match=r"was begun with other settings \(they cannot be read\)"):
        extract_shards([sources["folder"]], tmp_path, part_size=SMALL)


def test_a_folder_of_other_files_is_left_alone(sources, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(WorkbenchError, match="holds other files; choose an empty or a new folder"):
        extract_shards([sources["folder"]], tmp_path)
    assert files(tmp_path) == {"letter.txt": b"Dear"}
    with pytest.raises(WorkbenchError, match=r"cannot write .*letter.txt.*; choose another place"):
        extract_shards([sources["folder"]], tmp_path / "letter.txt")


def test_nothing_to_read_is_one_sentence(tmp_path):
    with pytest.raises(WorkbenchError, match="there is no page, zip file or archive to read; name one, or a folder"):
        extract_shards([folder(tmp_path / "s", {"a.png": b"x"})], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_language_that_is_none_is_said_before_anything_is_written(sources, tmp_path):
    with pytest.raises(WorkbenchError, match="spaCy cannot tokenise 'qq'"):
        extract_shards([sources["folder"]], tmp_path / "out", Extracting(language="qq"))
    assert not (tmp_path / "out").exists()


def test_pages_without_prose_are_shards_without_sentences(tmp_path):
    pages = {"a.html": b"<p>12 34", "b.zip": b"no zip", "c.warc.gz": b""}
    done = extract_shards([folder(tmp_path / "s", pages)], tmp_path / "out")
    assert (len(done.shards), done.shards.sentences, done.shards.words) == (3, 0, 0)
    assert [one.reason for one in done.report.skipped] == [
        "it holds no prose; see what was dropped",
        *["this archive cannot be read, or holds nothing; pack it again"] * 2,
    ]


def test_the_same_pages_given_twice_count_once(sources, whole, tmp_path):
    done = extract_shards([sources["zip"], sources["zip"]], tmp_path / "zip", part_size=SMALL)
    assert done.shards.sentences == whole.shards.sentences and done.report.pages == len(PAGES)
    count = len(done.shards)
    assert done.report.notes == [
        f"part {count + number} has the same pages as one before; it counts once" for number in range(1, count + 1)
    ]


def test_it_can_be_cancelled_and_gone_on_with(sources, whole, tmp_path):
    told = []
    with pytest.raises(Cancelled):
        extract_shards([sources["folder"]], tmp_path, part_size=SMALL,
                       progress=lambda *state: told.append(state), cancel=lambda: len(told) == 2)  # fmt: skip
    assert told == [(1, len(whole.shards)), (2, len(whole.shards))]
    assert extract_shards([sources["folder"]], tmp_path, part_size=SMALL).found == 2
    assert files(tmp_path) == files(whole.shards.folder)


COMMAND = [sys.executable, "-m", "core", "markup", "extract"]


def started(source, out, **options):
    command = [*COMMAND, str(source), "--out", str(out), "--part-size", str(SMALL), "--json"]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.mark.parametrize("count", [1, 3])
def test_a_command_killed_at_any_moment_is_gone_on_with(sources, whole, tmp_path, count):
    process = started(sources["folder"], tmp_path)
    deadline = time.monotonic() + 60
    while not (tmp_path / "settings.json").exists() or len(list(tmp_path.glob("*.arrow"))) < count:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    again = extract_shards([sources["folder"]], tmp_path, part_size=SMALL)
    assert again.found >= count
    found = {name: data for name, data in files(tmp_path).items() if not name.startswith(".writing-")}
    assert found == files(whole.shards.folder)


def test_two_runs_at_once_into_one_folder_give_one_result(sources, whole, tmp_path):
    both = [started(sources["folder"], tmp_path) for _ in range(2)]
    for process in both:
        output, error = process.communicate(timeout=120)
        assert process.returncode == 0, error
        assert f'"sentences": {whole.shards.sentences}' in output
    assert files(tmp_path) == files(whole.shards.folder)


def test_a_full_disk_is_one_sentence_and_leaves_no_file(sources, tmp_path):
    def little():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    process = started(sources["folder"], tmp_path, preexec_fn=little)
    output, error = process.communicate(timeout=60)
    assert process.returncode == 2 and output == ""
    *progress, said = error.splitlines(keepends=True)  # a slow machine says how far it is
    assert said.startswith(f"error: cannot write {tmp_path}") and all(" shards done" in line for line in progress)
    assert said.endswith("File too large; make room or choose another place, and run it again\n")
    assert list(files(tmp_path)) == ["settings.json"]


def test_the_last_files_may_not_fit_either(sources, whole, tmp_path, monkeypatch):
    place = copied(whole, tmp_path)
    (place / "shards.json").unlink()
    before = files(place)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.shards.folder.os.replace", full)
    with pytest.raises(WorkbenchError, match=r"cannot write .*: No space left on device; make room and run it again"):
        extract_shards([sources["folder"]], place, part_size=SMALL)
    assert files(place) == before


def test_a_list_never_stands_beside_the_repeats_of_another(sources, tmp_path, monkeypatch):
    """A folder that grows, stopped between the two: the list of before would leave out the wrong sentences."""
    place = extract_shards([sources["folder"]], tmp_path / "grown", part_size=SMALL).shards.folder
    replace = os.replace

    def stopped(source, target):
        if Path(target).name == "shards.json":
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr("core.shards.folder.os.replace", stopped)
    with pytest.raises(WorkbenchError, match="cannot write"):
        extract_shards([sources["zip"], sources["folder"]], place, part_size=SMALL)
    with pytest.raises(FormatError, match="its shards are not all there yet"):
        Shards(place)
    monkeypatch.undo()
    grown = extract_shards([sources["zip"], sources["folder"]], place, part_size=SMALL)
    anew = extract_shards([sources["zip"], sources["folder"]], tmp_path / "anew", part_size=SMALL)
    assert grown.found == len(anew.shards) and all_said(grown.shards) == all_said(anew.shards)


def test_processes_end_with_their_engine(sources, tmp_path):
    """A server that once read pages keeps none of them."""

    def running():
        every = psutil.Process().children()
        return {process.pid for process in every if "core.shards.page_worker" in process.cmdline()}

    before, engine = running(), Here()
    extract_shards([sources["folder"]], tmp_path / "a", part_size=SMALL, engine=engine)
    kept = running() - before
    extract_shards([sources["zip"]], tmp_path / "b", part_size=SMALL, engine=engine)
    assert len(kept) == 1 and running() - before == kept
    del engine
    assert running() == before


def test_damaged_archives_give_what_they_have_beside_good_ones(tmp_path):
    pages = small_pages(9)
    crawl = folder(tmp_path / "crawl", {})
    warc(crawl / "a.warc.gz", pages)
    whole = (crawl / "a.warc.gz").read_bytes()
    (crawl / "a.warc.gz").write_bytes(whole[: len(whole) // 2])
    zipped(crawl / "b.zip", pages)
    done = extract_shards([crawl / "*"], tmp_path / "out", part_size=300, engine=Here())
    assert [one.reason for one in done.report.skipped] == ["it is cut short"]
    assert done.report.pages == 4 + 9
    assert done.shards.sentences == len(extract_sentences([crawl / "a.warc.gz", crawl / "b.zip"]).treebank)
