"""Functions that the tests of engines send to workers, which import them from here."""

import os
import time
from pathlib import Path

from core.errors import WorkbenchError
from core.threads import core_count
from tests.patience import wait_for


class Sum(str):
    """A sum that shows how it was added up."""

    def __add__(self, other):
        return Sum(f"({self} {other})")


def named(piece):
    return Sum(piece)


def share(piece, scale):
    """Numbers whose sum depends on the order in which they are added."""
    return scale / (piece + 1.1) * 10.0 ** (piece % 17 - 8)


def fail(piece, bad):
    if piece == bad:
        raise WorkbenchError(f"piece {piece} cannot be read")
    return piece


def divide(piece):
    return 1 / piece


def cores(piece):
    return core_count()


def patient(piece, folder):
    """(piece,), once the folder says ``go``; who works on it writes its number there first."""
    begun = Path(folder, f"{os.getpid()}.{piece}.{time.monotonic_ns()}")
    begun.touch()
    wait_for(Path(folder, "go").exists)
    return (piece,)


def first_of(_, array):
    """The first number of what is shared."""
    return float(array[0])
