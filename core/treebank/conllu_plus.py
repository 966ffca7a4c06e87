"""CoNLL-U Plus: columns that a first line names, ``# global.columns = ID FORM ...``, or a header row of a table."""

import re
from collections import Counter
from pathlib import Path

from core.errors import FormatError
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.source import ScannedText
from core.treebank.tagged import load_text
from core.treebank.treebank import Treebank

NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
ALIASES = {
    "INDEX": "ID", "WORD": "FORM", "TOKEN": "FORM", "CPOS": "UPOS", "CPOSTAG": "UPOS", "UPOSTAG": "UPOS",
    "POS": "XPOS", "POSTAG": "XPOS", "XPOSTAG": "XPOS", "TAG": "XPOS", "FEAT": "FEATS", "MORPH": "FEATS",
    "DEP": "DEPREL", "REL": "DEPREL", "RELATION": "DEPREL",
}  # fmt: skip
DECLARATION = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
NOTHING = ("", "_", "*")  # * in PARSEME's column: no expression begins or goes on here


def read_conllu_plus(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-U Plus, or a table of words whose first row names its columns.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        CoNLL-U. What CoNLL-U has no column for stands in MISC as ``NAME=value``. Words without IDs are numbered.

    Raises
    ------
    FormatError : no line that names columns, no column FORM, a line of another width; and as ``read_conllu``.

    Notes
    -----
    Line numbers in messages are the file's. Several roots are kept, with a warning. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    columns, lines, word = None, [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        named = DECLARATION.match(line)
        if named or (columns is None and line.strip() and not line.startswith("#")):
            columns = _columns(named[1].split() if named else line.split("\t"), path, number)
            lines.append(f"# global.columns = {' '.join(NAMES)}")
        elif not line.strip() or line.startswith("#"):
            word = word if line.startswith("#") else 0
            lines.append(line)
        else:
            word += 1
            lines.append(_word(line, columns, word, path, number))
    data = "\n".join(lines).encode()
    return Treebank(ScannedText.read(data, SEVERAL_ROOTS_CONLLU, path=path), name=name)


def _columns(cells, path, number):
    """The names of the columns as CoNLL-U has them; others as they are."""
    names = [cell.strip().lstrip("#") for cell in cells]
    names = [ALIASES.get(cell.upper()) or (cell.upper() if cell.upper() in NAMES else cell) for cell in names]
    if "FORM" not in names:
        raise FormatError(
            "no column is named FORM; name the columns in the first line, # global.columns = ID FORM ...",
            path=path,
            line=number,
        )
    twice = next((cell for cell, count in Counter(names).items() if count > 1), None)
    if twice:
        raise FormatError(f"two columns are named {twice}; give each a name of its own", path=path, line=number)
    return names


def _word(line, columns, word, path, number):
    """A line of CoNLL-U."""
    cells = line.split("\t")
    if len(cells) != len(columns):
        raise FormatError(
            f"{len(cells)} tab-separated columns where the first line names {len(columns)}; is the line broken, or a "
            "tab missing?",
            path=path,
            line=number,
        )
    named = dict(zip(columns, cells, strict=True))
    misc = [] if named.get("MISC", "_") in NOTHING else [named["MISC"]]
    misc += [
        f"{name}={value.replace('|', chr(92) + 'p')}"
        for name, value in named.items()
        if name not in NAMES and value not in NOTHING
    ]
    fields = [named.get("ID", str(word)), *(named.get(name) or "_" for name in NAMES[1:-1]), "|".join(misc) or "_"]
    return "\t".join(fields)
