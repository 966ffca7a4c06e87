"""Connections to PostgreSQL that notice a server that does not answer, and when it answers again.

A frozen server, or a network that loses packets, breaks no connection, so a client would wait for ever. A long
statement gives no answer either. So after ``PATIENCE`` seconds the client asks the server, by a connection of its own,
whether it speaks TLS, the cheapest question. A server that answers may go on working, for up to ``LONGEST`` seconds,
which is its own limit too. One that does not answer counts as silent for all threads that wait.
"""

import select
import socket
import struct
import threading
import time
from typing import TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

PATIENCE = 4.0  # seconds of silence after which the server is asked
ANSWER = 2.0  # seconds in which it has to answer
PAUSE = 1.0  # seconds for which an answer holds, for all threads
LONGEST = 60.0  # seconds that a statement may take, unless it brings the tables up to date
GRACE = 5.0  # seconds after ``LONGEST`` until a statement is given up
RESTED = 1.0  # seconds for which an unused connection counts as sound
T = TypeVar("T")
QUESTION = struct.pack("!ii", 8, 80877103)  # SSLRequest, which comes before a name or a password


class Silence(psycopg.OperationalError):
    """The server, or the network to it, does not answer."""

    sqlstate = "08006"  # the SQL standard's code for a failed connection


class ServerProbe:
    """Asks whether a server answers; one thread asks for all that want to know at once."""

    def __init__(self):
        self._lock = threading.Lock()
        self._silent = None  # (host, port) of the server, if it did not answer
        self._asked = float("-inf")

    @property
    def is_silent(self) -> bool:
        """Whether the server did not answer when it was last asked."""
        return self._silent is not None

    def require(self) -> None:
        """Raise Silence where the server still does not answer."""
        if self._silent is not None and not self.answers(self._silent):
            raise Silence("it did not answer")

    def answers(self, address: tuple[str, int]) -> bool:
        """Whether the server at a host and port answers now, or did a moment ago."""
        with self._lock:
            if time.monotonic() - self._asked > PAUSE:
                self._silent = None if is_answering(address) else address
                self._asked = time.monotonic()
            return self._silent is None


def is_answering(address: tuple[str, int]) -> bool:
    """Whether the server at a host and port sends anything, or closes the connection."""
    host, port = address
    try:
        if host[:1] in "/@":  # a folder, or an abstract name of Linux
            path = f"{host}/.s.PGSQL.{port}"
            channel = socket.socket(socket.AF_UNIX)
            channel.settimeout(ANSWER)
            channel.connect(path if host[0] == "/" else f"\0{path[1:]}")
        else:
            channel = socket.create_connection(address, timeout=ANSWER)
        with channel:
            channel.sendall(QUESTION)
            channel.recv(1)
    except OSError:
        return False
    return True


class WatchedConnection(psycopg.Connection):
    """A connection that waits only while its server answers, and at most ``longest`` seconds for a statement."""

    probe: ServerProbe
    longest = float("inf")

    def wait(self, gen: PQGen[T], *args: float, **kwargs: float) -> T:
        """psycopg's ``wait``; closes the connection and raises Silence where the server does not answer."""
        return super().wait(self._watched(gen), *args, **kwargs)

    def _watched(self, gen: PQGen[T]) -> PQGen[T]:
        heard = asked = time.monotonic()
        patience = 0 if self.probe.is_silent else PATIENCE
        try:
            state = next(gen)
            while True:
                ready = yield state
                now = time.monotonic()
                if ready:
                    heard = asked = now
                elif now - asked > patience:
                    host = (self.pgconn.hostaddr or self.pgconn.host).decode()
                    if now - heard > self.longest or not self.probe.answers((host, int(self.pgconn.port))):
                        self.close()
                        raise Silence(f"it has been silent for {now - heard:.0f} seconds")
                    asked, patience = now, PATIENCE
                state = gen.send(ready)
        except StopIteration as end:
            return end.value


def connect(
    probe: ServerProbe, lock_seconds: float, is_limited: bool, _dialect: object, _record: object, args: list,
    kwargs: dict,
) -> WatchedConnection:  # fmt: skip
    """A connection, for SQLAlchemy's ``do_connect``; timeouts of its URL or of the server take precedence."""
    probe.require()
    kwargs = {"connect_timeout": round(PATIENCE + ANSWER), "tcp_user_timeout": 10_000} | kwargs
    try:
        connection = WatchedConnection.connect(*args, **kwargs)
    except psycopg.errors.ConnectionTimeout as error:
        raise Silence(str(error)) from error
    connection.probe = probe
    if is_limited:
        connection.longest = LONGEST + GRACE
        connection.autocommit = True
        for name, seconds in (("lock_timeout", lock_seconds), ("statement_timeout", LONGEST)):
            query = "SELECT set_config(%s, %s, false) WHERE current_setting(%s) = '0'"
            connection.execute(query, (name, f"{1000 * seconds:.0f}", name))
        connection.autocommit = False
    return connection


def note_use(_connection: object, record: ConnectionPoolEntry) -> None:
    """Note when a connection was last used, for SQLAlchemy's ``checkin``."""
    record.info["used"] = time.monotonic()


def try_rested(connection: psycopg.Connection, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Replace a connection that broke while it was unused, for SQLAlchemy's ``checkout``.

    Asking the server costs as much as most queries. A connection that was used a moment ago is not tried: if the server
    has closed it, its socket is readable.
    """
    if time.monotonic() - record.info.get("used", float("inf")) < RESTED and not _has_news(connection):
        return
    try:
        connection.autocommit = True
        connection.execute("")
        connection.autocommit = False
    except psycopg.Error as error:
        raise DisconnectionError from error


def _has_news(connection):
    """Whether an idle connection has received anything, or is closed."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
