"""Checks and columns for trees that replace others."""

from collections.abc import Iterable, Sequence

import numpy as np

from core.errors import WorkbenchError
from core.treebank.scan import CYCLE, HEAD_RANGE, SELF_LOOP, forest_faults
from core.treebank.source import Column

FAULTS = {
    HEAD_RANGE: "has head {head}, and the sentence has words 1 to {n} only",
    SELF_LOOP: "is its own head",
    CYCLE: "is part of a cycle",
}


def checked_heads(offsets: np.ndarray, heads: Sequence[int] | np.ndarray) -> np.ndarray:
    """int32 (rows,) heads of a treebank of these offsets, -1 on root rows; WorkbenchError if they are no forests."""
    heads = np.asarray(getattr(heads, "values", heads))
    if heads.shape != (offsets[-1],):
        raise WorkbenchError(f"heads must have shape ({offsets[-1]},), a row a word and one a root, got {heads.shape}")
    if heads.dtype.kind not in "iu":
        raise WorkbenchError(f"heads must be integers, got {heads.dtype}")
    heads = heads.astype(np.int32)
    heads[offsets[:-1]] = -1
    sentence, kind, word = forest_faults(offsets, heads)
    if sentence >= 0 and kind in FAULTS:
        begin, end = offsets[sentence : sentence + 2]
        fault = FAULTS[kind].format(head=heads[begin + word], n=end - begin - 1)
        raise WorkbenchError(f"sentence {sentence + 1}: word {word} {fault}; give every word a path to the root")
    if sentence >= 0:
        raise WorkbenchError(f"sentence {sentence + 1}: no word has head 0; make one the root")
    return heads


def checked_relations(offsets: np.ndarray, deprels: Column | Iterable[str | None], encoding: str) -> Column:
    """The column of given relations, empty on root rows; WorkbenchError if they cannot be written in ``encoding``."""
    given = deprels if isinstance(deprels, Column) else list(deprels)
    if len(given) != offsets[-1]:
        raise WorkbenchError(f"deprels must have {offsets[-1]} entries, a row a word and one a root, got {len(given)}")
    if isinstance(given, Column):
        deprels = given
    else:
        roots = set(offsets[:-1].tolist())
        deprels = Column.intern("" if row in roots else value or "" for row, value in enumerate(given))
    encoded_values(deprels.values, encoding, "the relation")
    ids = deprels.ids.copy()
    ids[offsets[:-1]] = 0
    return Column(ids, tuple("" if value == "_" else value for value in deprels.values))


def encoded_values(values: Iterable[str], encoding: str, title: str) -> list[bytes]:
    """A column's values as the file has them; WorkbenchError, with the title of a value, if they cannot be written."""
    encoded = []
    for value in values:
        if any(character in value for character in "\t\n\r\0"):
            raise WorkbenchError(f"{title} {value!r} holds a tab or line end; remove it")
        try:
            encoded.append(value.encode(encoding) or b"_")
        except UnicodeEncodeError:
            raise WorkbenchError(
                f"{title} {value!r} cannot be written in {encoding}; rename it, or use to_conllu()"
            ) from None
    return encoded


def default_relations(heads: np.ndarray) -> Column:
    """The relations of trees that come without: ``root`` and ``dep`` where a word has a head."""
    return Column(np.where(heads < 0, 0, np.where(heads == 0, 1, 2)).astype(np.int32), ("", "root", "dep"))
