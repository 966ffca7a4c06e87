"""WARC archives record by record: a damaged record costs itself, every other is read, and there is always an end."""

import gzip
import random
import sys
import zlib
from contextlib import suppress
from itertools import islice, pairwise

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from core.extras import EXTRAS
from core.files.unpacking import DAMAGE, DamageError, TooLargeError, unpack
from core.markup import extract_sentences
from core.markup.sources import Document, Limits, warc_pages
from core.markup.warc import ArchiveRecord, page_of, records
from tests.shards.crawl import bounds, extract, member, opened, record

COUNT = 9
MOST = 1 << 20
KINDS = pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])


def page(number):
    rng = random.Random(number)
    return f"<p>Page {number}: {' '.join(str(rng.random()) for _ in range(20))}.".encode()


def members(packed, numbers=range(COUNT)):
    return [member(record(number, page(number)), packed) for number in numbers]


def read(file, most=MOST, begin=0, end=None):
    """The records, of which there must be fewer than bytes."""
    size = len(file.getvalue())
    found = list(islice(records(file, most, begin, end), size + 1))
    assert len(found) <= size
    return found


def pages(file):
    """(numbers of the pages that were read, reasons of the others)."""
    found = list(warc_pages(file, "a", Limits()))
    read = [int(one.name.rpartition("/")[2]) for one in found if isinstance(one, Document)]
    assert [one.data for one in found if isinstance(one, Document)] == [page(number) for number in read]
    return read, [one.reason for one in found if one is not None and not isinstance(one, Document)]


@KINDS
def test_an_archive_is_read_record_by_record(packed):
    whole = members(packed)
    found = read(opened(*whole))
    assert [(one.begin, one.end) for one in found] == list(pairwise(bounds(whole)))
    assert [one.data for one in found] == [record(number, page(number)) for number in range(COUNT)]
    assert [page_of(one, MOST).data for one in found] == [page(number) for number in range(COUNT)]
    assert {one.problem for one in found} == {None}
    assert pages(opened(*whole)) == (list(range(COUNT)), [])
    assert read(opened()) == []


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 0xFF for byte in data[middle : middle + 8]) + data[middle + 8 :]


