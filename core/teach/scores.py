"""Scores of arcs for a lesson: as a line of text for links and files, from dice, all equal, or by a parser."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import FormatError, WorkbenchError

MOST = 1000.0  # nats: a score beyond this says nothing to a class


def format_scores(scores: np.ndarray) -> str:
    """Scores as one line, a row a head and ``;`` between rows: ``0 2 1; - - 5; - 3 -``; the reader's twin.

    Column 0 is left out, ``-`` stands on the diagonal and ``x`` for a forbidden arc.
    """
    side = len(scores)
    return "; ".join(
        " ".join("-" if h == m else "x" if scores[h, m] == -np.inf else f"{scores[h, m]:g}" for m in range(1, side))
        for h in range(side)
    )


def parse_scores(text: str, n: int) -> np.ndarray:
    """float64 (n + 1, n + 1) from what ``format_scores`` wrote.

    Raises
    ------
    FormatError : the wrong number of rows or numbers, or something that is no number; says which row and word.
    """
    rows = [row.split() for row in text.split(";")]
    if len(rows) != n + 1:
        raise FormatError(
            f"scores of {n} words need {n + 1} rows, the root’s first, with ; between them; got {len(rows)}"
        )
    scores = np.zeros((n + 1, n + 1))
    for h, row in enumerate(rows):
        if len(row) != n:
            raise FormatError(f"row {h + 1} of the scores has {len(row)} numbers; give {n}, one per word")
        for m, cell in enumerate(row, start=1):
            if h != m:
                scores[h, m] = _score(cell, h, m)
    return scores


def _score(cell, h, m):
    if cell in ("x", "-"):
        return -np.inf
    try:
        value = float(cell.replace("−", "-"))
    except ValueError:
        value = np.nan
    if not abs(value) <= MOST:
        raise FormatError(
            f"row {h + 1} of the scores, word {m}: {cell!r} is not a score; write a number from -{MOST:g} to {MOST:g}, "
            "such as 1.5, or x to forbid the arc"
        )
    return value


def dice_scores(n: int, seed: int) -> np.ndarray:
    """Whole numbers from 0 to 9 for every arc, the same for the same seed: float64 (n + 1, n + 1)."""
    if not 0 <= seed < 2**31:
        raise WorkbenchError(f"the seed must be a whole number from 0 to {2**31 - 1}, got {seed}")
    return np.random.default_rng(seed).integers(0, 10, (n + 1, n + 1)).astype(np.float64)


def equal_scores(n: int) -> np.ndarray:
    """0 for every arc: float64 (n + 1, n + 1)."""
    return np.zeros((n + 1, n + 1))


def tree_scores(heads: np.ndarray) -> np.ndarray:
    """1 for every arc of a tree and 0 for all others, so that it is the best one: float64 (n + 1, n + 1).

    ``heads`` are from 0, the root's, on. Raises WorkbenchError where a word has none.
    """
    if (np.asarray(heads[1:]) < 0).any():
        raise WorkbenchError("this sentence has no whole tree in the text; choose other scores, or annotate it")
    scores = equal_scores(len(heads) - 1)
    scores[heads[1:], np.arange(1, len(heads))] = 1.0
    return scores


def score_table(words: Sequence[str], scores: np.ndarray) -> dict[str, list]:
    """Columns of a table to edit: ``head`` and one a word, None on the diagonal and for forbidden arcs."""
    names = column_names(words)
    table: dict[str, list] = {"head": ["root", *names]}
    for m, name in enumerate(names, start=1):
        table[name] = [None if h == m or scores[h, m] == -np.inf else float(scores[h, m]) for h in range(len(words))]
    return table


def column_names(words: Sequence[str]) -> list[str]:
    """The words of columns, each with its number so that no two are the same."""
    return [f"{m} {words[m]}" for m in range(1, len(words))]


def edited_scores(scores: np.ndarray, edits: Mapping[int, Mapping[int, float | None]]) -> np.ndarray:
    """Scores after edits of the table: {row: {column: value or None}} with columns 1..n; None forbids the arc.

    Raises WorkbenchError for numbers that are none.
    """
    changed = scores.copy()
    for h, cells in edits.items():
        for m, value in cells.items():
            if h == m:
                continue
            if value is not None and not abs(value) <= MOST:
                raise WorkbenchError(f"a score must be from -{MOST:g} to {MOST:g}, got {value}")
            changed[h, m] = -np.inf if value is None else value
    return changed
