"""Archives read in the background: progress, cancel within a page, resume, keeping what is done, bad archives."""

import io
import zipfile
from dataclasses import replace

import pytest

from core.errors import Cancelled, WorkbenchError
from core.markup import marked_sentences, treebank_brackets
from core.markup.comments import read_places
from core.markup.partial import Partial
from core.markup.selectors import PageSelectors
from core.store import workbench_home
from core.workspace import Workspace
from core.workspace.contractions import changed_tables, save_table
from core.workspace.corpora import language_of
from core.workspace.markup import reading
from core.workspace.markup.pages import MEGA, add_pages, cuts_of_pages, report_of, skipped_table
from core.workspace.markup.reading import PageReading, takes_long
from core.workspace.selecting import selection_of
from tests.workspace.markup.stopping import stopped_at_first_report
from tests.workspace.running import PATIENCE

COUNT = 1500  # pages
PAGE = "<p>The <a href=x>harbour office</a> number {} issued <i>a warning</i> on Monday.</p>"


def archive(pages=30, **others):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for number in range(pages):
            file.writestr(f"{number:03}.html", PAGE.format(number))
        for name, data in others.items():
            file.writestr(name.replace("_", "."), data)
    return packed.getvalue()


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    found = Workspace.open()
    yield found
    found.store.close()


@pytest.fixture
def cancelled(bench, monkeypatch):
    """The number of a reading of COUNT pages that was cancelled at its first report."""
    return stopped_at_first_report(bench.jobs, lambda: started(bench, [("pages.zip", archive(COUNT))]), monkeypatch)


def started(bench, files, **options):
    return PageReading(bench).start_on(bench.store.default_project(), files, **{"reader": "nothing", **options})


def text_of(bench, corpus_id):
    return bench.treebank(bench.store.corpus(corpus_id))


def uploads():
    return list((workbench_home() / reading.FOLDER).glob("*"))


def test_what_is_read_in_the_background():
    assert takes_long([("a.bin", archive(1))]) and takes_long([("crawl.warc.gz", b"x")])
    assert takes_long([("a.html", b"x" * (3 * MEGA))]) and takes_long([(f"{n}.html", b"x") for n in range(50)])
    assert not takes_long([("pasted page", PAGE), ("a.html", b"<p>It is.")])


def test_an_archive_becomes_a_text_and_its_report_lists_what_was_skipped(bench):
    run = started(bench, [("pages.zip", archive(30, a_png=b"\x89PNG", b_html=b"%PDF-1.7 \xff\x00"))], reader="english")
    ended = bench.jobs.wait(run, PATIENCE)
    assert ended.status == "done", ended.error
    assert ended.figures["sentences"] == 30 and ended.figures["expected"] == 32 and ended.figures["skipped"] == 2
    treebank = text_of(bench, ended.figures["corpus"])
    assert len(treebank) == 30 and treebank.upos.filled and all(marked_sentences(treebank))
    table = skipped_table(report_of(bench.store, bench.store.corpus(ended.figures["corpus"])))
    assert dict(zip(table["source"], table["reason"], strict=True)) == {
        "pages.zip/a.png": "no page by its ending",
        "pages.zip/b.html": "this is no text but something like an image, an archive or a program; give a web page",
    }
    assert not uploads() and PageReading(bench).latest_stopped(bench.store.default_project()) is None


def test_the_language_that_was_chosen_is_that_of_all_pages(bench):
    for language in ("sv", None):
        run = started(bench, [("pages.zip", archive(2))], language=language)
        corpus = bench.store.corpus(bench.jobs.wait(run, PATIENCE).figures["corpus"])
        assert language_of(corpus) == (language or "en")
        assert {sentence.comment("lang") for sentence in bench.treebank(corpus)} == {language or "en"}


def test_selectors_go_with_the_reading_and_stay_with_the_text(bench):
    chosen = PageSelectors("p", "i, :--furniture", "a")
    run = started(bench, [("pages.zip", archive(3))], selectors=chosen)
    corpus = bench.store.corpus(bench.jobs.wait(run, PATIENCE).figures["corpus"])
    kept = {"select": "p", "drop": ":--furniture, i", "marks": "a"}
    assert report_of(bench.store, corpus)["selectors"] == kept
    assert text_of(bench, corpus.id)[0].text == "The harbour office number 0 issued on Monday."
    (place,) = read_places(text_of(bench, corpus.id)[0])[2, 4]
    assert place[:2] == ("a", "html > body > p > a") and place[2].startswith("<a href=x>harbour office</a> number 0")
    assert selection_of(bench.store, corpus) == "only p is read; i is left out; a is a mark"


def test_a_cancelled_reading_goes_on_where_it_stopped(bench, cancelled):
    assert 0 < Partial.from_bytes(bench.store.checkpoint_bytes(cancelled)).documents < COUNT
    assert PageReading(bench).latest_stopped(bench.store.default_project()).id == cancelled
    PageReading(bench).resume(bench.store.run(cancelled))
    ended = bench.jobs.wait(cancelled, PATIENCE)
    assert ended.status == "done", ended.error
    texts = [sentence.text for sentence in text_of(bench, ended.figures["corpus"])]
    assert len(texts) == len(set(texts)) == ended.figures["pages"] == COUNT


