"""What the commands share: readers' options, the report they return, tables as text."""

import inspect
import math
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.constraints import Constraint, parse_constraints
from core.errors import ConstraintError, FormatError, WorkbenchError
from core.markup.comments import treebank_brackets
from core.shards.folder import Shards, is_folder
from core.treebank import FORMATS, Treebank, guess_format, read_treebank
from core.trees.brackets import Bracket

if TYPE_CHECKING:
    from core.shards.engine import Engine

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

T = TypeVar("T")


@dataclass(frozen=True)
class Report:
    """What a command found: ``data`` for ``--json``, ``text`` for people."""

    data: dict = field(default_factory=dict)
    text: str = ""


def _add_reader_options(parser):
    group = parser.add_argument_group("reading")
    names = ", ".join(each.name for each in FORMATS)
    group.add_argument("--format", default="auto", help=f"auto, {names} (default: auto; lines: one sentence per line)")
    group.add_argument("--encoding", default="utf-8", help="text encoding of the file (default: utf-8)")
    group.add_argument("--tags", choices=("xpos", "upos"), help="tag column (default: the filled one, XPOS if both)")
    group.add_argument("--max-length", type=positive, metavar="N", help="leave out sentences of more than N words")
    group.add_argument("--no-punctuation", action="store_true", help="remove punctuation before anything else")
    group.add_argument("--limit", type=positive, metavar="N", help="take the first N sentences of what is left")


def _add_trainer_options(parser):
    parser.add_argument("--dev", metavar="FILE", help="development treebank")
    parser.add_argument("--test", metavar="FILE", help="treebank to score on (default: the training text)")
    parser.add_argument("--out", metavar="MODEL", help="save the trained parser here (.npz)")
    parser.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")


READS = (_add_reader_options,)
TRAINS = (_add_reader_options, _add_trainer_options)


def add_command(
    actions: Any, name: str, help: str, run: Callable[[Namespace], Report], groups: Sequence[Callable] = (),
    compiles: str | None = None,
) -> ArgumentParser:  # fmt: skip
    """A command that ``run`` carries out, with ``--json`` and the options of what READS a treebank or TRAINS on it.

    ``compiles`` names the kernels that it needs (``core.warm.STEPS``), which a second process helps to compile.
    """
    command = actions.add_parser(name, help=help)
    command.add_argument("--json", action="store_true", help="print one JSON object")
    for add_group in groups:
        add_group(command)
    command.set_defaults(run=run, compiles=compiles)
    return command


def positive(text: str) -> int:
    """An argparse type: a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


positive.__name__ = "positive whole number"  # argparse names the type in its message


def weight(text: str) -> float:
    """An argparse type: a number of at least 0."""
    number = float(text)
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError
    return number


weight.__name__ = "number of at least 0"


def size(text: str) -> int:
    """An argparse type: a number of bytes, such as 64M or 500K."""
    number, factor = text, 1
    if text[-1:].upper() in UNITS:
        number, factor = text[:-1], UNITS[text[-1].upper()]
    return positive(number) * factor


size.__name__ = "number of bytes, such as 64M"


def add_engine_options(command: ArgumentParser) -> None:
    """``--workers`` and ``--cluster``: where ``engine_of`` lets the work be done."""
    group = command.add_mutually_exclusive_group()
    group.add_argument("--workers", type=positive, metavar="N", help="work in N processes on this machine")
    group.add_argument(
        "--cluster", metavar="tcp://HOST:PORT",
        help="work on the workers of this Dask scheduler (default: WORKBENCH_CLUSTER, where it is set)",
    )  # fmt: skip


@contextmanager
def engine_of(options: Namespace, text: object = None) -> Iterator["Engine"]:
    """Where the work is done: here for a ``text`` in memory. Raises WorkbenchError where no cluster answers."""
    from core.shards.engine import CLUSTER, Cluster, Here, Reporting

    progress = every_second(options.progress, shards_done)
    address = options.cluster or (None if options.workers else os.environ.get(CLUSTER))
    if isinstance(text, Treebank) or not (options.workers or address):
        yield Reporting(Here(), progress)
        return
    with Cluster(address, options.workers) as cluster:
        yield Reporting(cluster, progress)


def refuse_engine(options: Namespace, path: str | Path) -> None:
    """WorkbenchError for ``--workers`` and ``--cluster`` where there is but one file."""
    if options.workers or options.cluster:
        raise WorkbenchError(f"{path} is no folder of shards; leave out --workers and --cluster, or give one")


def settings_of(kind: Callable[..., T], options: Namespace, **others: Any) -> T:
    """``kind(...)`` with the options that have its parameters' names; ``others`` take the place of those."""
    parameters = inspect.signature(kind).parameters
    return kind(**({name: value for name, value in vars(options).items() if name in parameters} | others))


