"""``store backup``, ``restore`` and ``compact``: the whole store as one file."""

from argparse import Namespace
from pathlib import Path

from core.commandline.options import Commands, add_actions
from core.commandline.reports import Report
from core.commandline.stores import add_store_command
from core.store import Store
from core.store.copies import backup_store, restore_store


def add_commands(commands: Commands) -> None:
    """Add ``store`` and its actions to the command line."""
    actions = add_actions(
        commands, "store", "copy the whole store into one file, put a copy in its place, or give room back"
    )
    command = add_store_command(actions, "backup", "copy an SQLite store, while it is in use too", run_backup)
    command.add_argument("--out", required=True, metavar="FILE", help="the copy to write (.sqlite)")
    command = add_store_command(
        actions, "restore", "put a copy in the place of an SQLite store; keeps what was there", run_restore
    )
    command.add_argument("file", metavar="FILE")
    add_store_command(actions, "compact", "give the room of what was deleted back to the disk", run_compact)


def run_backup(options: Namespace) -> Report:
    """Copy the store, and check the copy."""
    out = Path(options.out)
    store = backup_store(out, options.store)
    size = out.stat().st_size
    return Report({"store": str(store), "out": str(out), "bytes": size}, f"{store}: {size / 1e6:,.1f} MB in {out}")


def run_restore(options: Namespace) -> Report:
    """Put FILE in the place of the store."""
    store, kept = restore_store(Path(options.file), options.store)
    data = {"store": str(store), "file": options.file, "kept": str(kept) if kept else None}
    return Report(
        data, f"{store} is what {options.file} was" + (f"; what it held before is kept in {kept}" if kept else "")
    )


def run_compact(options: Namespace) -> Report:
    """Write the database anew without its free room."""
    store = Store.open(options.store)
    before, after = store.compact()
    store.close()
    data = {"store": store.location, "before": before, "after": after}
    return Report(data, f"{store.location}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB now")
