"""Pages in the languages they are in, and in another one than the one asked for."""

import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.markup.reader import Extracting
from tests.shards.crawl import extract, folder

ENGLISH = "The boat that we had seen in the morning came back before <b>the storm</b>, and nobody on it was wet."
GERMAN = "Das Boot, das wir am Morgen gesehen hatten, kam vor <b>dem Sturm</b> zurück, und niemand darauf war nass."
SHORT = "Ein <i>kurzer</i> Satz steht hier."


@pytest.fixture
def pages(tmp_path):
    texts = {"english.html": ENGLISH, "german.html": GERMAN, "short.html": SHORT}
    head = "<meta charset=utf-8><p>"
    return folder(tmp_path / "pages", {name: (head + text).encode() for name, text in texts.items()})


def languages(found):
    return [sentence.comment("lang") for sentence in found.treebank]


def test_each_page_is_cut_as_the_language_it_is_in(pages):
    found = extract_sentences(pages)
    assert languages(found) == ["en", "de", "de"]
    assert languages(extract_sentences(pages, language="German")) == ["de"] * 3
    assert languages(extract_sentences(pages, language="unknown")) == [None] * 3


def test_what_a_page_says_of_itself_decides_only_where_the_text_leaves_it_open():
    def language(head, text):
        return languages(extract_sentences(f"{head}<p>{text}</p>", name="a"))

    assert language('<html lang="en">', GERMAN) == ["de"]
    assert language('<html class=a lang="wo-SN">', "Xale yi dañuy fo ci suufu garab gi.") == ["wo"]
    assert language('<meta http-equiv="Content-Language" content="sv">', "Hej du.") == ["sv"]
    assert language('<html lang="english-us">', "Oh no.") == [None]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "qq"}, "there is no language 'qq'; near it are "),
        ({"language": "Gothic", "only_language": True}, r"to be in Gothic \(got\): .*keep pages of all languages"),
        ({"only_language": True}, "say which language"),
    ],
)
def test_languages_that_cannot_be_asked_for(settings, message):
    with pytest.raises(WorkbenchError, match=message):
        Extracting(**settings)


def test_pages_are_left_out_and_counted(pages):
    everything, found = extract_sentences(pages), extract_sentences(pages, language="en", only_language=True)
    assert [sentence.comment("source") for sentence in found.treebank] == ["pages/english.html"]
    assert len(everything.treebank) == 3
    assert [(one.source, one.reason) for one in found.report.skipped] == [
        ("pages/german.html", "its language is de, not en"), ("pages/short.html", "its language is de, not en")
    ]  # fmt: skip
    assert found.report.dropped["another language"].pieces == 2
    assert found.report.brackets == sum(map(len, found.brackets)) == 1


def test_shards_leave_out_the_same(pages, tmp_path):
    expected = extract_sentences(pages, language="en", only_language=True)
    done = extract([pages], tmp_path / "shards", Extracting(language="en", only_language=True))
    assert [sentence.text for piece in done.shards for sentence in piece.treebank()] == [
        sentence.text for sentence in expected.treebank
    ]
    assert done.report.skipped == expected.report.skipped and done.report.dropped == expected.report.dropped
