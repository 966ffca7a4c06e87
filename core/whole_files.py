"""Files that are there whole or not at all, however the writing of them ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """An open file that takes the place of ``path`` once the block ends; where it raises, nothing is left of it.

    Until then its name begins with ``.writing-``. Raises OSError.
    """
    partial = Path(path).with_name(f".writing-{token_hex(4)}-{Path(path).name}")
    try:
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
