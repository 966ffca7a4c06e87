"""WARC archives, record by record: what is wrong with a record costs that record and nothing after it.

Of a compressed archive each record is a gzip member of its own (ISO 28500, annex D), found by where the member before
it ends. After a damaged one it is found by the next member that begins like a record. Of an uncompressed
archive a record ends where it says, if another begins there, else where the next one begins.
"""

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from core.errors import quoted
from core.unpacking import DAMAGE, DamageError, TooLargeError, size_text, unpack

GZIP = b"\x1f\x8b\x08"
RECORD, BETWEEN = b"WARC/", b"\r\n\r\n"
VERSION = RECORD + b"1."
MEMBER = 16 + zlib.MAX_WBITS  # zlib's word for gzip
CHUNK = 1 << 16
LONGEST_HEAD = 1 << 16  # bytes of a record's own header
HEADERS = 1 << 20  # bytes that a record may have beside its page


@dataclass(frozen=True)
class ArchiveRecord:
    """A record as it stands in a file: bytes ``begin`` to ``end - 1``; ``size`` of them unpacked, header included.

    ``problem`` says why it cannot be read, and ``data`` is empty then.
    """

    begin: int
    end: int
    size: int
    data: bytes = b""
    problem: str | None = None


@dataclass(frozen=True)
class Payload:
    """The page of a record: its address, bytes, and the encoding that its server named."""

    address: str
    data: bytes
    encoding: str | None


def records(file: BinaryIO, most: int, begin: int = 0, end: int | None = None) -> Iterator[ArchiveRecord]:
    """Yield the records of an archive that begin at bytes ``begin`` to ``end - 1``.

    Parameters
    ----------
    file : binary file that can seek
    most : int
        Bytes of a record, unpacked; a larger one is not read.
    begin, end : int
        ``begin`` is where a record begins.

    Notes
    -----
    O(bytes); one record is held at a time.
    """
    file.seek(0)
    head = file.read(len(RECORD))
    is_packed = head.startswith(GZIP) or (head != RECORD and _next_member(file, 0) < _next_plain(file, 0))
    read, find = (_member, _next_member) if is_packed else (_plain, _next_plain)
    place = begin
    while end is None or place < end:
        try:
            found = read(file, place, most)
            if found is None:
                return
            data, after = found
            record = ArchiveRecord(place, after, len(data), data)
        except DAMAGE as error:
            after = find(file, place + 1)
            record = ArchiveRecord(place, after, after - place, problem=quoted(str(error)) or "it is damaged")
        yield record
        place = after


def page_of(record: ArchiveRecord, most: int) -> Payload | None:
    """The page that a record holds; None for requests, pictures, redirects and the like.

    Raises TooLargeError, DamageError, or anything of DAMAGE, for a record that cannot be read.
    """
    from warcio.exceptions import ArchiveLoadFailed  # only when an archive comes
    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParserException

    if record.problem is not None:
        raise DamageError(record.problem)
    try:
        parsed: Any = ArcWarcRecordLoader().parse_record_stream(io.BytesIO(record.data))
    except (ArchiveLoadFailed, StatusAndHeadersParserException) as error:
        raise DamageError(quoted(str(error))) from error
    if parsed.rec_type not in ("response", "resource"):
        return None
    headers = parsed.http_headers or parsed.rec_headers
    sort = (headers.get_header("Content-Type") or "text/html").lower()
    if parsed.http_headers and not (parsed.http_headers.get_statuscode() or "200").startswith("2"):
        return None
    if "html" not in sort:
        return None
    encoding = sort.partition("charset=")[2].split(";")[0].strip(" \"'") or None
    return Payload(address_of(record), unpack(parsed.content_stream(), most), encoding)


def address_of(record: ArchiveRecord) -> str:
    """The ``WARC-Target-URI`` of a record, or "" where it names none."""
    for line in record.data.partition(BETWEEN)[0].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"warc-target-uri":
            return value.strip().strip(b"<>").decode("utf-8", "replace")
    return ""


def _member(file, place, most):
    """(data, where it ends) of the gzip member at a place; None behind the last one."""
    file.seek(place)
    inflater, pieces, size, after = zlib.decompressobj(MEMBER), [], 0, place
    while not inflater.eof:
        packed = file.read(CHUNK)
        if not packed:
            if after == place:
                return None
            raise DamageError("it is cut short")
        after += len(packed)
        while packed and not inflater.eof:
            piece = inflater.decompress(packed, most + 1 - size)
            size += len(piece)
            pieces.append(piece)
            if size > most:
                raise TooLargeError(f"it unpacks to more than {size_text(most)}")
            packed = inflater.unconsumed_tail
    data = b"".join(pieces)
    if not data.startswith(RECORD):
        raise DamageError("no record begins here")
    head, _, rest = data.partition(BETWEEN)
    stated = _stated(head) + len(BETWEEN)
    if rest.startswith(RECORD, stated):
        raise DamageError("records are packed together; pack each by itself, as warcio recompress does")
    if len(rest) != stated:
        raise DamageError("it is not as long as it says")
    return data, after - len(inflater.unused_data)


def _stated(head):
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value[:18])  # more is no place in a file
    raise DamageError("it does not say how long it is")


def _next_member(file, place):
    """Where the next gzip member begins that begins like a record; the end of the file if none does."""
    for found in _places(file, place, GZIP):
        file.seek(found)
        inflater = zlib.decompressobj(MEMBER)
        try:
            if inflater.decompress(file.read(CHUNK), len(RECORD)) == RECORD:
                return found
        except zlib.error:
            continue  # three bytes that look like a member's first
    return file.seek(0, io.SEEK_END)


def _plain(file, place, most):
    """(data, where it ends) of the uncompressed record at a place; None behind the last one."""
    file.seek(place)
    head = file.read(LONGEST_HEAD)
    if not head.strip():
        return None
    head, between, _ = head.partition(BETWEEN)
    if not head.startswith(RECORD) or not between:
        raise DamageError("no record begins here")
    size = len(head) + len(BETWEEN) + _stated(head) + len(BETWEEN)
    file.seek(place + size - len(BETWEEN))
    behind = file.read(len(BETWEEN) + len(RECORD))
    if not behind.startswith(BETWEEN) or behind[len(BETWEEN) :] not in (b"", RECORD):
        raise DamageError("it is not as long as it says")
    if size > most:
        raise TooLargeError(f"it is larger than {size_text(most)}")
    file.seek(place)
    return file.read(size), place + size


def _next_plain(file, place):
    """Where the next record of an uncompressed archive begins; the record before may lack its end."""
    found = next(_places(file, place, VERSION), None)
    return file.seek(0, io.SEEK_END) if found is None else found


def _places(file, place, wanted):
    """Where in a file, from a place on, these bytes stand."""
    while True:
        file.seek(place)
        chunk = file.read(CHUNK)
        found = chunk.find(wanted)
        if found >= 0:
            yield place + found
            place += found + 1
        elif len(chunk) < CHUNK:
            return
        else:
            place += CHUNK - len(wanted) + 1
