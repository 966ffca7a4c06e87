"""A few work at once, the others wait for their turn.

Threads that all want the interpreter hinder each other: each that waits for it wakes up again and again to ask, and
takes it from one that is in the middle of its work. Where eighty tabs are open, dozens are waiting.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore

PATIENCE = 1.0  # seconds after which a thread goes on without a turn, since others may take long


class Turns:
    """So many turns at once, first come, first served.

    Parameters
    ----------
    places : int
        How many work at once, at least 1.
    patience : float
        Seconds that somebody waits at most.
    """

    def __init__(self, places: int, patience: float = PATIENCE):
        self.patience = patience
        self._free = Semaphore(places)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Within the block, the thread has a turn, or has waited for one in vain."""
        is_taken = self._free.acquire(timeout=self.patience)
        try:
            yield
        finally:
            if is_taken:
                self._free.release()
