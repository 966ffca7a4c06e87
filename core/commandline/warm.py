"""``warm``: compile everything now rather than at first use."""

import time
from argparse import Namespace

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report
from core.warm import warm


def add_commands(commands: Commands) -> None:
    """Add ``warm`` to the command line."""
    help = "compile the kernels now, so that nothing waits for it later"
    add_command(commands, "warm", help, run_warm, compiles="everything")


def run_warm(options: Namespace) -> Report:
    """Compile or load the kernels of training and of the pages."""
    began = time.perf_counter()
    warm()
    seconds = time.perf_counter() - began
    return Report({"seconds": seconds}, f"ready after {seconds:.1f} s")
