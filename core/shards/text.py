"""A text in memory as a folder of shards, for workers elsewhere."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from core.offsets import offsets_of
from core.shards.folder import Shards, begin, counts_of, finish
from core.shards.shard import TEXTS, Columns, Interned, write_shard
from core.treebank import Treebank
from core.treebank.source import Column
from core.trees.brackets import Bracket, PackedBrackets

WORDS = 100_000  # words of a shard


def write_text(
    treebank: Treebank, folder: str | Path, brackets: Sequence[Sequence[Bracket]] | None = None, *, words: int = WORDS
) -> Shards:
    """Words and tags of a text, and brackets, as a folder of shards of about so many words; its trees stay behind.

    ``brackets`` has one entry a sentence. Raises WorkbenchError where the folder holds something else, or the disk is
    full. O(words).
    """
    folder, settings = Path(folder), {"words": words}
    begin(folder, settings)
    packed = PackedBrackets.from_lists([[]] * len(treebank) if brackets is None else brackets)
    before = np.cumsum(treebank.lengths) - treebank.lengths  # words before each sentence
    bounds = np.flatnonzero(np.diff(before // words, prepend=-1)).tolist()
    rows = []
    for number, (first, last) in enumerate(pairwise([*bounds, len(treebank)])):
        chosen, file = np.arange(first, last), f"{number:06d}.arrow"
        columns = _columns(treebank.select(chosen), packed.select(chosen))
        write_shard(folder / file, columns, {})
        rows.append({"file": file, **counts_of(columns)})
    return finish(folder, settings, rows, [np.empty(0, np.int32)] * len(rows))


def _columns(treebank: Treebank, brackets: PackedBrackets) -> Columns:
    count, of_words = len(treebank), np.delete(np.arange(len(treebank.heads)), treebank.offsets[:-1])
    forms = _interned(treebank.form, of_words)
    places = np.array([len(form) + 1 for form in forms.values] or [0])[forms.ids].cumsum()
    starts = np.concatenate(([0], places))  # as if a space stood after each word
    firsts = offsets_of(treebank.lengths)[:-1]
    others = {name: getattr(treebank, name) for name in TEXTS[:3]}
    return Columns(
        pages=Interned([treebank.name], np.zeros(count, np.int32)),
        sources=Interned([treebank.name], np.zeros(count, np.int32)),
        blocks=np.zeros(count, np.uint64),
        lengths=treebank.lengths.astype(np.int32),
        forms=forms,
        starts=(starts[:-1] - np.repeat(starts[firsts], treebank.lengths)).astype(np.int32),
        bracket_counts=np.diff(brackets.offsets).astype(np.int32),
        firsts=brackets.starts,
        lasts=(brackets.ends - 1).astype(np.int32),
        marks=Interned([""], np.zeros(len(brackets.starts), np.int32)),
        others={name: _interned(column, of_words) for name, column in others.items() if column.filled},
    )  # fmt: skip


def _interned(column: Column, rows: np.ndarray) -> Interned:
    """Some rows of a column, with the values that occur there."""
    used, ids = np.unique(column.ids[rows], return_inverse=True)
    return Interned([column.values[value] for value in used.tolist()], ids.astype(np.int32))
