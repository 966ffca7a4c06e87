"""The bytes of a treebank and where in them everything is."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.files.packed import plain_name, unpacked
from core.languages.normal_form import composed
from core.offsets import read_only
from core.treebank.layouts import Layout
from core.treebank.problems import require_text, scan_error
from core.treebank.scan import LineShape, find_separators, intern, scan

BOM = b"\xef\xbb\xbf"
PIECE = 1 << 20  # bytes searched at once
UTF8 = ("utf-8", "utf8", "utf-8-sig")
ODD_ENDS = re.compile(rb"\r\r\n|\r(?!\n)")  # a Windows line end made twice, and that of old Macintoshes


@dataclass(frozen=True, eq=False)
class Column:
    """One interned word column.

    Attributes
    ----------
    ids : ndarray of shape (rows,), dtype int32
        Read-only. Index into ``values``; 0 on root rows and where the field is empty.
    values : tuple of str
        ``values[0]`` is ``""``; the others are distinct. A filtered treebank keeps all values of the whole one.
    """

    ids: np.ndarray
    values: tuple

    def __post_init__(self):
        object.__setattr__(self, "ids", read_only(self.ids))

    def __reduce__(self):
        return Column, (self.ids, self.values)

    @classmethod
    def intern(cls, strings: Iterable[str]) -> "Column":
        """From strings in row order."""
        numbers = {"": 0}
        ids = np.fromiter((numbers.setdefault(string, len(numbers)) for string in strings), dtype=np.int32)
        return cls(ids, tuple(numbers))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Value -> its index."""
        return {value: index for index, value in enumerate(self.values)}

    def alike(self, value: str) -> list[int]:
        """The indices of the values that are this one in Unicode's composed form (NFC)."""
        if value.isascii():
            return [self.numbers[value]] if value in self.numbers else []
        return self._composed.get(composed(value), [])

    @cached_property
    def _composed(self):
        """Values in the composed form -> their indices."""
        indices = {}
        for index, value in enumerate(self.values):
            indices.setdefault(composed(value), []).append(index)
        return indices

    @cached_property
    def having(self) -> dict[str, list[int]]:
        """A part of a value between bars, such as ``Number=Sing`` -> the indices of the values that have it."""
        indices = {}
        for index, value in enumerate(self.values):
            for part in set(value.split("|")) if value else ():
                indices.setdefault(part, []).append(index)
        return indices

    def strings(self) -> np.ndarray:
        """object (rows,): the value of each row. O(rows)."""
        return np.array(self.values, object)[self.ids]

    def take(self, rows: np.ndarray) -> "Column":
        """The column of some rows."""
        return Column(self.ids[rows], self.values)

    def counts(self) -> Counter[str]:
        """The number of words with each value, in the order of the column's values. O(rows)."""
        counts = np.bincount(self.ids, minlength=len(self.values)).tolist()
        return Counter({value: count for value, count in zip(self.values[1:], counts[1:], strict=True) if count})

    def with_values(self, new: Mapping[int, str]) -> "Column":
        """The column with other values in some rows: ``new`` maps row to str."""
        numbers, ids = self.numbers.copy(), self.ids.copy()
        for row, value in new.items():
            ids[row] = numbers.setdefault(value, len(numbers))
        return Column(ids, tuple(numbers))

    def mask(self, predicate: Callable[[str], bool]) -> np.ndarray:
        """bool (rows,): whether ``predicate(value)`` holds; it is asked once of each value that a row has."""
        holds = np.zeros(len(self.values), bool)
        holds[self.ids] = True
        here = np.flatnonzero(holds)
        holds[here] = np.fromiter((predicate(self.values[k]) for k in here.tolist()), bool, len(here))
        return holds[self.ids]

    @property
    def filled(self) -> bool:
        """Whether any word has a value."""
        return bool(self.ids.any())

    def __getitem__(self, row):
        return self.values[self.ids[row]]

    def __len__(self):
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class ScannedText:
    """A scanned text in one of the tabular layouts; never changes, and is shared by all treebanks made from it.

    ``offsets`` and ``heads`` are as in ``Treebank``; ``separators``, ``lines`` and ``blocks`` as in ``scan.scan``.
    Columns are interned when first asked for. ``data`` is the text in ``encoding``.
    """

    data: bytes
    layout: Layout
    encoding: str
    path: str | None
    separators: np.ndarray
    offsets: np.ndarray
    blocks: np.ndarray
    heads: np.ndarray
    lines: np.ndarray
    _columns: dict = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()  # notes for people on what a reader changed, or is not sure of

    @cached_property
    def has_graphs(self) -> bool:
        """Whether some word has enhanced dependencies, which the layout has a column for."""
        at = 0
        while self._graph is not None and at < len(self.data):  # piece by piece: a search lets no other thread in
            end = self.data.find(b"\n", at + PIECE) + 1 or len(self.data)
            if self._graph.search(self.data, at, end):
                return True
            at = end
        return False

    def has_graph(self, pick: int) -> bool:
        """Whether some word of one sentence has enhanced dependencies."""
        return self._graph is not None and bool(self._graph.search(self.block(pick)))

    @cached_property
    def _graph(self):
        """Finds a word with enhanced dependencies; None where the layout has no column for them."""
        column = self.layout.graph or self.layout.brought
        if column is None:
            return None
        pattern = rb"^[^#\t\n][^\t\n]*(?:\t[^\t\n]*){%d}\t(?!_[\t\r\n])[^\t\n]" % (column - 1)
        return re.compile(pattern, re.MULTILINE)

    def block(self, pick: int) -> bytes:
        """The lines of one sentence: its comments, its words and the blank lines after it."""
        return self.data[self.blocks[pick] : self.blocks[pick + 1]]

    @classmethod
    def read(cls, data: bytes, layout: Layout, encoding: str = "utf-8", path: str | None = None) -> "ScannedText":
        """Check and scan text in memory. Raises FormatError for the first thing wrong with it."""
        require_text(data, path, encoding)
        data = plain_line_starts(data, encoding)
        source = cls.scanned(data, layout, encoding, path)
        if len(source.blocks) == 1:
            raise FormatError("this file holds comments only; choose one with a sentence", path=path)
        return source

    @classmethod
    def scanned(
        cls, data: bytes, layout: Layout, encoding: str = "utf-8", path: str | None = None, notes: Sequence[str] = ()
    ) -> "ScannedText":
        """Scan decodable text, which may hold no sentence at all."""
        text = np.frombuffer(data, dtype=np.uint8)
        separators, newlines = find_separators(text, len(BOM) if data.startswith(BOM) else 0)
        room = newlines + 3  # a row a line; a sentence's root takes the blank line's
        offsets, blocks = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        heads, lines = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
        form, head = layout.positions["form"], layout.positions["head"]
        shape = LineShape(form, head, layout.least, layout.most, layout.single_root)
        count, problem = scan(text, separators, shape, offsets, blocks, heads, lines)
        if problem[0]:
            raise scan_error(data, layout, encoding, path, problem)
        rows = int(offsets[count])
        ends = offsets[: count + 1].copy(), blocks[: count + 1].copy()
        arrays = *ends, heads[:rows].copy(), lines[:rows].copy()
        return cls(data, layout, encoding, path, separators, *arrays, notes=tuple(notes))

    def column(self, name: str) -> Column:
        """The interned column of all rows; all empty where the layout has none of this name."""
        if name not in self._columns:
            self._columns[name] = self._interned(name, self.layout.positions.get(name))
        return self._columns[name]

    @cached_property
    def deps(self) -> Column:
        """The interned fields of enhanced dependencies of all rows, as in the text; all empty where there are none."""
        return self._interned("deps", (self.layout.graph or self.layout.brought) if self.has_graphs else None)

    def _interned(self, name, position):
        ids, values = np.zeros(len(self.lines), dtype=np.int32), []
        if position is not None:
            text = np.frombuffer(self.data, dtype=np.uint8)
            spans = intern(text, self.separators, self.lines, position, name == "form", ids)
            try:
                values = [self.data[begin:end].decode(self.encoding) for begin, end in spans.tolist()]
            except UnicodeError as error:  # in encodings in which a byte's meaning depends on those before
                message = f"a {name} cannot be read by itself in {self.encoding}; save the file as UTF-8"
                raise FormatError(message, path=self.path) from error
        return Column(ids, ("", *values))


