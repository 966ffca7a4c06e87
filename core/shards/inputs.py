"""Input files, cut into parts that become one shard each: some pages of a folder, or a range of an archive.

A part names its files and holds no bytes. Its digest is of the bytes and the names of its pages, so that the same input
makes the same shard on any machine.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import WorkbenchError, quoted
from core.extras import require
from core.files.unpacking import DAMAGE
from core.markup.fetch import is_url
from core.markup.report import Skipped
from core.markup.sources import WARC, Document, Limits, checked, kind_of, warc_pages, zip_page
from core.markup.warc import HEADERS, records

SIZE = 64 << 20  # bytes of pages in a part
BLOCK = 1 << 20  # bytes read at a time
LOCAL_HEADER = 30  # bytes before an entry of a zip file, without its name


@dataclass(frozen=True)
class Input:
    """An input file: its path or URL, and the beginning of its pages' names."""

    path: str
    name: str


@dataclass(frozen=True)
class PageBatch:
    """Pages of one part.

    Attributes
    ----------
    inputs : tuple of Input
        Pages, or a single archive.
    begin, end : int
        The byte range of an archive's records, or the range of its entries' numbers; 0 and 0 for pages.
    """

    inputs: tuple[Input, ...]
    begin: int = 0
    end: int = 0

    def documents(self, limits: Limits) -> Iterator[Document | Skipped]:
        """Yield its pages in order; a Skipped with the reason in place of one that cannot be read."""
        if not self.end:
            for one in self.inputs:
                yield _page(one, limits)
            return
        archive = self.inputs[0]
        with open_input(archive.path) as file:
            if archive.path.lower().endswith(WARC):
                pages = warc_pages(file, archive.name, limits, self.begin, self.end)
            else:
                pages = _zip_pages(file, archive.name, limits, self.begin, self.end)
            yield from (document for document in pages if document is not None)

    def digest(self) -> str:
        """The hash of its bytes and names, in hexadecimal. WorkbenchError where a file cannot be read."""
        checksum = hashlib.blake2b(digest_size=16)
        try:
            for one in self.inputs:
                checksum.update(f"{one.name}\0{self.begin}\0".encode("utf-8", "surrogatepass"))
                with open_input(one.path) as file:
                    for block in _bytes_of(file, self):
                        checksum.update(block)
                checksum.update(b"\0end\0")
        except DAMAGE as error:
            reason = quoted(str(error)) or type(error).__name__
            raise WorkbenchError(f"{quoted(one.path)}: it cannot be read: {reason}; check it and its rights") from error
        return checksum.hexdigest()


def find_inputs(sources: Sequence[str | Path]) -> list[Input]:
    """The files that paths, folders, globs and fsspec's URLs name, in order.

    Raises WorkbenchError for missing files, and for web pages, which are no files.
    """
    return [one for source in sources for one in _inputs(str(source))]


def cut(inputs: Sequence[Input], size: int = SIZE) -> Iterator[list[Input] | Input]:
    """Group inputs: an archive by itself, and pages that follow each other and hold about ``size`` bytes."""
    pages, total = [], 0
    for one in inputs:
        if one.path.lower().endswith((".zip", *WARC)):
            if pages:
                yield pages
            yield one
            pages, total = [], 0
            continue
        pages.append(one)
        total += _size(one.path)
        if total >= size:
            yield pages
            pages, total = [], 0
    if pages:
        yield pages


def batches_of(group: list[Input] | Input, size: int = SIZE) -> list[PageBatch]:
    """The parts of one group of ``cut``: stretches of an archive whose pages hold about ``size`` bytes unpacked.

    Reads an archive once; of a zip file only the directory. An archive that is empty or cannot be read is one part,
    whose only document says so.
    """
    if not isinstance(group, Input):
        return [PageBatch(tuple(group))]
    bounds, total, last = [], size, 0
    try:
        with open_input(group.path) as file:
            if group.path.lower().endswith(WARC):
                archived = records(file, Limits().page_bytes + HEADERS)
                sizes = ((record.begin, record.end, record.size) for record in archived)
            else:
                with zipfile.ZipFile(file) as archive:
                    entries = archive.infolist()
                sizes = ((number, number + 1, entry.file_size) for number, entry in enumerate(entries))
            for begin, end, unpacked in sizes:
                if total >= size:
                    bounds.append(begin)
                    total = 0
                total, last = total + unpacked, end
    except DAMAGE:
        bounds = []
    if not bounds:
        return [PageBatch((group,))]
    return [PageBatch((group,), *bound) for bound in zip(bounds, [*bounds[1:], last], strict=True)]


