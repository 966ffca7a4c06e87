"""Waiting for a state, which ends early only where something hangs."""

import time

PATIENCE = 300  # seconds


def wait_for(state):
    """What ``state()`` gives once it is true."""
    deadline = time.monotonic() + PATIENCE
    while not (found := state()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)
    return found