def plain_line_starts(data: bytes, encoding: str = "utf-8") -> bytes:
    """Text whose lines end in a newline and begin without a byte-order mark, as joined files have within; O(bytes).

    Text with Unix or Windows line ends is given back as it is, and so is a mark at its very beginning.
    """
    if data.count(b"\r") != data.count(b"\r\n"):
        data = ODD_ENDS.sub(lambda end: end[0][1:] or b"\n", data)
    if encoding.lower() in UTF8:
        while data.startswith(BOM + BOM):
            data = data[len(BOM) :]
        if b"\n" + BOM in data:
            data = data.replace(b"\n" + BOM, b"\n")
    return data


def _content_of(file):
    """The bytes of an open file."""
    if not callable(getattr(file, "read", None)):
        raise WorkbenchError(
            f"source is {type(file).__name__}; give a path, an open file, bytes, or a str with a line break"
        )
    data = file.read()
    return data.encode() if isinstance(data, str) else data


def load_bytes(source: str | Path | bytes | IO, name: str | None = None) -> tuple[bytes, str, str | None]:
    """(bytes, name, path or None) of a path, an open file, or of what is in memory: bytes, or text.

    A str with a line break or tab is text.

    A packed file is unpacked, and text is UTF-8.

    Raises FormatError, naming the file, if it is missing, a folder, damaged or too large, or may not be read,
    WorkbenchError for what is no source.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), name or "", None
    if isinstance(source, str) and ("\n" in source or "\t" in source or not source):
        return source.encode(), name or "", None
    if not isinstance(source, (str, Path)):
        return _content_of(source), name or "", None
    path = Path(source)
    try:
        return unpacked(path.read_bytes(), path), name or plain_name(path.name), str(path)
    except FileNotFoundError:
        raise FormatError("there is no such file; check the path", path=path) from None
    except IsADirectoryError:
        raise FormatError("this is a folder; name a file in it", path=path) from None
    except OSError as error:
        raise FormatError(f"the file cannot be read: {error.strerror}; check its rights", path=path) from error
