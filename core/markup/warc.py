"""WARC archives, record by record: what is wrong with a record costs that record and nothing after it.

Of a compressed archive each record is a gzip member (ISO 28500, annex D) or Zstandard frame of its own, found by where
the one before it ends. After a damaged one it is found by the next member that begins like a record. Of an uncompressed
archive a record ends where it says, if another begins there, else where the next one begins. Lines may end in a bare
line feed.
"""

import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from core.errors import WorkbenchError, quoted
from core.files.unpacking import DAMAGE, DamageError, Frame, TooLargeError, size_text, unpack

GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
SKIPPED = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18(.{4})", re.DOTALL)  # a Zstandard frame that holds a dictionary
DICTIONARY = b"\x5d\x2a\x4d\x18"
RECORD, ARC = b"WARC/", b"filedesc:"
VERSION, KNOWN_VERSION = RECORD + b"1.", re.compile(rb"WARC/\d\.\d+$")
BETWEEN = re.compile(rb"\r\n\r\n|\n\n")
LINE_END = re.compile(rb"\r?\n")
STATUS = re.compile(r"HTTP/\S{1,4}\s+(\d{3})(?:\s.*)?")
NO_PAGES = frozenset({"warcinfo", "request", "metadata", "revisit", "continuation"})  # sorts of records
HTTP = b"HTTP/"
CHUNK_SIZE = re.compile(rb"\s*([0-9A-Fa-f]{1,8})[^\r\n]*\r?\n")
MEMBER = 16 + zlib.MAX_WBITS  # zlib's word for gzip
CHUNK = 1 << 16
LONGEST_HEAD = 1 << 16  # bytes of a record's own header
HEADERS = 1 << 20  # bytes that a record may have beside its page
PACKED = {  # what servers call it -> what it is, and how it begins
    "gzip": ("gzip", b"\x1f\x8b"), "x-gzip": ("gzip", b"\x1f\x8b"), "deflate": ("gzip", b""), "br": ("br", b""),
    "zstd": ("zstd", ZSTD),
}  # fmt: skip
REFUSED = "this is an ARC archive, as they were before WARC; make one of it: warcio recompress old.arc.gz new.warc.gz"


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
    """The page of a record: its address, bytes, the encoding that its server named; ``kind`` is html or lines."""

    address: str
    data: bytes
    encoding: str | None
    kind: str = "html"


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
    O(bytes); one record is held at a time. An archive of another sort is one record, whose problem says so.
    """
    try:
        read, find, first = _ways(file)
    except WorkbenchError as error:
        size = file.seek(0, io.SEEK_END)
        yield ArchiveRecord(0, size, size, problem=str(error))
        return
    position = max(begin, first)
    while end is None or position < end:
        try:
            member = read(file, position, most)
            if member is None:
                return
            data, after = member
            record = ArchiveRecord(position, after, len(data), data)
        except DAMAGE as error:
            after = find(file, position + 1)
            record = ArchiveRecord(position, after, after - position, problem=reason_of(error))
        yield record
        position = after


def _ways(file):
    """(how a record is read, how the next one is found, where the first one begins)."""
    file.seek(0)
    head = file.read(CHUNK)
    if head.startswith(ZSTD) or SKIPPED.match(head):
        dictionary, first = _dictionary(file)
        opened = partial(Frame, dictionary)
        opened()  # complains where the library is missing
        return partial(_member, opened), partial(_next_member, opened, ZSTD), first
    opened = partial(zlib.decompressobj, MEMBER)
    is_packed = head.startswith(GZIP)
    if (_begin(opened, head, len(ARC)) if is_packed else head).startswith(ARC):
        raise DamageError(REFUSED)
    find = partial(_next_member, opened, GZIP)
    if is_packed or (not head.startswith(RECORD) and find(file, 0) < _next_plain(file, 0)):
        return partial(_member, opened), find, 0
    return _plain, _next_plain, 0


def _dictionary(file):
    """(dictionary or None, where the frame after it begins) of an archive packed by Zstandard."""
    file.seek(0)
    head = SKIPPED.match(file.read(8))
    if head is None:
        return None, 0
    size = int.from_bytes(head[1], "little")
    data = file.read(size) if size <= HEADERS * 16 else b""
    if not head[0].startswith(DICTIONARY):
        return None, 8 + size
    return unpack(data, HEADERS * 16, "zstd") if data.startswith(ZSTD) else data, 8 + size


def reason_of(error: Exception) -> str:
    """What is wrong with a record, by what reading it raised."""
    return (str(error) if isinstance(error, WorkbenchError) else quoted(str(error))) or "it is damaged"


def page_of(record: ArchiveRecord, most: int) -> Payload | None:
    """The page that a record holds, or the text that was taken from one; None for requests, pictures and the like.

    Raises TooLargeError, DamageError, or anything of DAMAGE, for a record that cannot be read.
    """
    if record.problem is not None:
        raise DamageError(record.problem)
    first, fields, data = _message(record.data)
    if not KNOWN_VERSION.match(first.encode()):
        raise DamageError(f"Unknown archive format: its record begins with {quoted(first[:40])}")
    sort, data = fields.get("warc-type", ""), data[: _stated(record.data[: _head_end(record.data)])]
    if sort in NO_PAGES:
        return None
    if data.startswith(HTTP) or (sort == "response" and "/http" in fields.get("content-type", "/http")):
        answer = _answer(data, most)
        if answer is None:
            return None
        fields, data = answer
    elif sort not in ("response", "resource", "conversion"):
        return None
    content = fields.get("content-type", "text/html").lower()
    kind = "lines" if sort == "conversion" and content.startswith("text/plain") else "html"
    if kind == "html" and "html" not in content:
        return None
    if len(data) > most:
        raise TooLargeError(f"it has more than {size_text(most)}, the limit for it; cut it into parts")
    encoding = content.partition("charset=")[2].split(";")[0].strip(" \"'") or None
    return Payload(address_of(record), data, encoding, kind)


def _answer(data, most):
    """(fields, page unpacked) of a server's answer; None for a redirect or an error."""
    first, fields, data = _message(data)
    status = STATUS.fullmatch(first)
    if status is None:
        raise DamageError(f"Expected Status Line of HTTP, got {quoted(first[:40])}")
    return (fields, _unpacked(data, fields, most)) if status[1].startswith("2") else None


