"""A treebank with another column of words, its text spliced anew and otherwise untouched."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.compilation.kernels import kernel
from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.treebank.edit import encoded_values
from core.treebank.render import treebank_bytes
from core.treebank.source import Column, ScannedText
from core.treebank.treebank import Treebank

RETURN = 13
REPLACEABLE = ("lemma", "upos", "xpos", "feats", "misc")


def with_column(treebank: Treebank, name: str, column: Column) -> Treebank:
    """The treebank with the same words and trees, and another column.

    Parameters
    ----------
    treebank : Treebank
    name : str
        One of ``REPLACEABLE``.
    column : Column
        One entry a row; 0 is empty, and entries of root rows are ignored.

    Returns
    -------
    Treebank

    Raises
    ------
    WorkbenchError : a wrong length, a column that the format does not have, a value that it cannot hold.

    Notes
    -----
    O(bytes); values are looked at once each, not once a word.
    """
    layout, encoding = treebank.source.layout, treebank.source.encoding
    if name not in REPLACEABLE:
        raise WorkbenchError(f"the column {name!r} cannot be replaced; choose {', '.join(REPLACEABLE)}")
    if len(column) != len(treebank.heads):
        raise WorkbenchError(f"the column must have {len(treebank.heads)} entries, a row a word, got {len(column)}")
    if name not in layout.positions:
        raise WorkbenchError(f"{layout.title} has no column for {name}; convert the treebank to CoNLL-U first")
    values = encoded_values(column.values, encoding, "the value")
    source = treebank.source
    if not treebank.is_untouched:
        text = treebank_bytes(treebank)
        source = ScannedText.scanned(text, replace(layout, single_root=False), encoding, source.path)
    words = source.lines >= 0
    fields = source.lines[words] + layout.positions[name]
    data = np.frombuffer(source.data, dtype=np.uint8)
    ends = source.separators[fields + 1]
    text = _splice(
        data,
        source.separators[fields] + 1,
        ends - (data[ends - 1] == RETURN),  # the last column of a file with CRLF ends before CR
        column.ids[words],
        np.frombuffer(b"".join(values), dtype=np.uint8),
        offsets_of([len(value) for value in values]),
    )
    source = ScannedText.scanned(text.tobytes(), replace(layout, single_root=False), encoding, source.path)
    return Treebank(source, name=treebank.name, constituents=treebank.constituents)


def interned(ids: np.ndarray, values: Sequence[str]) -> Column:
    """A Column of values that may repeat or be empty: equal ones share an id, 0 is empty. O(rows + values)."""
    numbers = {"": 0}
    translation = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), np.int32, len(values))
    return Column(translation[ids], tuple(numbers))


def tags_taken_over(text: Treebank, tagged: Treebank, column: str) -> Treebank:
    """The text whose words have the tags that ``tagged``, the same words, gives them in a column. O(bytes).

    Punctuation stays as it is; a word with a tag of punctuation gets the words' commonest tag, so that it stays a word.
    """
    is_word = ~text.punctuation() & text.is_word
    old, tags = (np.array(bank.values, object)[bank.ids] for bank in (getattr(text, column), getattr(tagged, column)))
    names, counts = np.unique(old[is_word].astype(str), return_counts=True)
    marks = set(old[~is_word])
    tags = np.array([names[counts.argmax()] if tag in marks else tag for tag in tags], object)
    return with_values(text, column, np.where(is_word, tags, old))


def with_values(treebank: Treebank, name: str, values: np.ndarray) -> Treebank:
    """The treebank with another column, given as a str for each row. Raises as ``with_column``. O(bytes)."""
    names, ids = np.unique(values.astype(str), return_inverse=True)
    return with_column(treebank, name, interned(ids, names.tolist()))


@kernel
def _splice(data, begins, ends, ids, text, bounds):
    """``data`` with each ``data[begins[i] : ends[i]]`` replaced by ``text[bounds[ids[i]] : bounds[ids[i] + 1]]``."""
    size = len(data)
    for i in range(len(ids)):
        size += bounds[ids[i] + 1] - bounds[ids[i]] - (ends[i] - begins[i])
    out = np.empty(size, np.uint8)
    read, write = 0, 0
    for i in range(len(ids)):
        for place in range(read, begins[i]):
            out[write] = data[place]
            write += 1
        for place in range(bounds[ids[i]], bounds[ids[i] + 1]):
            out[write] = text[place]
            write += 1
        read = ends[i]
    for place in range(read, len(data)):
        out[write] = data[place]
        write += 1
    return out
