"""Pages that take too long, too much or the process down with them cost themselves, and the rest is read as ever."""

import contextlib
import os
import resource
import signal
import threading

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.shards import PageLimits, Part, find_inputs
from core.shards.page_process import Extracting, PageProcess
from core.treebank import conllu_text
from tests.shards.crawl import folder, small_pages

PAGES = small_pages(6)
LONG = b"".join(b"<p>The sentence number %d is one of very many." % number for number in range(400_000))


@pytest.fixture(scope="module")
def process():
    found = PageProcess()
    yield found
    found.close()


def part(path, pages):
    return Part(tuple(find_inputs([folder(path / "s", pages)])))


def text(columns):
    return conllu_text(columns.treebank())


@pytest.fixture
def without(tmp_path):
    """CoNLL-U of all pages but for those of these numbers, as it is in one process."""

    def extract(*numbers):
        pages = {name: data for number, (name, data) in enumerate(PAGES.items()) if number not in numbers}
        return conllu_text(extract_sentences(folder(tmp_path / f"without{numbers}" / "s", pages)).treebank)

    return extract


def read_with(process, tmp_path, bad, limits):
    """What a part gives whose third page is ``bad``."""
    pages = {name: bad if number == 2 else data for number, (name, data) in enumerate(PAGES.items())}
    return process.read(part(tmp_path, pages), Extracting(), limits)


def test_pages_are_read_as_in_one_process(process, tmp_path, without):
    whole = part(tmp_path, PAGES)
    columns, report = process.read(whole, Extracting(), PageLimits())
    assert text(columns) == without()
    assert report == extract_sentences(tmp_path / "s").report
    first = process._process.pid
    again, _ = process.read(whole, Extracting(), PageLimits())  # it knows nothing of the time before
    assert text(again) == text(columns) and process._process.pid == first


