"""Trees to look at while a parser is trained."""

import time
from collections.abc import Callable

import numpy as np

from core.workspace.workspace import Workspace

LIVE_SECONDS = 0.4  # between two looks, and not more


class Watch:
    """Parses the text now and then while its model is trained, for people to look at."""

    def __init__(self, workspace: Workspace, run: int):
        self.workspace, self.run = workspace, run
        self.next = float("-inf")  # at once: what an edit changes shows after the first iteration

    def __call__(self, iteration: int, parse: Callable[[], np.ndarray]) -> None:
        """Show the heads that ``parse()`` gives, unless that was done a moment ago; a fifth of the time at most."""
        begun = time.monotonic()
        if begun < self.next:
            return
        self.workspace.show_live(self.run, iteration, parse())
        ended = time.monotonic()
        self.next = ended + max(LIVE_SECONDS, 4 * (ended - begun))
