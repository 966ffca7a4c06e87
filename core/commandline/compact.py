"""``store compact``: give the room that was freed in a store back to the disk."""

from argparse import Namespace

from core.commandline.options import Commands
from core.commandline.reports import Report
from core.commandline.stores import add_store_command
from core.store import Store


def add_compact(actions: Commands) -> None:
    """Add ``compact`` to the actions of ``store``."""
    add_store_command(actions, "compact", "give the room of what was deleted back to the disk", run_compact)


def run_compact(options: Namespace) -> Report:
    """Write the database anew without its free room."""
    store = Store.open(options.store)
    before, after = store.compact()
    store.close()
    data = {"store": store.place, "before": before, "after": after}
    return Report(data, f"{store.place}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB now")
