"""``-`` and pipes in place of files: what a command reads from them is put into files of a folder of its own first.

So each reader may look at its file as often as it wants. The folder's name appears in nothing that is said.
"""

import os
import stat
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from core.commandline.standard_output import SIGN
from core.errors import WorkbenchError
from core.files.unpacking import MOST_TEXT, size_text

if TYPE_CHECKING:
    from core.commandline.reports import Report

NAME, SHOWN = "standard-input", "standard input"
LONGEST = 4096  # characters of a path
OURS = ("run", "compiles", "progress", "out", "model", "figure")  # options that name nothing to read


def run_from_in(options: Namespace, run: "Callable[[Namespace], Report]") -> "Report":
    """The Report of ``run(options)``, in which ``-`` is standard input and a pipe may stand for any file.

    Raises WorkbenchError where ``-`` stands for two files, or more comes than a text may have.
    """
    streams = [name for name, value in vars(options).items() if name not in OURS and any(map(_is_stream, _list(value)))]
    signs = {*getattr(options, "signs", ()), *(["train"] if getattr(options, "model", None) else [])}
    streams = [name for name in streams if name not in signs or getattr(options, name) != SIGN]
    if not streams:
        return run(options)
    with TemporaryDirectory() as folder:
        names: dict[str, str] = {}
        taken = {name: _taken(getattr(options, name), folder, names) for name in streams}
        said, options = options.progress, Namespace(**{**vars(options), **taken})
        options.progress = lambda text: said(_shown(text, names))
        try:
            report = run(options)
        except WorkbenchError as error:
            raise WorkbenchError(_shown(str(error), names)) from error
        return replace(report, data=_shown(report.data, names), text=_shown(report.text, names))


def _shown(value, names):
    """What is said, with the names of streams in place of the paths of their files."""
    if isinstance(value, dict):
        return {key: _shown(each, names) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(each, names) for each in value]
    for path, name in names.items() if isinstance(value, str) else ():
        value = value.replace(path, name)
    return value


def _list(value):
    return value if isinstance(value, list) else [value]


def _is_stream(value):
    """Whether an option's value is standard input or a pipe."""
    if value == SIGN:
        return True
    if not isinstance(value, str) or not value or "\0" in value or len(value) > LONGEST:
        return False
    try:
        mode = os.stat(value).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def _taken(value, folder, names):
    """An option's value with files in place of streams; ``names`` gains what each is called."""
    taken = [_spooled(each, folder, names) if _is_stream(each) else each for each in _list(value)]
    return taken if isinstance(value, list) else taken[0]


def _spooled(stream, folder, names):
    if stream == SIGN and SHOWN in names.values():
        raise WorkbenchError("standard input is read once, and - stands for two files; give one of them a name")
    path = Path(folder, NAME if stream == SIGN else f"pipe-{len(names) + 1}")
    with sys.stdin.buffer if stream == SIGN else open(stream, "rb") as file:
        data = file.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise WorkbenchError(f"more than {size_text(MOST_TEXT)} came from {stream}; write it into a file first")
    path.write_bytes(data)
    names[str(path)] = SHOWN if stream == SIGN else stream
    return str(path)
