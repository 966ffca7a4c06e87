"""nginx with the files of ``.deploy``: what it passes on, how much of it, and what a class behind one address may do.

Behind it stands a server of the same nginx that says what reached it.
"""

import contextlib
import http.client
import json
import re
import shlex
import socket
import ssl
import subprocess
from collections import Counter

import pytest

from core.workspace.guide.chapters import FOLDER
from tests.browser.served import free_port
from tests.deploy.proxy import DEPLOY, laid, plain, proxy, require

VARIABLES = {
    "path": "request_uri",
    "host": "http_host",
    "proto": "http_x_forwarded_proto",
    "for": "http_x_forwarded_for",
}
REACHED = json.dumps({name: f"${variable}" for name, variable in VARIABLES.items()})
UPSTREAM = """upstream workbenches {
    hash $place consistent;
    server 127.0.0.1:PORT;
}
server {
    listen 127.0.0.1:PORT;
    client_max_body_size 0;
    location / {
        default_type application/json;
        return 200 'REACHED';
    }
}
""".replace("REACHED", REACHED)
PEOPLE, TABS, FILES = 40, 3, 140  # a class, all at once: its tabs, and what a first page loads
UPLOAD = "/workbench/_stcore/upload_file/session/file"
STREAM = "/workbench/_stcore/stream"


def upstream():
    """Of site.conf, what says what reached it."""
    return UPSTREAM.replace("PORT", str(free_port()))


@pytest.fixture
def served(tmp_path):
    """The port of an nginx; limits by address are its own."""
    port = free_port()
    with proxy(tmp_path, plain(port) + upstream()):
        yield port


def waiting(limit, so_long):
    """nginx.conf with another of its limits of time."""
    text, count = re.subn(rf"{limit} \d+s;", f"{limit} {so_long};", (DEPLOY / "nginx" / "nginx.conf").read_text())
    assert count == 1
    return text


def ask(port, path, method="GET", headers=(), body=None):
    """(status, headers, what reached the workbench) of one request."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        reached = json.loads(content) if answer.getheader("Content-Type") == "application/json" else None
        return answer.status, answer.headers, reached


def ask_at_once(port, path, times):
    """Status -> how many of so many requests had it."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        asked = f"GET {path} HTTP/1.1\r\nHost: here\r\n"
        connection.sendall(((times - 1) * f"{asked}\r\n" + f"{asked}Connection: close\r\n\r\n").encode())
        answers = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    return Counter(int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3})", answers))


def begin(stack, port, path, length):
    """A connection on which a body was announced, and nginx waits for it."""
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
    announced = f"PUT {path} HTTP/1.1\r\nHost: here\r\nContent-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
    connection.sendall(announced.encode())
    assert connection.recv(1 << 10) == b"HTTP/1.1 100 Continue\r\n\r\n"
    return connection


def test_redirects_name_no_host_and_no_port(served):
    assert [ask(served, path)[1]["Location"] for path in ("/", "/workbench")] == 2 * ["/workbench/"]


def test_health_answers_behind_the_prefix_and_figures_do_not(served):
    status, _, reached = ask(served, "/workbench/healthz")
    assert status == 200 and reached["path"] == "/workbench/healthz"
    assert [ask(served, f"/workbench/{each}")[0] for each in ("metrics", "_stcore/metrics")] == [404, 404]


@pytest.mark.parametrize(("outer", "passed_on"), [("https", "https"), ("http", "http"), ("x", "http"), (None, "http")])
def test_it_keeps_what_an_outer_proxy_says_of_the_way(served, outer, passed_on):
    said = {"X-Forwarded-For": "192.0.2.1"} | ({"X-Forwarded-Proto": outer} if outer else {})
    _, _, reached = ask(served, "/workbench/", headers=said | {"Host": "workbench.example.org:8443"})
    assert (reached["proto"], reached["host"]) == (passed_on, "workbench.example.org:8443")
    assert reached["for"] == "192.0.2.1, 127.0.0.1"


def test_a_browser_is_given_its_place_once(served):
    first = ask(served, "/workbench/")[1]["Set-Cookie"]
    assert re.fullmatch(r"workbench=[0-9a-f]{32}; Path=/workbench/; HttpOnly; SameSite=Lax", first)
    assert ask(served, "/workbench/", headers={"X-Forwarded-Proto": "https"})[1]["Set-Cookie"].endswith("; Secure")
    assert ask(served, "/workbench/", headers={"Cookie": first.partition(";")[0]})[1]["Set-Cookie"] is None


def test_bodies_are_small_but_where_files_are_uploaded(served):
    assert ask(served, "/workbench/", "POST", body=bytes(64 << 10))[0] == 200
    assert ask(served, "/workbench/", "POST", body=bytes((64 << 10) + 1))[0] == 413
    assert ask(served, UPLOAD, "PUT", body=bytes(2 << 20))[0] == 200
    assert ask(served, UPLOAD, "PUT", headers={"Content-Length": str(100 << 20 | 2 << 20)})[0] == 413


