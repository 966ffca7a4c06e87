"""Files that are no text: each is recognised by its content, and refused with what to do instead."""

import io
import zipfile

import pytest

from core.errors import FormatError
from core.treebank import FORMATS, read_treebank
from core.treebank.refused_files import refusal

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504


def packed(**parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), text)
    return file.getvalue()


def stream(name):
    return OLE + name.encode("utf-16-le")


FILES = {
    "docx": (packed(word__document_xml="<w/>"), "this is a Word document; save it as plain text"),
    "doc": (stream("WordDocument"), "this is a Word document; save it as plain text"),
    "odt": (packed(mimetype="application/vnd.oasis.opendocument.text"), "this is an OpenDocument text; save"),
    "rtf": (b"{\\rtf1\\ansi Hello}", "this is an RTF document; save it as plain text"),
    "xlsx": (packed(xl__workbook_xml="<x/>"), "this is an Excel spreadsheet; copy the sentences"),
    "xls": (stream("Workbook"), "this is an Excel spreadsheet; copy the sentences"),
    "pdf": (b"%PDF-1.7\n%", "this is a PDF; copy its text into a plain text file"),
    "zip": (packed(a_txt="The cat", b_txt="sleeps"), "this is a zip file; unpack it and import the texts in it"),
    "cut": (packed(a_txt="The cat")[:40], "this is a zip file, and a damaged one"),
    "png": (b"\x89PNG\r\n", "this is a picture; its words must be typed"),
    "zip of nothing": (
        b"PK\x05\x06" + bytes(18),
        "this is a zip file with nothing in it; choose one that holds a text",
    ),
    "tar": (b"a.txt".ljust(257, b"\0") + b"ustar\x0000", "this is a tar archive; unpack it"),
    "gz": (b"\x1f\x8b\b", "this is a gzip file, not text; unpack it first"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_text_says_what_it_is_and_what_to_do(name):
    data, message = FILES[name]
    for format in ("auto", *(each.name for each in FORMATS if each.name != "docbin")):
        with pytest.raises(FormatError, match=message) as raised:
            read_treebank(data, format=format)
        assert "\n" not in str(raised.value)


def test_a_type_that_cannot_be_unpacked_is_damage():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip" * 5)
    data = bytearray(file.getvalue())
    data[38:48] = b"\xff" * 10  # behind the header of 30 bytes and the name of 8
    assert "a damaged one" in refusal(bytes(data))
