"""``warm``: compile everything now rather than at first use."""

import time
from argparse import Namespace
from typing import Any

from core.commandline.common import Report, add_command
from core.warm import (
    warm_adaptation,
    warm_authoring,
    warm_consistency,
    warm_grammar,
    warm_induction,
    warm_joint,
    warm_teaching,
    warm_training,
)


def add_commands(commands: Any) -> None:
    """Add ``warm`` to the command line."""
    add_command(commands, "warm", "compile the kernels now, so that nothing waits for it later", run_warm)


def run_warm(options: Namespace) -> Report:
    """Compile or load the kernels of training and of the pages."""
    began = time.perf_counter()
    for projective in (False, True):
        warm_training(projective)
    warm_authoring()
    warm_induction()
    warm_grammar()
    warm_consistency()
    warm_adaptation()
    warm_joint()
    warm_teaching()
    seconds = time.perf_counter() - began
    return Report({"seconds": seconds}, f"ready after {seconds:.1f} s")
