"""What the commands print: reports, tables as text, and lines on work under way."""

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.constraints import Constraint
from core.errors import WorkbenchError
from core.files.packed import write_packed
from core.workspace.wording import amount


@dataclass(frozen=True)
class Report:
    """What a command found: ``data`` for ``--json``, ``text`` for people, and the exit ``code``."""

    data: dict = field(default_factory=dict)
    text: str = ""
    code: int = 0


def table(rows: Collection[Sequence], header: Sequence[str] = ()) -> str:
    """Aligned text columns; numbers to the right."""
    cells = [["-" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value) for value in row]
             for row in ([header] if header else []) + list(rows)]  # fmt: skip
    if not cells:
        return ""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    numeric = [all(not isinstance(row[column], str) for row in rows) for column in range(len(widths))]
    lines = []
    for row in cells:
        columns = zip(row, widths, numeric, strict=True)
        lines.append("  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in columns).rstrip())
    return "\n".join(lines)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, with a clear error where that is impossible."""
    try:
        write_packed(path, text.encode())
    except OSError as error:
        raise WorkbenchError(f"cannot write {path}: {error.strerror}; choose another place") from error


def require_writable(path: str | Path) -> None:
    """Raise WorkbenchError where no file can be written at a path: the sentence of ``write_text``, before the work."""
    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "that is a folder" if Path(path).is_dir() else f"{folder} is no folder that can be written to"
        raise WorkbenchError(f"cannot write {path}: {why}; choose another place")


def saved(path: str | None, save: Callable[[str], object], name: str = "out") -> dict[str, str]:
    """``save(path)`` where an option names a file, and what the report says of it; {} where it names none."""
    if not path:
        return {}
    save(path)
    return {name: str(path)}


def by_keys(rows: Iterable[Mapping], columns: Mapping[str, str]) -> str:
    """A table of rows by name: ``columns`` has the heading and the key of each; None where a row lacks the key."""
    return table([[row.get(key) for key in columns.values()] for row in rows], tuple(columns))


def shares(counts: Mapping[str, int], word: str) -> str:
    """Such as ``3 at loose, 5 at sprawl``, of those that are not 0."""
    return ", ".join(f"{count:,} {word} {level}" for level, count in counts.items() if count)


def extent(sentences: int, words: int) -> str:
    """How large a text is."""
    return f"{amount(sentences, 'sentence')}, {amount(words, 'word')}"


def written(done: str, data: Mapping) -> str:
    """A line on what was ``done`` (tagged, parsed), from its ``data``."""
    words = f"{extent(data['sentences'], data['tokens'])} {done} in {data['seconds']:.2f} s"
    return f"{words}, written to {data['out']}"


def p_value(figures: Mapping) -> str:
    """The p-value among figures, as text."""
    return f"{figures['p_value']:.3g}" if "p_value" in figures else "-"


def shards_done(count: int, total: int) -> str:
    """A line on how many shards are done."""
    return f"{count:,} of {total:,} shards done"


def every_second(report: Callable[[str], object], line: Callable[..., str]) -> Callable[..., None]:
    """A progress callback that reports ``line(...)`` of what it is called with, at most once a second."""
    last = time.perf_counter()

    def progress(*state):
        nonlocal last
        if time.perf_counter() - last >= 1:
            last = time.perf_counter()
            report(line(*state))

    return progress


def expectation_rows(expectations: np.ndarray, constraints: Sequence[Constraint]) -> list[dict]:
    """Each line's target and what a result expects of it, as JSON values."""
    return [
        {"constraint": constraint.name, "low": constraint.low, "high": constraint.high, "model": float(model)}
        for constraint, model in zip(constraints, expectations, strict=True)
    ]


def expectation_table(rows: Sequence[Mapping], constraints: Sequence[Constraint]) -> str:
    """The same as text."""
    pairs = zip(constraints, rows, strict=True)
    shown = [(constraint.name, constraint.target_text, f"{row['model']:.3f}") for constraint, row in pairs]
    return table(shown, ("constraint", "target", "model"))
