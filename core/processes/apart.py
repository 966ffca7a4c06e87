"""A function of core, called in a process of its own: what it takes is limited, and it can be ended at any point.

The process is started anew for each call, which costs it a second. It is given JSON and byte strings and gives such
back; a ``WorkbenchError`` that it raises there is raised here. It ends with the process that called, too.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

import core
from core import errors
from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError
from core.processes.apart_worker import STOP, received, send
from core.processes.limits import NO_MEMORY

PATIENCE = 10  # times the seconds of work that it may take, for a process that does not even work
LOOK = 0.1  # seconds between two looks at ``cancel``
MEGA = 1 << 20
Report = Callable[[dict, list[bytes]], object]


@dataclass(frozen=True)
class ApartLimits:
    """What a call may take.

    Attributes
    ----------
    seconds : float or None
        Of work between two reports; None for no limit.
    memory : int or None
        Bytes beyond what the process has at its beginning.
    grace : float
        Seconds that a cancelled function has to end by itself, after a last report perhaps; by default it has none.
    instead : str
        What to do where it takes too much, for the sentence that says so.
    """

    seconds: float | None = 120.0
    memory: int | None = 2 << 30
    grace: float = 0.0
    instead: str = "cut it into parts"


def call_apart(
    function: str, arguments: Mapping[str, object], parts: Sequence[bytes] = (), *, doing: str,
    limits: ApartLimits | None = None, cancel: Cancel | None = None, report: Report | None = None,
) -> tuple[dict, list[bytes]]:  # fmt: skip
    """What ``function(apart, parts, **arguments)`` gives in a process of its own: a dict, and byte strings.

    Parameters
    ----------
    function : str
        ``"core.module:name"``. It is given an ``apart_worker.Apart``, by which it reports and asks whether to stop, the
        byte strings, and the arguments.
    arguments : mapping
        Of what JSON can say, as are the dict that comes back and those of reports.
    parts : sequence of bytes
    doing : str
        Such as "reading a.conllu", for the sentence that says that it took too much.
    limits : ApartLimits, optional
    cancel : callable, optional
        Asked a few times a second.
    report : callable, optional
        ``report(dict, byte strings)`` is called with each report.

    Raises
    ------
    WorkbenchError : one of the function's, or it took too much, or no process can be started.
    Cancelled : ``cancel`` said so.
    """
    limits = limits or ApartLimits()
    process = start_process("core.processes.apart_worker", doing)
    try:
        call = {"function": function, "arguments": arguments, "seconds": limits.seconds, "memory": limits.memory}
        for head, answered in _messages(process, (call, parts), limits, cancel):
            if "answer" in head:
                return head["answer"], answered
            if "report" not in head:
                raise _raised(head, doing)
            if report is not None:
                report(head["report"], answered)
        raise _Ended(_why_ended(process, limits))
    except _Ended as reason:
        raise WorkbenchError(f"{doing} {reason}; {limits.instead}") from None
    finally:
        _end(process)


class _Ended(Exception):
    """The process gave no answer; says what it did instead."""


def start_process(module: str, doing: str, buffering: int = -1) -> subprocess.Popen[bytes]:
    """A Popen of ``python -m module`` of this workbench, to speak with by pipes; ``buffering`` is as ``open`` takes it.

    Raises WorkbenchError where no process can be started.
    """
    path = os.pathsep.join([str(Path(core.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    try:
        return subprocess.Popen(
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path}, bufsize=buffering,
        )  # fmt: skip
    except OSError as error:
        raise WorkbenchError(f"no process can be started for {doing}: {error.strerror}") from error


def seconds_worked(process: subprocess.Popen[bytes]) -> float:
    """Seconds of the processor that a Popen has had; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime of proc(5)


def _messages(process, call, limits, cancel):
    """What a process says to a call until it ends, is cancelled, or neither says nor does anything."""
    messages = _heard(process.stdout)
    with suppress(BrokenPipeError):  # the process has ended, and its exit status says why
        send(process.stdin, *call)
    last_report, worked, stop_by = time.monotonic(), 0.0, None
    while True:
        try:
            message = messages.get(timeout=LOOK)
        except Empty:
            message = ()
        now = time.monotonic()
        if stop_by is None and cancel is not None and cancel():
            stop_by = now + limits.grace
            ask_to_stop(process)
        if stop_by is not None and now >= stop_by:
            raise Cancelled
        if message is None:
            return
        if message:
            last_report = now
            yield message
        elif limits.seconds is not None and now - last_report > PATIENCE * limits.seconds:
            before, worked, last_report = worked, seconds_worked(process), now
            if worked - before < limits.seconds / 100:  # else it works, and the machine is busy
                raise _Ended(_too_long(limits))


def _heard(output):
    """A queue of what comes on a pipe, with None at its end; a thread reads it, which waits without the lock."""
    messages = SimpleQueue()

    def read():
        with output:
            try:
                while True:
                    messages.put(received(output))
            except EOFError:
                messages.put(None)

    threading.Thread(target=read, name="apart", daemon=True).start()
    return messages


def _end(process):
    process.kill()
    process.wait()
    with suppress(BrokenPipeError):  # closing flushes what the process has not read
        process.stdin.close()


def ask_to_stop(process: subprocess.Popen) -> None:
    """Ask a process to stop: its function ends at its next report."""
    with suppress(BrokenPipeError):  # it has ended meanwhile, and its last message is on the way
        assert process.stdin is not None
        process.stdin.write(STOP)
        process.stdin.flush()


def _raised(head, doing):
    """The error that a function raised in its process, rebuilt to be raised here."""
    if "cancelled" in head:
        return Cancelled()
    if "failed" in head:
        return RuntimeError(f"{doing} failed in a process of its own:\n{head['failed']}")
    refusal = head["refused"]
    kind = next(getattr(errors, name) for name in refusal["classes"] if hasattr(errors, name))
    error = kind.__new__(kind)
    WorkbenchError.__init__(error, refusal["message"])
    vars(error).update(refusal["facts"])
    return error


def _why_ended(process, limits):
    """Why a process has ended without an answer, as the end of a sentence."""
    status = process.wait()
    if status == NO_MEMORY:
        return f"took more than {limits.memory // MEGA:,} MB of memory"
    if status == -getattr(signal, "SIGXCPU", 0):
        return _too_long(limits)
    if status == -getattr(signal, "SIGKILL", 0):
        return "was ended by the system, which had no memory left"
    return f"ended the process that did it ({status})"


def _too_long(limits):
    return f"took longer than {limits.seconds:g} seconds"


class ApartPool:
    """Room for so many calls at once; those that come then wait.

    Parameters
    ----------
    limit : int
    """

    def __init__(self, limit: int = 2):
        self._room = threading.BoundedSemaphore(limit)

    @contextmanager
    def place(self, cancel: Cancel | None = None) -> Iterator[None]:
        """Wait for room, and have it within the block. Raises Cancelled."""
        while not self._room.acquire(timeout=LOOK):
            if cancel is not None and cancel():
                raise Cancelled
        try:
            if cancel is not None and cancel():
                raise Cancelled
            yield
        finally:
            self._room.release()


__all__ = ["ApartLimits", "ApartPool", "call_apart", "seconds_worked", "start_process"]
