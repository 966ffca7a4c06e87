"""Pages that take too long, too much or the process down with them cost themselves, and the rest is read as ever."""

import contextlib
import os
import resource
import signal
from itertools import count

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.shards import PageBatch, PageLimits, find_inputs, page_process
from core.shards.page_process import Extracting, PageProcess
from core.treebank import conllu_text
from tests.shards.crawl import SHARED, folder, small_pages

PAGES = {name: data + SHARED.encode() for name, data in small_pages(6).items()}
LONG = b"<p>This sentence is one of very many. " * 800_000
ENGLISH = Extracting(language="en")  # for which no model has to be loaded that tells languages apart
MUCH_WORK = "reading it took more than {} seconds or all memory; leave it out"


@pytest.fixture(scope="module")
def process():
    """One for all tests: to start another takes seconds."""
    with contextlib.closing(PageProcess()) as found:
        yield found


@pytest.fixture
def read(process, tmp_path):
    """read(pages, limits, process) -> (CoNLL-U, report, columns) of a part of these pages."""

    def call(pages=PAGES, limits=None, process=process, settings=ENGLISH):
        part = PageBatch(tuple(find_inputs([folder(tmp_path / str(len(list(tmp_path.iterdir()))) / "s", pages)])))
        columns, report = process.read(part, settings, limits or PageLimits())
        return conllu_text(columns.treebank()), report, columns

    return call


def but(*numbers):
    """All pages but these."""
    return {name: data for number, (name, data) in enumerate(PAGES.items()) if number not in numbers}


def in_one_process(tmp_path, pages, **settings):
    return extract_sentences(folder(tmp_path / "whole" / "s", pages), **settings)


def test_pages_are_read_as_in_one_process(process, read, tmp_path):
    whole = in_one_process(tmp_path, PAGES)
    with many_files_open():
        process.close()
        text, report, _ = read()
    assert process.process.stdout.fileno() > 1023
    assert text == conllu_text(whole.treebank) and report == whole.report and report.dropped["repeated"].pieces == 5
    first = process.process.pid
    assert read()[0] == text and process.process.pid == first  # it knows nothing of the time before


