"""A whole treebank as byte strings, to be handed to another process: the same arrays and the same text come back."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from core.treebank.constituents import Constituents
from core.treebank.layouts import Layout
from core.treebank.source import Column, ScannedText
from core.treebank.treebank import Treebank

ARRAYS = {"separators": np.int64, "offsets": np.int64, "blocks": np.int64, "heads": np.int32, "lines": np.int32}
PHRASES = {"offsets": np.int64, "starts": np.int32, "ends": np.int32}


def pack_treebank(treebank: Treebank) -> tuple[dict, list[bytes]]:
    """(dict of what JSON can say, byte strings) of a treebank as a reader gives it, with the columns it has interned.

    O(bytes). A treebank that was chosen from a larger one, or whose trees were changed, is no reader's: ValueError.
    """
    if not treebank.is_untouched:
        raise ValueError("only a treebank as it was read can be packed")
    source, phrases = treebank.source, treebank.constituents
    dtypes = {name: getattr(source, name).dtype.str for name in ARRAYS}
    head = {
        "name": treebank.name, "layout": asdict(source.layout), "encoding": source.encoding, "path": source.path,
        "notes": source.notes, "columns": list(source._columns), "phrases": phrases is not None, "dtypes": dtypes,
    }  # fmt: skip
    parts = [source.data, *(getattr(source, name).tobytes() for name in ARRAYS)]
    for column in source._columns.values():
        parts += [column.ids.tobytes(), _text(column.values)]
    if phrases is not None:
        parts += [*(getattr(phrases, name).tobytes() for name in PHRASES), _text(phrases.labels)]
    return head, parts


def unpack_treebank(head: dict, parts: Sequence[bytes]) -> Treebank:
    """The treebank that ``pack_treebank`` was given. O(bytes)."""
    left = iter(parts)
    layout: dict = {name: tuple(value) if isinstance(value, list) else value for name, value in head["layout"].items()}
    data = next(left)
    arrays = {name: np.frombuffer(next(left), head["dtypes"][name]) for name in ARRAYS}
    columns = {name: Column(np.frombuffer(next(left), np.int32), _texts(next(left))) for name in head["columns"]}
    source = ScannedText(
        data, Layout(**layout), head["encoding"], head["path"], **arrays, _columns=columns, notes=tuple(head["notes"])
    )
    phrases = None
    if head["phrases"]:
        spans = {name: np.frombuffer(next(left), dtype) for name, dtype in PHRASES.items()}
        phrases = Constituents(**spans, labels=_texts(next(left))[: len(spans["starts"])])
    return Treebank(source, name=head["name"], constituents=phrases)


def _text(values):
    """Texts without line ends, as one; lone surrogates are kept."""
    return "\n".join(values).encode("utf-8", "surrogatepass")


def _texts(data):
    return tuple(data.decode("utf-8", "surrogatepass").split("\n"))