def test_what_was_read_can_be_kept_or_forgotten(bench, cancelled, monkeypatch):
    read = Partial.from_bytes(bench.store.checkpoint_bytes(cancelled)).documents
    corpus = PageReading(bench).keep(bench.store.run(cancelled))
    assert len(text_of(bench, corpus)) == read
    assert "cancelled" in report_of(bench.store, bench.store.corpus(corpus))["notes"][0]
    assert not uploads() and PageReading(bench).latest_stopped(bench.store.default_project()) is None
    with pytest.raises(WorkbenchError, match="not on this machine any more; choose them again"):
        PageReading(bench).resume(bench.store.run(cancelled))
    monkeypatch.setattr(reading, "call_apart", _cancelled)
    run = started(bench, [("pages.zip", archive())])
    assert bench.jobs.wait(run, PATIENCE).status == "cancelled"
    with pytest.raises(WorkbenchError, match="no page had been read when it stopped"):
        PageReading(bench).keep(bench.store.run(run))
    PageReading(bench).discard(bench.store.run(run))
    assert not uploads()


def _cancelled(*_, **__):
    raise Cancelled


def test_a_reading_outlives_its_process(bench, cancelled):
    other = Workspace.open()  # as after a restart
    PageReading(other).resume(PageReading(other).latest_stopped(other.store.default_project()))
    assert other.jobs.wait(cancelled, PATIENCE).figures["sentences"] == COUNT
    other.store.close()


def test_a_page_that_takes_too_much_ends_the_reading_with_a_sentence(bench, monkeypatch):
    monkeypatch.setattr(reading, "A_STEP", replace(reading.A_STEP, seconds=1))
    run = started(bench, [("a.html", b"<p>It is one of very many sentences. " * 120_000)])
    ended = bench.jobs.wait(run, PATIENCE)
    assert ended.status == "failed" and ended.error.startswith("reading a.html took longer than 1 seconds; leave out")
    assert PageReading(bench).latest_stopped(bench.store.default_project()).id == run


def test_bad_archives_fail_in_a_sentence(bench):
    run = started(bench, [("bad.zip", b"nothing packed")])
    ended = bench.jobs.wait(run, PATIENCE)
    assert ended.status == "failed" and "this is no zip file, or a damaged one" in ended.error
    with pytest.raises(WorkbenchError, match="there is nothing to read"):
        started(bench, [("empty.zip", b"")])
    with pytest.raises(WorkbenchError, match=r"big.html has 6.0 MB, and a page may have 5 MB here"):
        started(bench, [("big.html", b"x" * (6 * MEGA))])
    assert len(uploads()) == 1  # of the failed one, which may be resumed


@pytest.mark.parametrize(
    "settings",
    [
        {"folder": ".."},
        {"folder": ""},
        {"folder": "a/b"},
        {"files": ["../../secret.html"]},
        {"files": ["{secret}"]},
        {},
    ],
)
def test_a_backup_cannot_name_files_of_the_machine(bench, tmp_path, settings):
    secret = tmp_path / "secret.html"
    secret.write_text(PAGE)
    folder = workbench_home() / reading.FOLDER / ("0" * 32)
    folder.mkdir(parents=True)
    files = [name.format(secret=secret) for name in settings.get("files", ["0/a.html"])]
    told = {"name": "x", "folder": folder.name, "punctuation": [], "reader": "nothing"} | settings | {"files": files}
    project = bench.store.default_project()
    run = bench.store.create_run(project, reading.KIND, told)
    bench.store.start_run(run)
    bench.store.finish_run(run, "cancelled")
    is_own = not settings
    assert (PageReading(bench).latest_stopped(project) is not None) == is_own
    if not is_own:
        with pytest.raises(WorkbenchError, match="choose them again"):
            PageReading(bench).resume(bench.store.run(run))
    if told["folder"] != folder.name:
        with pytest.raises(WorkbenchError, match="does not say where its files are"):
            PageReading(bench).discard(bench.store.run(run))
    assert secret.exists() and folder.is_dir()


def test_a_reader_forgets_nobody_s_files(bench, cancelled):
    bench.store.set_role(bench.store.default_project(), "ro@example.org", "reader")
    with pytest.raises(WorkbenchError, match="As reader you cannot change"):
        PageReading(bench.on_behalf_of("ro@example.org")).discard(bench.store.run(cancelled))
    assert uploads()


@pytest.mark.parametrize(("is_cut", "first"), [(True, "Vamos a el bar"), (False, "Vamos al bar")])
def test_contractions_are_cut_by_the_table_of_the_project_or_left_whole(bench, is_cut, first):
    project = bench.store.project(bench.store.default_project())
    save_table(bench.store, project, "es", "al = a el\n")
    files, how = [("es.html", "<p>Vamos <b>al</b> bar del puerto.</p>")], {"language": "es", "contractions": is_cut}
    cuts, count = cuts_of_pages(bench, files, "es", changed_tables(bench.store, project))
    assert [(cut.written, cut.words, cut.count) for cut in cuts] == [("al", ("a", "el"), 1)] and count == 1
    number, _ = add_pages(bench.store, project, files, reader="nothing", **how)
    ended = bench.jobs.wait(started(bench, files, **how), PATIENCE)
    for text in (text_of(bench, number), text_of(bench, ended.figures["corpus"])):
        assert " ".join(text[0].forms[1:]) == f"{first} del puerto ."
        assert [(each.start, each.end) for each in treebank_brackets(text)[0]] == [(2, 4 if is_cut else 3)]
