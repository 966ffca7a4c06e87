"""``backup``, ``restore`` and ``project``: projects as files, and who may do what in them."""

import os
from argparse import Namespace

from core.commandline.options import Commands, add_actions
from core.commandline.reports import Report, table
from core.commandline.stores import add_store_command, project_named
from core.commandline.texts import readable
from core.commandline.values import positive
from core.errors import WorkbenchError
from core.files.assets import APP
from core.files.whole_files import written_whole
from core.serving.sign_in import NEXT_START, secret_files, sign_in
from core.store import ROLES, Store
from core.workspace.projects.overview import holdings, project_table

MEGABYTE = 1_000_000


def add_commands(commands: Commands) -> None:
    """Add ``backup``, ``restore`` and ``project`` to the command line."""
    command = add_store_command(commands, "backup", "write a project of the workbench into one file", run_backup)
    command.add_argument("--project", metavar="NAME", help="which project (default: the only one)")
    command.add_argument("--out", required=True, metavar="FILE", help="the backup to write (.zip)")

    command = add_store_command(commands, "restore", "make a project of a backup", run_restore)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--name", help="the project's name (default: its own, or the next one free)")
    command.add_argument(
        "--limit", type=positive, metavar="MB", help="refuse what unpacks to more (default: what the disk has room for)"
    )

    actions = add_actions(commands, "project", "list the workbench's projects, or say who may do what in them")
    add_store_command(actions, "list", "all projects of the store", run_list)
    command = add_store_command(actions, "share", "give a person a role, or take it away", run_share)
    command.add_argument("name", metavar="PROJECT")
    command.add_argument("person", metavar="EMAIL", help="the address that the person signs in with")
    command.add_argument("--role", choices=(*ROLES, "none"), default="annotator", help="(default: annotator)")


def run_backup(options: Namespace) -> Report:
    """Write the backup; a file half written is taken away."""
    store = Store.open(options.store)
    project = project_named(store, options.project)
    try:
        with written_whole(options.out) as file:
            manifest = store.backup_project(project, file)
    except OSError as error:
        raise WorkbenchError(f"cannot write {options.out}: {error.strerror}; choose another place") from error
    size = store.project_size(project)
    data = {"project": project.name, "out": options.out, "parts": len(manifest["parts"]), **size}
    return Report(data, f"{project.name}: {holdings(size)} in {options.out}")


def run_restore(options: Namespace) -> Report:
    """Make a project of FILE."""
    from core.workspace.stored import stored_kinds  # loads every system

    with readable(options.file).open("rb") as file:
        store = Store.open(options.store, kinds=stored_kinds)
        project = store.restore_backup(file, options.name, limit=options.limit and options.limit * MEGABYTE)
    size = store.project_size(project)
    return Report({"project": project.name, **size}, f"{project.name}: {holdings(size)}")


def run_list(options: Namespace) -> Report:
    """All projects."""
    store = Store.open(options.store)
    columns = project_table(store, store.projects())
    del columns["Your role"]
    rows = list(zip(*columns.values(), strict=True))
    return Report({"projects": [dict(zip(columns, row, strict=True)) for row in rows]}, table(rows, tuple(columns)))


def run_share(options: Namespace) -> Report:
    """Give a role."""
    store = Store.open(options.store)
    project = project_named(store, options.name)
    members = store.set_role(project, options.person, None if options.role == "none" else options.role)
    lines = [table(list(members.items()), ("person", "role")) or "nobody", *_next_start(bool(members))]
    return Report({"project": project.name, "members": members}, "\n".join(lines))


def _next_start(has_members):
    """What to know where the server, started here, would now refuse to begin."""
    try:
        sign_in(os.environ, secret_files((), os.environ, APP), lambda: has_members)
    except WorkbenchError:
        return [NEXT_START]
    return []
