"""XML with the place of every element in its bytes, so that a file is changed by splicing and stays as it is elsewhere.

Offsets are into the text as UTF-8. ``spliced`` gives the bytes back in the file's own encoding, its mark at the
beginning included. Entities, and so all that a document type could do, are refused.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from core.errors import FormatError, quoted
from core.treebank.problems import check_encoding_name, line_number
from core.treebank.source import BOM

MOST_BYTES, DEEPEST = 1 << 27, 100  # of a file; of elements within elements
WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
WIDE_STARTS = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
DECLARED = re.compile(rb"<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
OPENING = re.compile(rb"<[^\s/>]++(?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+>")
ILLEGAL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


@dataclass(eq=False)
class Element:
    """An element: ``start``, ``end`` are offsets of all of it, ``inside``, ``close`` those of what it contains.

    ``text`` is what stands in it outside its elements. ``inside`` equals ``end`` where it is written ``<A/>``.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    start: int
    inside: int
    close: int = 0
    end: int = 0
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def all(self, tag: str) -> Iterator["Element"]:
        """The elements of a name right below."""
        return (child for child in self.children if child.tag == tag)


@dataclass(frozen=True, eq=False)
class XmlText:
    """XML that was read: ``body`` as UTF-8, the ``mark`` and ``codec`` of its file, and its ``root``."""

    body: bytes
    mark: bytes
    codec: str
    root: Element
    path: str | None

    @classmethod
    def of(cls, data: bytes, path: str | Path | None = None, remedy: str = "save it again") -> "XmlText":
        """Read bytes in the encoding that they state. ``remedy`` ends the sentence on what is wrong.

        Raises FormatError : no well-formed XML, with the line; a document type; too large; text in no such encoding.
        """
        if len(data) > MOST_BYTES:
            message = f"{len(data):,} bytes are more than {MOST_BYTES >> 20} MB; split the recording into several files"
            raise FormatError(message, path=path)
        mark, codec = _encoding(data, path)
        try:
            body = data[len(mark) :].decode(codec).encode()
        except UnicodeDecodeError as error:
            line = line_number(data, len(mark) + error.start)
            message = f"byte 0x{error.object[error.start]:02x} is not {codec}, in which this file says it is; {remedy}"
            raise FormatError(message, path=path, line=line) from None
        except UnicodeEncodeError:
            raise FormatError(f"this file holds half a character; {remedy}", path=path) from None
        return cls(body, mark, codec, _Builder(body, path, remedy).root, None if path is None else str(path))

    def spliced(self, edits: Iterable[tuple[int, int, str]]) -> bytes:
        """The file's bytes with (start, end, new text) put in place of what stood there, in the file's encoding.

        Edits at one place follow each other as given. A character that the encoding lacks becomes ``&#...;``.
        Raises FormatError where the file's bytes are not those that its own text would be written in.
        """
        pieces, at = [], 0
        for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
            pieces += [self.body[at:start], text.encode()]
            at = end
        new = b"".join((*pieces, self.body[at:])).decode()
        return self.mark + new.encode(self.codec, "xmlcharrefreplace")

    def require_same(self, data: bytes) -> None:
        """Raise FormatError unless writing the text without an edit gives ``data`` again."""
        if self.spliced(()) != data:
            message = f"its bytes are no usual {self.codec}, so they would not stay as they are; save it as UTF-8"
            raise FormatError(message, path=self.path)


def escaped(text: str) -> str:
    """Text as it stands in an element, or between the quotation marks of an attribute. Raises FormatError."""
    if ILLEGAL.search(text):
        raise FormatError(f"{quoted(repr(text))} holds a sign that XML cannot have; remove it from the text")
    return text.translate(ESCAPES)


def replaced_text(element: Element, text: str) -> tuple[int, int, str]:
    """The edit that makes ``text``, which is XML already, the whole of what an element contains."""
    if element.inside == element.end:
        return element.end - 2, element.end, f">{text}</{element.tag}>"
    return element.inside, element.close, text


def appended_text(element: Element, text: str) -> tuple[int, int, str]:
    """The edit that puts ``text``, which is XML already, behind the last child of an element."""
    if element.inside == element.end:
        return element.end - 2, element.end, f">{text}</{element.tag}>"
    at = element.children[-1].end if element.children else element.close
    return at, at, text


def _encoding(data, path):
    """(the byte-order mark, the codec of what follows it): by the mark, else by the XML declaration."""
    if data.startswith(BOM):
        return BOM, "utf-8"
    if codec := WIDE_MARKS.get(data[:2]):
        return data[:2], codec
    if codec := WIDE_STARTS.get(data[:2]):
        return b"", codec
    declared = DECLARED.match(data[:200])
    name = declared[1].decode() if declared else "utf-8"
    if name.lower().replace("-", "").startswith(("utf16", "ucs2", "iso10646ucs2")):
        return b"", "utf-8"  # made from such a file, whose declaration stayed
    try:
        check_encoding_name(name)
    except FormatError as error:
        raise FormatError(error.message, path=path, line=1) from None
    return b"", name


class _Builder:
    """Builds the elements from what expat reports; ``root`` is the first of them."""

    def __init__(self, body, path, remedy):
        self.body, self.path, self.open, self.pieces = body, path, [], []
        self.root: Element = Element("", {}, 1, 0, 0)
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        try:
            self.parser.Parse(body, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise FormatError(f"this is no well-formed XML ({what}); {remedy}", path=path, line=error.lineno) from None

    def _refuse(self, *_):
        message = "this XML declares a document type, which could be a trap; remove the line <!DOCTYPE ...>"
        raise FormatError(message, path=self.path, line=self.parser.CurrentLineNumber)

    def _start(self, tag, attributes):
        start, line = self.parser.CurrentByteIndex, self.parser.CurrentLineNumber
        opening = OPENING.match(self.body, start)
        if len(self.open) >= DEEPEST or opening is None:
            message = f"elements stand within {DEEPEST} others, as in no transcription; export the file again"
            raise FormatError(message, path=self.path, line=line)
        element = Element(tag, attributes, line, start, opening.end())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)
        self.pieces.append([])

    def _text(self, text):
        self.pieces[-1].append(text)

    def _end(self, _):
        element = self.open.pop()
        element.text = "".join(self.pieces.pop())
        is_empty = self.body[element.inside - 2 : element.inside] == b"/>"
        element.close = element.inside if is_empty else self.parser.CurrentByteIndex
        element.end = element.inside if is_empty else self.body.index(b">", element.close) + 1
