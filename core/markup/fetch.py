"""A page from the web, fetched with care: http and https only, public addresses only, so many bytes and seconds.

Each host is looked up once, all its addresses are checked, and the connection goes to the address that was checked,
so that a name cannot point elsewhere a moment later; redirects go through the same door. No cookies, no proxies, no
credentials, no compression.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Collection
from threading import Timer
from urllib.parse import urljoin, urlsplit

from core.errors import WorkbenchError

MOST_BYTES = 16 << 20
MOST_SECONDS = 20.0
MOST_REDIRECTS = 5
CHUNK = 1 << 16
ROUTED_6 = ipaddress.ip_network("2000::/3")  # all that is handed out of the newer kind
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
            connection, target = _connect(url, deadline, test_addresses)
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


def _connect(url, deadline, test_addresses):
    """(connection, path to ask for), connected to an address that was checked."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError as error:
        raise WorkbenchError(f"this is no URL: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise WorkbenchError(f"pages are fetched over http and https only, not {parts.scheme or 'this'}")
    if not parts.hostname or parts.username is not None or parts.password is not None:
        raise WorkbenchError("a URL needs a host and no user name; copy it again from the browser")
    address = _public_address(parts.hostname, port, test_addresses)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not (target.isascii() and target.isprintable() and " " not in target):
        raise WorkbenchError("the URL holds spaces or letters that must be percent-encoded; copy it from the browser")
    if parts.scheme == "http":
        connection = http.client.HTTPConnection(parts.hostname, port, timeout=_left(deadline))
    else:
        context = ssl.create_default_context()
        connection = http.client.HTTPSConnection(parts.hostname, port, timeout=_left(deadline), context=context)
    try:
        channel = socket.create_connection((address, port), timeout=_left(deadline))
        if parts.scheme == "https":
            channel = context.wrap_socket(channel, server_hostname=parts.hostname)
    except TimeoutError:
        raise
    except OSError as error:
        raise WorkbenchError(f"{parts.hostname} does not answer: {error}; try later or save the page") from None
    connection.sock = channel
    return connection, target


def _public_address(host, port, test_addresses):
    """An address of a host; none of its addresses may be private."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise WorkbenchError(f"there is no host {host}; check the address") from None
    for address in sorted(found):
        number = ipaddress.ip_address(address.partition("%")[0])
        number = getattr(number, "ipv4_mapped", None) or number
        if not _is_public(number) and address not in test_addresses:
            raise WorkbenchError(f"{host} is at the private address {address}, which is never fetched from")
    return sorted(found, key=lambda address: (":" in address, address))[0]


def _is_public(number):
    """Whether an address is a place on the open network; not those that wrap an address of the older kind either."""
    if number.version == 6 and (number not in ROUTED_6 or number.sixtofour or number.teredo):
        return False
    return number.is_global and not number.is_multicast


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
        _left(deadline)
    _left(deadline)  # the end of the page, or the end of our patience?
    if response.length:  # bytes promised and not sent
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces), sort.partition("charset=")[2].split(";")[0].strip(" \"'") or None


def _left(deadline):
    """Seconds left; TimeoutError when none are."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