@contextlib.contextmanager
def many_files_open():
    """A server has a descriptor for each store, connection and browser: the pipe's may be any number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = 1100
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * many), hard))
    with contextlib.ExitStack() as left:
        left.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(many):
            left.enter_context(open(os.devnull, "rb"))
        yield


def test_settings_are_heeded(read, tmp_path):
    page = {"a.html": b"<h1>It is a heading.</h1><p>The <b>old</b> <i>man</i> came. He said (so)."}
    settings = {"tags": ("b",), "punctuation": ("paren",), "headings": True}
    whole = in_one_process(tmp_path, page, **settings).treebank
    assert read(page, settings=Extracting(**settings))[0] == conllu_text(whole) and len(whole) == 3


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (PageLimits(seconds=1), MUCH_WORK.format(1)),
        (PageLimits(memory=100 << 20), "it took more memory than a page may; leave it out, or cut it into parts"),
    ],
    ids=["time", "memory"],
)
def test_a_page_that_takes_too_much_is_left_out(process, read, limits, reason):
    """The arrays are those of the pages without it, and not only what they stand for: texts are numbered alike, and
    what a page before the restart has is still known after it."""
    text, report, columns = read(PAGES | {"p02.html": LONG}, limits)
    wanted, without, other = read(but(2))
    assert text == wanted
    for name in ("pages", "sources", "forms", "marks"):
        assert getattr(columns, name).values == getattr(other, name).values
        np.testing.assert_array_equal(getattr(columns, name).ids, getattr(other, name).ids)
    assert [(one.source, one.reason) for one in report.skipped] == [("s/p02.html", reason)]
    assert report.pages == 5 and report.dropped["repeated"] == without.dropped["repeated"]
    for limit in (resource.RLIMIT_CPU, resource.RLIMIT_AS):  # to begin with the next part is no page's work
        soft, hard = resource.prlimit(process.process.pid, limit)
        assert soft == hard


@pytest.fixture
def killing(process, monkeypatch):
    """killing(when): the process is killed before anybody looks at the message that ``when`` is true of, once."""

    def call(when):
        listening, messages = [when], process.messages

        def killed(*arguments):
            for head, data in messages(*arguments):
                if listening and when(head):
                    listening.clear()
                    process.process.kill()
                    process.process.wait()
                yield head, data

        monkeypatch.setattr(process, "messages", killed)

    return call


@pytest.mark.parametrize("number", (5, 12), ids=["between pages", "at the end"])
def test_a_process_killed_at_a_message_costs_a_page_at_most(read, killing, number):
    seen = count()
    killing(lambda head: next(seen) == number)
    text, report, _ = read()
    lost = [one.source for one in report.skipped]
    assert len(lost) <= 1 and report.pages == 6 - len(lost)
    assert text == read(but(*(int(source[3:5]) for source in lost)))[0]


def test_a_process_killed_while_it_works_costs_the_page_it_reads(read, killing):
    killing(lambda head: head.get("source") == "s/p02.html")
    text, report, _ = read(PAGES | {"p02.html": LONG})
    assert text == read(but(2))[0]
    assert [(one.source, one.reason) for one in report.skipped] == [("s/p02.html", MUCH_WORK.format(60))]


@pytest.mark.parametrize(("times", "lost"), [(1, []), (2, [("page 1 of s/p00.html", "it ended")])])
def test_an_end_between_two_pages_costs_nothing_unless_it_comes_again(process, read, monkeypatch, times, lost):
    left, messages = [iter(())] * times, process.messages  # it ends before the first page, so many times
    monkeypatch.setattr(process, "messages", lambda *arguments: left.pop() if left else messages(*arguments))
    monkeypatch.setattr(process, "close", lambda: None)
    monkeypatch.setattr(process, "crash_report", lambda limits: "it ended")
    text, report, _ = read()
    assert not left and [(one.source, one.reason) for one in report.skipped] == lost
    assert text == read(but(*range(times - 1)))[0]


def test_a_process_that_works_is_waited_for_however_slow_the_machine(process, read, monkeypatch):
    """It is stopped, so that nothing is said, until it is asked how much it has worked."""
    read()
    work = count(1.0)

    def worked(found):
        found.send_signal(signal.SIGCONT)
        return next(work)

    monkeypatch.setattr(page_process, "PATIENCE", 0)
    monkeypatch.setattr(page_process, "seconds_worked", worked)
    process.process.send_signal(signal.SIGSTOP)
    assert read(limits=PageLimits(seconds=1))[1].pages == 6 and next(work) > 1


def test_an_error_in_a_page_is_its_reason(read):
    _, report, columns = read({"a.html": b"%PDF-1.7 \xff\0", **PAGES})
    assert len(columns.lengths) == 13 and [one.source for one in report.skipped] == ["s/a.html"]


def test_what_cannot_be_started_or_always_ends_is_one_sentence(read, tmp_path, monkeypatch):
    idle = tmp_path / "idle"  # it takes no time of the processor, so that the system's limit never comes
    idle.write_text("#!/bin/sh\nexec sleep 1000\n")
    idle.chmod(0o755)
    monkeypatch.setattr(page_process, "PATIENCE", 1)
    for program, sentence in (
        ("false", r"p00.html: its pages cannot be read; leave this file out"),
        (str(idle), "its pages cannot be read"),
        ("/nowhere/python", "no process can be started for reading pages: No such file or directory"),
    ):
        monkeypatch.setattr("core.processes.apart.sys.executable", program)
        with pytest.raises(WorkbenchError, match=sentence):
            read(process=PageProcess(), limits=PageLimits(seconds=0.1))
