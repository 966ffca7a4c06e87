"""Waiting for a state, which ends early only where something hangs."""

import inspect
import time

PATIENCE = 300  # seconds


def wait_for(state):
    """What ``state()`` gives once it is true; what it is that never came is said."""
    deadline = time.monotonic() + PATIENCE
    while not (found := state()):
        assert time.monotonic() < deadline, f"after {PATIENCE} seconds not yet true:\n{inspect.getsource(state)}"
        time.sleep(0.01)
    return found


def ended(workspace, number, status="done"):
    """The Run of that number once its job has ended so; how it ended, or how far it is, is said where it did not."""
    found = workspace.jobs.wait(number, timeout=PATIENCE)
    assert found.status == status, (
        f"run {number} is {found.status}, not {status}: {found.error or found.message or found.detail}"
    )
    return workspace.store.run(number)
