"""Pages from files, folders, archives: limits, damage, hostility; the rest of a batch goes on."""

import io
import re
import struct
import zipfile
import zlib
from collections import Counter

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from core.errors import WorkbenchError
from core.files.packed import write_packed
from core.markup import Limits, extract_sentences
from core.markup.marked import source_of
from core.markup.reader import unique_name
from core.markup.report import Dropped, Skipped
from core.markup.sources import Document, documents

PAGE = b"<p>The <b>old man</b> came."


def names(source, **options):
    return [one.name for one in documents(source, **options) if isinstance(one, Document)]


def skipped(source, **options):
    return {one.source: one.reason for one in documents(source, **options) if isinstance(one, Skipped)}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "site"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.html").write_bytes(PAGE)
    (folder / "deep" / "a.HTM").write_bytes(PAGE.replace(b"old", b"young"))
    (folder / "c.md").write_text("The *old* [man](x) **went off** `now`.\n\n- It _was_ so.\n", encoding="utf-8")
    (folder / "d.txt").write_text('He said "not now" & left.\n\n1 < 2 is true.\n', encoding="utf-8")
    (folder / "e.png").write_bytes(b"\x89PNG")
    return folder


def test_a_folder_is_read_in_order_with_all_below_it(folder):
    assert names(folder) == ["site/b.html", "site/c.md", "site/d.txt", "site/deep/a.HTM"]
    assert skipped(folder) == {"site/e.png": "no page by its ending"}
    result = extract_sentences(folder, punctuation=("quote",))
    assert [sentence.text for sentence in result.treebank] == [
        "The old man came.", "The old man went off now.", "It was so.", 'He said "not now" & left.', "1 < 2 is true.",
        "The young man came.",
    ]  # fmt: skip
    marks = [sentence.comment("markup") for sentence in result.treebank]
    assert marks == ["b 2-3", "em 2-2 | a 3-3 | strong 4-5", "em 2-2", "quote 4-5", None, "b 2-3"]
    assert [source_of(sentence) for sentence in result.treebank] == ["site"] * 5 + ["site/deep"]
    assert [sentence.comment("newdoc id") for sentence in result.treebank] == ["b", "c", None, "d", None, "a"]


def test_links_out_of_a_folder_are_not_followed(folder, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "s.html").write_bytes(PAGE)
    (folder / "way").symlink_to(tmp_path / "secret", target_is_directory=True)
    assert "s.html" not in " ".join(names(folder))


def test_pages_of_one_name_get_sentence_ids_of_their_own():
    result = extract_sentences([PAGE, PAGE.replace(b"old", b"new"), "<p>It is.\n"])
    assert [sentence.sent_id for sentence in result.treebank] == ["page-001", "page.2-001", "page.3-001"]
    result = extract_sentences("http://example.org/ is a page.", name="pasted")  # which is never a path
    assert result.treebank[0].sent_id == "pasted-001" and result.treebank[0].text == "http://example.org/ is a page."


def test_a_page_is_named_by_its_file():
    given = Counter()
    sources = ("https://example.org/news/a.html?at=1/b.c", "https://example.org/", "site/C#.html", "a.htm", "?")
    assert [unique_name(given, source) for source in sources] == ["a", "page", "C#", "a.2", "?"]


def test_a_few_examples_of_what_was_dropped_are_kept_in_short():
    dropped = Dropped()
    for number in range(7):
        dropped.add(f"{number}{'x' * 200}")
    assert (dropped.pieces, dropped.characters) == (7, 7 * 201)
    assert dropped.examples == [f"{number}{'x' * 118}…" for number in range(5)]


def test_names_that_are_no_text_are_written_all_the_same(tmp_path):
    (tmp_path / "a\nb \udcff.html").write_bytes(PAGE)
    result = extract_sentences([tmp_path, "x" * 5000])
    assert result.treebank[0].comment("source") == f"{tmp_path.name}/a\ufffdb \ufffd.html"
    assert result.treebank[0].sent_id == "a\ufffdb_\ufffd-001"
    assert len(result.report.skipped[0].source) == 300 and "cannot be read" in result.report.skipped[0].reason


def test_what_a_site_repeats_counts_once():
    pages = [f"<p>Welcome to our little news letter.<p>News {number} is here." for number in range(3)]
    result = extract_sentences(pages)
    assert len(result.treebank) == 4 and result.report.dropped["repeated"].pieces == 2
    assert result.report.dropped["repeated"].examples == ["Welcome to our little news letter."] * 2
    assert len(extract_sentences(pages, repeats=True).treebank) == 6
    assert len(extract_sentences([pages[0] * 2]).treebank) == 4  # within a page its author meant it