def test_a_process_with_many_files_open_reads_pages(tmp_path):
    """A server has a descriptor for each store, connection and browser: the pipe's may be any number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = 1100
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * many), hard))
    with contextlib.ExitStack() as left:
        left.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(many):
            left.enter_context(open(os.devnull, "rb"))
        process = left.enter_context(contextlib.closing(PageProcess()))
        columns, _ = process.read(part(tmp_path, PAGES), Extracting(), PageLimits())
    assert text(columns) == conllu_text(extract_sentences(tmp_path / "s").treebank)


def test_settings_are_heeded(process, tmp_path):
    page = {"a.html": b"<h1>It is a heading.</h1><p>The <b>old</b> <i>man</i> came. He said (so)."}
    settings = Extracting(tags=("b",), punctuation=("paren",), headings=True)
    columns, _ = process.read(part(tmp_path, page), settings, PageLimits())
    whole = extract_sentences(tmp_path / "s", tags=("b",), punctuation=("paren",), headings=True)
    assert text(columns) == conllu_text(whole.treebank) and len(whole.treebank) == 3


def test_a_page_that_takes_too_long_is_left_out(process, tmp_path, without):
    """The arrays are those of the pages without it, and not only what they stand for: texts are numbered alike."""
    columns, report = read_with(process, tmp_path, LONG, PageLimits(seconds=1))
    assert text(columns) == without(2)
    pages = {name: data for number, (name, data) in enumerate(PAGES.items()) if number != 2}
    other, _ = process.read(part(tmp_path / "other", pages), Extracting(), PageLimits())
    for name in ("pages", "sources", "forms", "marks"):
        assert getattr(columns, name).values == getattr(other, name).values
        np.testing.assert_array_equal(getattr(columns, name).ids, getattr(other, name).ids)
    (skipped,) = report.skipped
    assert skipped.source == "s/p02.html"
    assert skipped.reason == "reading it took more than 1 seconds or all memory; leave it out"
    assert report.pages == 5


def test_a_page_that_takes_too_much_memory_is_left_out(process, tmp_path, without):
    columns, report = read_with(process, tmp_path, LONG, PageLimits(memory=100 << 20))
    assert text(columns) == without(2)
    (skipped,) = report.skipped
    assert (
        skipped.source == "s/p02.html"
        and "memory" in skipped.reason
        and skipped.reason.endswith("or cut it into parts")
    )


class Killing(PageProcess):
    """Kills its process, once, before it looks at the message of this number."""

    def __init__(self, number):
        super().__init__()
        self.number = number

    def _messages(self, *arguments):
        for message in super()._messages(*arguments):
            if self.number == 0:
                os.kill(self._process.pid, signal.SIGKILL)
                self._process.wait()
            self.number -= 1
            yield message


@pytest.mark.parametrize("number", (0, 5, 12))
def test_a_process_killed_at_any_message_costs_a_page_at_most(tmp_path, without, number):
    process = Killing(number)
    columns, report = process.read(part(tmp_path, PAGES), Extracting(), PageLimits())
    process.close()
    lost = [one.source for one in report.skipped]
    assert len(lost) <= 1 and report.pages == 6 - len(lost)
    bad = [3 if source.startswith("page 4 of") else int(source[3:5]) for source in lost]  # between two pages
    assert text(columns) == without(*bad)
    assert all("leave it out" in one.reason for one in report.skipped)


def test_a_process_killed_while_it_works_costs_the_page_it_reads(tmp_path, without):
    process = PageProcess()
    found = []
    thread = threading.Thread(
        target=lambda: found.append(read_with(process, tmp_path, LONG, PageLimits(seconds=60))), daemon=True
    )
    began = threading.Event()
    whole = process._messages

    def messages(*arguments):
        for head, data in whole(*arguments):
            if head.get("source") == "s/p02.html" and "begin" in head:
                began.set()
            yield head, data

    process._messages = messages
    thread.start()
    assert began.wait(60)
    os.kill(process._process.pid, signal.SIGKILL)
    thread.join(60)
    process.close()
    columns, report = found[0]
    assert text(columns) == without(2)
    assert [(one.source, one.reason) for one in report.skipped] == [
        ("s/p02.html", "reading it took more than 60 seconds or all memory; leave it out")
    ]


def test_what_a_page_before_a_restart_has_is_still_known_after_it(process, tmp_path):
    shared = b"<p>This paragraph stands on each of the pages."
    pages = {name: data + shared for name, data in PAGES.items()}
    pages["p02.html"] = LONG
    columns, report = process.read(part(tmp_path, pages), Extracting(), PageLimits(seconds=1))
    assert text(columns).count("This paragraph stands") == 1 and report.dropped["repeated"].pieces == 4


def test_an_error_in_a_page_is_its_reason(process, tmp_path):
    columns, report = process.read(part(tmp_path, {"a.html": b"%PDF-1.7 \xff\0", **PAGES}), Extracting(), PageLimits())
    assert len(columns.lengths) == 12 and [one.source for one in report.skipped] == ["s/a.html"]


def test_a_file_whose_pages_all_kill_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("core.shards.page_process.sys.executable", "false")
    with pytest.raises(WorkbenchError, match=r"p00.html: its pages cannot be read; leave this file out"):
        PageProcess().read(part(tmp_path, PAGES), Extracting(), PageLimits())


def test_no_process_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("core.shards.page_process.sys.executable", "/nowhere/python")
    with pytest.raises(WorkbenchError, match="no process can be started to read pages: No such file or directory"):
        PageProcess().read(part(tmp_path, PAGES), Extracting(), PageLimits())


def test_a_process_that_only_waits_is_ended(tmp_path, monkeypatch):
    """It takes no time of the processor, so that the system's limit never comes."""
    (tmp_path / "idle").write_text("#!/bin/sh\nexec sleep 1000\n")
    (tmp_path / "idle").chmod(0o755)
    monkeypatch.setattr("core.shards.page_process.sys.executable", str(tmp_path / "idle"))
    monkeypatch.setattr("core.shards.page_process.PATIENCE", 1)
    with pytest.raises(WorkbenchError, match="its pages cannot be read"):
        PageProcess().read(part(tmp_path, PAGES), Extracting(), PageLimits(seconds=0.1))