def address_of(record: ArchiveRecord) -> str:
    """The ``WARC-Target-URI`` of a record, or "" where it names none."""
    return _message(record.data)[1].get("warc-target-uri", "").strip("<>")


def _message(data):
    """(first line, {name: value} of the others, what follows) of a record, or of an HTTP message in it."""
    between = BETWEEN.search(data, 0, LONGEST_HEAD)
    head, rest = (data[: between.start()], data[between.end() :]) if between else (data[:LONGEST_HEAD], b"")
    first, *lines = re.split(r"\r?\n", head.decode("utf-8", "replace"))
    fields, name = {}, ""
    for line in lines:
        if line[:1] in (" ", "\t"):  # of a value that goes on
            fields[name] = f"{fields.get(name, '')} {line.strip()}"
        else:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields.setdefault(name, value.strip())
    return first.strip(), fields, rest


def _unpacked(data, fields, most):
    """The page of an HTTP message. Crawlers often store it unpacked, and leave what the server said of it."""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        data = _joined_chunks(data)
    for name in reversed(fields.get("content-encoding", "").lower().split(",")):
        name = name.strip()
        if name in ("", "identity"):
            continue
        if name not in PACKED:
            raise DamageError(f"its page is packed as {quoted(name)}, which cannot be read")
        coding, begin = PACKED[name]
        if not data.startswith(begin):
            continue
        try:
            data = unpack(data, most, coding)
        except DamageError:
            if data.lstrip()[:1] != b"<":
                raise
    return data


def _joined_chunks(data):
    """A body that was sent in chunks; as it is where it was stored in one piece, or from where it is damaged."""
    pieces, position = [], 0
    while head := CHUNK_SIZE.match(data, position):
        size = int(head[1], 16)
        if not size:
            return b"".join(pieces)
        pieces.append(data[head.end() : head.end() + size])
        position = head.end() + size
        line_end = LINE_END.match(data, position)
        position = line_end.end() if line_end else position
    return b"".join([*pieces, data[position:]])


def _member(opened, file, position, most):
    """(data, where it ends) of the gzip member or Zstandard frame at a place; None behind the last one."""
    file.seek(position)
    inflater, pieces, size, after = opened(), [], 0, position
    while not inflater.eof:
        packed = file.read(CHUNK)
        if not packed:
            if after == position:
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
    head = _head_end(data)
    stated = head + _stated(data[:head])
    if not (behind := BETWEEN.match(data, stated)):
        raise DamageError("it is not as long as it says")
    if data.startswith(RECORD, behind.end()):
        raise DamageError("records are packed together; pack each by itself, as warcio recompress does")
    if len(data) != behind.end():
        raise DamageError("it is not as long as it says")
    return data, after - len(inflater.unused_data)


def _head_end(data):
    between = BETWEEN.search(data, 0, LONGEST_HEAD)
    if not data.startswith(RECORD) or not between:
        raise DamageError("no record begins here")
    return between.end()


def _stated(head):
    for line in LINE_END.split(head):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value[:18])  # more is no place in a file
    raise DamageError("it does not say how long it is")


def _begin(opened, packed, size):
    """The first bytes of what is packed; none where it is not."""
    try:
        return opened().decompress(packed, size)[:size]
    except (zlib.error, ValueError):  # bytes that look like a member's first
        return b""


def _next_member(opened, magic, file, start):
    """Where the next member begins that begins like a record; the end of the file if none does."""
    for position in _occurrences(file, start, magic):
        file.seek(position)
        if _begin(opened, file.read(CHUNK), len(RECORD)) == RECORD:
            return position
    return file.seek(0, io.SEEK_END)


def _plain(file, position, most):
    """(data, where it ends) of the uncompressed record at a place; None behind the last one."""
    file.seek(position)
    data = file.read(LONGEST_HEAD)
    if not data.strip():
        return None
    head = _head_end(data)
    size = head + _stated(data[:head])
    file.seek(position + size)
    behind = file.read(4 + len(RECORD))
    between = BETWEEN.match(behind)
    if not between or behind[between.end() :][: len(RECORD)] not in (b"", RECORD):
        raise DamageError("it is not as long as it says")
    size += between.end()
    if size > most:
        raise TooLargeError(f"it is larger than {size_text(most)}")
    file.seek(position)
    return file.read(size), position + size


def _next_plain(file, start):
    """Where the next record of an uncompressed archive begins; the record before may lack its end."""
    position = next(_occurrences(file, start, VERSION), None)
    return file.seek(0, io.SEEK_END) if position is None else position


def _occurrences(file, position, wanted):
    """Yield where these bytes stand in a file, from a position on."""
    while True:
        file.seek(position)
        chunk = file.read(CHUNK)
        offset = chunk.find(wanted)
        if offset >= 0:
            yield position + offset
            position += offset + 1
        elif len(chunk) < CHUNK:
            return
        else:
            position += CHUNK - len(wanted) + 1