def pack(path, entries, way=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", way) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def test_a_zip_file_is_read_and_never_unpacked(tmp_path):
    evil = ["../../evil.html", "/etc/evil.html", "C:\\x\\evil.html"]
    path = pack(tmp_path / "pages.zip", dict.fromkeys(["a/p.html", *evil, "a/x.css"], PAGE))
    assert names(path) == ["pages.zip/a/p.html"]
    assert list(skipped(path).values()) == ["its path leads out of the archive"] * 3 + ["no page by its ending"]
    assert [one.name for one in tmp_path.iterdir()] == ["pages.zip"]
    assert source_of(extract_sentences(path).treebank[0]) == "pages.zip/a"


def test_an_e_book_is_a_zip_file_of_pages(tmp_path):
    path = pack(tmp_path / "book.epub", {"mimetype": b"application/epub+zip", "OEBPS/c1.xhtml": PAGE})
    assert names(path) == ["book.epub/OEBPS/c1.xhtml"]


@pytest.mark.parametrize("ending", [".gz", ".xz", ".zst"])
def test_a_packed_page_is_the_page(folder, ending):
    write_packed(folder / f"g.html{ending}", PAGE)
    (folder / f"h.html{ending}").write_bytes((folder / f"g.html{ending}").read_bytes()[:-12])
    (page,) = (one for one in documents(folder) if isinstance(one, Document) and one.name == f"site/g.html{ending}")
    assert (page.data, page.kind) == (PAGE, "html")
    assert skipped(folder)[f"site/h.html{ending}"].endswith("damaged or cut short; pack it again")
    write_packed(folder / f"g.html{ending}", b"a" * 5_000)
    assert "it unpacks to more than 2,000 bytes" in skipped(folder, limits=Limits(2_000))[f"site/g.html{ending}"]


def test_a_zip_entry_may_have_lost_its_name(tmp_path):
    path = pack(tmp_path / "pages.zip", {"x.html": PAGE, "y.html": b"<p>What is here has a name."})
    path.write_bytes(path.read_bytes().replace(b"x.html", b"\0.html"))  # a name ends at its first zero
    result = extract_sentences([path])
    assert len(result.treebank) == 1 and len(result.report.skipped) == 1


def test_a_zip_bomb_is_put_down(tmp_path):
    path = pack(tmp_path / "bomb.zip", {f"{number}.html": b" " * 3_000_000 for number in range(6)})
    found = skipped(path, limits=Limits(page_bytes=2_000_000, archive_bytes=9_000_000))
    assert found["bomb.zip/0.html"] == "the page is larger than 2,000,000 bytes; cut it into parts"
    assert "unpack to more than 9,000,000 bytes" in found["bomb.zip"] and len(found) == 5


def test_a_zip_entry_that_lies_about_its_size_is_cut_off(tmp_path):
    path = pack(tmp_path / "liar.zip", {"a.html": b"x" * 1_000_000})
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", 1_000_000), struct.pack("<I", 10)))
    assert set(skipped(path)) | set(names(path)) == {"liar.zip/a.html"}  # ten bytes of it at most, or none


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda data: b"no zip at all", "this is no zip file"),
        (lambda data: data[: len(data) // 2], "this is no zip file"),
        (lambda data: data.replace(PAGE[:6], b"\xff" * 6), "cannot be unpacked"),
        (lambda data: re.sub(rb"(PK\x01\x02.{4})\x00", b"\\1\x01", data), "it is encrypted"),
    ],
)
def test_a_damaged_zip_file_is_said_to_be_one(tmp_path, damage, message):
    path = pack(tmp_path / "bad.zip", {"a.html": PAGE}, zipfile.ZIP_STORED)
    path.write_bytes(damage(path.read_bytes()))
    assert [message in reason for reason in skipped(path).values()] == [True]


def warc(*payloads, gzip=True, **headers):
    buffer = io.BytesIO()
    writer = WARCWriter(buffer, gzip=gzip)
    for number, payload in enumerate(payloads):
        fields = {"Content-Type": "text/html; charset=ISO-8859-1", **headers}
        http = StatusAndHeaders("200 OK", list(fields.items()), protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                f"http://example.org/{number}", "response", io.BytesIO(payload), http_headers=http
            )
        )
    return buffer.getvalue()


@pytest.mark.parametrize("gzip", [True, False])
def test_a_warc_archive_is_read(tmp_path, gzip):
    path = tmp_path / ("crawl.warc.gz" if gzip else "crawl.warc")
    path.write_bytes(warc(PAGE, "<p>Der <i>Fuß</i> war müde.".encode("latin-1"), gzip=gzip))
    result = extract_sentences(path)
    assert [sentence.text for sentence in result.treebank] == ["The old man came.", "Der Fuß war müde."]
    for number, sentence in enumerate(result.treebank):
        assert sentence.comment("source") == f"{path.name}/http://example.org/{number}"
        assert source_of(sentence) == path.name


