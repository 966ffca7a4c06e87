"""Pages from the web: only when asked, only http(s), only public addresses, capped; tested against a local server."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.markup.fetch import fetch, is_url

PAGE = "<p>The <b>alte Mann</b> ist müde.".encode("latin-1")
LOCAL = {"127.0.0.1"}


def answer(status, *headers, body=b""):
    return "\r\n".join([f"HTTP/1.0 {status}", *headers, "", ""]).encode() + body


TYPE = "Content-Type: text/html; charset=ISO-8859-1"
ANSWERS = {
    "/page.html": answer("200 OK", TYPE, body=PAGE),
    "/moved": answer("302 Found", "Location: /page.html"),
    "/loop": answer("302 Found", "Location: /loop"),
    "/away": answer("302 Found", "Location: http://10.0.0.1/secret"),
    "/file": answer("302 Found", "Location: file:///etc/passwd"),
    "/large": answer("200 OK", TYPE, body=b"x" * 5000),
    "/image": answer("200 OK", "Content-Type: image/png", body=b"x"),
    "/packed": answer("200 OK", TYPE, "Content-Encoding: gzip", body=b"x"),
    "/short": answer("200 OK", TYPE, "Content-Length: 10", body=b"abc"),
    "/nonsense": b"what is this\r\n\r\n",
    "/absent": answer("404 Not Found", TYPE),
    "/slow": answer("200 OK", TYPE, body=b"<p>It is "),
    "/slow-head": b"H",
}


class Handler(BaseHTTPRequestHandler):
    """A site of odd pages; the slow ones go on until nobody listens."""

    def do_GET(self):
        self.server.paths.append(self.path)
        self.wfile.write(ANSWERS[self.path])
        while self.path.startswith("/slow") and not self.server.closing.wait(0.05):
            self.wfile.write(b"H")


@pytest.fixture(scope="module")
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.paths, server.closing = [], threading.Event()
    server.handle_error = lambda *arguments: None  # clients that hang up are the point
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", server.paths
    server.closing.set()
    server.shutdown()
    server.server_close()


def test_a_page_is_fetched_with_its_encoding(site):
    assert fetch(f"{site[0]}/page.html", test_addresses=LOCAL) == (PAGE, "iso-8859-1")
    assert fetch(f"{site[0]}/moved#part", test_addresses=LOCAL)[0] == PAGE
    result = extract_sentences(f"{site[0]}/page.html", urls=True, fetching={"test_addresses": LOCAL})
    assert result.treebank[0].text == "The alte Mann ist müde." and result.treebank[0].sent_id == "page-001"


@pytest.mark.parametrize(
    "path, message",
    [
        ("/loop", "more than 5 redirects"),
        ("/away", "10.0.0.1 is at the private address 10.0.0.1"),
        ("/file", "over http and https only, not file"),
        ("/large", "larger than 4,000 bytes"),
        ("/image", "no web page but image/png"),
        ("/packed", "compressed data"),
        ("/short", "the server's answer cannot be read"),
        ("/slow", "no answer within 0.2 seconds"),
        ("/slow-head", "no answer within 0.2 seconds"),
        ("/nonsense", "the server's answer cannot be read"),
        ("/absent", "the server says 404"),
    ],
)
def test_what_is_refused(site, path, message):
    limits = {"/large": {"most_bytes": 4000}, "/slow": {"most_seconds": 0.2}, "/slow-head": {"most_seconds": 0.2}}
    with pytest.raises(WorkbenchError, match=message):
        fetch(site[0] + path, test_addresses=LOCAL, **limits.get(path, {}))


def test_nothing_is_sent_to_a_private_address_or_without_being_asked(site):
    before = len(site[1])
    with pytest.raises(WorkbenchError, match=r"127.0.0.1 is at the private address 127.0.0.1, which is never fetched"):
        fetch(f"{site[0]}/page.html")
    with pytest.raises(WorkbenchError, match="private address"):
        fetch(site[0].replace("127.0.0.1", "localhost"))
    report = extract_sentences(f"{site[0]}/page.html").report
    assert "fetched only when asked" in report.skipped[0].reason and len(site[1]) == before


@pytest.mark.parametrize(
    "host",
    ["10.1.2.3", "192.168.0.1", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "224.0.0.1",
     "100.64.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:a00:1::1]", "2130706433", "0x7f.1"],
)  # fmt: skip
def test_no_spelling_of_a_private_address_passes(host):
    with pytest.raises(WorkbenchError, match=r"private address|there is no host"):
        fetch(f"http://{host}/")


def test_one_private_address_among_several_is_enough(monkeypatch):
    answers = [(2, 1, 6, "", ("93.184.216.34", 80)), (2, 1, 6, "", ("192.168.1.1", 80))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *arguments, **options: answers)
    with pytest.raises(WorkbenchError, match=r"private address 192.168.1.1"):
        fetch("http://two-faced.example/")


@pytest.mark.parametrize(
    "url, message",
    [
        ("ftp://example.org/x", "over http and https only, not ftp"),
        ("http://user:secret@example.org/", "no user name"),
        ("http:///x", "needs a host"),
        ("http://example.org:99999/", "this is no URL"),
        ("http://[::1/", "this is no URL"),
    ],
)
def test_what_is_no_good_url(url, message):
    with pytest.raises(WorkbenchError, match=message):
        fetch(url)


def test_a_path_with_a_line_end_asks_for_nothing(site):
    with pytest.raises(WorkbenchError, match="percent-encoded"):
        fetch(f"{site[0]}/a b", test_addresses=LOCAL)


def test_what_looks_like_a_url():
    assert is_url("https://example.org") and is_url("file:///etc/passwd")
    assert not any(map(is_url, ["page.html", "C:\\x.html", "<a href='http://x.org'>", "http://", "a\nhttp://b"]))
