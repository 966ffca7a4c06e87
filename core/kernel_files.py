"""Where compiled kernels are kept, and what to do where they cannot be written or read back.

Numba keeps them in ``NUMBA_CACHE_DIR``, beside the code, or in the user's cache folder: the first of these that can be
written. It raises where none can, where a disk is full, and where a file was cut short by a machine that stopped.
"""

import atexit
import logging
import os
import shutil
import tempfile
import traceback
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_dir

from core.errors import quoted

CODE = Path(__file__).parent
FOLDER = "NUMBA_CACHE_DIR"
log = logging.getLogger(__name__)


def require_folder(named: str | None, code: Path = CODE, user: Path | None = None) -> None:
    """Where no folder can be written, set ``NUMBA_CACHE_DIR`` to one that lasts as long as this process, and say so.

    ``named`` is its value so far. To be called before Numba is imported.
    """
    folders = [code, user or Path(user_cache_dir("numba", appauthor=False))]
    if named:
        folders.insert(0, Path(named))
    if any(_can_be_written(folder) for folder in folders):
        return
    folder = tempfile.mkdtemp(prefix="kernels-")
    os.environ[FOLDER] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    log.warning(
        "compiled functions cannot be kept, and each start compiles them anew: %s cannot be written; set %s",
        folders[-1], FOLDER,
    )  # fmt: skip


def _can_be_written(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def recovered(error: BaseException, kernels: Collection) -> str | None:
    """What is done about an error of the folder of compiled kernels, after which the work can be done again.

    Files that cannot be read back are removed. Where files cannot be written, the kernels are no longer kept. None if
    the error is of another kind, or nothing can be done about it.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not any(Path(frame.filename).parts[-3:] == ("numba", "core", "caching.py") for frame in frames):
        return None
    if isinstance(error, OSError):
        for kernel in kernels:
            kernel._cache.disable()
        return f"compiled functions cannot be kept ({quoted(error.strerror)}) and are compiled for this time only"
    removed = [path for kernel in kernels for path in _removed(kernel._cache._cache_file)]
    if not removed:
        return None
    return (
        f"{len(removed):,} of the compiled functions in {removed[0].parent} could not be read, and are compiled again"
    )


def _removed(files):
    """The index of a kernel's compiled forms, if one of them cannot be read; then it is gone. As a list.

    Numba offers no other way to ask than to load them.
    """
    try:
        for name in files._load_index().values():
            files._load_data(name)
    except FileNotFoundError:  # compiled again by itself
        return []
    except Exception:  # whatever a broken pickle raises
        path = Path(files._index_path)
        with suppress(OSError):
            path.unlink()
            return [path]
    return []
