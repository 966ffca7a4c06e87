"""What runs leave in the workbench's folder beside the store: shards, uploads that wait, pieces of fetched files.

Each is gone when its run ends well. What a run left that was deleted, or whose process was killed, is removed with it
or at the next start.
"""

import logging
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import SupportsIndex

from core.store import UNFINISHED, Run, Store, workbench_home
from core.store.places import treebank_folder
from core.workspace.cluster import FOLDER as SHARDS
from core.workspace.markup.reading import FOLDER as UPLOADS
from core.workspace.markup.reading import KIND as READING
from core.workspace.markup.reading import TOKEN

UNTOUCHED = 24 * 3600.0  # seconds after which nobody is about to record the run of a folder that has none

log = logging.getLogger(__name__)


def remove_folders(runs: Iterable[Run]) -> None:
    """Remove the folders of runs that are no more. O(files in them)."""
    for run in runs:
        for folder in _folders(run):
            shutil.rmtree(folder, ignore_errors=True)


def purge_project(store: Store, project: SupportsIndex) -> None:
    """``Store.purge_project``, and the files that its runs left in the workbench's folder."""
    left = store.runs_to_purge(project)
    store.purge_project(project)
    store.database.give_back()
    remove_folders(left)


def sweep(store: Store, untouched: float = UNTOUCHED) -> list[Path]:
    """Remove what no run of the store needs and nobody has touched for so many seconds; returns what was removed.

    Other processes may be starting runs meanwhile: what is young stays. O(runs of the store).
    """
    home = workbench_home()
    runs = [run for project in (*store.projects(), *store.trash()) for run in store.runs(project)]
    needed = {folder for run in runs if _needs(run) for folder in _folders(run)}
    found = [path for name in (SHARDS, UPLOADS) for path in (home / name).glob("*") if path not in needed]
    if not any(run.kind == "fetch" and run.status in UNFINISHED for run in runs):
        found += treebank_folder().glob("*/*.part")
    removed = []
    for path in found:
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


def _needs(run):
    """Whether a run may still read what it left: uploads wait until the reading is done."""
    return run.status in UNFINISHED or (run.kind == READING and run.status != "done")


def _folders(run):
    folders = [workbench_home() / SHARDS / str(run.id)]
    token = run.settings.get("folder") if run.kind == READING else None
    if isinstance(token, str) and TOKEN.fullmatch(token):
        folders.append(workbench_home() / UPLOADS / token)
    return folders
