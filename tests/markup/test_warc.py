"""WARC archives record by record: a damaged record costs itself, every other is read, and there is always an end."""

import random
from contextlib import suppress
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.markup.sources import Document, Limits, warc_pages
from core.markup.warc import ArchiveRecord, page_of, records
from core.unpacking import DAMAGE, DamageError, TooLargeError
from tests.shards.crawl import bounds, member, opened, record

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
