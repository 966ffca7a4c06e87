"""A scanned text with other lines in place of some sentences': only these are scanned, the rest is moved.

Scanning a large text and interning its columns takes seconds, and an edit of one sentence changes nothing else.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.treebank.source import Column, ScannedText


def with_blocks(source: ScannedText, blocks: Mapping[int, ScannedText]) -> ScannedText:
    """The text with other sentences in place of some of its own.

    Parameters
    ----------
    source : ScannedText
    blocks : mapping of int to ScannedText
        By the index of the sentence: a text of one sentence in the same layout and encoding, with the blank line after
        it. Not the last sentence, whose text may end in any way.

    Returns
    -------
    ScannedText
        As a scan of the new text would give it; columns that were asked for before are there already. O(bytes moved).
    """
    at = np.array(sorted(blocks), np.int64)
    new = [blocks[index] for index in at.tolist()]
    begins, ends = source.blocks[at], source.blocks[at + 1]
    first = np.searchsorted(source.separators, begins)  # of the sentence's own separators
    last = np.searchsorted(source.separators, ends)
    bytes_moved = _moved([len(text.data) for text in new], ends - begins)
    separators_moved = _moved([len(text.separators) - 1 for text in new], last - first)
    rows_moved = _moved([len(text.lines) for text in new], source.offsets[at + 1] - source.offsets[at])
    cuts = np.stack([source.offsets[at], source.offsets[at + 1]], axis=1)
    behind = np.searchsorted(at, np.arange(len(source.offsets)))  # how many were replaced before each sentence
    offsets = source.offsets + rows_moved[behind]
    separators = [text.separators[1:] + begin for text, begin in zip(new, begins + bytes_moved[:-1], strict=True)]
    lines = [text.lines + start - 1 for text, start in zip(new, first + separators_moved[:-1], strict=True)]
    all_lines = _replaced(source.lines, cuts, lines, separators_moved)
    all_lines[offsets[:-1]] = -1
    data, place = [], 0
    for begin, end, text in zip(begins.tolist(), ends.tolist(), new, strict=True):
        data += [source.data[place:begin], text.data]
        place = end
    replaced = ScannedText(
        b"".join((*data, source.data[place:])), source.layout, source.encoding, source.path,
        _replaced(source.separators, np.stack([first, last], axis=1), separators, bytes_moved),
        offsets, source.blocks + bytes_moved[behind],
        _replaced(source.heads, cuts, [text.heads for text in new], np.zeros(len(new) + 1, np.int64)), all_lines,
        {name: _column(column, cuts, [text.column(name) for text in new]) for name, column in source._columns.items()},
        source.notes,
    )  # fmt: skip
    if vars(source).get("has_graphs") is False:  # known without another search of all bytes
        vars(replaced)["has_graphs"] = any(text.has_graphs for text in new)
    return replaced


def _moved(sizes, former):
    """int64 (k + 1,): by how much moves what stands behind the first 0, 1, .. k replaced pieces."""
    return np.concatenate(([0], np.cumsum(np.array(sizes, np.int64) - former)))


def _replaced(array: np.ndarray, cuts: np.ndarray, new: Sequence[np.ndarray], moved: np.ndarray) -> np.ndarray:
    """The array with new pieces in place of the ``cuts``; the numbers between them grow by ``moved``."""
    pieces, at = [], 0
    for number, (begin, end) in enumerate(cuts.tolist()):
        pieces += [array[at:begin] + moved[number], new[number]]
        at = end
    return np.concatenate((*pieces, array[at:] + moved[-1])).astype(array.dtype)


def _column(column, cuts, new):
    numbers = column.numbers.copy()
    ids = [
        np.array([numbers.setdefault(value, len(numbers)) for value in each.values], np.int32)[each.ids] for each in new
    ]
    return Column(_replaced(column.ids, cuts, ids, np.zeros(len(new) + 1, np.int64)), tuple(numbers))