def test_a_class_behind_one_address_works_and_a_flood_is_stopped(served):
    assert ask_at_once(served, STREAM, PEOPLE * TABS) == {200: PEOPLE * TABS}
    assert ask_at_once(served, STREAM, 500)[429] > 200
    pages = sum((ask_at_once(served, "/workbench/static/file", FILES * 5) for _ in range(PEOPLE // 5)), Counter())
    assert pages == {200: FILES * PEOPLE}
    rest = sum((ask_at_once(served, "/workbench/static/file", 1000) for _ in range(4)), Counter())
    assert rest[429] > 0


@pytest.mark.parametrize(("path", "most", "least"), [(UPLOAD, 40, PEOPLE), ("/workbench/", 500, PEOPLE * (TABS + 6))])
def test_connections_of_one_address_are_counted(tmp_path, path, most, least):
    port = free_port()
    with (
        proxy(tmp_path, plain(port) + upstream(), waiting("client_body_timeout", "600s")),
        contextlib.ExitStack() as stack,
    ):
        kept = [begin(stack, port, path, 1000) for _ in range(most)]
        assert ask(port, path)[0] == 429 and most >= least
        kept[-1].sendall(bytes(1000))
        assert kept[-1].recv(12) == b"HTTP/1.1 200"


def test_the_guide_has_its_numbers():
    text = (FOLDER / "server.md").read_text(encoding="utf-8")
    files = ("nginx.conf", "locations.conf")
    limits = "".join((DEPLOY / "nginx" / name).read_text(encoding="utf-8") for name in files)
    (rate, tabs), (burst, tabs_at_once) = re.findall(r"rate=(\d+)r/s", limits), re.findall(r"burst=(\d+)", limits)
    connections, uploads = re.findall(r"limit_conn \w+ (\d+);", limits)
    assert f"{rate} requests a second and {int(burst):,} at once, {tabs} new tabs a second and {tabs_at_once}" in text
    assert f"{connections} connections, and {uploads} uploads at a time" in text
    assert f"{PEOPLE * FILES:,} requests for all first pages at once, {PEOPLE * TABS} tabs" in text


@pytest.mark.parametrize("limit", ["client_body_timeout", "client_header_timeout"])
def test_who_sends_nothing_more_is_let_go(tmp_path, limit):
    port = free_port()
    with proxy(tmp_path, plain(port) + upstream(), waiting(limit, "50ms")), contextlib.ExitStack() as stack:
        if limit == "client_body_timeout":
            connection = begin(stack, port, UPLOAD, 1000)
        else:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            connection.sendall(b"GET /workbench/ HTTP/1.1\r\nHost: h")
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(1 << 10):
                """What it says before it closes."""


def test_on_a_machine_it_ends_tls(tmp_path):
    """As the guide has it: with a certificate made by the guide's own command."""
    require("openssl", "openssl")
    (command,) = re.findall(r"^openssl .*$", (FOLDER / "server.md").read_text(encoding="utf-8"), re.M)
    subprocess.run(shlex.split(command.replace("/etc/nginx/tls", str(tmp_path))), check=True, stderr=subprocess.DEVNULL)
    site = (DEPLOY / "nginx" / "machine.conf").read_text(encoding="utf-8").replace("/etc/nginx/tls", str(tmp_path))
    plainly, safely = free_port(), free_port()
    site = re.sub(r" *listen \[::\].*\n", "", site).replace("listen 80;", f"listen 127.0.0.1:{plainly};")
    site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{safely} ssl;")
    site = re.sub(r"upstream workbenches {.*?\n}\n", "", site, flags=re.S)
    with proxy(tmp_path, site + upstream()):
        assert ask(plainly, "/workbench/?x=1")[1]["Location"] == "https://127.0.0.1/workbench/?x=1"
        trusting = ssl._create_unverified_context()
        with contextlib.closing(http.client.HTTPSConnection("127.0.0.1", safely, context=trusting)) as connection:
            connection.request("GET", "/workbench/")
            answer = connection.getresponse()
            assert json.loads(answer.read())["proto"] == "https"
            assert answer.getheader("Strict-Transport-Security") and "; Secure" in answer.getheader("Set-Cookie")


def test_the_composition_asks_for_names_again(tmp_path):
    """Each server is looked up while nginx runs; an nginx that may be too old for that reads the rest."""
    site = (DEPLOY / "nginx" / "containers.conf").read_text(encoding="utf-8")
    servers = re.findall(r"^ +server (.*);$", site, re.M)
    assert len(servers) == 2 and all("resolve" in each.split() for each in servers)
    assert re.search(r"^resolver \$\{NGINX_LOCAL_RESOLVERS\} valid=\d+s;$", site, re.M) and "zone workbenches" in site
    site = site.replace("${NGINX_LOCAL_RESOLVERS}", "127.0.0.1").replace("listen 8080", f"listen {free_port()}")
    site = re.sub(r"server workbench-(\d):8501 resolve", r"server 127.0.0.\1:8501", site)
    read = subprocess.run([*laid(tmp_path, site), "-t"], capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
