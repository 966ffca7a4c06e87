"""A few work at once, the others wait for their turn.

Threads that all want the interpreter hinder each other: each that waits for it wakes up again and again to ask, and
takes it from one that is in the middle of its work. Where eighty tabs are open, dozens are waiting. Nobody gets a turn
for having waited long: under load all have, and the more work at once, the longer each takes.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

PATIENCE = 1.0  # seconds after which work that takes longer gives up its place


class Turns:
    """So many turns at once, first come, first served.

    Parameters
    ----------
    places : int
        How many work at once, at least 1; who has worked for longer than ``patience`` goes on, and is not counted.
    patience : float
        In seconds.
    """

    def __init__(self, places: int, patience: float = PATIENCE):
        self.places, self.patience = places, patience
        self._lock = Lock()
        self._waiting: deque[Event] = deque()
        self._began: dict[Event, float] = {}  # of those with a place, the longest at work first

    @contextmanager
    def one(self) -> Iterator[None]:
        """Within the block, the thread has a turn."""
        turn = Event()
        with self._lock:
            self._waiting.append(turn)
            self._call()
        while not turn.wait(self.patience):  # by then those at work when it came have given up their places
            with self._lock:
                self._call()
        try:
            yield
        finally:
            with self._lock:
                self._began.pop(turn, None)
                self._call()

    def _call(self) -> None:
        """Give the places that are free to those who have waited longest."""
        now = time.monotonic()
        while self._began and now - next(iter(self._began.values())) >= self.patience:
            del self._began[next(iter(self._began))]
        while self._waiting and len(self._began) < self.places:
            turn = self._waiting.popleft()
            self._began[turn] = now
            turn.set()
