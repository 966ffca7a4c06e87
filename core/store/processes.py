"""Names of the processes that work on runs, and whether they are alive.

A process is named by host, number and, where the system has it, start time, because numbers are used again. A heartbeat
decides for processes on other hosts, or without a start time. All its times are the store's, since clocks of hosts
differ.
"""

import os
import socket
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select

from core.store.schema import now

SILENCE = timedelta(seconds=30)  # a live process writes a heartbeat every few seconds


def this_process() -> str:
    return f"{socket.gethostname()} {os.getpid()} {start_time(os.getpid())}"


def store_time(connection: Connection) -> datetime:
    """The time for writing and checking heartbeats: that of the database's server, or of SQLite's machine.

    It is the time of the call, even inside a long transaction.
    """
    if connection.dialect.name != "postgresql":
        return now()
    return connection.execute(select(func.clock_timestamp())).scalar_one()


def is_alive(process: str, heartbeat: datetime, time: datetime) -> bool:
    """Whether a process with its last ``heartbeat`` is alive at ``time``, both by ``store_time``."""
    host, number, started = process.rsplit(" ", 2)
    if host == socket.gethostname():
        if started != "?":
            return start_time(int(number)) == started
        if os.name == "posix" and not _exists(int(number)):
            return False
    return time - heartbeat < SILENCE


def start_time(number: int) -> str:
    """The start of a process in clock ticks since boot, on Linux; "?" elsewhere, and for a dead process."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "?"
    return fields[19]  # field 22 of proc(5), counted after the name


def _exists(number):
    try:
        os.kill(number, 0)  # sends no signal
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True
