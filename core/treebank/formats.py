"""Every format that a treebank can be read from: one table, where a new reader plugs in.

A reader is called as ``reader(source, encoding=..., name=..., **options)`` with a path or bytes and returns a
``Treebank``; it is imported when first needed. ``load_bytes`` and ``require_text`` open the file and refuse what
is not text, with the usual messages.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.errors import FormatError, WorkbenchError
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
    Format("conll2008", "CoNLL-2008", "core.treebank.conllu:read_conll2008"),
    Format("conll2009", "CoNLL-2009", "core.treebank.conllu:read_conll2009"),
    Format("conllup", "CoNLL-U Plus, or a table with a header", "core.treebank.conllu_plus:read_conllu_plus"),
    Format("conll2012", "CoNLL-2012", "core.treebank.ontonotes:read_conll2012"),
    Format("conll2003", "CoNLL-2003 and others with B, I and O", "core.treebank.iob:read_conll2003"),
    Format("vertical", "vertical text, one word per line", "core.treebank.vertical:read_vertical"),
    Format("malttab", "Malt-TAB and NLTK's dependency treebank", "core.treebank.malt_tab:read_malt_tab"),
    Format("stanford", "Stanford typed dependencies", "core.treebank.typed_dependencies:read_typed_dependencies"),
    Format("cg3", "Constraint Grammar (CG-3)", "core.treebank.constraint_grammar:read_cg3"),
    Format("json", "JSON of displaCy, spaCy or Prodigy", "core.treebank.json_trees:read_json"),
    Format("mrg", "Penn bracketed trees", "core.treebank.penn:read_mrg"),
    Format("tagged", "text tagged word/TAG", "core.treebank.tagged:read_tagged"),
    Format("toolbox", "Toolbox interlinear text", "core.treebank.interlinear:read_toolbox"),
    Format("flextext", "FLEx interlinear text", "core.treebank.flextext:read_flextext"),
    Format("elan", "ELAN transcription", "core.treebank.elan:read_elan"),
    Format("docbin", "spaCy DocBin", "core.treebank.spacy_docs:read_docbin"),
    Format("lines", "one sentence per line", "core.treebank.plain:read_lines"),
    Format("text", "running text", "core.treebank.plain:read_text"),
)
PLAIN = ("lines", "text")  # formats of text without a treebank's columns, which is cut
SCANNED = ("conllu", "conllx", "conll2008", "conll2009")  # read by compiled functions, 200 MB a second
KEPT_AS_CONLLU = (  # in a project
    *PLAIN, "conllup", "conll2003", "vertical", "malttab", "stanford", "cg3", "json", "toolbox", "flextext",
    "elan",
)  # fmt: skip


def read_treebank(
    source: str | Path | bytes | IO, format: str | None = "auto", encoding: str = "utf-8", name: str | None = None,
    **options: object,
) -> "Treebank":  # fmt: skip
    """Read a treebank in any format.

    Parameters
    ----------
    source : path, bytes, an open file, or text
        A str with a line break is text.
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
        data, file_name, path = load_bytes(source, name)
        source = data if path is None else source  # an open file is read once
        try:
            format = detect_format(data, path or file_name)
        except FormatError as error:
            raise FormatError(error.message, path=path, line=error.line) from None
    readers = {known.name: known for known in FORMATS}
    if format not in readers:
        raise WorkbenchError(f"there is no format {format!r}; use auto, {', '.join(readers)}")
    return readers[format].load_reader()(source, encoding=encoding, name=name, **options)
