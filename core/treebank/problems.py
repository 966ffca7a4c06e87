"""Errors in a treebank file, each in a sentence that says where it is and what to do."""

import re
from codecs import getincrementaldecoder, lookup
from pathlib import Path

import numpy as np

from core.errors import FormatError, quoted
from core.treebank import scan
from core.treebank.layouts import Layout
from core.treebank.refused_files import refusal

WIDE = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks of UTF-16 and UTF-32
NO_TEXT = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")  # encodings of names and programs
LIMIT = 2**31 - 2  # places in the bytes are 32-bit numbers
CHUNK = 1 << 16  # bytes decoded at a time
CONFLICT = (b"<<<<<<<", b"=======", b">>>>>>>")
OURS = re.compile(rb"^<{7}(?: .*|\r)?$", re.MULTILINE)
BETWEEN = re.compile(rb"^={7}\r?$", re.MULTILINE)
BLANKS = re.compile(r"\t| +")
SPACED = 8  # columns between spaces are a treebank whose tabs are lost
MESSAGES = {
    scan.NUMBERING: "ID is {id} where {word} should follow; number the words 1, 2, 3 ...",
    scan.SPAN: "{id} is no range of the words that follow it; write first-last, such as 3-4, before word 3, without "
    "overlaps",
    scan.EMPTY_NODE: "the empty node {id} is out of order; number them {before}.1, {before}.2 ...",
    scan.NO_WORD: "this sentence holds no word; add one or remove it",
    scan.FORM: "FORM is empty; write the word, or _ if there is none",
    scan.HEAD: "HEAD is {head}; write the number of the head, 0 for the root, or _ if unknown",
    scan.HEAD_RANGE: "HEAD is {number}, but the sentence has no such word; use 0 to the number of its last word",
    scan.SELF_LOOP: "HEAD is the word itself; give it another head",
    scan.CYCLE: "following the heads from this word leads back to it; break the cycle",
    scan.NO_ROOT: "no word has HEAD 0; make one the root",
    scan.SEVERAL_ROOTS: "a second root; {layout} allows one word with HEAD 0: attach this one to a word",
}
OF_ONE_WORD = (scan.FORM, scan.HEAD, scan.HEAD_RANGE, scan.SELF_LOOP, scan.CYCLE, scan.SEVERAL_ROOTS)


def require_text(data: bytes, path: str | Path | None, encoding: str) -> None:
    """Refuse bytes that are not text in ``encoding``, and text too long to index."""
    check_encoding_name(encoding)
    if not data or data.isspace():
        raise FormatError("this file is empty; choose one with at least one sentence", path=path)
    refuse_foreign(data, path)
    nul = data.find(b"\0")
    if nul >= 0:
        raise FormatError(
            f"byte {nul} is NUL, so this is a binary file or damaged text; give a text file, or remove the byte",
            path=path,
            line=line_number(data, nul),
        )
    if len(data) > LIMIT:
        raise FormatError(f"{len(data):,} bytes are more than 2 GB; split the file", path=path)
    _require_decodable(data, path, encoding)


def refuse_foreign(data: bytes, path: str | Path | None = None) -> None:
    """Refuse bytes that are no text, stand for another file, or hold two versions of one."""
    if reason := refusal(data):
        raise FormatError(reason, path=path)
    if data.startswith(WIDE):
        raise FormatError("this looks like UTF-16 or UTF-32; save it as UTF-8", path=path)
    if all(mark in data for mark in CONFLICT) and (conflict := _conflict(data)):
        raise FormatError(
            "git left two versions of some lines here, between <<<<<<< and >>>>>>>; keep one of them and remove the "
            "marks",
            path=path,
            line=line_number(data, conflict.start()),
        )


def _conflict(data):
    """The match of the first line ``<<<<<<<`` that lines ``=======`` and ``>>>>>>>`` follow; None. O(bytes)."""
    last = max(data.rfind(b"\n" + CONFLICT[2]), 0)
    between = max((match.start() for match in BETWEEN.finditer(data, 0, last)), default=0)
    return OURS.search(data, 0, between)


