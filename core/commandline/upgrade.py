"""``upgrade``: bring a store that an older workbench left up to date."""

from argparse import Namespace

from core.commandline.options import Commands
from core.commandline.reports import Report
from core.commandline.stores import add_store_command
from core.store import Store
from core.store.schema import SCHEMA_VERSION


def add_commands(commands: Commands) -> None:
    """Add ``upgrade`` to the command line."""
    add_store_command(commands, "upgrade", "bring a store of an older workbench up to date", run_upgrade)


def run_upgrade(options: Namespace) -> Report:
    """Upgrade the store; an SQLite file is copied before, of a server's database pg_dump keeps a copy."""
    store = Store.open(options.store, upgrade=True)
    before, copy = store.database.upgraded_from, store.database.copied_to
    store.close()
    data = {"store": store.location, "version": SCHEMA_VERSION, "before": before, "copy": copy}
    if before is None:
        return Report(data, f"{store.location} has schema version {SCHEMA_VERSION} already")
    kept = f"; as it was it is kept in {copy}" if copy else ""
    return Report(data, f"{store.location} went from schema version {before} to {SCHEMA_VERSION}{kept}")
