"""Tables of separated values, written by one writer, with no cell that a spreadsheet would run as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

ARMED = re.compile(r"'*[=+\-@\t\r].", re.DOTALL)  # a lone mark is a word, and no formula
DISARMED = re.compile(r"'(?='*[=+\-@\t\r].)", re.DOTALL)


def separated(header: Iterable, rows: Iterable[Iterable], separator: str = ",") -> str:
    """The text of a table: ``header``, then ``rows``; a line end after each.

    A text that begins with ``=``, ``+``, ``-``, ``@``, tab or return, which spreadsheets take for a formula, begins
    with an apostrophe; ``unescape_formula`` takes it away. Numbers stay numbers, and None is empty. O(cells).
    """
    text = io.StringIO()
    plain = csv.writer(text, delimiter=separator, lineterminator="\n")
    in_quotes = csv.writer(text, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (header, *rows):
        cells = [f"'{cell}" if isinstance(cell, str) and ARMED.match(cell) else cell for cell in row]
        ends_line = any(isinstance(cell, str) and "\r" in cell for cell in cells)  # which csv quotes from 3.13 on
        (in_quotes if ends_line else plain).writerow(cells)
    return text.getvalue()


def columns_of(names: Iterable[str], rows: Iterable[Sequence]) -> dict[str, list]:
    """The columns of a table by name, from its rows."""
    rows = list(rows)
    return {name: [row[column] for row in rows] for column, name in enumerate(names)}


def unescape_formula(cell: str) -> str:
    """A cell as it was before ``separated`` wrote it."""
    return DISARMED.sub("", cell, count=1) if DISARMED.match(cell) else cell
