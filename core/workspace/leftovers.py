"""Files of runs in the workbench's folder: shards, uploads that wait to be read, parts of fetched files.

A run that ends well removes its own. Those of a deleted run are removed with it; those of a killed process at the next
start.
"""

import logging
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import SupportsIndex

from core.store import UNFINISHED, Run, Store, workbench_home
from core.store.locations import treebank_folder
from core.workspace.cluster import FOLDER as SHARDS
from core.workspace.markup.reading import FOLDER as UPLOADS
from core.workspace.markup.reading import KIND as READING
from core.workspace.markup.reading import TOKEN

UNTOUCHED = 24 * 3600.0  # seconds after which a folder without a run gets none any more

log = logging.getLogger(__name__)


def remove_folders(runs: Iterable[Run]) -> None:
    """Remove the folders of deleted runs. O(files in them)."""
    for run in runs:
        for folder in _folders(run):
            shutil.rmtree(folder, ignore_errors=True)


def purge_project(store: Store, project: SupportsIndex) -> None:
    """``Store.purge_project``, and the files of its runs in the workbench's folder."""
    runs = store.runs_to_purge(project)
    store.purge_project(project)
    store.database.give_back()
    remove_folders(runs)


def sweep(store: Store, untouched: float = UNTOUCHED) -> list[Path]:
    """Remove files that no run of the store needs and that are older than ``untouched`` seconds; returns their paths.

    Younger files may belong to runs that other processes are about to start. O(runs of the store).
    """
    home = workbench_home()
    runs = [run for project in (*store.projects(), *store.trash()) for run in store.runs(project)]
    needed = {folder for run in filter(_needs_files, runs) for folder in _folders(run)}
    unneeded = [path for name in (SHARDS, UPLOADS) for path in (home / name).glob("*") if path not in needed]
    if not any(run.kind == "fetch" and run.status in UNFINISHED for run in runs):
        unneeded += treebank_folder().glob("*/*.part")
    removed = []
    for path in unneeded:
        try:
            if time.time() - path.stat().st_mtime < untouched:
                continue
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            removed.append(path)
        except FileNotFoundError:  # another process swept it
            continue
        except OSError as error:
            log.warning("%s is needed by no run and cannot be removed: %s", path.name, error.strerror)
    return removed


def _needs_files(run):
    return run.status in UNFINISHED or (run.kind == READING and run.status != "done")


def _folders(run):
    folders = [workbench_home() / SHARDS / str(run.id)]
    token = run.settings.get("folder") if run.kind == READING else None
    if isinstance(token, str) and TOKEN.fullmatch(token):
        folders.append(workbench_home() / UPLOADS / token)
    return folders
