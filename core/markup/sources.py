"""Where pages come from: text, files, packed or not, folders, zip files, WARC archives, and the web when asked.

Everything is read in memory, up to stated limits, and nothing is ever unpacked to disk. What cannot be read becomes a
``Skipped`` in the stream and the rest goes on.
"""

import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core.errors import FormatError, WorkbenchError, quoted
from core.files.packed import plain_name, unpacked
from core.files.unpacking import DAMAGE, TooLargeError, unpack
from core.markup.fetch import fetch, is_url
from core.markup.report import Skipped
from core.markup.warc import ARC, HEADERS, VERSION, address_of, page_of, reason_of, records

PAGES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".mhtml", ".mht", ".php", ".asp", ".aspx", ".jsp"})
MARKDOWN = frozenset({".md", ".markdown"})
PLAIN = frozenset({".txt", ".text"})
WARC = (
    ".warc",
    ".warc.gz",
    ".warc.zst",
    *(f".{kind}{packed}" for kind in ("wet", "wat", "arc") for packed in ("", ".gz")),
)
FURNITURE = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".localized"})
ZIPPED = (".zip", ".epub")  # an e-book is a zip file of pages
ENCRYPTED = 1  # bit of a zip entry's flags


@dataclass(frozen=True)
class Limits:
    """The most that is read.

    ``page_bytes`` of one page, unpacked; ``archive_bytes`` of all pages of an archive together; ``archive_entries``
    looked at in one; ``sentence_words`` in a sentence.
    """

    page_bytes: int = 64 << 20
    archive_bytes: int = 4 << 30
    archive_entries: int = 1_000_000
    sentence_words: int = 1000


@dataclass(frozen=True)
class Document:
    """A page as it came: bytes, or text; ``kind`` is html, markdown, plain or lines; ``encoding`` its server's word."""

    name: str
    data: bytes | str
    kind: str | None = "html"
    encoding: str | None = None


def documents(
    source: object, *, urls: bool = False, limits: Limits | None = None, name: str | None = None,
    fetching: dict | None = None,
) -> Iterator[Document | Skipped]:  # fmt: skip
    """Yield a Document or Skipped for every page of a source.

    Parameters
    ----------
    source : str, bytes, path, or a list of these
        A page's bytes. HTML text: a str with ``<`` or a line end in it. The path of a page, a Markdown or text file,
        a folder (with all below it), a zip file or a WARC archive; a URL.
    urls : bool
        Whether URLs may be fetched.
    limits : Limits, optional
    name : str, optional
        What to call a page given as text or bytes; with a name a str is always text.
    fetching : dict, optional
        Further arguments of ``fetch.fetch``.
    """
    limits = limits or Limits()
    if isinstance(source, (list, tuple)):
        for item in source:
            yield from documents(item, urls=urls, limits=limits, name=name, fetching=fetching)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield checked(Document(name or "page", bytes(source)), limits)
    elif isinstance(source, str) and (name or "<" in source or "\n" in source):
        yield checked(Document(name or "page", source), limits)
    elif isinstance(source, str) and is_url(source):
        yield _from_web(source, urls, fetching or {})
    elif isinstance(source, (str, Path)):
        yield from _from_path(Path(source), limits)
    else:
        raise WorkbenchError(f"a page is text, bytes, a path or a URL, got {type(source).__name__}")


def _from_web(url, urls, fetching):
    if not urls:
        return Skipped(url, "web pages are fetched only when asked; ask for it, or save the page and name the file")
    try:
        data, encoding = fetch(url, **fetching)
    except WorkbenchError as error:
        return Skipped(url, str(error))
    return Document(url, data, kind_of(url) or "html", encoding)


def _from_path(path, limits):
    name = path.name or str(path)
    try:
        if path.is_dir():
            yield from _from_folder(path, limits)
        elif not path.exists():
            yield Skipped(str(path), "there is no such file; check the path")
        elif name.lower().endswith(ZIPPED):
            yield from _from_zip(path, name, limits)
        elif name.lower().endswith(WARC):
            yield from _from_warc(path, name, limits)
        elif not path.is_file():
            yield Skipped(str(path), "this is no regular file")
        elif _is_warc(path):
            yield from _from_warc(path, name, limits)
        else:
            yield _from_file(path, name, limits)
    except OSError as error:
        yield Skipped(str(path), f"it cannot be read: {error.strerror or error}; check its rights")


def _is_warc(path):
    """Whether a file of another name begins as an archive of pages does."""
    with path.open("rb") as file:
        return file.read(len(ARC)).startswith((VERSION, ARC))


def _from_folder(folder, limits):
    for parent, folders, files in os.walk(folder):  # links to folders are not followed
        folders.sort()
        for file in sorted(files):
            path = Path(parent) / file
            name = (Path(folder.resolve().name) / path.relative_to(folder)).as_posix()
            if file.lower().endswith((*ZIPPED, *WARC)):
                yield from _from_path(path, limits)
            elif kind_of(file) is None:
                yield Skipped(name, "no page by its ending")
            elif not path.is_file():
                yield Skipped(name, "this is no regular file")
            else:
                try:
                    yield _from_file(path, name, limits)
                except OSError as error:
                    yield Skipped(name, f"it cannot be read: {error.strerror}; check its rights")