def open_input(path: str) -> BinaryIO:
    """A file that can seek, on this machine or where fsspec finds it. OSError where there is none."""
    if "://" not in path:
        return open(path, "rb")
    require("cluster")
    import fsspec

    opener: Any = fsspec.open(path, "rb")
    return opener.open()


def _inputs(source):
    if is_url(source):
        if source.startswith(("http://", "https://")):
            raise WorkbenchError(f"{quoted(source)}: web pages are not read into shards; save them and name the files")
        require("cluster")
        import fsspec

        try:
            paths = [file.full_name for file in fsspec.open_files(source, "rb")]
        except (OSError, ImportError, ValueError) as error:
            raise WorkbenchError(f"{quoted(source)} cannot be read: {quoted(str(error))}") from error
        return [Input(path, path.rsplit("/", 1)[-1]) for path in sorted(paths)]
    if has_magic(source) and not os.path.exists(source):
        paths = sorted(glob(source, recursive=True))
        if not paths:
            raise WorkbenchError(f"no file matches {quoted(source)}; check the pattern")
        return [one for path in paths for one in _inputs(path)]
    path = Path(source)
    if path.is_dir():
        return list(_below(path))
    if not path.exists():
        raise WorkbenchError(f"there is no file {quoted(source)}; check the path")
    return [Input(str(path), path.name)]


def _below(folder):
    start = Path(folder.resolve().name)
    for directory, folders, files in os.walk(folder):  # links to folders are not followed
        folders.sort()
        for file in sorted(files):
            path = Path(directory) / file
            is_archive = file.lower().endswith((".zip", *WARC))
            if path.is_file() and (is_archive or kind_of(file) is not None):
                yield Input(str(path), path.name if is_archive else (start / path.relative_to(folder)).as_posix())


def _page(one, limits):
    if one.path.lower().endswith((".zip", *WARC)):
        return Skipped(one.name, "this archive cannot be read, or holds nothing; pack it again")
    try:
        with open_input(one.path) as file:
            return checked(Document(one.name, file.read(limits.page_bytes + 1), kind_of(one.name) or "html"), limits)
    except OSError as error:
        return Skipped(one.name, f"it cannot be read: {error.strerror or error}; check its rights")


def _zip_pages(file, name, limits, begin, end):
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist()[begin:end]:
            page = zip_page(archive, entry, name, limits)
            yield checked(page, limits) if isinstance(page, Document) else page


def _bytes_of(file, part):
    """The bytes of a part, block by block."""
    if not part.end:
        yield from _blocks(file, 0, None)
    elif part.inputs[0].path.lower().endswith(WARC):
        yield from _blocks(file, part.begin, part.end)
    else:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()[part.begin : part.end]
        for entry in entries:
            yield f"{entry.filename}\0{entry.flag_bits} {entry.compress_type} {entry.CRC} {entry.file_size}\0".encode()
            begin = entry.header_offset
            yield from _blocks(file, begin, begin + LOCAL_HEADER + len(entry.filename) + entry.compress_size)


def _blocks(file, begin, end):
    file.seek(begin)
    left = None if end is None else end - begin
    while left is None or left > 0:
        block = file.read(BLOCK if left is None else min(BLOCK, left))
        if not block:
            return
        left = None if left is None else left - len(block)
        yield block


def _size(path):
    try:
        return os.path.getsize(path) if "://" not in path else 0
    except OSError:
        return 0
