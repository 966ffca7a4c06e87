"""Extractions that stop half-way and go on: the same as without a stop, wherever it came."""

from functools import partial
from itertools import chain, count, repeat

import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.markup.partial import Partial
from core.markup.report import ExtractionReport
from core.treebank import conllu_text

PAGES = [
    f"<p>The <a href=x>harbour</a> office number {n} is <b>open today</b>.</p><p>It is said on all pages alike.</p>"
    "<nav><a href=y>Home</a></nav><p>It ends."
    for n in range(5)
]
SOURCES = [*PAGES[:2], b"%PDF-1.7 \xff\x00", *PAGES[2:]]


def state(found):
    return conllu_text(found.treebank), found.brackets, found.report.as_dict()


def keep(kept, state):
    kept.append(state.to_bytes())


def test_a_stop_anywhere_changes_nothing_in_the_end():
    whole = state(extract_sentences(SOURCES))
    for stop in count():
        answers, kept = chain(repeat(False, stop), repeat(True)), []
        first = extract_sentences(SOURCES, cancel=partial(next, answers), keep=partial(keep, kept))
        if not first.report.notes:
            break
        assert first.report.notes == ["cancelled: the pages after these were not read"]
        assert first.report.pages == len(first.pages)
        resume = Partial.from_bytes(kept[-1]) if kept else None
        assert resume is None or len(resume.treebank()) == len(first.treebank)  # a page left half-way leaves no trace
        assert state(extract_sentences(SOURCES, resume=resume)) == whole
    assert state(first) == whole and stop > 4 * len(SOURCES)


def test_the_state_comes_back_from_bytes():
    kept, seen = [], []
    extract_sentences(SOURCES, keep=partial(keep, kept), progress=lambda report: seen.append(report.pages))
    assert seen == [1, 2, 2, 3, 4, 5]
    again = Partial.from_bytes(kept[-1])
    assert again.documents == 6 and again.to_bytes() == kept[-1]
    assert Partial.from_bytes(Partial().to_bytes()) == Partial()
    with pytest.raises(WorkbenchError, match="this is no state of an extraction"):
        Partial.from_bytes(b"PK")


def test_reports_add_up():
    parts = [extract_sentences([page], repeats=True).report for page in SOURCES]
    total = ExtractionReport()
    for part in parts:
        total.include(part)
    assert total == extract_sentences(SOURCES, repeats=True).report
    assert ExtractionReport.from_dict(total.as_dict()) == total
