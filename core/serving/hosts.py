"""Which names a server answers to.

A stranger's page can make its own name lead to this machine (DNS rebinding). Its visitors' browsers then take the
workbench for a part of that page. Each request says to which name it was sent, which gives it away.
"""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

EVERYWHERE = ("", "0.0.0.0", "::")  # addresses that are all of a machine's


def is_our_host(host: str | None, names: Collection[str], listens: str) -> bool:
    """Whether a request's ``Host`` is one of this server's. O(names).

    Parameters
    ----------
    host : str or None
        As the request has it, with or without a port.
    names : collection of str
        Names and addresses that the server has; ``*.example.org`` is all below it, ``*`` all.
    listens : str
        The address at which it listens. Where that is all of the machine's, each address is one of its own, and each
        name without a dot: nobody outside can make such a name lead here.
    """
    name = host_name(host)
    if name is None:
        return False
    if name == "localhost" or any(_matches(name, pattern.strip().lower().rstrip(".")) for pattern in (*names, listens)):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback or listens in EVERYWHERE
    except ValueError:
        return listens in EVERYWHERE and "." not in name


def host_name(host: str | None) -> str | None:
    """The name in a ``Host``, in lower case and without port; None where it is none."""
    try:
        parts = urlsplit(f"//{host or ''}")
        whole, name = parts.netloc == host and "@" not in parts.netloc, parts.hostname
        return name.lower().rstrip(".") if whole and name and (parts.port is None or parts.port >= 0) else None
    except ValueError:
        return None


def _matches(name, pattern):
    if pattern.startswith("*."):
        return name.endswith(pattern[1:])
    return pattern == "*" or (bool(pattern) and name == pattern.strip("[]"))
