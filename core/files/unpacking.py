"""Reading what is packed, whatever a file says of itself: so many bytes, one kind of error, and nothing that can run.

``unpack`` is the one function that decompresses: zlib and gzip data, an entry of a zip file, the page of a record.
``read_arrays`` is the one reader of ``.npz`` files, which are refused by the sizes that they state before anything of
them is loaded.
"""

import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import IO, BinaryIO

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.extras import require

EITHER = 32 + zlib.MAX_WBITS  # zlib or gzip, by its header
BARE = -zlib.MAX_WBITS  # deflate without a header, as some servers have it
STEP = 1024  # bytes of a Zstandard frame unpacked at a time: at most 128 KB come of four of them
MOST_TEXT = 1 << 29  # bytes of a text
MOST_ARRAYS = 1 << 31  # bytes of the arrays of a model or result
MOST_NAMES = 10_000  # arrays of one file
RATIO, SLACK = 200, 16 << 20  # times its size, and bytes more, that a packed text may have: words repeat, but not more
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
KINDS = {"f": "f", "i": "iu", "u": "u", "U": "U", "b": "b"}  # letter of a wanted array -> NumPy's kinds
# What reading a damaged file raises, beside what an archive's own reader does.
DAMAGE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
    OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, AssertionError,
    SyntaxError, tokenize.TokenError,
)  # fmt: skip


class TooLargeError(FormatError):
    """What is packed holds more than it may."""


class DamageError(FormatError):
    """What is packed cannot be unpacked."""


def most_of(size: int, most: int = MOST_TEXT) -> int:
    """The bytes that a text packed into ``size`` bytes may unpack to."""
    return min(most, RATIO * size + SLACK)


def unpack(packed: bytes | IO[bytes], most: int, coding: str = "gzip") -> bytes:
    """What packed data, or an open stream that decompresses, holds.

    Parameters
    ----------
    packed : bytes, or a binary file to be read to its end
    most : int
        Bytes; hardly any beyond them are ever held.
    coding : {"gzip", "br", "zstd"}
        Of bytes: zlib and gzip, Brotli, or Zstandard.

    Raises
    ------
    TooLargeError : it unpacks to more than ``most`` bytes.
    DamageError : it is damaged, cut short or encrypted.
    WorkbenchError : the library of the coding is not installed.
    """
    try:
        data = UNPACKED[coding](packed, most + 1) if isinstance(packed, bytes) else packed.read(most + 1)
    except WorkbenchError:
        raise
    except DAMAGE as error:
        raise DamageError(f"it cannot be unpacked: {error or 'it is cut short'}") from error
    if len(data) > most:
        raise TooLargeError(f"it unpacks to more than {size_text(most)}, the limit for it; cut it into parts")
    return data


def _inflated(packed, most):
    try:
        inflater = zlib.decompressobj(EITHER)
        data = inflater.decompress(packed, most)
    except zlib.error:
        if packed[:1] == b"\x1f":
            raise
        inflater = zlib.decompressobj(BARE)
        data = inflater.decompress(packed, most)
    if len(data) < most and not inflater.eof:
        raise EOFError("it is cut short")
    return data


def _unbrotlied(packed, most):
    require("brotli")
    import brotli

    inflater, pieces, size = brotli.Decompressor(), [], 0
    try:
        while size < most and not inflater.is_finished():
            pieces.append(inflater.process(packed, output_buffer_limit=most - size))
            if not pieces[-1] and not packed:
                raise EOFError("it is cut short")
            size, packed = size + len(pieces[-1]), b""
    except brotli.error as error:
        raise ValueError(str(error)) from error
    return b"".join(pieces)


def _unframed(packed, most):
    """At most so many bytes of the data that Zstandard frames hold, one frame after the other."""
    pieces, size = [], 0
    while packed and size < most:
        frame = Frame()
        while not frame.eof and size < most:
            if not packed:
                raise EOFError("it is cut short")
            pieces.append(frame.decompress(packed))
            size, packed = size + len(pieces[-1]), frame.unconsumed_tail
        packed = frame.unused_data
    return b"".join(pieces)


UNPACKED = {"gzip": _inflated, "br": _unbrotlied, "zstd": _unframed}