def halved(data):
    return data[: len(data) // 2]


def misleading(data):
    """With what begins like a member, and is none."""
    middle = len(data) // 2
    return data[:middle] + b"\x1f\x8b\x08\xff" + data[middle + 4 :]


@pytest.mark.parametrize(("damage", "packed"), [(flipped, True), (misleading, True), (halved, True), (halved, False)])
def test_broken_records_cost_themselves_alone(damage, packed):
    broken = [damage(one) if number % 3 == 0 else one for number, one in enumerate(members(packed))]
    read, reasons = pages(opened(*broken))
    assert read == [number for number in range(COUNT) if number % 3]
    assert len(reasons) == COUNT / 3 and all(reasons)


@KINDS
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Content-Length: 10\r\n", "it is not as long as it says"),
        ("Content-Length: 100000\r\n", "it is not as long as it says"),
        ("Content-Length: 99999999999999999999999999\r\n", "it is not as long as it says"),
        ("Content-Length: -10\r\n", "it does not say how long it is"),
        ("Content-Length: many\r\n", "it does not say how long it is"),
        ("Content-Length:\r\n", "it does not say how long it is"),
        ("", "it does not say how long it is"),
    ],
)
def test_a_record_that_does_not_know_its_length_costs_itself_alone(packed, line, reason):
    whole = members(packed)
    whole[::3] = [member(record(number, page(number), line), packed) for number in range(0, COUNT, 3)]
    assert pages(opened(*whole)) == ([number for number in range(COUNT) if number % 3], [reason] * (COUNT // 3))


def test_a_length_below_zero_leads_nowhere_back():
    """It may lead to where a record begins: to this one, or to the one before."""
    first, second = record(0, page(0)), record(1, page(1), "Content-Length: -1000\r\n")
    head = second.index(b"\r\n\r\n") + 8
    for back in (head, head + len(first)):
        found = read(opened(first, record(1, page(1), f"Content-Length: -{back:04}\r\n"), record(2, page(2))))
        assert [one.problem is None for one in found] == [True, False, True]


@KINDS
def test_an_archive_cut_short_gives_all_before_the_cut(packed):
    whole = members(packed)
    ends = bounds(whole)
    for cut in set(range(ends[-3] + 20, ends[-1], 7)) - {ends[-2]}:
        read, reasons = pages(opened(b"".join(whole)[:cut]))
        assert read == list(range(sum(end <= cut for end in ends[1:]))) and len(reasons) == 1
        assert not packed or reasons == ["it is cut short"]


@KINDS
def test_an_archive_whose_first_bytes_are_damaged_loses_its_first_record(packed):
    data = bytearray(b"".join(members(packed)))
    data[:3] = b"\0\0\0"
    read, reasons = pages(opened(bytes(data)))
    assert read == list(range(1, COUNT)) and len(reasons) == 1


def test_records_packed_together_are_named():
    together = member(record(1, page(1)) + record(2, page(2)))
    read, reasons = pages(opened(member(record(0, page(0))), together, member(record(3, page(3)))))
    assert read == [0, 3]
    assert reasons == ["records are packed together; pack each by itself, as warcio recompress does"]


@KINDS
def test_a_record_larger_than_the_limit_is_passed_over(packed):
    bomb = member(record(1, b" " * 300_000), packed)
    found = read(opened(member(record(0, page(0)), packed), bomb, member(record(2, page(2)), packed)), most=100_000)
    assert [one.problem is None for one in found] == [True, False, True]
    assert ("98 KB" in found[1].problem or "100,000 bytes" in found[1].problem) and found[1].data == b""
    assert page_of(found[2], MOST).data == page(2)


@KINDS
def test_ranges_share_an_archive_out(packed):
    """Every record is in one of two ranges, whichever record's begin stands between them; damaged ones too."""
    broken = [halved(one) if number % 4 == 1 else one for number, one in enumerate(members(packed))]
    file = opened(*broken)
    whole = read(file)
    assert len(whole) == COUNT
    for split in [*(one.begin for one in whole), whole[-1].end]:
        assert read(file, end=split) + read(file, begin=split) == whole
    thirds = [0, whole[3].begin, whole[6].begin, whole[-1].end]
    assert [one for begin, end in pairwise(thirds) for one in read(file, begin=begin, end=end)] == whole


@KINDS
def test_an_archive_inside_a_record_is_a_payload(packed):
    nested = b"".join(members(True)) + random.Random(0).randbytes(50_000)
    payload = b"\r\n\r\n".join([nested, *members(False)]) if packed else nested
    whole = [member(record("outer", payload), packed, level=0), *members(packed, [7])]
    assert nested[:30] in whole[0]  # stored as it is
    found = read(opened(*whole))
    assert [one.problem for one in found] == [None, None]
    assert page_of(found[0], MOST).data == payload and page_of(found[1], MOST).data == page(7)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"HTTP/1.1 200 OK", b"HTPP/1.1 200 OK", "Expected Status Line"),
        (b"WARC/1.0", b"WARC/x.y", "Unknown archive format"),
        (b"WARC-Type: response", b"WARC-Type: metadata", None),
        (b"HTTP/1.1 200 OK", b"HTTP/1.1 404 No", None),
        (b"text/html;", b"image/png;", None),
    ],
)
def test_a_header_that_is_none_costs_its_record_and_what_is_no_page_is_passed_over_in_silence(old, new, message):
    read, reasons = pages(opened(member(record(0, page(0)).replace(old, new)), member(record(1, page(1)))))
    assert read == [1] and len(reasons) == bool(message) and all(message in reason for reason in reasons)


def test_what_is_said_of_a_damaged_record_is_raised_for_its_page():
    (found,) = read(opened(b"no archive at all"))
    assert found == ArchiveRecord(0, 17, 17, problem="no record begins here")
    with pytest.raises(DamageError, match="no record begins here"):
        page_of(found, MOST)
    (good,) = read(opened(record(0, page(0))))
    with pytest.raises(TooLargeError, match="more than 10 bytes"):
        page_of(good, 10)


edits = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["flip", "cut", "add"]), st.binary(max_size=6)), max_size=6)


@given(st.booleans(), edits)
def test_whatever_the_damage_the_records_follow_each_other_to_the_end(packed, edits):
    data = bytearray(b"".join(members(packed, range(4))))
    for share, kind, other in edits:
        place = int(share * len(data))
        if kind == "cut":
            del data[place : place + 40]
        elif kind == "add":
            data[place:place] = other
        else:
            data[place : place + len(other)] = other
    found = read(opened(bytes(data)))
    assert all(isinstance(one, ArchiveRecord) and one.begin < one.end <= len(data) for one in found)
    assert [one.end for one in found[:-1]] == [one.begin for one in found[1:]]
    assert not found or (found[0].begin == 0 and not bytes(data[found[-1].end :]).strip())
    for one in found:
        assert (one.problem is None) == bool(one.data)
        with suppress(DAMAGE):
            page_of(one, MOST)


TEXT = b"<p>The <b>old man</b> came home and slept."
LATIN = "<p>Der <i>Fu\u00df</i> war m\u00fcde.".encode("cp1252")


