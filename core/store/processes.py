"""Which process works on a run, and whether it still lives.

A process is named by host, number and, where the system tells, its start time, because numbers are used again.
On another host, or where nothing better is known, a heartbeat decides. All its times are of one clock, the store's:
those of hosts differ.
"""

import os
import socket
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select

from core.store.schema import now

SILENCE = timedelta(seconds=30)  # a live process beats every few seconds


def this_process() -> str:
    return f"{socket.gethostname()} {os.getpid()} {start_time(os.getpid())}"


def store_time(connection: Connection) -> datetime:
    """The time by which heartbeats are written and judged: that of the database's server, or of SQLite's one machine.

    Inside a long transaction, too, it is the time of the call.
    """
    if connection.dialect.name != "postgresql":
        return now()
    return connection.execute(select(func.clock_timestamp())).scalar_one()


def is_alive(process: str, heartbeat: datetime, time: datetime) -> bool:
    """Whether the process so named, last heard of at ``heartbeat``, lives at ``time``, both by ``store_time``."""
    host, number, started = process.rsplit(" ", 2)
    if host == socket.gethostname():
        if started != "?":
            return start_time(int(number)) == started
        if os.name == "posix" and not _exists(int(number)):
            return False
    return time - heartbeat < SILENCE


def start_time(number: int) -> str:
    """Clock ticks since boot as Linux counts them; "?" elsewhere, and for a process that is gone."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "?"
    return fields[19]  # field 22 of proc(5), counted after the name


def _exists(number):
    try:
        os.kill(number, 0)  # sends nothing
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, and somebody else's
        return True
    return True
