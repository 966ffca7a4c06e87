"""Bytes of a page into text: which encoding, and whether it is text at all."""

import codecs
import contextlib
import re

from core.errors import FormatError

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ALIASES = {"iso8859-1": "cp1252", "ascii": "cp1252"}  # as browsers read these two
TRUSTED = re.compile(r"iso8859.*|cp\d+|koi8.*|mac.*|gb.*|big5.*|euc.*|shift_jis.*|iso2022.*|hz|ascii")
ODD = bytes((*range(9), *range(14, 28), 127))  # in no text, nor is U+FFFD
HEAD = 4096  # bytes in which a page declares its encoding
SAMPLE = 65536


def decode(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """(text, encoding) of a page's bytes.

    In this order: the byte order mark; UTF-8 if all of it is valid; UTF-16 without a mark, by its null bytes. Then the
    encoding that the server (``declared``) or the page names; Windows-1252, in which every byte is a character.
    Bytes that are wrong in the chosen encoding become U+FFFD; null bytes go.

    Raises FormatError for data that is no text: images, programs, PDF.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").replace("\0", ""), encoding
    encoding = _encoding(data, declared)
    text = data.decode(encoding, "replace").replace("\0", "")
    sample = text[:SAMPLE]
    written = sample.encode("utf-8", "surrogatepass")
    odd = len(written) - len(written.translate(None, ODD)) + sample.count("\ufffd")
    if data.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b")) or odd > 0.1 * len(sample):
        raise FormatError("this is no text but something like an image, an archive or a program; give a web page")
    return text, encoding


def _encoding(data, declared):
    sample = data[:SAMPLE]
    if len(sample) > 3 and sample.count(0) > 0.3 * len(sample):  # every other byte is null in English text in UTF-16
        return "utf-16-le" if sample[1::2].count(0) >= sample[::2].count(0) else "utf-16-be"
    with contextlib.suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return "utf-8"
    from bs4.dammit import EncodingDetector  # takes long to load, and most pages are UTF-8

    written = EncodingDetector.find_declared_encoding(data[:HEAD], is_html=True, search_entire_document=True)
    for name in (declared, written):
        encoding = _known(name)
        if encoding:
            return encoding
    return "cp1252"


def _known(name):
    """Python's name of a declared encoding of text, or None; a declared UTF-8 has failed already."""
    try:
        name = codecs.lookup(str(name).strip()).name if name else None
    except (LookupError, ValueError):  # ValueError: a null character in it
        return None
    if name is None or name.startswith("utf") or not TRUSTED.fullmatch(name):
        return None
    return ALIASES.get(name, name)
