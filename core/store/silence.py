"""A PostgreSQL server that falls silent is noticed by whoever waits for it, and so is that it speaks again.

A server that is frozen, or a network that swallows what it is given, breaks no connection, and who waits for an answer
waits for ever. A long statement is silent as well. So who has heard nothing for ``PATIENCE`` asks the server, by a
connection of its own, for the least that it answers: whether it speaks TLS. A server that answers is left to its
work, up to ``LONGEST``, which the server knows too. One that does not is silent for all who wait.
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
PAUSE = 1.0  # seconds for which an answer holds, for all who ask
LONGEST = 60.0  # seconds that a statement may take, unless it brings the tables up to date
GRACE = 5.0  # seconds more, after which a server has not kept to that
RESTED = 1.0  # seconds for which a connection that says nothing is taken to be as it was
T = TypeVar("T")
QUESTION = struct.pack("!ii", 8, 80877103)  # SSLRequest, which comes before a name or a password


class Silence(psycopg.OperationalError):
    """The server, or the network to it, says nothing."""

    sqlstate = "08006"  # the standard's code for a connection that fails


class Pulse:
    """Whether one server answers, for any number of threads: of those that want to know at once, one asks."""

    def __init__(self):
        self._lock = threading.Lock()
        self._place = None  # where the server is that did not answer
        self._asked = float("-inf")

    @property
    def is_silent(self) -> bool:
        """Whether the server did not answer when it was last asked."""
        return self._place is not None

    def require(self) -> None:
        """Raise Silence where a server that was silent still is."""
        if self._place is not None and not self.answers(self._place):
            raise Silence("it did not answer")

    def answers(self, place: tuple[str, int]) -> bool:
        """Whether the server at a host and port answers now, or did a moment ago."""
        with self._lock:
            if time.monotonic() - self._asked > PAUSE:
                self._place = None if is_answering(place) else place
                self._asked = time.monotonic()
            return self._place is None


def is_answering(place: tuple[str, int]) -> bool:
    """Whether anything comes back; that it hangs up is an answer too."""
    host, port = place
    try:
        if host[:1] in "/@":  # a folder, or a name that Linux keeps
            path = f"{host}/.s.PGSQL.{port}"
            channel = socket.socket(socket.AF_UNIX)
            channel.settimeout(ANSWER)
            channel.connect(path if host[0] == "/" else f"\0{path[1:]}")
        else:
            channel = socket.create_connection(place, timeout=ANSWER)
        with channel:
            channel.sendall(QUESTION)
            channel.recv(1)
    except OSError:
        return False
    return True


class WatchedConnection(psycopg.Connection):
    """A connection that waits for its server no longer than that answers, and at most ``longest`` seconds at once."""

    pulse: Pulse
    longest = float("inf")

    def wait(self, gen: PQGen[T], *given: float, **named: float) -> T:
        """As psycopg waits; raises Silence, and the connection is closed, where the server is silent."""
        return super().wait(self._watched(gen), *given, **named)

    def _watched(self, gen: PQGen[T]) -> PQGen[T]:
        heard = asked = time.monotonic()
        patience = 0 if self.pulse.is_silent else PATIENCE
        try:
            state = next(gen)
            while True:
                ready = yield state
                now = time.monotonic()
                if ready:
                    heard = asked = now
                elif now - asked > patience:
                    host = (self.pgconn.hostaddr or self.pgconn.host).decode()
                    if now - heard > self.longest or not self.pulse.answers((host, int(self.pgconn.port))):
                        self.close()
                        raise Silence(f"it has been silent for {now - heard:.0f} seconds")
                    asked, patience = now, PATIENCE
                state = gen.send(ready)
        except StopIteration as end:
            return end.value


def connect(
    pulse: Pulse, lock_seconds: float, is_limited: bool, _dialect: object, _record: object, given: list, named: dict
) -> WatchedConnection:
    """A connection, for SQLAlchemy's ``do_connect``; what its URL or the server say of timeouts stands."""
    pulse.require()
    named = {"connect_timeout": round(PATIENCE + ANSWER), "tcp_user_timeout": 10_000} | named
    try:
        connection = WatchedConnection.connect(*given, **named)
    except psycopg.errors.ConnectionTimeout as error:
        raise Silence(str(error)) from error
    connection.pulse = pulse
    if is_limited:
        connection.longest = LONGEST + GRACE
        connection.autocommit = True
        for name, seconds in (("lock_timeout", lock_seconds), ("statement_timeout", LONGEST)):
            query = "SELECT set_config(%s, %s, false) WHERE current_setting(%s) = '0'"
            connection.execute(query, (name, f"{1000 * seconds:.0f}", name))
        connection.autocommit = False
    return connection


def note_use(_connection: object, record: ConnectionPoolEntry) -> None:
    """A connection goes back to its pool, for SQLAlchemy's ``checkin``."""
    record.info["used"] = time.monotonic()


def try_rested(connection: psycopg.Connection, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Have another taken in place of a connection that broke while it rested, for SQLAlchemy's ``checkout``.

    To ask the server each time costs as much as most queries. Who used the connection just now hears from it, without
    asking, that the server has broken it off.
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
    """Whether something has come on a connection that waits for nothing, or it is closed."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