def archive(
    path, *payloads, sort="response", head=b"HTTP/1.1 200 OK", fields=(), end=b"\r\n", content=None, pack=bytes
):
    """An archive of records with these payloads; without a status line where ``head`` is empty."""
    found = []
    for number, payload in enumerate(payloads):
        http = b"" if not head else end.join([head, *fields, b"", b""])
        sort_of = content or ("application/http; msgtype=response" if head else "text/plain")
        lines = [
            "WARC/1.1", f"WARC-Type: {sort}", f"WARC-Target-URI: http://example.org/{number}",
            f"Content-Type: {sort_of}", f"Content-Length: {len(http + payload)}", "", "",
        ]  # fmt: skip
        found.append(pack(end.join(line.encode() for line in lines) + http + payload + 2 * end))
    path.write_bytes(b"".join(found))
    return path


def sentences(path):
    found = extract_sentences(path, repeats=True)
    return [sentence.text for sentence in found.treebank], [one.reason for one in found.report.skipped]


HTML, WHOLE = b"Content-Type: text/html; charset=utf-8", ["The old man came home and slept."]


@pytest.mark.parametrize("status", ["HTTP/2 200", "HTTP/2.0 200 OK", "HTTP/3 200", "HTTP/1.0 200", "HTTP/1.1 206 Part"])
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.other"])
def test_status_lines_of_all_versions_and_bare_line_feeds_are_read(tmp_path, status, end, name):
    pack = gzip.compress if name.endswith("gz") else bytes
    path = archive(tmp_path / name, TEXT, TEXT, head=status.encode(), fields=[HTML], end=end, pack=pack)
    assert sentences(path) == (WHOLE * 2, [])


def chunked(data):
    return b"".join(b"%x;x=1\r\n%s\r\n" % (len(data[at : at + 9]), data[at : at + 9]) for at in range(0, len(data), 9))


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("br", brotli.compress), ("zstd", zstandard.compress), ("gzip", gzip.compress), ("x-gzip", gzip.compress),
        ("deflate", zlib.compress), ("deflate", lambda data: zlib.compress(data, wbits=-15)), ("identity", bytes),
        ("BR", brotli.compress), ("gzip, br", lambda data: brotli.compress(gzip.compress(data))), ("", bytes),
        *((coding, bytes) for coding in ("br", "zstd", "gzip", "deflate")),  # stored unpacked
    ],
)  # fmt: skip
def test_pages_are_unpacked_as_their_servers_packed_them(tmp_path, coding, pack):
    fields = [HTML, b"Content-Encoding: " + coding.encode()]
    assert sentences(archive(tmp_path / "a.warc", pack(TEXT), fields=fields)) == (WHOLE, [])
    fields.append(b"Transfer-Encoding: chunked")
    assert sentences(archive(tmp_path / "a.warc", chunked(pack(TEXT)) + b"0\r\n\r\n", fields=fields)) == (WHOLE, [])
    assert sentences(archive(tmp_path / "a.warc", pack(TEXT), fields=fields)) == (WHOLE, [])  # stored in one piece


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip", "compress"])
def test_a_page_that_cannot_be_unpacked_costs_itself_alone(tmp_path, coding):
    pack = {"br": brotli.compress, "zstd": zstandard.compress, "gzip": gzip.compress}.get(coding, zlib.compress)
    broken = pack(random.Random(0).randbytes(500))[:100]
    fields = [HTML, f"Content-Encoding: {coding}".encode()]
    texts, reasons = sentences(archive(tmp_path / "a.warc", broken, pack(TEXT), fields=fields))
    assert len(reasons) == 2 - len(texts) and texts == (WHOLE if coding != "compress" else [])
    assert ("packed as" if coding == "compress" else "cannot be unpacked") in reasons[0]


@pytest.mark.parametrize(("coding", "pack"), [("br", brotli.compress), ("zstd", zstandard.compress)])
def test_a_packed_bomb_is_put_down(coding, pack):
    with pytest.raises(TooLargeError):
        unpack(pack(b" " * 30_000_000), 1000, coding)
    assert unpack(pack(b"x" * 1000), 1000, coding) == b"x" * 1000
    assert unpack(pack(b""), 1000, coding) == b""


@pytest.mark.parametrize(("extra", "coding"), [("brotli", "br"), ("zstd", "zstd")])
def test_without_its_library_a_page_is_skipped_and_the_extra_named(tmp_path, monkeypatch, extra, coding):
    monkeypatch.setitem(sys.modules, EXTRAS[extra][0], None)
    path = archive(tmp_path / "a.warc", zstandard.compress(TEXT), fields=[HTML, f"Content-Encoding: {coding}".encode()])
    assert f'run: pip install "parser-workbench[{extra}]"' in sentences(path)[1][0]


