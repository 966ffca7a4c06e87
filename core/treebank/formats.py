"""Every format that a treebank can be read from: one table, where a new reader plugs in.

A reader is called as ``reader(source, encoding=..., name=..., **options)`` with a path or bytes and returns a
``Treebank``; it is imported when first needed. ``load_bytes`` and ``require_text`` open the file and refuse what
is not text, with the usual messages.
"""

import re
from dataclasses import dataclass
from importlib import import_module

from core.errors import WorkbenchError
from core.treebank.punctuation import UNIVERSAL
from core.treebank.source import BOM, load_bytes

HEAD = 1 << 16  # bytes looked at to tell the format
ZLIB = (b"\x78\x9c", b"\x78\xda")  # a DocBin is compressed
MARKER = re.compile(rb"\\\w+(\s|$)")  # of Toolbox, at the start of a line
TAGGED_SHARE = 0.9  # of the words of tagged text hold a separator


@dataclass(frozen=True)
class Format:
    """A name as ``--format`` takes it, what people call it, and its reader as ``module:function``."""

    name: str
    title: str
    reader: str

    def load_reader(self):
        """The reader function."""
        module, _, function = self.reader.partition(":")
        return getattr(import_module(module), function)


FORMATS = (
    Format("conllu", "CoNLL-U", "core.treebank.conllu:read_conllu"),
    Format("conllx", "CoNLL-X and CoNLL-2007", "core.treebank.conllu:read_conllx"),
    Format("conll2009", "CoNLL-2009", "core.treebank.conllu:read_conll2009"),
    Format("mrg", "Penn bracketed trees", "core.treebank.penn:read_mrg"),
    Format("tagged", "text tagged word/TAG", "core.treebank.tagged:read_tagged"),
    Format("toolbox", "Toolbox interlinear text", "core.treebank.interlinear:read_toolbox"),
    Format("flextext", "FLEx interlinear text", "core.treebank.interlinear:read_flextext"),
    Format("docbin", "spaCy DocBin", "core.treebank.spacy_docs:read_docbin"),
    Format("text", "plain text", "core.treebank.tagged:read_text"),
)


def read_treebank(source, format="auto", encoding="utf-8", name=None, **options):
    """Read a treebank in any format.

    Parameters
    ----------
    source : path, or bytes
    format : str
        A name of ``FORMATS``, or "auto" to tell by the content.
    encoding : str
    name : str, optional
        What to call the treebank; the file's name by default.
    **options
        Passed to the reader, such as ``rules`` for "mrg".

    Returns
    -------
    Treebank

    Raises
    ------
    FormatError : the file cannot be read, or is not in the format.
    WorkbenchError : no such format.
    """
    if format == "auto":
        format = detect_format(load_bytes(source)[0])
    readers = {known.name: known for known in FORMATS}
    if format not in readers:
        raise WorkbenchError(f"there is no format {format!r}; use auto, {', '.join(readers)}")
    return readers[format].load_reader()(source, encoding=encoding, name=name, **options)


def detect_format(data):
    """The name of the format that bytes look like; "conllu", whose reader says what is wrong, if they look like none.

    Ten columns without comments and ranges are CoNLL-X where a coarse tag is not universal or PHEAD is filled.
    """
    lines = [line.rstrip(b"\r") for line in data[:HEAD].removeprefix(BOM).split(b"\n")]
    if len(data) > HEAD and len(lines) > 1:
        lines.pop()  # cut short
    lines = [line for line in lines if line.strip()]
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
        if len(rows[0]) >= 14:
            return "conll2009"
        return "conllx" if len(rows) == len(lines) and _is_conllx(rows) else "conllu"
    if lines[0].lstrip().startswith(b"("):
        return "mrg"
    words = [word for line in lines for word in line.split()]
    tagged = sum(any(mark in word[1:-1] for mark in (b"/", b"_")) for word in words)
    return "tagged" if tagged >= TAGGED_SHARE * len(words) else "conllu"


def _is_conllx(rows):
    if not all(row[0].isdigit() for row in rows):
        return False
    coarse = {row[3].decode("utf-8", "replace") for row in rows if len(row) > 3} - {"_"}
    has_phead = any(len(row) > 8 and row[8].isdigit() for row in rows)
    return has_phead or len(rows[0]) < 10 or not coarse <= UNIVERSAL
