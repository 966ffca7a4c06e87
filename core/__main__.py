"""The command line: ``python -m core --help``."""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import NoReturn

from core import __version__
from core.commandline.standard_input import run_from_in
from core.commandline.standard_output import run_to_out
from core.compilation.compiling import compiled_from_both_ends, compiling_shown
from core.errors import WorkbenchError

MODULES = (  # of core.commandline, in the order of --help
    "backup", "consistency", "corpus", "curve", "dmv", "ge", "grammar", "joint", "markup", "parse", "parsers", "person",
    "reproduce", "runs", "scale", "scl", "store", "tag", "universal", "upgrade", "warm",
)  # fmt: skip
BAR = 24  # characters
# seconds between two bars: in a terminal, where one is written over the other; elsewhere
PAUSE = {True: 0.1, False: 5.0}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: that of its Report, most often 0, or with one line on standard error 2
    for bad input, else 1.

    That line for 1 names a number, under which the log has the traceback.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    options = command_parser(arguments[:1]).parse_args(arguments)
    options.progress = progress
    try:
        if (report := run_to_out(options, lambda given: run_from_in(given, _run))) is not None:
            text = json.dumps(report.data, ensure_ascii=False, indent=1) if options.json else report.text
            print(text, end="\n" if text else "", flush=True)
            return report.code
    except WorkbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has ended, as in "... | head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at exit
    except Exception as error:  # the last resort: no traceback on the screen
        from core.serving.failures import failure_sentence  # loads the store's libraries

        print(f"error: {failure_sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _run(options):
    """The Report of a command; compiling is shown meanwhile, and divided between two processes."""
    with ExitStack() as compiling:
        compiling.enter_context(compiling_shown(options.compiles, compiling.enter_context(Bar())))
        if options.compiles:
            compiling.enter_context(compiled_from_both_ends(options.compiles))
        return options.run(options)


class CommandParser(argparse.ArgumentParser):
    """A parser of arguments, and of its commands' arguments, whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2 and one line on standard error."""
        self.exit(2, f"error: {message}; see {self.prog} --help\n")


def command_parser(first: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of arguments that begin with ``first``; only the module of that command is loaded, if it has one."""
    parser = CommandParser(prog="python -m core", description="Teach a dependency parser what you know.")
    parser.add_argument("--version", action="version", version=f"parser-workbench {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in [module for module in MODULES if module in first] or MODULES:
        import_module(f"core.commandline.{module}").add_commands(commands)
    return parser


def progress(text: str) -> None:
    """One line about work under way, on standard error."""
    print(text, file=sys.stderr, flush=True)


class Bar:
    """Writes how far the compiler is on standard error: over the bar before in a terminal, else now and then a line."""

    def __init__(self):
        self._terminal, self._last, self._written = sys.stderr.isatty(), float("-inf"), False

    def __enter__(self):
        return self

    def __call__(self, ready: int, most: int) -> None:
        if time.monotonic() - self._last < PAUSE[self._terminal]:
            return
        self._last, self._written = time.monotonic(), True
        filled = BAR * ready // max(1, most)
        bar = "█" * filled + "░" * (BAR - filled)
        line = f"Compiling, once: {bar} {ready:,} of at most {most:,} functions"
        print(f"\r{line}" if self._terminal else line, end="" if self._terminal else "\n", file=sys.stderr, flush=True)

    def __exit__(self, *_):
        if self._written and self._terminal:
            print(file=sys.stderr)


if __name__ == "__main__":
    signal.signal(
        signal.SIGTERM, lambda number, _: sys.exit(128 + number)
    )  # an end like others: what is open is closed
    sys.exit(main())
