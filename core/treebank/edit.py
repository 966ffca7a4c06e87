"""Checks and columns for trees that replace others."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.errors import WorkbenchError
from core.treebank.scan import CYCLE, HEAD_RANGE, SELF_LOOP, forest_faults
from core.treebank.source import Column

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank

FAULTS = {
    HEAD_RANGE: "has head {head}, and the sentence has words 1 to {n} only",
    SELF_LOOP: "is its own head",
    CYCLE: "is part of a cycle",
}


def checked_heads(treebank: "Treebank", heads: Sequence[int] | np.ndarray) -> np.ndarray:
    """int32 (rows,) heads with -1 on root rows; raises WorkbenchError if they are no forests."""
    heads = np.asarray(getattr(heads, "values", heads))
    if heads.shape != treebank.heads.shape:
        raise WorkbenchError(
            f"heads must have shape {treebank.heads.shape}, a row a word and one a root, got {heads.shape}"
        )
    if heads.dtype.kind not in "iu":
        raise WorkbenchError(f"heads must be integers, got {heads.dtype}")
    heads = heads.astype(np.int32)
    heads[treebank.offsets[:-1]] = -1
    sentence, kind, word = forest_faults(treebank.offsets, heads)
    if sentence >= 0 and kind in FAULTS:
        head = heads[treebank.offsets[sentence] + word]
        fault = FAULTS[kind].format(head=head, n=treebank.lengths[sentence])
        raise WorkbenchError(f"sentence {sentence + 1}: word {word} {fault}; give every word a path to the root")
    if sentence >= 0:
        raise WorkbenchError(f"sentence {sentence + 1}: no word has head 0; make one the root")
    return heads


def relabelled(treebank: "Treebank", heads: np.ndarray, deprels: Column | Iterable[str | None] | None) -> Column:
    """The relation column that goes with new heads."""
    if deprels is None:
        return _default_relations(treebank, heads)
    given = deprels if isinstance(deprels, Column) else list(deprels)
    if len(given) != len(heads):
        raise WorkbenchError(f"deprels must have {len(heads)} entries, a row a word and one a root, got {len(given)}")
    if isinstance(given, Column):
        deprels = given
    else:
        roots = set(treebank.offsets[:-1].tolist())
        deprels = Column.intern("" if row in roots else value or "" for row, value in enumerate(given))
    for value in deprels.values:
        if any(character in value for character in "\t\n\r\0"):
            raise WorkbenchError(f"the relation {value!r} holds a tab or line end; remove it")
        try:
            value.encode(treebank.source.encoding)
        except UnicodeEncodeError:
            raise WorkbenchError(
                f"the relation {value!r} cannot be written in {treebank.source.encoding}; rename it, or use to_conllu()"
            ) from None
    ids = deprels.ids.copy()
    ids[treebank.offsets[:-1]] = 0
    return Column(ids, tuple("" if value == "_" else value for value in deprels.values))


def _default_relations(treebank, heads):
    old = treebank.deprel
    values = [*old.values, *(value for value in ("root", "dep") if value not in old.values)]
    plain = np.where(heads == 0, values.index("root"), values.index("dep"))
    plain[heads < 0] = 0
    ids = np.where(heads == treebank.heads, old.ids, plain).astype(np.int32)
    return Column(ids, tuple(values))
