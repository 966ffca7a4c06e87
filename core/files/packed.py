"""Packed files: one text as gzip, xz, Zstandard or zip, read and written as if it were plain.

What a file is shows in its first bytes, whatever it is called. No more is unpacked than ``unpacking`` allows.
"""

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from io import TextIOBase
from os import PathLike
from pathlib import Path, PurePath
from typing import IO

from core.errors import FormatError
from core.extras import require
from core.files.unpacking import DAMAGE, MOST_TEXT, DamageError, TooLargeError, most_of, size_text, unpack

GZIP, XZ, ZSTD, ZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
ENDINGS = (".gz", ".xz", ".zst", ".zip")
MEMORY = 128 << 20  # bytes that xz may ask for
MEMBER = 16 + zlib.MAX_WBITS  # zlib's word for gzip
SYSTEM_FILES = ("__MACOSX/", ".DS_Store", "._")
LEVEL = 6  # of gzip and zip: what their programs take


def plain_name(name: str) -> str:
    """The name of a file without the ending of its packing."""
    path = PurePath(name)
    return str(path.with_suffix("")) if path.suffix.lower() in ENDINGS and path.stem else name


def unpacked(data: bytes, path: str | Path | None = None, most: int = MOST_TEXT) -> bytes:
    """The text that bytes hold, where they are packed; other bytes as they are, and so a zip file of several files.

    ``most`` bounds its bytes, beside what ``most_of`` allows for the size of the file. Raises FormatError for damage
    and for what unpacks to too much, WorkbenchError where a library is not installed.
    """
    most = most_of(len(data), most)
    try:
        if data.startswith(GZIP):
            return _members(data, most, lambda: zlib.decompressobj(MEMBER))
        if data.startswith(XZ):
            return _members(data, most, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY))
        if data.startswith(ZSTD):
            return unpack(data, most, "zstd")
        return _only_entry(data, most) if data.startswith(ZIP) and zipfile.is_zipfile(io.BytesIO(data)) else data
    except TooLargeError as error:
        raise TooLargeError(error.message, path=path) from None
    except (*DAMAGE, lzma.LZMAError) as error:
        if isinstance(error, FormatError) and not isinstance(error, DamageError):
            raise
        raise FormatError("this file is packed, and damaged or cut short; pack it again", path=path) from error


def _members(data, most, opened):
    """The text of gzip members, or xz streams, one after the other."""
    pieces, size = [], 0
    while data.strip(b"\0"):  # a stream may be padded
        inflater = opened()
        pieces.append(inflater.decompress(data, most + 1 - size))
        size += len(pieces[-1])
        if size > most:
            raise TooLargeError(f"it unpacks to more than {size_text(most)}, the limit for it; cut it into parts")
        if not inflater.eof:
            raise EOFError("it is cut short")
        data = inflater.unused_data
    return b"".join(pieces)


def _only_entry(data, most):
    """The one file of a zip file; all of it where there are several, or parts of an Office document."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        entries = [entry for entry in entries if not any(name in entry.filename for name in SYSTEM_FILES)]
        if len(entries) != 1:
            return data
        with archive.open(entries[0]) as file:
            return unpack(file, most)


def write_packed(path: str | Path | IO, data: bytes) -> None:
    """Write a file, packed as its name ends: the same bytes for the same text. Raises OSError, WorkbenchError.

    An open file gets the bytes as they are, or one of text what they are in UTF-8.
    """
    if not isinstance(path, (str, PathLike)):
        path.write(data.decode() if isinstance(path, TextIOBase) else data)
        return
    path = Path(path)
    path.write_bytes(PACKERS.get(path.suffix.lower(), lambda plain, _: plain)(data, path))


def _zstandard(data, _):
    require("zstd")
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def _zip(data, path):
    packed = io.BytesIO()
    entry = zipfile.ZipInfo(Path(plain_name(path.name)).name)  # of 1980, so that equal texts are equal files
    entry.external_attr = 0o644 << 16
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


PACKERS: dict[str, Callable[[bytes, Path], bytes]] = {
    ".gz": lambda data, _: gzip.compress(data, LEVEL, mtime=0),
    ".xz": lambda data, _: lzma.compress(data),
    ".zst": _zstandard,
    ".zip": _zip,
}
