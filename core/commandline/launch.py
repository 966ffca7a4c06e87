"""``parser-workbench``: opens the app. What it needs is checked first; then Streamlit runs, in this process, as the
program that it is."""

import errno
import os
import runpy
import socket
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from core import __version__
from core.errors import StoreError, WorkbenchError, quoted
from core.files.assets import APP
from core.serving.sign_in import secret_files, sign_in
from core.serving.waiting_line import tabs_at_once
from core.store.database import has_members, require_database
from core.store.locations import workbench_home
from core.threads import niceness

CODE = Path(__file__).parents[1]
HOST = "127.0.0.1"  # as .streamlit/config.toml has it


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the app and serve it until somebody stops it. Returns 2, with one line on standard error, for bad input."""
    try:
        options = streamlit_options(sys.argv[1:] if arguments is None else arguments)
    except WorkbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    sys.argv = ["streamlit", "run", str(APP / "app.py"), *options]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0


def streamlit_options(arguments: Sequence[str]) -> list[str]:
    """What Streamlit is told, for the arguments of the command; where things are kept goes into the environment.

    Raises WorkbenchError: a port that is no number or is taken, or a host that is not this machine's. Also a home that
    cannot be written, a database URL that cannot be read, and a word that is no option. Also a server whose people must
    sign in and cannot.
    """
    parser = ArgumentParser(
        prog="parser-workbench", description="Open the parser workbench in the browser.", allow_abbrev=False,
        epilog="Other options go to Streamlit, such as --server.headless=true for a machine without a browser.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--port", metavar="N", help="where it listens (default: 8501, or the next one that is free)")
    parser.add_argument("--host", metavar="ADDRESS", help=f"of this machine; 0.0.0.0 is all of them (default: {HOST})")
    parser.add_argument(
        "--home", metavar="FOLDER", help="where projects are kept (default: WORKBENCH_HOME, or the user's data folder)"
    )
    parser.add_argument(
        "--database", metavar="URL",
        help="a team's store; one with a password belongs in WORKBENCH_DATABASE, where others on the machine do not"
        " see it (default: WORKBENCH_DATABASE, or a file in the home)",
    )  # fmt: skip
    options, others = parser.parse_known_args(arguments)
    stray = [
        word for before, word in zip(["", *others], others, strict=False)
        if not word.startswith("-") and ("=" in before or not before.startswith("-"))
    ]  # fmt: skip
    if stray:
        raise WorkbenchError(f"{quoted(stray[0])!r} is no option; parser-workbench --help lists them")
    places = {"WORKBENCH_HOME": options.home, "WORKBENCH_DATABASE": options.database}
    os.environ.update({name: value for name, value in places.items() if value is not None})
    port = options.port
    if port is not None and not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 2**16):
        raise WorkbenchError(f"--port is a number from 1 to {2**16 - 1:,}, not {quoted(port)!r}")
    _require_free(options.host or HOST, int(port or 0))
    home = workbench_home()
    _require_writable(home)
    if not os.access(CODE, os.W_OK):  # the compiler keeps kernels beside the code, else in a folder that must exist
        os.environ.setdefault("NUMBA_CACHE_DIR", str(home / "kernels"))
    require_database()
    tabs_at_once(os.environ)
    niceness(os.environ)
    sign_in(os.environ, secret_files(others, os.environ, APP), _has_members)
    chosen = {"server.address": options.host, "server.port": port}
    return [f"--{name}={value}" for name, value in chosen.items() if value is not None] + others


def _has_members():
    try:
        return has_members()
    except StoreError:  # a database that starts later: the app asks it again, and lets nobody in before it answers
        return False


def _require_writable(home):
    try:
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        raise StoreError(
            f"The folder {home} cannot be written ({error.strerror}); name one you may write to with --home"
        ) from error


def _require_free(host, port):
    """Raise where nobody can listen there; with port 0, where the host is not this machine's."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address[:2], family=family).close()
    except (OSError, UnicodeError) as error:  # the latter for what no name of a machine may hold
        raise WorkbenchError(_refusal(error, host, port)) from error


def _refusal(error, host, port):
    if isinstance(error, UnicodeError | socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{quoted(host)!r} is no address of this machine; leave --host out, or use 0.0.0.0 for all that it has"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program; name another, or leave --port out for the next free one"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that this user lacks; name one above 1023"
    return f"port {port} of {quoted(host)!r} cannot be opened ({error.strerror}); name another with --port or --host"
