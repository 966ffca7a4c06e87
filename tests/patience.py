"""Waiting for a state, which ends early only where something hangs; who waits longer than a minute says for what."""

import contextlib
import inspect
import linecache
import sys
import threading
import time
from pathlib import Path

import greenlet

PATIENCE = 240  # seconds after which something hangs
WAIT = 1000 * PATIENCE  # the same in milliseconds, as a browser is told it
MINUTE = 60  # seconds
TESTS = Path(__file__).parent


def wait_for(state):
    """What ``state()`` gives once it is true."""
    deadline = time.monotonic() + PATIENCE
    while not (came := state()):
        assert time.monotonic() < deadline, f"it never came: {_source(state)}"
        time.sleep(0.01)
    return came


def _source(state):
    """How a function is written, where that can be read."""
    try:
        return inspect.getsource(state).strip()
    except (TypeError, OSError):  # a bound or partial one of a library
        return repr(state)


@contextlib.contextmanager
def heard(name, say, seconds=MINUTE):
    """While the block runs, ``say`` is called every so many seconds with what it waits for: lines of the tests."""
    thread, task, ended = threading.get_ident(), greenlet.getcurrent(), threading.Event()

    def watch():
        since = time.monotonic()
        while not ended.wait(seconds):
            # Playwright's loop runs in a greenlet of its own, and the test's stands still meanwhile
            frame = task.gr_frame or sys._current_frames().get(thread)
            say(f"{name}, after {time.monotonic() - since:.0f} s: {' < '.join(_lines(frame)) or 'outside of tests'}\n")

    watching = threading.Thread(target=watch, name="patience", daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _lines(frame):
    """The lines of tests that a frame stands at, the innermost first."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(TESTS) and path not in (Path(__file__), TESTS / "conftest.py"):
            line = linecache.getline(str(path), frame.f_lineno).strip()
            yield f"{path.relative_to(TESTS.parent)}:{frame.f_lineno} {line}"
        frame = frame.f_back


def ended(workspace, number, status="done"):
    """The Run of that number once its job has ended so; how it ended, or how far it is, is said where it did not."""
    run = workspace.jobs.wait(number, timeout=PATIENCE)
    assert run.status == status, f"run {number} is {run.status}, not {status}: {run.error or run.message or run.detail}"
    return workspace.store.run(number)