def test_a_warc_record_that_unpacks_to_much_is_cut_off(tmp_path):
    path = tmp_path / "bomb.warc.gz"
    packer = zlib.compressobj(wbits=31)
    bomb = packer.compress(b" " * 3_000_000) + packer.flush()
    path.write_bytes(warc(bomb, **{"Content-Encoding": "gzip"}) + warc(PAGE))
    limits = Limits(page_bytes=1_000_000)
    assert "larger than 1,000,000 bytes" in skipped(path, limits=limits)["bomb.warc.gz/http://example.org/0"]
    assert len(names(path, limits=limits)) == 1


def test_what_cannot_be_read_is_listed_and_the_rest_goes_on(tmp_path, folder):
    sources = [tmp_path / "absent.html", folder, "https://example.org/", b"%PDF-1.7 \xff\x00", "<p>12 34\n", "a\0b"]
    report = extract_sentences(sources).report
    assert report.pages == 4
    reasons = ("there is no such file", "no page by its ending", "fetched only when asked", "this is no text",
               "holds no prose", "there is no such file")  # fmt: skip
    for skipped, reason in zip(report.skipped, reasons, strict=True):
        assert reason in skipped.reason


def test_a_page_may_be_too_large(folder):
    limits, reason = Limits(page_bytes=len(PAGE)), f"the page is larger than {len(PAGE)} bytes; cut it into parts"
    assert names(PAGE, limits=limits) == ["page"] and skipped(PAGE + b" ", limits=limits) == {"page": reason}
    assert skipped(folder / "d.txt", limits=limits) == {"d.txt": reason}


def test_other_things_are_no_sources():
    with pytest.raises(WorkbenchError, match="a page is text, bytes, a path or a URL, got int"):
        extract_sentences(5)
    with pytest.raises(WorkbenchError, match="there are no brackets from 'dash'"):
        extract_sentences(PAGE, punctuation=("dash",))


def test_wrong_bytes_are_noted_and_null_bytes_go():
    report = extract_sentences(b"<meta charset=shift_jis><p>It is \xfd\xfe so here, and the rest is all right.").report
    assert report.notes == ["page: 2 bytes are no shift_jis; they read as \ufffd"]
    assert extract_sentences(b"<p>It\0 i\0s so.").treebank[0].text == "It is so."


def test_sentences_may_be_too_long_or_only_long():
    long = "<p>" + "word " * 400 + "is <b>so</b> here."
    result = extract_sentences([long, "<p>" + "word " * 2000 + "is."])
    assert result.treebank.lengths.tolist() == [404] and result.brackets[0][0].start == 402
    assert result.report.dropped["too long"].pieces == 1
    assert "the longest sentence has 404 words" in result.report.notes[0]


def test_right_to_left_text():
    result = extract_sentences("<p dir=rtl>هذا <b>رجل كبير</b>. \u202bשלום <i>עולם</i> טוב\u202c.\n")
    assert [sentence.comment("markup") for sentence in result.treebank] == ["b 2-3", "i 2-2"]


def test_deep_nesting_and_unclosed_elements():
    deep = "<div>" * 10_000 + "<b>" * 10_000 + "It is <i>so</i> here." + "</b>" * 10_000 + "</div>" * 10_000
    result = extract_sentences(deep + "<p>And <u>so</u> on.")
    assert [sentence.comment("markup") for sentence in result.treebank] == ["i 3-3", "u 2-2"]


def test_what_a_system_packs_beside_the_files_is_no_page(tmp_path):
    beside = ["__MACOSX/._p.html", "a/.DS_Store", "a/._p.html", "Thumbs.db"]
    path = pack(tmp_path / "pages.zip", dict.fromkeys(["a/p.html", *beside], PAGE))
    extraction = extract_sentences(path)
    assert (len(extraction.pages), extraction.report.skipped) == (1, [])


SAVED = b"""From: <Saved by a browser>
Subject: =?utf-8?Q?A_page?=
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html"; boundary="--xy--"

----xy--
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<html><body><p>The <b>old h=
ouse</b> has a caf=E9 now.</p></body></html>
----xy--
Content-Type: image/gif
Content-Transfer-Encoding: base64

R0lGODlh
----xy----
"""


@pytest.mark.parametrize("change", [bytes, lambda data: data.replace(b"\n", b"\r\n")])
def test_a_page_saved_with_its_pictures_is_read(change, tmp_path):
    path = tmp_path / "a.mhtml"
    path.write_bytes(change(SAVED))
    extraction = extract_sentences(path)
    assert [sentence.text for sentence in extraction.treebank] == ["The old house has a café now."]
    assert [(bracket.start, bracket.end) for bracket in extraction.brackets[0]] == [(2, 4)]
    without = extract_sentences(SAVED.replace(b"text/html; ", b"text/rtf; "))
    assert "this saved page (MHTML) holds no HTML" in without.report.skipped[0].reason
