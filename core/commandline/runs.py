"""``run``: the runs of a project listed and deleted."""

from argparse import Namespace

from core.commandline.options import Commands, add_actions
from core.commandline.reports import Report, table
from core.commandline.stores import add_store_command, project_named
from core.commandline.values import whole
from core.errors import WorkbenchError
from core.store import Store
from core.workspace.registry import kind_name
from core.workspace.runs.deletion import delete_runs, deletion_words, kept_words, older_runs, runs_before
from core.workspace.runs.list import corpus_name
from core.workspace.stored import stored_kinds


def add_commands(commands: Commands) -> None:
    """Add ``run`` to the command line."""
    actions = add_actions(commands, "run", "list the runs of a project, or delete some")
    command = add_store_command(actions, "list", "all runs of a project, newest first", run_list)
    command.add_argument("--project", metavar="NAME", help="which project (default: the only one)")

    command = add_store_command(actions, "delete", "delete runs for good, with all that they left", run_delete)
    command.add_argument("runs", nargs="*", type=int, metavar="RUN", help="their numbers, as run list has them")
    command.add_argument("--project", metavar="NAME", help="which project (default: the only one)")
    command.add_argument(
        "--but-newest", action="store_true", help="all but the newest that is done of each kind on each text"
    )
    command.add_argument("--older", type=whole, metavar="DAYS", help="all that ended more than so many days ago")
    command.add_argument("--later", action="store_true", help="also the runs that begin from them")
    command.add_argument("--dry-run", action="store_true", help="only say what would go, and what would stay")


def run_list(options: Namespace) -> Report:
    """All runs of a project, with what each takes."""
    store = Store.open(options.store)
    runs = store.runs(project_named(store, options.project))
    sizes = store.run_sizes([run.id for run in runs])
    rows = [
        (run.id, kind_name(run), corpus_name(store, run), run.status, f"{run.created:%Y-%m-%d}", sizes[run.id] / 1e6)
        for run in runs
    ]
    names = ("run", "kind", "text", "status", "created", "MB")
    return Report({"runs": [dict(zip(names, row, strict=True)) for row in rows]}, table(rows, names) or "no runs")


def run_delete(options: Namespace) -> Report:
    """Delete runs by number, or those that a rule finds: by a rule what cannot go stays, and it is said why."""
    by_rule = options.but_newest or options.older is not None
    if bool(options.runs) == by_rule:
        raise WorkbenchError("say which runs to delete: their numbers, or --but-newest or --older DAYS")
    store = Store.open(options.store, kinds=stored_kinds)
    project = project_named(store, options.project)
    wanted = set(options.runs)
    if by_rule:
        runs = store.runs(project)
        wanted = {run.id for run in runs}
        wanted &= set(older_runs(runs)) if options.but_newest else wanted
        wanted &= set(runs_before(runs, options.older)) if options.older is not None else wanted
    deletion = store.deletable_runs(project, wanted, options.later)
    if not options.dry_run:
        reasons = deletion.refused if by_rule else {}
        deletion = delete_runs(store, project, deletion.runs if by_rule else wanted, options.later and not by_rule)
        deletion = type(deletion)(deletion.runs, deletion.size, reasons)
    reasons = {str(run): why for run, why in deletion.refused.items()}
    data = {"runs": list(deletion.runs), "bytes": deletion.size, "kept": reasons}
    headline = f"{'would delete' if options.dry_run else 'deleted'} {deletion_words(deletion)}"
    return Report(data, "\n".join(filter(None, [headline, kept_words(deletion)])))