class Frame:
    """A Zstandard frame that is unpacked bit by bit, with what zlib's ``decompressobj`` has.

    Raises WorkbenchError where the library is not installed, DamageError for a damaged dictionary.
    """

    def __init__(self, dictionary: bytes | None = None):
        require("zstd")
        import zstandard

        self._error = zstandard.ZstdError
        try:
            known = None if dictionary is None else zstandard.ZstdCompressionDict(dictionary)
            self._inflater = zstandard.ZstdDecompressor(dict_data=known).decompressobj()
        except (zstandard.ZstdError, ValueError) as error:
            raise DamageError("the dictionary that it was packed with is damaged; fetch the archive again") from error
        self.eof, self.unused_data, self.unconsumed_tail = False, b"", b""

    def decompress(self, packed: bytes, most: int = 0) -> bytes:
        """What comes of the first ``STEP`` bytes; the others are in ``unconsumed_tail``, or ``unused_data`` at the end.

        ValueError for damage.
        """
        try:
            data = self._inflater.decompress(packed[:STEP])
        except self._error as error:
            raise ValueError(str(error)) from error
        self.eof = self._inflater.eof
        rest = packed[STEP:]
        if self.eof:
            self.unused_data, self.unconsumed_tail = self._inflater.unused_data + rest, b""
        else:
            self.unconsumed_tail = rest
        return data


def size_text(size: int) -> str:
    """``64 MB``, for messages."""
    return f"{size / 2**20:,.0f} MB" if size >= 2**20 else f"{size:,} bytes"


def read_arrays(source: str | PathLike | BinaryIO, most: int | None = None) -> dict[str, np.ndarray]:
    """The arrays of an ``.npz`` file: dict of name to array of numbers, truth values or text.

    Raises
    ------
    FormatError : its arrays state more than ``most`` bytes, or are too many.
    Anything of DAMAGE : it is no such file, or its arrays are not what they state; read it in ``as_format_error``.

    Notes
    -----
    The sizes that the file states are added up before an array is read. Each array's header must state what the
    archive does, so that no header can ask for more memory than the file may have.
    """
    most = MOST_ARRAYS if most is None else most
    if isinstance(source, (str, PathLike)):
        with open(source, "rb") as file:
            return read_arrays(file, most)
    with zipfile.ZipFile(source) as archive:
        entries = archive.infolist()
        stated = sum(entry.file_size for entry in entries)
        if stated > most:
            raise FormatError(f"it states arrays of {size_text(stated)}, more than {size_text(most)}, the limit for it")
        if len(entries) > MOST_NAMES or len({entry.filename for entry in entries}) < len(entries):
            raise FormatError(f"it holds more than {MOST_NAMES:,} arrays, or two of one name")
        return {entry.filename.removesuffix(".npy"): read_array(archive, entry) for entry in entries}


def read_array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """One array of an archive."""
    with archive.open(entry) as file:
        shape, fortran, dtype = HEADERS[np.lib.format.read_magic(file)](file)
        size = math.prod(shape) * dtype.itemsize
        if dtype.kind not in "biufU" or min(shape, default=0) < 0 or size != entry.file_size - file.tell():
            raise ValueError(f"the array {entry.filename} is not what its header says")
        data = unpack(file, size)
    if len(data) != size:
        raise ValueError(f"the array {entry.filename} is cut short")
    return np.frombuffer(bytearray(data), dtype).reshape(shape, order="F" if fortran else "C")


def require_arrays(arrays: dict[str, np.ndarray], wanted: dict[str, str]) -> None:
    """FormatError, with the name of the array, where one that is ``wanted`` is missing or of another sort.

    A sort is a letter and the number of axes: ``f2`` are floats in two axes, none of them nan or +inf; ``i`` whole
    numbers, ``u`` those from 0 on, ``b`` truth values, ``U`` text; "" is any.
    """
    missing = [name for name in wanted if name not in arrays]
    if missing:
        raise FormatError(f"the model lacks {', '.join(missing)}; save it again")
    for name, sort in wanted.items():
        array = arrays[name]
        if not sort:
            continue
        if array.dtype.kind not in KINDS[sort[0]] or array.ndim != int(sort[1:]):
            raise FormatError(f"its {name} are of another type or shape; save it again")
        if sort[0] == "f" and not (array < np.inf).all():
            raise FormatError(f"its {name} hold numbers that are none; save it again")


@contextmanager
def as_format_error(message: str, path: object = None) -> Iterator[None]:
    """Make a FormatError of whatever goes wrong inside, since what is read there came from outside.

    Its sentence is ``message``; a FormatError from inside keeps its own, and a WorkbenchError is quoted.
    What ``unpack`` says of damage is not kept: it knows only that something is damaged.
    """
    try:
        yield
    except DamageError as error:
        raise FormatError(message, path=path) from error
    except FormatError as error:
        if path is None or error.path is not None:
            raise
        raise FormatError(str(error), path=path) from error
    except WorkbenchError as error:
        raise FormatError(f"{message}: {error}", path=path) from error
    except (*DAMAGE, RecursionError, ArithmeticError) as error:
        raise FormatError(message, path=path) from error
