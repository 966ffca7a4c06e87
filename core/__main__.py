"""The command line: ``python -m core --help``."""

import argparse
import json
import os
import sys
from collections.abc import Sequence

from core import __version__
from core.commandline import (
    backup,
    consistency,
    corpus,
    curve,
    dmv,
    ge,
    grammar,
    joint,
    markup,
    parse,
    parsers,
    reproduce,
    scale,
    scl,
    tag,
    upgrade,
    warm,
)
from core.errors import WorkbenchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, or with one line on standard error 2 for bad input, else 1.

    That of 1 names a number, under which the log has the traceback.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    options.progress = progress
    try:
        report = options.run(options)
        text = json.dumps(report.data, ensure_ascii=False, indent=1) if options.json else report.text
        print(text, end="\n" if text else "", flush=True)
    except WorkbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read our output has gone, as in "... | head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at exit
    except Exception as error:  # the last resort: no traceback on the screen
        from core.failures import failure_sentence  # loads the store's libraries

        print(f"error: {failure_sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m core", description="Teach a dependency parser what you know.")
    parser.add_argument("--version", action="version", version=f"parser-workbench {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (
        backup, consistency, corpus, curve, dmv, ge, grammar, joint, markup, parse, parsers, reproduce, scale, scl, tag,
        upgrade, warm,
    ):  # fmt: skip
        module.add_commands(commands)
    return parser


def progress(text: str) -> None:
    """One line about work under way, on standard error."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
