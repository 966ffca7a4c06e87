"""Trees that people look at while a parser is trained."""

import time
from collections.abc import Callable

import numpy as np

from core.workspace.workspace import Workspace

LIVE_SECONDS = 0.4  # at least, between two parses


class LiveParses:
    """Shows the trees of a run under way, by parsing its text now and then."""

    def __init__(self, workspace: Workspace, run: int):
        self.workspace, self.run = workspace, run
        self.next = float("-inf")  # the first iteration is shown at once

    def __call__(self, iteration: int, parse: Callable[[], np.ndarray]) -> None:
        """Show the heads of ``parse()``, unless it was called a moment ago; takes at most a fifth of the time."""
        start = time.monotonic()
        if start < self.next:
            return
        self.workspace.show_live(self.run, iteration, parse())
        end = time.monotonic()
        self.next = end + max(LIVE_SECONDS, 4 * (end - start))
