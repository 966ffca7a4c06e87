"""Words with chunks and entities, one a line, as B, I and O: CoNLL-2000, 2002 and 2003 and their like."""

import re
from collections import Counter
from pathlib import Path

from core.errors import FormatError
from core.treebank.tagged import composed_treebank, load_text, with_universal_tags
from core.treebank.treebank import Treebank

MARK = re.compile(r"O|[BIESLUM]-\S+")
CHUNKS = frozenset(["NP", "VP", "PP", "ADJP", "ADVP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP", "NC", "VC", "PC"])
STARTS = {"S": "B", "U": "B", "E": "I", "L": "I", "M": "I"}  # single, unit, end, last, middle
DOCUMENT = "-DOCSTART-"
SHARE = 0.9  # share of a column's cells that must be marks


def read_conll2003(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read words with tags of chunks and entities, their columns between blanks or tabs.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        Without trees. The word is the first column, after its number where it has one. One column before the first
        marks is the tag, two are lemma and tag. Tags are UPOS if all are universal ones, else XPOS. Entities stand in
        MISC as ``Entity=B-PER``, chunks as ``Chunk=B-NP``, what else there is as ``Column5=value``.

    Raises
    ------
    FormatError : a line with another number of columns than most, with its number; no column of marks; no word.
    """
    text, name, path = load_text(source, encoding, name)
    rows, ends, documents = _rows(text)
    if not rows:
        raise FormatError("this file holds no word; choose one with a sentence", path=path)
    _require_width(rows, path)
    meanings = _meanings([cells for cells, _ in rows], path)
    sentences, begin = [], 0
    for end in ends:
        comments = ["newdoc"] if begin in documents else []
        sentences.append(_sentence([cells for cells, _ in rows[begin:end]], meanings) | {"comments": comments})
        begin = end
    return composed_treebank(with_universal_tags(sentences), name)


def _rows(text):
    """(cells and line number of each word, where sentences end, where documents begin)."""
    rows, ends, documents = [], set(), set()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(DOCUMENT):
            documents.add(len(rows))
        if not line.strip() or line.startswith(DOCUMENT):
            ends.add(len(rows))
        elif not line.startswith(("# ", "#\t")):
            cells = line.rstrip().split("\t") if "\t" in line.strip() else line.split()
            rows.append(([cell.strip() for cell in cells], number))
    return rows, sorted({*ends, len(rows)} - {0}), documents


def _require_width(rows, path):
    width = Counter(len(cells) for cells, _ in rows).most_common(1)[0][0]
    for cells, number in rows:
        if len(cells) != width or not cells[0]:
            raise FormatError(
                f"{len(cells)} column{'s' * (len(cells) != 1)} where other words have {width}; is the line broken, or "
                "does a word hold a blank?",
                path=path,
                line=number,
            )


def _meanings(rows, path):
    """The meaning of each column: a name of ``compose``, a key of MISC, or None for numbers of words."""
    width = len(rows[0])
    marks = [column for column in range(1, width) if _share(rows, column, MARK.fullmatch) > SHARE]
    if not marks:
        raise FormatError("no column after the first holds B-, I- and O; choose another format", path=path)
    meanings = {column: f"Column{column + 1}" for column in range(width)}
    word = 1 if _share(rows, 0, str.isdigit) == 1 and rows[0][0] in "01" and marks[0] > 1 else 0
    meanings |= {0: None} | {word: "forms"}
    between = range(word + 1, marks[0])
    if len(between) == 1:
        meanings[between[0]] = "xpos"
    elif between:
        meanings |= {between[0]: "lemmas", between[1]: "xpos"}
    for column in marks:
        kinds = {cells[column][2:] for cells in rows} - {""}
        is_chunk = kinds and len(kinds & CHUNKS) >= len(kinds) / 2
        meanings[column] = "Chunk" if is_chunk else "Entity"
    entities = [column for column in marks if meanings[column] == "Entity"]
    meanings |= {column: f"Entity{level}" for level, column in enumerate(entities[1:], start=2)}  # nested in the first
    return meanings


def _share(rows, column, predicate):
    return sum(bool(predicate(cells[column])) for cells in rows) / len(rows)


def _sentence(rows, meanings):
    """A dict as ``compose`` takes it."""
    places = {meaning: column for column, meaning in meanings.items()}
    columns = {
        name: [None if cells[places[name]] in ("_", "-") and name != "forms" else cells[places[name]] for cells in rows]
        for name in ("forms", "lemmas", "xpos")
        if name in places
    }
    entries = [[] for _ in rows]
    for column, meaning in meanings.items():
        if meaning in (None, "forms", "lemmas", "xpos"):
            continue
        values = [cells[column] for cells in rows]
        if meaning.startswith(("Entity", "Chunk")):
            values = _begun(values)
        for entry, value in zip(entries, values, strict=True):
            if value not in ("O", "_", "-"):
                entry.append(f"{meaning}={value}".replace("|", "\\p"))
    return columns | {"misc": ["|".join(entry) for entry in entries]}


def _begun(marks):
    """B at the beginning of each phrase and I within, whichever of the usual letters the file has."""
    normalised, before = [], "O"
    for mark in marks:
        letter, kind = STARTS.get(mark[0], mark[0]), mark[2:]
        if mark != "O" and MARK.fullmatch(mark):
            starts = letter == "B" or before == "O" or before[2:] != kind
            mark = f"{'B' if starts else 'I'}-{kind}"
        normalised.append(mark)
        before = mark
    return normalised
