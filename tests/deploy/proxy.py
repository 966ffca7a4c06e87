"""nginx with the files of ``.deploy``, their places made the test's own; what a machine must have for such tests."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / ".deploy"
TEMPORARY = (
    "client_body",
    "proxy",
    "fastcgi",
    "uwsgi",
    "scgi",
)  # folders, whose usual places belong to the machine's nginx
STARTUP = 30  # seconds after which an nginx hangs


def require(program, package):
    """Path of a program; without it the test skips, in CI it fails."""
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {program} is installed (Debian's {package} has it)")
    return found


def plain(port):
    """A server of site.conf that listens on a port of this machine."""
    return f"server {{\n    listen 127.0.0.1:{port};\n    include locations.conf;\n}}\n"


def laid(home, site, text=None):
    """Lay nginx's files into a folder, with a site.conf and maybe another nginx.conf; the words that call it."""
    text = text or (DEPLOY / "nginx" / "nginx.conf").read_text(encoding="utf-8")
    places = "".join(f"    {name}_temp_path {home}/{name};\n" for name in TEMPORARY)
    text = text.replace("http {\n", f"http {{\n{places}", 1)
    user = "user root;" if os.geteuid() == 0 else ""  # who may enter the folder
    text = re.sub(r"^user .*$", f"pid {home}/nginx.pid;\nerror_log {home}/nginx.log;\n{user}", text, flags=re.M)
    (home / "nginx.conf").write_text(text, encoding="utf-8")
    (home / "site.conf").write_text(site, encoding="utf-8")
    shutil.copy(DEPLOY / "nginx" / "locations.conf", home)
    program = require("nginx", "nginx-light")
    return [program, "-c", f"{home}/nginx.conf", "-p", str(home), "-e", f"{home}/nginx.log"]


@contextlib.contextmanager
def proxy(home, site, text=None):
    """nginx, as long as the block runs."""
    command = laid(home, site, text)
    running = subprocess.Popen([*command, "-g", "daemon off;"])
    try:
        _await_listening(running, int(re.findall(r"listen 127\.0\.0\.1:(\d+)", site)[0]))
        yield
    finally:
        running.terminate()
        running.wait(20)


def _await_listening(running, port):
    deadline = time.monotonic() + STARTUP
    while running.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
            return
        time.sleep(0.02)
    pytest.fail("nginx does not listen")
