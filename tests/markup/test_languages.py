"""Pages in another language than the one asked for."""

import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.markup.languages import SHORTEST, LanguageFilter
from core.markup.reader import Extracting
from core.shards import extract_shards
from tests.shards.crawl import folder

ENGLISH = "The boat that we had seen in the morning came back before <b>the storm</b>, and nobody on it was wet."
GERMAN = "Das Boot, das wir am Morgen gesehen hatten, kam vor <b>dem Sturm</b> zurück, und niemand darauf war nass."
SHORT = "Ein <i>kurzer</i> Satz steht hier."


@pytest.fixture
def pages(tmp_path):
    texts = {"english.html": ENGLISH, "german.html": GERMAN, "short.html": SHORT}
    head = "<meta charset=utf-8><p>"
    return folder(tmp_path / "pages", {name: (head + text).encode() for name, text in texts.items()})


def test_language_of_a_text():
    english, german = LanguageFilter("en"), LanguageFilter("de")
    short = (GERMAN * 2)[:SHORTEST]
    assert [english.other(text) for text in (ENGLISH, GERMAN, short, short[:-1], "")] == [None, "de", "de", None, None]
    assert [german.other(text) for text in (GERMAN, ENGLISH)] == [None, "en"]


def test_unknown_language():
    with pytest.raises(WorkbenchError, match=r"to be in zz: .*--only-language"):
        LanguageFilter("zz")


def test_pages_are_left_out_and_counted(pages):
    everything, found = extract_sentences(pages), extract_sentences(pages, only_language=True)
    assert [sentence.comment("source") for sentence in found.treebank] == ["pages/english.html", "pages/short.html"]
    assert len(everything.treebank) == 3
    assert [(one.source, one.reason) for one in found.report.skipped] == [
        ("pages/german.html", "its language is de, not en")
    ]
    assert found.report.dropped["another language"].pieces == 1
    assert found.report.brackets == sum(map(len, found.brackets)) == 2


def test_shards_leave_out_the_same(pages, tmp_path):
    expected = extract_sentences(pages, only_language=True)
    done = extract_shards([pages], tmp_path / "shards", Extracting(only_language=True))
    assert [sentence.text for piece in done.shards for sentence in piece.treebank()] == [
        sentence.text for sentence in expected.treebank
    ]
    assert done.report.skipped == expected.report.skipped and done.report.dropped == expected.report.dropped
