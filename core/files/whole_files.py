"""Files that are there whole or not at all, however the writing of them ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # on Windows, where a file that is open cannot be removed anyway
    fcntl = None

UNFINISHED = ".writing-"


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """An open file that takes the place of ``path`` once the block ends; where it raises, nothing is left of it.

    Until then its name begins with ``UNFINISHED``. Raises OSError.
    """
    partial = Path(path).with_name(f"{UNFINISHED}{token_hex(4)}-{Path(path).name}")
    try:
        with partial.open("xb") as file:
            _is_held(file)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def remove_unfinished(folder: str | Path) -> None:
    """Remove what writers that were killed left in a folder; what somebody is writing stays."""
    for partial in Path(folder).glob(f"{UNFINISHED}*"):
        with suppress(OSError), partial.open("rb") as file:  # gone meanwhile, or not ours to remove
            if _is_held(file):
                partial.unlink()


def _is_held(file):
    """Whether this process holds an open file from now on, until it is closed; not where another one does."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
