"""What commands on a store have in common: the option that names it, and the project that is meant."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report
from core.errors import StoreError
from core.store import Project, Store


def add_store_command(commands: Commands, name: str, help: str, run: Callable[[Namespace], Report]) -> ArgumentParser:
    """A command on a store, which ``--store`` names."""
    command = add_command(commands, name, help, run)
    command.add_argument("--store", metavar="URL", help="the store (default: WORKBENCH_DATABASE, or the user's own)")
    return command


def project_named(store: Store, name: str | None) -> Project:
    """The project of a name, by default the only one. Raises StoreError where there is none, or several."""
    projects = store.projects()
    matching = [project for project in projects if name in (None, project.name)]
    if len(matching) == 1:
        return matching[0]
    names = ", ".join(repr(project.name) for project in projects)
    if not projects:
        raise StoreError(f"The store {store.location} holds no project; the app makes one when it is first opened")
    if name is None:
        raise StoreError(f"The store {store.location} holds several projects; say which: {names}")
    raise StoreError(f"The store {store.location} has no project {name!r}, or several; it has {names}")
