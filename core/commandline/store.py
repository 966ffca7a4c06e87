"""``store backup`` and ``store restore``: the whole store as one file."""

from argparse import Namespace
from pathlib import Path

from core.commandline.compact import add_compact
from core.commandline.options import Commands, add_actions, add_command
from core.commandline.reports import Report
from core.store.copies import backup_store, restore_store


def add_commands(commands: Commands) -> None:
    """Add ``store`` and its actions to the command line."""
    actions = add_actions(commands, "store", "copy the whole store into one file, or put a copy in its place")
    command = _command(actions, "backup", "copy an SQLite store, while it is in use too", run_backup)
    command.add_argument("--out", required=True, metavar="FILE", help="the copy to write (.sqlite)")
    command = _command(
        actions, "restore", "put a copy in the place of an SQLite store; keeps what was there", run_restore
    )
    command.add_argument("file", metavar="FILE")
    add_compact(actions)


def _command(actions, name, help, run):
    command = add_command(actions, name, help, run)
    command.add_argument("--store", metavar="URL", help="the store (default: WORKBENCH_DATABASE, or the user's own)")
    return command


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
