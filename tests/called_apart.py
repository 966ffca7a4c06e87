"""Functions that ``test_apart.py`` calls in a process of its own."""

import os
import signal
import time

from core.errors import Cancelled, FormatError, WorkbenchError


def reverse(apart, parts, times=1):
    """Parts in the other order; says what it was given."""
    print("a library speaks")
    return {"times": times, "process": os.getpid()}, parts[::-1] * times


def refuse(apart, parts):
    """One of ours, with its facts."""
    raise FormatError("this is no tree", line=3, word=2)


class OtherError(WorkbenchError):
    """One that ``core.errors`` does not have."""


def refuse_otherwise(apart, parts):
    """As the readers of some formats do."""
    raise OtherError("this is no text; choose another")


def fail(apart, parts):
    """A fault of ours."""
    return {}["nothing"]


def work(apart, parts):
    """For ever, in one expression of C that never lets another thread in."""
    apart.report({})
    return {"value": pow(7, 10**12)}, []


def sleep(apart, parts):
    """For ever, without any work."""
    apart.report({})
    time.sleep(10_000)


def take(apart, parts):
    """All memory."""
    return {"size": len(bytearray(1 << 40))}, []


def die(apart, parts, number):
    """By a signal."""
    os.kill(os.getpid(), getattr(signal, number))


def count(apart, parts):
    """Reports until it is asked to stop, and then one last time."""
    number = 0
    while not apart.cancelled():
        apart.report({"number": number}, [b"step"])
        number += 1
        time.sleep(0.01)
    apart.report({}, [b"kept"])
    raise Cancelled


def take_turns(apart, parts, seconds):
    """Works longer than its limit, with a report in between."""
    for _ in range(3):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        apart.report({})
    return {"done": True}, []
