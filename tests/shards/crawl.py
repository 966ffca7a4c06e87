"""Small crawls: the same pages as a folder, as a zip file, and as WARC archives of both kinds."""

import gzip
import io
import zipfile
from functools import partial

from core.shards import LocalEngine, extract_shards
from core.treebank.sample import FOLDER

HEAD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{name}\r\nWARC-Date: 2026-01-01T00:00:00Z"
    "\r\nWARC-Record-ID: <urn:name:{name}>\r\nContent-Type: application/http; msgtype=response\r\n{length}\r\n"
)
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
SHARED = "<p>This paragraph stands on <i>each of</i> the pages."
ENGINE = LocalEngine()  # one process reads the pages of all tests: to start one takes seconds
extract = partial(extract_shards, engine=ENGINE)


def sample_pages():
    """{name: bytes} of the sample's pages, and on each of them a paragraph that all have."""
    pages = {path.name: path.read_bytes() for path in sorted((FOLDER / "pages").iterdir())}
    return {name: data + SHARED.encode() for name, data in pages.items()}


def small_pages(count):
    """{name: bytes} of pages of two sentences each, with brackets."""
    page = "<p>The <b>old man</b> number {0} came home. It was the <i>{0}th time</i>."
    return {f"p{number:02}.html": page.format(number).encode() for number in range(count)}


def folder(path, pages):
    """A folder of pages."""
    path.mkdir(parents=True, exist_ok=True)
    for name, data in pages.items():
        (path / name).write_bytes(data)
    return path


def zipped(path, pages):
    """A zip file of pages, which has no times in it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in pages.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return path


def warc(path, pages, packed=True):
    """A WARC archive of pages."""
    path.write_bytes(b"".join(member(record(name, data), packed) for name, data in pages.items()))
    return path


def record(name, page, length=None):
    """A record; ``length`` is what it says of its length, a whole line, in place of the truth."""
    data = HTTP + page
    length = f"Content-Length: {len(data)}\r\n" if length is None else length
    return HEAD.format(name=name, length=length).encode() + data + b"\r\n\r\n"


def member(data, packed=True, level=9):
    """A record as it stands in an archive."""
    return gzip.compress(data, level, mtime=0) if packed else data


def bounds(members):
    """Where each begins, and where the last one ends."""
    places = [0]
    for one in members:
        places.append(places[-1] + len(one))
    return places


def opened(*members):
    """An archive as an open file."""
    return io.BytesIO(b"".join(members))
