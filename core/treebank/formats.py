"""Every format that a treebank can be read from: one table, where a new reader plugs in.

A reader is called as ``reader(source, encoding=..., name=..., **options)`` with a path or bytes and returns a
``Treebank``; it is imported when first needed. ``load_bytes`` and ``require_text`` open the file and refuse what
is not text, with the usual messages.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import WorkbenchError
from core.treebank.detection import detect_format
from core.treebank.source import load_bytes

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank


@dataclass(frozen=True)
class Format:
    """A name as ``--format`` takes it, what people call it, and its reader as ``module:function``."""

    name: str
    title: str
    reader: str

    def load_reader(self) -> "Callable[..., Treebank]":
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
    Format("lines", "one sentence per line", "core.treebank.plain:read_lines"),
    Format("text", "running text", "core.treebank.plain:read_text"),
)
PLAIN = ("lines", "text")  # names of those that hold no columns: text, which is cut


def read_treebank(
    source: str | Path | bytes, format: str | None = "auto", encoding: str = "utf-8", name: str | None = None,
    **options: object,
) -> "Treebank":  # fmt: skip
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
