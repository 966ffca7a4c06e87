"""Where compiled kernels are kept.

Numba keeps them in ``NUMBA_CACHE_DIR``, beside the code, or in the user's cache folder: the first of these that can be
written. It raises where none can.
"""

import atexit
import logging
import os
import shutil
import tempfile
from pathlib import Path

from platformdirs import user_cache_dir

CODE = Path(__file__).parents[1]
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
