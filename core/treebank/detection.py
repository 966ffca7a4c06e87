"""Which format bytes look like: treebanks by their columns, and text without any by its lines."""

import re
from itertools import chain, pairwise

from core.errors import FormatError
from core.languages.marks import WITH_SPACE, stop_class
from core.treebank.foreign import AS_LINES, AS_TEXT
from core.treebank.punctuation import UNIVERSAL
from core.treebank.source import BOM

HEAD = 1 << 16  # bytes looked at
ZLIB = (b"\x78\x9c", b"\x78\xda")  # a DocBin is compressed
MARKER = re.compile(rb"\\\w+(\s|$)")  # of Toolbox, at the start of a line
BRACKETED = re.compile(rb"\s*\(\s*[^\s()]*\s*\(")  # a parenthesis opens in the first one: no remark in parentheses
TAGGED_SHARE = 0.9  # of the words of tagged text hold a separator
TABLE_SHARE = 0.8  # of the lines of a table have as many columns as the first
COLUMNS = range(8, 15)  # of a line of a treebank whose tabs became spaces

STOPS, CLOSERS = stop_class(), "\"'”’»«“)\\]」』*_"
ENDS = re.compile(rf"[{STOPS}][{CLOSERS}]*$")
INNER = re.compile(
    rf"\w\w\w[{STOPS}]+(\s+\S|[{CLOSERS}]+\s+(?![a-zа-яё])\S)|[{stop_class(WITH_SPACE)}][{CLOSERS}]*[^\s{CLOSERS}]"
)  # a stop within a line; not “No!” he said, nor Mr. Fox
SEVERAL = 0.2  # of the lines hold several sentences: they are paragraphs, or wrapped
FLOWING = 0.3  # of the open lines are followed by a small letter: they are wrapped
FULL, WIDE = 0.7, 45  # wrapped lines have so much of the longest one's characters, which has so many at the least


def detect_format(data: bytes) -> str:
    """The name of the format that bytes look like; "conllu", whose reader says what is wrong, if they look like none.

    Ten columns without comments and ranges are CoNLL-X where a coarse tag is not universal or PHEAD is filled.
    """
    lines = _lines(data)
    if data.startswith(ZLIB):
        return "docbin"
    if b"<interlinear-text" in data[:HEAD]:
        return "flextext"
    if lines and MARKER.match(lines[0]):
        return "toolbox"
    rows = [line.split(b"\t") for line in lines if not line.startswith(b"#")]
    if not rows:
        return "conllu"
    if rows[0][0][:1].isdigit() and len(rows[0]) >= 8:
        return _tabular_format(rows, has_comments=len(rows) < len(lines))
    if BRACKETED.match(b"\n".join(lines[:3])):
        return "mrg"
    words = [word for line in lines for word in line.split()]
    tagged = sum(any(mark in word[1:-1] for mark in (b"/", b"_")) for word in words)
    return "tagged" if tagged >= TAGGED_SHARE * len(words) else "conllu"


def guess_format(data: bytes, encoding: str = "utf-8") -> str:
    """As ``detect_format``, but what is no treebank is "lines", one sentence per line, or "text", running text.

    Raises
    ------
    FormatError : a table, a web page or another XML file, which would be read as words that nobody wrote.

    Notes
    -----
    Where lines hold several sentences they are paragraphs; where they end in a stop they are sentences. Lines without
    stops are sentences too, unless they are wrapped: followed by a small letter, or all about as long as the longest.
    """
    found = detect_format(data)
    lines = _lines(data)
    if found != "conllu" or not lines or _has_columns(lines):
        return found
    _refuse_tables_and_markup(lines)
    try:
        text = data[:HEAD].decode(encoding, "replace")
    except LookupError:  # the reader says so
        text = data[:HEAD].decode("utf-8", "replace")
    return "lines" if _is_line_by_line(text.removeprefix("\ufeff")) else "text"


def _lines(data):
    """The lines of the head that are not blank, without their line ends."""
    lines = [line.rstrip(b"\r") for line in data[:HEAD].removeprefix(BOM).split(b"\n")]
    if len(data) > HEAD and len(lines) > 1:
        lines.pop()  # cut short
    return [line for line in lines if line.strip()]


def _tabular_format(rows, has_comments):
    """The CoNLL format of lines with at least eight columns."""
    if len(rows[0]) >= 14:
        return "conll2009"
    if has_comments or not all(row[0].isdigit() for row in rows):
        return "conllu"
    coarse = {row[3].decode("utf-8", "replace") for row in rows if len(row) > 3} - {"_"}
    has_phead = any(len(row) > 8 and row[8].isdigit() for row in rows)
    return "conllx" if has_phead or len(rows[0]) < 10 or not coarse <= UNIVERSAL else "conllu"


def _has_columns(lines):
    """Whether most lines are words of a treebank: a number and columns behind it, between tabs or, wrongly, spaces."""
    rows = [line for line in lines if not line.startswith(b"#")]
    words = [line for line in rows if line[:1].isdigit() and (b"\t" in line.strip() or len(line.split()) in COLUMNS)]
    numbered = [line for line in words if b"\t" in line or line.split()[6] in (b"_", b"0") or line.split()[6].isdigit()]
    return bool(rows) and len(numbered) > TABLE_SHARE * len(rows)


def _refuse_tables_and_markup(lines):
    """Raise FormatError where all lines have as many cells as the first, or the first begins HTML or XML."""
    for mark, name in ((b"\t", "tabs"), (b";", "semicolons"), (b",", "commas")):
        cells = [line.strip().count(mark) for line in lines]
        spaced = sum(line.count(mark + b" ") for line in lines)  # as in prose
        same = sum(count == cells[0] for count in cells)
        if len(lines) > 1 and cells[0] and same >= TABLE_SHARE * len(lines) and 2 * spaced < sum(cells):
            raise FormatError(f"this is a table, with {name} between its columns, and no treebank; {AS_LINES}")
    start = lines[0].strip()[:14].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        raise FormatError("this is a web page; import it on the page Mark-up, or copy its text and paste that")
    if start.startswith(b"<?xml"):
        raise FormatError(f"this is an XML file, and of these only FLEx interlinear text is read; {AS_TEXT}")


def _is_line_by_line(text):
    """Whether text has one sentence per line; see ``guess_format``."""
    paragraphs = re.split(r"\n[^\S\n]*\n\s*", re.sub(r"\r\n?", "\n", text).strip())
    blocks = [[line.strip() for line in block.split("\n") if line.strip()] for block in paragraphs]
    lines, pairs = list(chain(*blocks)), list(chain(*map(pairwise, blocks)))
    if not pairs or sum(bool(INNER.search(line)) for line in lines) > SEVERAL * len(lines):
        return False
    open_pairs = [(line, after) for line, after in pairs if not ENDS.search(line)]
    if 2 * len(open_pairs) <= len(pairs):
        return True
    starts_large = not blocks[0][0][:1].islower()
    flowing = sum(after[:1].islower() for _, after in open_pairs)
    if starts_large and flowing > FLOWING * len(open_pairs):
        return False
    longest = max(map(len, lines))
    return longest < WIDE or any(len(line) < FULL * longest for line, _ in open_pairs)
