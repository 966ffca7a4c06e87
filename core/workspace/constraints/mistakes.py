"""The errors of a model against known trees, as in Table 3 of druck2009, with the words behind each count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.direction import side_name
from core.evaluation.errors import DIRECTIONS, DISTANCES, ROOT, ErrorTables, arc_kinds, error_tables
from core.workspace.constraints.proposals import Known
from core.workspace.wording import amount

TABLES = {
    "head_tags": "Head’s tag",
    "modifier_tags": "Word’s tag",
    "directions": "Direction",
    "distances": "Distance",
    "false": "Wrong arcs",
}
COUNTS = ("gold", "model", "missed", "wrong")


@dataclass(frozen=True, eq=False)
class Mistakes:
    """Error tables of one model, and what it takes to find the words behind a cell.

    Attributes
    ----------
    tables : ErrorTables
        Over the words with a gold head, punctuation left out.
    rows : ndarray of shape (K,), dtype int64
        The words counted, as rows of the treebank.
    gold_kinds, model_kinds : ndarrays of shape (4, K)
        Of each word's arc: tag of head, direction, distance (``core.evaluation.errors.arc_kinds``) and its own tag.
    right : ndarray of shape (K,), dtype bool
    tags : tuple of str
        By tag id; the root's last.
    """

    tables: ErrorTables
    rows: np.ndarray
    gold_kinds: np.ndarray
    model_kinds: np.ndarray
    right: np.ndarray
    tags: tuple


def mistakes(known: Known, heads: np.ndarray, most: int = 30) -> Mistakes:
    """The Mistakes of trees against what is Known of a Text, ``heads`` laid out like its treebank's. O(words)."""
    text, treebank = known.text, known.text.treebank
    scored = (known.heads >= 0) & ~treebank.punctuation()
    system = treebank.with_heads(heads)
    gold = treebank.with_heads(np.where(scored, known.heads, -1))
    column = treebank.tag_column(text.settings.tags)
    rows = np.flatnonzero(scored & (heads >= 0))
    theirs, found = (np.vstack([arc_kinds(bank, column), column.ids])[:, rows] for bank in (gold, system))
    right = known.heads[rows] == heads[rows]
    tags = tuple([value or "(none)" for value in column.values] + [ROOT])
    return Mistakes(error_tables(gold, system, text.settings.tags, most=most), rows, theirs, found, right, tags)


def mistake_table(found: Mistakes, table: str) -> dict[str, list]:
    """Columns of one of TABLES: kind, and how many words each of COUNTS has; wrong arcs have ``wrong`` alone."""
    if table == "false":
        arcs = found.tables.false_positives
        return {"kind": [each.name for each in arcs], "wrong": [each.count for each in arcs]}
    rows = getattr(found.tables, table)
    return {
        "kind": [side_name(row.name) for row in rows],
        "gold": [row.gold for row in rows],
        "model": [row.system for row in rows],
        "missed": [row.gold - row.correct for row in rows],
        "wrong": [row.system - row.correct for row in rows],
    }


def cell_name(rows: Mapping[str, Sequence], place: int, count: str) -> str:
    """What a cell of a ``mistake_table`` counts, in words."""
    value = rows[count][place]
    if count == "gold":
        return f"{value:,} in the text’s own trees"
    if count == "model":
        return f"{value:,} in the model’s trees"
    if count == "missed":
        return f"{value:,} of the text’s {rows['gold'][place]:,} missed by the model"
    if "model" in rows:
        return f"{value:,} of the model’s {rows['model'][place]:,} wrong"
    return amount(value, "wrong arc")


def words_behind(found: Mistakes, table: str, place: int, count: str) -> np.ndarray:
    """The words that a cell counts: rows of the treebank, int64, in the order of the text.

    ``place`` is the row of ``mistake_table``, ``count`` of COUNTS.
    """
    gold, model = (_of_kind(found, table, place, kinds) for kinds in (found.gold_kinds, found.model_kinds))
    cells = {"gold": gold, "model": model, "missed": gold & ~found.right, "wrong": model & ~found.right}
    return found.rows[cells[count]]


def _of_kind(found, table, place, kinds):
    """bool (K,): whether each word's arc is of the kind in that row of the table."""
    head, direction, distance, own = kinds
    if table == "false":
        arc = found.tables.false_positives[place]
        same = (own == found.tags.index(arc.modifier_tag)) & (direction == DIRECTIONS.index(arc.direction))
        if arc.direction == "root":
            return same
        return same & (head == found.tags.index(arc.head_tag)) & (distance == DISTANCES.index(arc.distance))
    name = getattr(found.tables, table)[place].name
    if table == "head_tags":
        return head == (len(found.tags) - 1 if name == ROOT else found.tags.index(name))
    if table == "modifier_tags":
        return own == found.tags.index(name)
    if table == "directions":
        return direction == DIRECTIONS.index(name)
    return distance == DISTANCES.index(name)