def check_encoding_name(encoding: str) -> None:
    """Refuse encodings that do not exist, or whose tabs and line ends are not single bytes as in ASCII."""
    marks = "\t\r\n #-.0123456789_"
    try:
        if lookup(encoding).name in NO_TEXT:
            raise LookupError
        same = marks.encode(encoding) == marks.encode("ascii")
    except (LookupError, ValueError, UnicodeError, AttributeError, TypeError):  # undefined, a null character
        raise FormatError(
            f"there is no encoding {_quoted(encoding)}; take utf-8, latin-1, cp1252, gb18030 ..."
        ) from None
    if not same:
        raise FormatError(
            f"files in {_quoted(encoding)} cannot be read as they are, as its tabs and line ends are not ASCII's; "
            "save the file as UTF-8"
        )


def _require_decodable(data, path, encoding):
    if data.isascii():
        return
    decoder = getincrementaldecoder(encoding)()
    for begin in range(0, len(data), CHUNK):  # a str of the whole would be two to four times its size
        chunk = data[begin : begin + CHUNK]
        try:
            decoder.decode(chunk, final=begin + CHUNK >= len(data))
        except UnicodeDecodeError as error:
            position = begin + len(chunk) - len(error.object) + error.start  # the object begins with bytes kept back
            raise FormatError(
                f"byte 0x{data[position]:02x} at position {position} is not {quoted(encoding)}; save the file as "
                "UTF-8, or name its encoding, such as latin-1 (also cp1252, gb18030 ...)",
                path=path,
                line=line_number(data, position),
            ) from None


def line_number(data: bytes, position: int) -> int:
    """The line, counted from 1, of a place in the bytes."""
    return data.count(b"\n", 0, position) + 1


def scan_error(data: bytes, layout: Layout, encoding: str, path: str | Path | None, problem: np.ndarray) -> FormatError:
    """The FormatError for what ``scan.scan`` found: [sentences with a problem, kind, byte, sentence, word]."""
    count, kind, position, sentence, word = (int(number) for number in problem)
    end = data.find(b"\n", position)
    line = data[position : end if end >= 0 else len(data)]
    line = line.decode(encoding, "replace").rstrip("\r")
    if kind == scan.COLUMNS:
        message = _columns_message(line, layout, is_first=sentence == 0 and word <= 1)
    elif kind == scan.NUMBERING and line[:1] == " ":
        message = "a blank stands before the ID; remove the blanks that lines begin with"
    else:
        fields = line.split("\t")
        column = layout.positions["head"]
        head = fields[column] if len(fields) > column else ""
        message = MESSAGES[kind].format(
            id=_quoted(fields[0]), head=_quoted(head), number=quoted(head), word=word, before=word - 1,
            layout=layout.title,
        )  # fmt: skip
        if kind == scan.NUMBERING and fields[0] == "1":
            message += ", with a blank line before each sentence"
        if kind == scan.SEVERAL_ROOTS and layout.name != "conllx":
            message += ", or read the file in the format conllx, which keeps them"
    if count > 1:
        message += f" (and {count - 1:,} more sentence{'s' * (count > 2)} with errors)"
    word = word if kind in OF_ONE_WORD and word > 0 else None
    return FormatError(message, path=path, line=line_number(data, position), sentence=sentence + 1, word=word)


def _columns_message(line, layout, is_first):
    """``is_first``: of the first line that is no comment."""
    fields = line.split("\t")
    wanted = f"{layout.least}" if layout.least == layout.most else f"{layout.least} or more"
    if len(fields) == 1 and line[:1].isdigit() and len(line.split()) >= SPACED:
        return (
            f"the columns are separated by spaces, and {layout.title} needs tabs; replace the spaces by tabs, or give "
            "the file itself: text copied from a web page or PDF loses its tabs"
        )
    if is_first and not fields[0].strip()[:1].isdigit():
        return (
            f"this is not {layout.title}: the line {_quoted(line)} has {len(fields)} tab-separated "
            f"column{'s' * (len(fields) != 1)} instead of {wanted}; name its format, "
            "or begin the line with # if it is a comment"
        )
    remedy = "add or remove tabs"
    if len(fields) < layout.least == len(BLANKS.split(line)):
        blank = next(field for field in fields if " " in field)
        remedy = f"write a tab for the blank in {_quoted(blank)}"
    elif len(fields) < layout.least:
        remedy = "join the line with the next if it is broken, or add the columns that are missing"
    elif layout.name == "conllu":
        remedy += ", or name more columns in a first line, # global.columns = ID FORM ..."
    return (
        f"{len(fields)} tab-separated column{'s' * (len(fields) != 1)} where {layout.title} has {wanted}, as many in "
        f"each line of a sentence; {remedy}"
    )


def _quoted(text):
    return quoted(repr(text))
