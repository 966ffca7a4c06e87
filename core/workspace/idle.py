"""The moment at which an idle server gives its memory back."""

import time
from collections.abc import Callable

PATIENCE = 30.0  # seconds, so that reloading a page finds the caches filled


class IdleTimer:
    """Says once, after each time of use, that the server has been idle for ``patience`` seconds."""

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic):
        self._patience, self._clock = patience, clock
        self._last_busy: float | None = None  # None before the first use, and once the idle time was reported

    @property
    def is_waiting(self) -> bool:
        """Whether the server was in use since the idle time was last reported."""
        return self._last_busy is not None

    def is_due(self, busy: bool) -> bool:
        """Whether the idle time is over now; ``busy`` is whether somebody uses the server, or a job runs."""
        now = self._clock()
        if busy:
            self._last_busy = now
        elif self._last_busy is not None and now - self._last_busy >= self._patience:
            self._last_busy = None
            return True
        return False
