"""When a server has had nothing to do for a while, it gives its memory back."""

import time
from collections.abc import Callable

PATIENCE = 30.0  # seconds: whoever reloads a page finds what was there


class Rest:
    """Says when it is time to rest: once, after nobody was there for ``patience`` seconds since somebody was."""

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic):
        self._patience, self._clock = patience, clock
        self._busy: float | None = None  # when somebody was last there; None once it has rested since

    @property
    def waits(self) -> bool:
        """Whether somebody was there since it last rested."""
        return self._busy is not None

    def is_due(self, busy: bool) -> bool:
        """Whether to rest now; ``busy`` is whether somebody is there, or something under way."""
        now = self._clock()
        if busy:
            self._busy = now
        elif self._busy is not None and now - self._busy >= self._patience:
            self._busy = None
            return True
        return False