def read(path: str | Path, options: Namespace, **reader: Any) -> Treebank:
    """Read a treebank file and apply the reader options in their fixed order."""
    name = _format_of(readable(path), options)
    if name == "mrg" and options.no_punctuation:
        reader["punctuation"] = False  # pruned before heads are sought
    if name != "mrg":
        reader.pop("rules", None)
    treebank = read_treebank(path, format=name, encoding=options.encoding, **reader)
    if options.no_punctuation and name != "mrg":
        treebank = treebank.without_punctuation()
    if options.max_length:
        treebank = treebank.max_length(options.max_length)
    if options.limit:
        treebank = treebank.limit(options.limit)
    if not len(treebank):
        raise WorkbenchError(f"{path}: no sentence is left after --max-length and --no-punctuation; relax them")
    return treebank


def read_text_or_shards(
    path: str | Path, options: Namespace, of_files: Sequence[str] = ("no_punctuation", "limit")
) -> Treebank | Shards:
    """A folder of shards, for which options ``of_files`` are refused, or a treebank file as ``read`` reads it."""
    if not is_folder(path):
        refuse_engine(options, path)
        return read(path, options)
    refuse_of_files(options, *of_files)
    return Shards(path)


def refuse_of_files(options: Namespace, *names: str) -> None:
    """WorkbenchError where one of these options is given for shards."""
    left_out = {"format": "auto", "encoding": "utf-8", "scheme": "ud"}
    for name in names:
        if getattr(options, name, None) not in (None, False, left_out.get(name)):
            raise WorkbenchError(f"--{name.replace('_', '-')} is of files; leave it out for shards")


def brackets_of(text: Treebank | Shards, options: Namespace) -> list[list[Bracket]] | None:
    """The brackets of each sentence of FILE, None for shards, which have their own; WorkbenchError if it has none."""
    if isinstance(text, Shards):
        brackets, found = None, any(row["brackets"] for row in text.rows)
    else:
        brackets = treebank_brackets(text)
        found = any(brackets)
    if not found:
        raise WorkbenchError(f"{options.file}: no sentence has a # markup comment; make some with markup extract")
    return brackets


def _format_of(path, options):
    if options.format != "auto":
        return options.format
    try:
        return guess_format(path.read_bytes(), options.encoding)
    except FormatError as error:
        raise FormatError(str(error), path=path) from None


def readable(path: str | Path) -> Path:
    """The path of a file that exists, else a WorkbenchError."""
    if is_folder(path):
        raise WorkbenchError(f"{path} is a folder of shards, and this reads a file; give one")
    if not Path(path).is_file():
        raise WorkbenchError(f"there is no file {path}; check the name")
    return Path(path)


def read_text(path: str | Path) -> str:
    """A small UTF-8 text file."""
    try:
        return readable(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, with a clear error where that is impossible."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WorkbenchError(f"cannot write {path}: {error.strerror}; choose another place") from error


def written(done: str, data: Mapping, out: object) -> str:
    """A line on what was ``done`` (tagged, parsed), from its ``data``."""
    words = f"{data['sentences']:,} sentences, {data['tokens']:,} words {done} in {data['seconds']:.2f} s"
    return f"{words}, written to {out}"


def shards_done(count: int, total: int) -> str:
    """How far it is."""
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


def table(rows: Collection[Sequence], header: Sequence[str] = ()) -> str:
    """Aligned text columns; numbers to the right."""
    cells = [[_cell(value) for value in row] for row in ([header] if header else []) + list(rows)]
    if not cells:
        return ""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    numeric = [all(not isinstance(row[column], str) for row in rows) for column in range(len(widths))]
    lines = []
    for row in cells:
        pairs = zip(row, widths, numeric, strict=True)
        lines.append("  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in pairs).rstrip())
    return "\n".join(lines)


def read_constraints(path: str, treebank: Treebank | None, options: Namespace) -> list[Constraint]:
    """The lines of a file, for a treebank. Raises ConstraintError with the file's name, and the line."""
    try:
        return parse_constraints(read_text(path), treebank, tags=options.tags)
    except ConstraintError as error:
        raise ConstraintError(f"{path}: {error}") from error


def expectation_rows(result: Any, constraints: Sequence[Constraint]) -> list[dict]:
    """Each line's target and what a result expects of it, as JSON values."""
    return [
        {"constraint": constraint.name, "low": constraint.low, "high": constraint.high, "model": float(model)}
        for constraint, model in zip(constraints, result.expectations, strict=True)
    ]


def expectation_table(rows: Sequence[Mapping], constraints: Sequence[Constraint]) -> str:
    """The same as text."""
    pairs = zip(constraints, rows, strict=True)
    shown = [(constraint.name, constraint.target_text, f"{row['model']:.3f}") for constraint, row in pairs]
    return table(shown, ("constraint", "target", "model"))


def _cell(value):
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
