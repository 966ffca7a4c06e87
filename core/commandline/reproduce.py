"""``reproduce``: a paper's table on the treebanks at hand."""

from argparse import Namespace

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report, require_writable, table, write_text
from core.constraints.warming import warm_training
from core.errors import WorkbenchError
from core.experiments import EXPERIMENTS, experiment_named, run_experiment


def add_commands(commands: Commands) -> None:
    """Add ``reproduce`` to the command line."""
    command = add_command(
        commands, "reproduce", "run a paper's experiment again, its figures beside ours", run_reproduce
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="which experiment; --list shows them")
    command.add_argument("--list", action="store_true", help="list the experiments")
    command.add_argument("--data", metavar="DIR", help="folder of the corpora (default: the sample)")
    command.add_argument(
        "--pages", metavar="PATH", help="pages, or shards of them, to train on (spitkovsky2010-grids and -table8)"
    )
    command.add_argument("--quick", action="store_true", help="fewer sizes and splits")
    command.add_argument("--figure", metavar="FILE", help="write the experiment's picture, as SVG, where it has one")


def run_reproduce(options: Namespace) -> Report:
    """List the experiments, or run one."""
    if options.list:
        rows = [(experiment.name, experiment.title, experiment.reference) for experiment in EXPERIMENTS]
        listed = [_listed(experiment) for experiment in EXPERIMENTS]
        return Report({"experiments": listed}, table(rows))
    if not options.name:
        raise WorkbenchError("say what to run: reproduce NAME [--data DIR]; --list shows the names")
    if options.figure and not experiment_named(options.name).has_picture:
        named = ", ".join(experiment.name for experiment in EXPERIMENTS if experiment.has_picture)
        raise WorkbenchError(f"{options.name} has no picture; leave out --figure, or choose one of {named}")
    if options.figure:  # said before what may take hours
        require_writable(options.figure)
    if options.name.startswith("druck2009"):  # the seconds that it reports are of training, without the compiler
        options.progress("loading the kernels")
        warm_training()
    data = run_experiment(options.name, options.data, quick=options.quick, say=options.progress, pages=options.pages)
    del data["dark_picture"]  # a file has one theme
    if options.figure:
        if data["picture"] is None:
            raise WorkbenchError(f"{options.name} found nothing to draw on these data; give more of them as --data DIR")
        write_text(options.figure, data["picture"])
        options.progress(f"the picture is in {options.figure}")
    parts = [f"{data['title']} ({data['reference']})\nData: {data['data']}", _table(data["rows"])]
    parts += [f"{title}\n{_table(rows)}" for title, rows in data["tables"].items()]
    parts.append("\n".join(f"- {note}" for note in data["notes"]))
    parts.append(f"{data['seconds']:.0f} seconds" + (" (quick)" if data["quick"] else ""))
    return Report(data, "\n\n".join(parts))


def _listed(experiment):
    """An experiment and what it reads, as JSON values."""
    materials = [
        {"role": each.role, "corpus": each.corpus.name, "files": list(each.files), "licence": each.corpus.licence}
        for each in experiment.materials
    ]
    about = {name: getattr(experiment, name) for name in ("name", "title", "reference", "at_hand")}
    return {**about, "materials": materials}


def _table(rows):
    """Rows of dicts as aligned columns, in the order in which their keys first occur."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    header = tuple(column.replace("_", " ") for column in columns)
    cells = ([row.get(column) for column in columns] for row in rows)
    # shares below one need more than the one decimal of a percentage
    shown = [[f"{x:.3f}" if isinstance(x, float) and 0 < abs(x) < 1 else x for x in row] for row in cells]
    return table(shown, header)