def frames(dictionary=None):
    known = dictionary and zstandard.ZstdCompressionDict(dictionary)
    return lambda data: zstandard.ZstdCompressor(dict_data=known).compress(data)


@pytest.mark.parametrize("packed", [True, False])
def test_an_archive_packed_by_zstandard_is_read_with_its_dictionary(tmp_path, packed):
    path = archive(tmp_path / "a.warc.zst", TEXT, TEXT, fields=[HTML], pack=frames())
    assert sentences(path) == (WHOLE * 2, [])
    dictionary = zstandard.train_dictionary(2000, [TEXT + bytes([n]) * n for n in range(1, 200)]).as_bytes()
    archive(path, TEXT, TEXT, fields=[HTML], pack=frames(dictionary))
    stored = frames()(dictionary) if packed else dictionary
    path.write_bytes(b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored + path.read_bytes())
    assert sentences(path) == (WHOLE * 2, [])
    with path.open("rb") as file:
        first, second = records(file, MOST)
        assert list(records(file, MOST, second.begin)) == [second] and first.begin == 8 + len(stored)
    data = path.read_bytes()
    path.write_bytes(data[: second.begin - 9] + data[second.begin - 2 :])  # damaged at its end
    texts, reasons = sentences(path)
    assert texts == WHOLE and len(reasons) == 1


def test_an_archive_whose_dictionary_is_damaged_says_so(tmp_path):
    path = archive(tmp_path / "a.warc.zst", TEXT, fields=[HTML], pack=frames())
    dictionary = zstandard.train_dictionary(2000, [TEXT + bytes([n]) * n for n in range(1, 200)]).as_bytes()
    stored = dictionary[:8] + b"\xff" * 80
    path.write_bytes(b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored + path.read_bytes())
    assert sentences(path) == ([], ["the dictionary that it was packed with is damaged; fetch the archive again"])


def test_an_archive_packed_by_zstandard_needs_its_library(tmp_path, monkeypatch):
    path = archive(tmp_path / "a.warc.zst", TEXT, fields=[HTML], pack=frames())
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert 'run: pip install "parser-workbench[zstd]"' in sentences(path)[1][0]


@pytest.mark.parametrize("name", ["a.warc.wet", "a.warc.wet.gz", "a.wet", "a.warc", "a.warc.gz"])
def test_text_taken_from_pages_is_read_line_by_line(tmp_path, name):
    text = "Home\nAbout us\nThe old man came home & slept.\nHe sat in the very old\nchair of 1 < 2 legs.\nContact\n"
    pack = gzip.compress if name.endswith("gz") else bytes
    path = archive(tmp_path / name, text.encode(), "Très bien.\n".encode(), sort="conversion", head=b"", pack=pack)
    assert sentences(path) == (
        ["The old man came home & slept.", "He sat in the very old chair of 1 < 2 legs.", "Très bien."], []
    )  # fmt: skip


def test_the_server_of_a_record_names_the_encoding(tmp_path):
    path = archive(tmp_path / "a.warc", LATIN, fields=[b"content-type: text/html;", b"\tcharset=windows-1252"])
    assert sentences(path) == (["Der Fu\u00df war m\u00fcde."], [])


@pytest.mark.parametrize("name", ["a.wat", "a.warc.wat.gz", "a.warc"])
def test_an_archive_without_pages_says_what_it_has(tmp_path, name):
    pack = gzip.compress if name.endswith("gz") else bytes
    path = archive(tmp_path / name, b"{}", b"{}", sort="metadata", head=b"", pack=pack, content="application/json")
    assert sentences(path) == ([], ["none of its 2 records is a page: requests, pictures and metadata (WAT) are none; "
                                    "give WARC or WET"])  # fmt: skip


def test_arc_archives_are_refused_by_what_they_are(tmp_path):
    head = b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 76\n1 0 Archive\nURL IP Date Type Length\n\n"
    page = b"http://example.org/ 1.2.3.4 20200101000000 text/html 99\nHTTP/1.1 200 OK\r\n\r\n" + TEXT
    said = {}
    for name in ("a.arc", "b.arc.gz", "c.warc.gz", "d.other"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(head) + gzip.compress(page) if name.endswith("gz") else head + page)
        texts, said[path] = sentences(path)
        assert texts == [] and "this is an ARC archive" in said[path][0] and said[path][0].endswith("new.warc.gz")
    *named, _ = said
    shards = extract(named, tmp_path / "shards").report
    assert [one.reason for one in shards.skipped] == [reason for path in named for reason in said[path]]
