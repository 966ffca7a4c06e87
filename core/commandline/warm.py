"""``warm``: compile everything now rather than at first use."""

import time
from argparse import SUPPRESS, Namespace
from typing import Any

from core.commandline.common import Report, add_command
from core.warm import STEPS, warm


def add_commands(commands: Any) -> None:
    """Add ``warm`` to the command line."""
    help = "compile the kernels now, so that nothing waits for it later"
    command = add_command(commands, "warm", help, run_warm, compiles="everything")
    command.add_argument("--backwards", choices=STEPS, help=SUPPRESS)  # as the second of two that meet in the middle


def run_warm(options: Namespace) -> Report:
    """Compile or load the kernels of training and of the pages."""
    began = time.perf_counter()
    warm(options.backwards or "everything", backwards=options.backwards is not None)
    seconds = time.perf_counter() - began
    return Report({"seconds": seconds}, f"ready after {seconds:.1f} s")
