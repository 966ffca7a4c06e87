"""``warm``: compile everything now rather than at first use."""

import time
from argparse import Namespace

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report
from core.compilation.compiling import Warming, compiled_from_both_ends
from core.workspace import registry


def add_commands(commands: Commands) -> None:
    """Add ``warm`` to the command line."""
    add_command(commands, "warm", "compile the kernels now, so that nothing waits for it later", run_warm)


def run_warm(options: Namespace) -> Report:
    """Compile or load the kernels of all systems, of parsing and of lessons."""
    began = time.perf_counter()
    warming = everything()
    with compiled_from_both_ends(warming):
        warming.run()
    seconds = time.perf_counter() - began
    return Report({"seconds": seconds}, f"ready after {seconds:.1f} s")


def everything() -> Warming:
    """Each step once: sums and learning from lines at the one end, the parsers of known trees at the other."""
    from core.constraints.warming import warm_projective
    from core.parsers.warming import PARSING
    from core.teach.warming import warm_teaching  # a second, which no other command has use for

    steps = [step for system in registry.SYSTEMS if system.warming for step in system.warming.steps]
    return Warming(tuple(dict.fromkeys([warm_projective, warm_teaching, *steps, *PARSING.steps])))