def _from_file(path, name, limits):
    with path.open("rb") as file:
        return checked(Document(name, file.read(limits.page_bytes + 1), kind_of(name) or "html"), limits)


def checked(document: Document, limits: Limits) -> Document | Skipped:
    """The document, unpacked where it is packed, or why it is not read: it is too large or damaged."""
    if len(document.data) > limits.page_bytes:
        return Skipped(document.name, f"the page is larger than {limits.page_bytes:,} bytes; cut it into parts")
    if isinstance(document.data, str):
        return document
    try:
        data = unpacked(document.data, most=limits.page_bytes)
    except FormatError as error:
        return Skipped(document.name, error.message)
    return document if data is document.data else replace(document, data=data)


def is_furniture(parts: Sequence[str]) -> bool:
    """Whether an entry, by the parts of its path, is what a system puts beside the files that people pack."""
    return "__MACOSX" in parts or parts[-1].startswith("._") or parts[-1] in FURNITURE


def kind_of(name: str) -> str | None:
    """html, markdown or plain, as a file's ending says; None for another ending."""
    ending = PurePosixPath(plain_name(name.lower())).suffix
    return "html" if ending in PAGES else "markdown" if ending in MARKDOWN else "plain" if ending in PLAIN else None


def _from_zip(path, name, limits):
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE:
        yield Skipped(name, "this is no zip file, or a damaged one; pack it again")
        return
    left = limits.archive_bytes
    with archive:
        for number, entry in enumerate(archive.infolist()):
            if number >= limits.archive_entries:
                yield Skipped(name, f"entries after the first {number:,} were left out; split the archive")
                return
            document = zip_page(archive, entry, name, limits, left)
            left -= len(document.data) if isinstance(document, Document) else 0
            if left < 0:
                yield Skipped(name, f"its pages unpack to more than {limits.archive_bytes:,} bytes; split the archive")
                return
            if document is not None:
                yield document if isinstance(document, Skipped) else checked(document, limits)


def zip_page(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, limits: Limits, left: int | None = None
) -> Document | Skipped | None:
    """The page of an entry of the archive ``name``, or why there is none; None for a folder, and for furniture.

    Of more than ``page_bytes``, or than are ``left``, it has so many bytes and one more.
    """
    inside = f"{name}/{entry.filename}"
    parts = entry.filename.replace("\\", "/").split("/")
    if entry.filename.endswith("/") or is_furniture(parts):  # is_dir() wants a name, which a damaged entry may lack
        return None
    if ".." in parts or not parts[0] or ":" in parts[0]:
        return Skipped(inside, "its path leads out of the archive")
    if entry.flag_bits & ENCRYPTED:
        return Skipped(inside, "it is encrypted; unpack it first")
    if kind_of(entry.filename) is None:
        return Skipped(inside, "no page by its ending")
    most = limits.page_bytes if left is None else min(limits.page_bytes, left)
    try:
        with archive.open(entry) as file:  # the size that the entry states may be a lie
            return Document(inside, unpack(file, most), kind_of(entry.filename))
    except TooLargeError:
        return Document(inside, bytes(most + 1), kind_of(entry.filename))
    except DAMAGE as error:
        return Skipped(inside, quoted(str(error)))


def _from_warc(path, name, limits):
    left, number, has_pages = limits.archive_bytes, 0, False
    with path.open("rb") as file:
        for number, document in enumerate(warc_pages(file, name, limits), start=1):
            if number > limits.archive_entries:
                yield Skipped(name, f"records after the first {number:,} were left out; split the archive")
                return
            left -= len(document.data) if isinstance(document, Document) else 0
            if left < 0:
                yield Skipped(name, f"its pages unpack to more than {limits.archive_bytes:,} bytes; split the archive")
                return
            if document is not None:
                has_pages = True
                yield document
    if not has_pages:
        records = f"none of its {number:,} records" if number else "nothing in it"
        yield Skipped(name, f"{records} is a page: requests, pictures and metadata (WAT) are none; give WARC or WET")


def warc_pages(
    file: BinaryIO, name: str, limits: Limits, begin: int = 0, end: int | None = None
) -> Iterator[Document | Skipped | None]:
    """Yield a Document, a Skipped, or None for what is no page, for each record that begins in a range of bytes.

    Parameters
    ----------
    file : binary file
    name : str
        The archive's.
    limits : Limits
        Only ``page_bytes`` counts.
    begin, end : int
        ``begin`` is where a record begins.
    """
    for record in records(file, limits.page_bytes + HEADERS, begin, end):
        address = f"{name}/{address_of(record) or record.begin}"
        try:
            page = page_of(record, limits.page_bytes)
        except TooLargeError:
            yield Skipped(address, f"the page is larger than {limits.page_bytes:,} bytes; cut it into parts")
        except DAMAGE as error:
            yield Skipped(address, reason_of(error))
        else:
            yield None if page is None else Document(address, page.data, page.kind, page.encoding)
