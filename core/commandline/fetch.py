"""``corpus fetch``: a treebank of Universal Dependencies by name."""

import time
from argparse import Namespace
from pathlib import Path

from core.commandline.options import Commands, add_command
from core.commandline.reports import Report, table
from core.errors import WorkbenchError
from core.store.places import treebank_folder
from core.treebank.downloads import download, treebank_files, treebank_names


def add_action(actions: Commands) -> None:
    """Add ``fetch`` to the actions of ``corpus``."""
    command = add_command(actions, "fetch", "a treebank of Universal Dependencies by name", run_fetch)
    command.add_argument("name", nargs="?", metavar="NAME", help="such as English-EWT; without it, the names known")
    command.add_argument("--part", metavar="PART", help="train, dev or test (default: all there are)")
    command.add_argument("--release", default="master", help="such as r2.14 (default: the last one)")
    command.add_argument("--out", metavar="FOLDER", help="where to (default: kept with the workbench's data)")


def run_fetch(options: Namespace) -> Report:
    """Fetch the files of a treebank, checked; those that are there already are not fetched again."""
    if options.name is None:
        return Report({"names": list(treebank_names())}, "\n".join(treebank_names()))
    files = treebank_files(options.name, options.release)
    wanted = [file for file in files if options.part in (None, file.part)]
    if not wanted:
        parts = ", ".join(file.part for file in files)
        raise WorkbenchError(f"UD_{files[0].treebank} has no part {options.part}; choose {parts}")
    folder = Path(options.out) if options.out else treebank_folder()
    paths = [download(file, folder, _progress(file, options.progress)) for file in wanted]
    rows = [(file.part, f"{file.size:,} bytes", path) for file, path in zip(wanted, paths, strict=True)]
    data = [{"part": f.part, "size": f.size, "file": str(path)} for f, path in zip(wanted, paths, strict=True)]
    return Report({"treebank": files[0].treebank, "release": options.release, "files": data}, table(rows))


def _progress(file, say):
    """A progress callback that says at most once a second how much has come."""
    last = time.monotonic()

    def progress(have):
        nonlocal last
        if time.monotonic() - last >= 1 or have == file.size:
            last = time.monotonic()
            say(f"{file.name}: {have:,} of {file.size:,} bytes")

    return progress
