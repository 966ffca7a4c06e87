"""Waiting for what no page shows, such as what has reached the disk."""

import time


def wait_for(condition, seconds=30):
    """Until ``condition()`` is true; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
