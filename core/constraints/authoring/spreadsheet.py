"""Constraints as a table for spreadsheets: comma-separated, one row a constraint.

Columns: ``constraint`` (which pairs, as in a constraint file, without target), ``low`` and ``high`` (the target),
``weight``, ``per`` (pair, modifier or head), and ``comment`` where there are any.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace

from core.constraints.authoring.mallet import retargeted
from core.constraints.language.constraint import DENOMINATORS, Constraint
from core.constraints.language.reading import read_line
from core.errors import ConstraintError
from core.files.tables import separated, unescape_formula

COLUMNS = ("constraint", "low", "high", "weight", "per")
COMMENT = "comment"
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def format_csv(constraints: Sequence[Constraint]) -> str:
    """Constraints as comma-separated text with a header; ``parse_csv`` gives equal constraints back."""
    constraints = list(constraints)
    columns = (*COLUMNS, COMMENT) if any(constraint.comment for constraint in constraints) else COLUMNS
    rows = []
    for constraint in constraints:
        weight = f"{constraint.weight!r}".removesuffix(".0")
        target = repr(float(constraint.low)), repr(float(constraint.high))
        row = [constraint.pattern, *target, weight, constraint.per, constraint.comment]
        rows.append(row[: len(columns)])
    return separated(columns, rows)


def parse_csv(text: str) -> list[Constraint]:
    """Read a table of constraints.

    Parameters
    ----------
    text : str
        With a header naming at least ``constraint`` and ``low``, in any order; fields apart by commas, semicolons or
        tabs, as the header has them. An empty ``high`` is ``low``, an empty ``weight`` 1, an empty ``per`` pair; other
        columns are left alone, and so are empty rows.

    Returns
    -------
    list of Constraint
        Each with the ``line`` that its row ends in, and its comment.

    Raises
    ------
    ConstraintError : the first row that cannot be read.
    """
    text = text.removeprefix("\ufeff")
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names, constraints = None, []
    try:
        for row in reader:
            cells = [unescape_formula(cell.strip()) for cell in row]
            if not any(cells):
                continue
            if names is None:
                names = _header(cells, reader.line_num)
            else:
                constraints.append(_constraint(names, cells, reader.line_num))
    except csv.Error as error:
        raise ConstraintError(f"this is not a table of comma-separated values: {error}", line=reader.line_num) from None
    if names is None:
        raise ConstraintError("the table is empty; it starts with a header constraint,low,high,weight,per", line=1)
    return constraints


def _header(cells, line):
    names = [cell.lower() for cell in cells]
    for name in ("constraint", "low"):
        if names.count(name) != 1:
            raise ConstraintError(
                f"the header must name the column {name!r} once, but is {','.join(cells)}; "
                "a header is constraint,low,high,weight,per",
                line=line,
            )
    return names


def _constraint(names, cells, line):
    if len(cells) > len(names):
        raise ConstraintError(
            f"{len(cells)} fields under a header of {len(names)}; put a field that holds the separator in quotes",
            line=line,
        )
    row = dict.fromkeys(names, "") | dict(zip(names, cells, strict=False))  # a row may end before the header does
    line_read = read_line(row["constraint"] + " = 0.0..1.0", line)
    constraint = line_read.constraint
    if constraint is None or constraint.weight != 1:
        reason = line_read.problem.message if line_read.problem else "the weight stands in a column of its own"
        raise ConstraintError(f"the constraint {row['constraint']!r} cannot be read: {reason}", line=line)
    low = _number(row, "low", line)
    high = _number(row, "high", line) if row.get("high") else low
    weight = _number(row, "weight", line) if row.get("weight") else 1.0
    per = row.get("per") or constraint.per
    if per not in DENOMINATORS or constraint.per not in ("pair", per):
        raise ConstraintError(f"'per' is {per!r}; it is one of {', '.join(DENOMINATORS)}, and said once", line=line)
    constraint = retargeted(constraint, line, low=low, high=high, weight=weight, per=per)
    return replace(constraint, comment=row.get(COMMENT, ""))


def _number(row, name, line):
    cell = row.get(name, "")
    try:
        return float(cell)
    except ValueError:
        hint = f"; write {cell.replace(',', '.')}" if DECIMAL_COMMA.fullmatch(cell) else ""
        raise ConstraintError(f"{name!r} is {cell!r}, which is not a number{hint}", line=line) from None
