"""``scale``: what a corpus takes, measured on a little of it."""

from argparse import Namespace

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report, table
from core.commandline.texts import read_constraints
from core.commandline.values import counts, size
from core.errors import WorkbenchError
from core.files.assets import ASSETS
from core.shards import SIZE

MANUAL = "penn-manual-25.txt"


def add_commands(commands: Commands) -> None:
    """Add ``scale`` to the command line."""
    command = add_command(commands, "scale", "what a corpus of the web would take, measured on these pages", run_scale)
    command.add_argument("source", nargs="+", metavar="SOURCE", help="pages, as markup extract takes them")
    command.add_argument("--measure", action="store_true", help="measure it here")
    command.add_argument("--workers", type=counts, default=(1, 2, 4), metavar="N,N", help="processes (default: 1,2,4)")
    command.add_argument("--constraints", metavar="C", help="a file of constraints (default: 25 of the Penn manual)")
    command.add_argument("--part-size", type=size, default=SIZE, metavar="N", help="bytes of pages in a shard")
    command.set_defaults(tags=None)


def run_scale(options: Namespace) -> Report:
    """Measure each stage on the pages at hand, and say what other corpora would take."""
    from core.experiments.scale import ASSUMPTIONS, CORPORA, as_dict, extrapolate, measure

    if not options.measure:
        raise WorkbenchError("scale needs --measure: it works on the pages for as long as it takes")
    path = options.constraints or str(ASSETS / "constraints" / MANUAL)
    lines = read_constraints(path, None, options).constraints
    stages = measure(options.source, lines, options.workers, part_size=options.part_size, say=options.progress)
    alone = {stage.name: stage.seconds for stage in reversed(stages) if stage.workers == stages[0].workers}
    rows = [
        (stage.name, stage.workers, f"{stage.seconds:.2f}", f"{alone[stage.name] / stage.seconds:.2f}",
         f"{stage.words / stage.seconds:,.0f}", f"{stage.read / 1e6:,.1f}", f"{stage.written / 1e6:,.1f}",
         f"{stage.memory / 1e6:,.0f}")
        for stage in stages
    ]  # fmt: skip
    header = ("stage", "workers", "seconds", "faster", "words/s", "MB read", "MB written", "MB a worker")
    parts = ["measured here", "", table(rows, header)]
    for corpus in CORPORA:
        rows = [
            (row["stage"], f"{row['core_hours']:,.1f}", f"{row['disk'] / 1e9:,.2f}", f"{row['network'] / 1e9:,.2f}")
            for row in extrapolate(stages, corpus)
        ]
        parts += ["", corpus.name, "", table(rows, ("stage", "core-hours", "GB on disk", "GB by network"))]
    formula = "core-hours = words * seconds a word on one worker / 3600 * iterations"
    parts += ["", formula, "taken for granted:", *(f"  {line}" for line in ASSUMPTIONS)]
    return Report(as_dict(stages), "\n".join(parts))
