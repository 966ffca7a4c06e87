"""Files that people have their texts in and that are no plain text: what they are, and what to do instead."""

import io
import zipfile

from core.unpacking import DAMAGE

AS_TEXT = "save it as plain text (.txt, UTF-8) and import that file"
AS_LINES = "copy the sentences into a plain text file (.txt, UTF-8), one per line, and import that file"
AS_TYPED = "its words must be typed, or recognised (OCR), and saved as plain text (.txt, UTF-8)"
PACKED = "unpack it and import the texts in it one by one"
DOCUMENT, SHEET, SLIDES = ("a Word document", AS_TEXT), ("an Excel spreadsheet", AS_LINES), ("a presentation", AS_TEXT)

STARTS = {
    b"%PDF": ("a PDF", "copy its text into a plain text file (.txt, UTF-8), check it, and import that file"),
    b"{\\rtf": ("an RTF document", AS_TEXT),
    b"\x89PNG": ("a picture", AS_TYPED),
    b"\xff\xd8\xff": ("a picture", AS_TYPED),
    b"GIF8": ("a picture", AS_TYPED),
    b"II*\0": ("a picture", AS_TYPED),
    b"MM\0*": ("a picture", AS_TYPED),
    b"\x1f\x8b": ("a gzip file, not text", "unpack it first"),
    b"BZh": ("a bzip2 file, not text", "unpack it first"),
    b"\xfd7zXZ": ("an xz file, not text", "unpack it first"),
    b"7z\xbc\xaf": ("a 7-Zip archive", PACKED),
    b"Rar!": ("a RAR archive", PACKED),
}
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # what Office's files of today and of before 2007 are
PARTS = {"word/": DOCUMENT, "xl/": SHEET, "ppt/": SLIDES, "Index/": ("a Pages document", AS_TEXT)}  # of a zip file
TYPES = {  # what the part ``mimetype`` of a zip file says
    "application/vnd.oasis.opendocument.text": ("an OpenDocument text", AS_TEXT),
    "application/vnd.oasis.opendocument.spreadsheet": ("an OpenDocument spreadsheet", AS_LINES),
    "application/vnd.oasis.opendocument.presentation": SLIDES,
    "application/epub+zip": ("an e-book (EPUB)", AS_TEXT),
}
STREAMS = {"WordDocument": DOCUMENT, "Workbook": SHEET, "Book": SHEET, "PowerPoint Document": SLIDES}  # of an OLE file


def refusal(data: bytes) -> str | None:
    """One sentence that says what bytes are and what to do instead, or None where they may be text."""
    if data.startswith(ZIP):
        kind = _zip_kind(data)
    elif data.startswith(OLE):
        named = (kind for name, kind in STREAMS.items() if name.encode("utf-16-le") in data)
        kind = next(named, ("an Office document", AS_TEXT))
    else:
        kind = next((kind for start, kind in STARTS.items() if data.startswith(start)), None)
    return None if kind is None else "this is {}; {}".format(*kind)


def _zip_kind(data):
    """Of a zip file: by the names of its parts, which are not unpacked but for a line that names the type."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            stated = archive.open("mimetype").read(100).decode("ascii", "replace") if "mimetype" in names else ""
    except DAMAGE:
        return "a zip file, and a damaged one", "make it again, unpack it and import the texts in it one by one"
    known = (kind for start, kind in PARTS.items() if any(name.startswith(start) for name in names))
    return TYPES.get(stated.strip()) or next(known, ("a zip file", PACKED))
