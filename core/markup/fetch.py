"""A page from the web, fetched with care: http and https only, public addresses only, so many bytes and seconds.

Its connections, redirects included, go through the one door of ``core.serving.web``. No cookies, no proxies, no
credentials, no compression.
"""

import contextlib
import http.client
import socket
import time
from collections.abc import Collection
from threading import Timer
from urllib.parse import urljoin

from core.errors import WorkbenchError
from core.serving.web import connect, seconds_left

MOST_BYTES = 16 << 20
MOST_SECONDS = 20.0
MOST_REDIRECTS = 5
CHUNK = 1 << 16
SORTS = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")
AGENT = "parser-workbench (+a linguist reading one page)"


def is_url(text: str) -> bool:
    """Whether a source means a place on the web rather than a file: it has a scheme and ``//``."""
    scheme, colon, rest = text.strip().partition("://")
    return bool(colon) and scheme.isalpha() and len(scheme) > 1 and "\n" not in text and "<" not in text and bool(rest)


def fetch(
    url: str, *, most_bytes: int = MOST_BYTES, most_seconds: float = MOST_SECONDS,
    test_addresses: Collection[str] = frozenset(),
) -> tuple[bytes, str | None]:  # fmt: skip
    """(bytes, encoding or None) of a page.

    Parameters
    ----------
    url : str
    most_bytes : int
    most_seconds : float
        For everything together, redirects included.
    test_addresses : collection of str
        Addresses allowed although they are not public. For tests against a local server, and nothing else.

    Raises
    ------
    WorkbenchError : another scheme, a private address, too large, too slow, no page; says which and what to do.
    """
    deadline = time.monotonic() + most_seconds
    too_slow = f"no answer within {most_seconds:g} seconds; save the page and name the file"
    for _ in range(MOST_REDIRECTS + 1):
        try:
            connection, target = connect(url, seconds_left(deadline), test_addresses)
        except TimeoutError:
            raise WorkbenchError(too_slow) from None
        watch = Timer(max(0.0, deadline - time.monotonic()), _hang_up, [connection.sock])
        watch.daemon = True
        watch.start()  # a server that sends a byte now and then never times out by itself
        try:
            connection.request(
                "GET", target, headers={"User-Agent": AGENT, "Accept": ", ".join(SORTS), "Accept-Encoding": "identity"}
            )
            response = connection.getresponse()
            if response.status in (301, 302, 303, 307, 308) and response.getheader("Location"):
                url = urljoin(url, response.getheader("Location"))
                continue
            return _body(response, most_bytes, deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if isinstance(error, WorkbenchError):
                raise
            if time.monotonic() >= deadline or isinstance(error, TimeoutError):
                raise WorkbenchError(too_slow) from None
            raise WorkbenchError(f"the server's answer cannot be read: {error or type(error).__name__}") from None
        finally:
            watch.cancel()
            connection.close()
    raise WorkbenchError(f"more than {MOST_REDIRECTS} redirects; save the page and name the file")


def _hang_up(channel):
    with contextlib.suppress(OSError):  # closed already
        channel.shutdown(socket.SHUT_RDWR)


def _body(response, most_bytes, deadline):
    sort = (response.getheader("Content-Type") or "text/html").lower()
    if not 200 <= response.status < 300:
        raise WorkbenchError(f"the server says {response.status} {response.reason}; check the address")
    if sort.split(";")[0].strip() not in SORTS:
        raise WorkbenchError(f"this is no web page but {sort.split(';')[0]}; choose another address")
    if (response.getheader("Content-Encoding") or "identity").lower() != "identity":
        raise WorkbenchError("the server sends compressed data though asked not to; save the page and name the file")
    pieces, size = [], 0
    while True:
        piece = response.read1(CHUNK)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > most_bytes:
            raise WorkbenchError(f"the page is larger than {most_bytes:,} bytes; save it and cut it into parts")
        seconds_left(deadline)
    seconds_left(deadline)  # the end of the page, or the end of our patience?
    if response.length:  # bytes promised and not sent
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces), sort.partition("charset=")[2].split(";")[0].strip(" \"'") or None
