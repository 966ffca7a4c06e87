"""Extractions that stop half-way and go on: the same as without a stop, wherever it came."""

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


@pytest.mark.parametrize("stop", range(60))
def test_a_stop_anywhere_changes_nothing_in_the_end(stop):
    asked, kept = [], []

    def cancel():
        asked.append(None)
        return len(asked) > stop

    first = extract_sentences(SOURCES, cancel=cancel, keep=lambda partial: kept.append(partial.to_bytes()))
    whole = extract_sentences(SOURCES)
    if not first.report.notes:
        assert state(first) == state(whole)
        return
    assert first.report.notes == ["cancelled: the pages after these were not read"]
    assert first.report.pages == len(first.pages)
    resume = Partial.from_bytes(kept[-1]) if kept else None
    assert resume is None or len(resume.treebank()) == len(first.treebank)  # a page left half-way leaves no trace
    again = extract_sentences(SOURCES, resume=resume)
    assert state(again) == state(whole)


def test_the_state_comes_back_from_bytes():
    kept = []
    extract_sentences(SOURCES, keep=lambda partial: kept.append(partial.to_bytes()))
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
