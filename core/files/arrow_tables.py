"""Tables as Arrow has them, which is how they go to a browser, made from lists without pandas.

``pyarrow.array`` loads pandas, some 40 MB a process that these tables do not need. So the buffers are filled here.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa

PLAIN, GAPS = frozenset({bool, int, float, str, list, tuple, datetime, type(None)}), frozenset({float, type(None)})
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def arrow_table(table: Mapping[str, Sequence]) -> pa.Table:
    """A table, by the name of the column: its cells, in a list or an ndarray, as pyarrow's.

    The cells of a column are all bool, int, float (or int), str, datetime with its time zone, or lists of these; None
    and NaN are nothing. Raises TypeError, which names the column, where they are of several kinds. O(cells).
    """
    return pa.Table.from_arrays([_column(name, cells) for name, cells in table.items()], names=list(table))


def _column(name, cells):
    """One column; see ``arrow_table``."""
    cells = cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
    kinds, valid = set(map(type, cells)), None
    if not kinds <= PLAIN:  # some are scalars of NumPy
        cells = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
        kinds = set(map(type, cells))
    if not kinds.isdisjoint(GAPS):
        cells = [None if cell != cell else cell for cell in cells]
        kinds, is_there = set(map(type, cells)) - {type(None)}, np.array([cell is not None for cell in cells], bool)
        valid = np.packbits(is_there, bitorder="little")
    if not kinds:
        return pa.nulls(len(cells))
    for classes, make in MAKERS:
        if kinds <= classes:
            kind, buffers, children = make(name, cells)
            of_values = map(pa.py_buffer, buffers)
            validity = None if valid is None else pa.py_buffer(valid)
            return pa.Array.from_buffers(kind, len(cells), [validity, *of_values], children=children)
    raise TypeError(f"the column {name!r} has cells of several kinds: {sorted(kind.__name__ for kind in kinds)}")


def _texts(_, cells):
    encoded = [(cell or "").encode() for cell in cells]
    return pa.utf8(), [_ends(encoded), b"".join(encoded)], None


def _lists(name, cells):
    lists = [cell or () for cell in cells]
    inner = _column(name, [cell for each in lists for cell in each])
    return pa.list_(inner.type), [_ends(lists)], [inner]


def _bools(_, cells):
    return pa.bool_(), [np.packbits(np.array(cells, bool), bitorder="little")], None


def _integers(_, cells):
    return pa.int64(), [np.array([cell or 0 for cell in cells], np.int64)], None


def _numbers(_, cells):
    return pa.float64(), [np.array([cell or 0.0 for cell in cells], np.float64)], None


def _moments(_, cells):
    moments = [0 if cell is None else (cell - EPOCH) // MICROSECOND for cell in cells]
    return pa.timestamp("us", tz="UTC"), [np.array(moments, np.int64)], None


def _ends(sequences):
    """Where each sequence begins in all of them one after another, and the end: int32 (len(sequences) + 1,)."""
    return np.cumsum([0, *map(len, sequences)], dtype=np.int32)


MAKERS: tuple[tuple[frozenset[type], Callable], ...] = (  # (types of the cells, what makes type, buffers and children)
    (frozenset({str}), _texts),
    (frozenset({list, tuple}), _lists),
    (frozenset({bool}), _bools),
    (frozenset({int}), _integers),
    (frozenset({int, float}), _numbers),
    (frozenset({datetime}), _moments),
)
