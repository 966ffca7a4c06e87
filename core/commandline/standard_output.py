"""``--out -``: what any command writes goes to standard output, and what it says to standard error.

A command writes a file as ever, in a folder of its own, which is sent on when the command has ended: so nothing is sent
by a command that fails, whatever it writes.
"""

import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from core.errors import WorkbenchError

if TYPE_CHECKING:
    from core.commandline.reports import Report  # takes half a second, which --help and a refusal need not wait for

SIGN = "-"
NAME = "standard-output.conllu"  # a text without an ending of its own is CoNLL-U


def run_to_out(options: Namespace, run: "Callable[[Namespace], Report]") -> "Report | None":
    """The Report of ``run(options)``; None, once all is written and said, where ``--out`` is ``-``.

    Raises WorkbenchError with ``--json``, whose object would stand among what is written, and, with nothing written,
    for a command that writes several files.
    """
    given = getattr(options, "out", None)
    paths = given if isinstance(given, list) else [given]
    if SIGN not in paths:
        return run(options)
    if options.json:
        raise WorkbenchError("--json prints to standard output, and so does --out -; leave out one of them")
    with TemporaryDirectory() as folder:
        path = str(Path(folder, NAME))
        taken = [path if each == SIGN else each for each in paths]
        report = run(Namespace(**{**vars(options), "out": taken if isinstance(given, list) else path}))
        files = [each for each in Path(folder).rglob("*") if each.is_file()]
        if len(files) != 1 or paths.count(SIGN) > 1:
            raise WorkbenchError("--out - takes one file, and this writes several; give --out a name")
        with files[0].open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    said = replace(report, text=report.text.replace(path, "standard output"))
    if said.text:
        options.progress(said.text)
    return None
