"""Error tables: the arcs of a parser by tags, direction and distance, beside those of gold (druck2009, Table 3)."""

from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.scores import PrecisionAndRecall, require_same_text
from core.treebank import Column, Treebank

ROOT = "ROOT"
DIRECTIONS = ("right", "left", "root")
DISTANCES = ("1", "2", "3", "4", "5", "6-10", ">10")  # the rows of Table 3
ROOT_DISTANCE = len(DISTANCES)  # class of an arc from the root, which has no distance


@dataclass(frozen=True)
class ErrorRow(PrecisionAndRecall):
    """One kind of arc: how many the gold trees have, how many the system has, how many of those are the same arcs."""

    name: str
    gold: int
    system: int
    correct: int


@dataclass(frozen=True)
class FalseArcs:
    """Wrong arcs of one kind; ``direction`` and ``distance`` are of DIRECTIONS and DISTANCES ("" from the root)."""

    head_tag: str
    modifier_tag: str
    direction: str
    distance: str
    count: int

    @property
    def name(self) -> str:
        """As Table 3 writes it, in sentence order: ``noun <- punc (1)``."""
        if self.direction == "root":
            return f"{ROOT} -> {self.modifier_tag}"
        if self.direction == "right":
            return f"{self.head_tag} -> {self.modifier_tag} ({self.distance})"
        return f"{self.modifier_tag} <- {self.head_tag} ({self.distance})"


@dataclass(frozen=True)
class ErrorTables:
    """Gold and system arcs by kind; only words with a head in both are counted.

    Attributes
    ----------
    words : int
    correct : int
    head_tags, modifier_tags, directions, distances : tuple of ErrorRow
        Tags by gold count; directions and distances in their own order. ``right``: the modifier stands right of
        its head. Distances leave arcs from the root out.
    false_positives : tuple of FalseArcs
        The system's wrong arcs, most frequent kinds first.
    """

    words: int
    correct: int
    head_tags: tuple
    modifier_tags: tuple
    directions: tuple
    distances: tuple
    false_positives: tuple

    def as_dict(self) -> dict:
        """Plain numbers for JSON; shares are of all counted words, as in Table 3."""

        def rows(table):
            return [
                {"name": row.name, "gold": row.gold / self.words, "system": row.system / self.words} for row in table
            ]

        tables = {name: rows(getattr(self, name)) for name in ("head_tags", "directions", "distances")}
        return {
            "words": self.words,
            **tables,
            "false_positives": [{"name": arcs.name, "count": arcs.count} for arcs in self.false_positives],
        }


def error_tables(gold: Treebank, system: Treebank, tags: str | None = None, *, most: int | None = 10) -> ErrorTables:
    """Distributions of heads, directions and distances in gold and system trees, and the commonest wrong arcs.

    Parameters
    ----------
    gold, system : Treebank
        The same sentences in the same order.
    tags : None, "xpos" or "upos"
        The gold treebank's tag column in use.
    most : int or None
        How many kinds of wrong arcs at most; None gives all.

    Returns
    -------
    ErrorTables

    Raises
    ------
    WorkbenchError : the two hold different sentences, no word has a head in both, or there are no tags.

    Notes
    -----
    O(words). Source: druck2009, Table 3.
    """
    require_same_text(gold, system)
    words = np.flatnonzero((gold.heads >= 0) & (system.heads >= 0))
    if not len(words):
        raise WorkbenchError("no word has a head in both treebanks, so there are no errors to count; give two parses")
    column = gold.tag_column(tags)
    right = gold.heads[words] == system.heads[words]
    modifier = column.ids[words]
    gold_kinds, system_kinds = (arc_kinds(bank, column)[:, words] for bank in (gold, system))
    names = [value or "(none)" for value in column.values]
    return ErrorTables(
        words=len(words),
        correct=int(right.sum()),
        head_tags=_by_count(_rows([*names, ROOT], gold_kinds[0], system_kinds[0], right)),
        modifier_tags=_by_count(_rows(names, modifier, modifier, right)),
        directions=tuple(_rows(DIRECTIONS, gold_kinds[1], system_kinds[1], right)),
        distances=tuple(_rows([*DISTANCES, ""], gold_kinds[2], system_kinds[2], right)[:ROOT_DISTANCE]),
        false_positives=_false_arcs(system_kinds[:, ~right], modifier[~right], [*names, ROOT], most),
    )


def arc_kinds(treebank: Treebank, column: Column) -> np.ndarray:
    """Of each row's arc, int64 (3, rows): tag id of its head (root: one past the last), and the places of its direction
    and distance in DIRECTIONS and DISTANCES. Rows without a head hold the root's."""
    heads = np.maximum(treebank.heads, 0).astype(np.int64)
    from_root = heads == 0
    away = treebank.numbers - heads
    length = np.abs(away)
    direction = np.where(from_root, 2, (away < 0).astype(np.int64))
    distance = np.where(length <= 5, length - 1, np.where(length <= 10, 5, 6))
    tag = np.where(from_root, len(column.values), column.ids[treebank.root_rows + heads])
    return np.stack([tag, direction, np.where(from_root, ROOT_DISTANCE, distance)])


def _rows(names, gold, system, right):
    counts = [np.bincount(numbers, minlength=len(names)) for numbers in (gold, system, gold[right])]
    return [ErrorRow(name, *(int(count[k]) for count in counts)) for k, name in enumerate(names)]


def _by_count(rows):
    """The rows that occur, by gold count, ties by name."""
    return tuple(sorted((row for row in rows if row.gold or row.system), key=lambda row: (-row.gold, row.name)))


def _false_arcs(kinds, modifier, names, most):
    keys, counts = np.unique(np.vstack([kinds, modifier]), axis=1, return_counts=True)
    distances = [*DISTANCES, ""]
    arcs = [
        FalseArcs(names[head], names[tag], DIRECTIONS[direction], distances[distance], int(count))
        for (head, direction, distance, tag), count in zip(keys.T.tolist(), counts, strict=True)
    ]
    return tuple(sorted(arcs, key=lambda arc: (-arc.count, arc.name))[:most])
