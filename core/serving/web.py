"""The one door to the web: every request of the workbench goes through ``connect``, to public addresses only.

Each host is looked up once, and all its addresses are checked. The connection goes to the address that was checked, so
that a name cannot point elsewhere a moment later.
"""

import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Collection
from urllib.parse import urlsplit

from core.errors import WorkbenchError

ROUTED_6 = ipaddress.ip_network("2000::/3")  # all that is handed out of the newer kind


def connect(url: str, seconds: float, private: Collection[str] = frozenset()) -> tuple[http.client.HTTPConnection, str]:
    """An open connection to the host of a URL, and the path to ask it for.

    Parameters
    ----------
    url : str
        Of http or https.
    seconds : float
        That each step may take.
    private : collection of str
        Addresses allowed although they are not public: of a test's server, or of a mirror that whoever runs the
        workbench has named.

    Raises
    ------
    WorkbenchError : another scheme, no such host, one that does not answer or has a private address.
    TimeoutError : it took longer.
    """
    deadline = time.monotonic() + seconds
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError as error:
        raise WorkbenchError(f"this is no URL: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise WorkbenchError(f"pages are fetched over http and https only, not {parts.scheme or 'this'}")
    if not parts.hostname or "@" in parts.netloc:
        raise WorkbenchError("a URL needs a host and no user name; copy it again from the browser")
    address = _public_address(parts.hostname, port, private)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not re.fullmatch("[!-~]+", target):
        raise WorkbenchError("the URL holds spaces or letters that must be percent-encoded; copy it from the browser")
    is_secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
    connection = kind(parts.hostname, port, timeout=seconds_left(deadline))
    try:
        channel = socket.create_connection((address, port), timeout=seconds_left(deadline))
        if is_secure:
            channel = ssl.create_default_context().wrap_socket(channel, server_hostname=parts.hostname)
    except TimeoutError:
        raise
    except OSError as error:
        raise WorkbenchError(f"{parts.hostname} does not answer: {error}; try later or save the page") from None
    connection.sock = channel
    return connection, target


def _public_address(host, port, private):
    """An address of a host; none of its addresses may be private."""
    try:
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise WorkbenchError(f"there is no host {host}; check the address") from None
    for address in sorted(addresses):
        number = ipaddress.ip_address(address.partition("%")[0])
        number = getattr(number, "ipv4_mapped", None) or number
        # nor one that wraps an address of the older kind
        is_odd = number.version == 6 and (number not in ROUTED_6 or number.sixtofour or number.teredo)
        if (is_odd or not number.is_global or number.is_multicast) and address not in private:
            raise WorkbenchError(f"{host} is at the private address {address}, which is never fetched from")
    return sorted(addresses, key=lambda address: (":" in address, address))[0]


def seconds_left(deadline: float) -> float:
    """Seconds left; TimeoutError when none are."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
