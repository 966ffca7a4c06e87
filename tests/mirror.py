"""A server that publishes one small treebank the way Universal Dependencies does, and misbehaves when told to."""

import contextlib
import hashlib
import itertools
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 1 << 14
ROW = "1\tword\tword\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
FILES = {"xx_toy-ud-test.conllu": ROW * 900, "xx_toy-ud-train.conllu": ROW * 9000, "README.md": "text"}


class Mirror(ThreadingHTTPServer):
    """Serves FILES as one treebank; ``breaks`` ends every answer after so many bytes, ``ranges`` lets it go on,
    ``pause`` is slept after each piece of PIECE bytes. ``announces`` are headers of a file's answer that take the place
    of its own, ``endless`` lets its bytes begin again for ever."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.files = {name: text.encode() for name, text in FILES.items()}
        self.breaks, self.ranges, self.lies, self.pause, self.asked = None, True, False, 0.0, []
        self.announces, self.endless, self.sent = {}, False, 0
        self.sends_to = ""  # where every request is sent on to


class Answer(BaseHTTPRequestHandler):
    def log_message(self, *_):
        return

    def do_GET(self):
        mirror = self.server
        mirror.asked.append((self.path, self.headers.get("Range")))
        if mirror.sends_to:
            self.send_response(302)
            self.send_header("Location", mirror.sends_to + self.path)
            return self.end_headers()
        if self.path.startswith("/UD_Toy-Small/contents?ref=master"):
            return self._send(json.dumps([self._entry(name) for name in mirror.files]).encode())
        if self.path.startswith("/UD_Toy-Empty/contents"):
            return self._send(b"[]")
        if self.path.startswith("/UD_Toy-Odd/contents"):
            return self._send(b'{"message": "moved"}')
        data = mirror.files.get(self.path.removeprefix("/raw/"))
        if data is None:
            return self.send_error(404)
        start, status = 0, 200
        if mirror.ranges and (wanted := self.headers.get("Range")):
            start, status = int(wanted.removeprefix("bytes=").rstrip("-")), 206
        return self._send(data[start:], status)

    def _entry(self, name):
        data = self.server.files[name]
        told = b"something else" if self.server.lies else data
        blob = hashlib.sha1(b"blob %d\0" % len(told) + told).hexdigest()
        return {"name": name, "size": len(data), "sha": blob, "download_url": f"{self.server.base}/raw/{name}"}

    def _send(self, data, status=200):
        self.send_response(status)
        headers = {"Content-Length": str(len(data))}
        for name, value in (headers | (self.server.announces if "raw" in self.path else {})).items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        data = data if self.server.breaks is None or "raw" not in self.path else data[: self.server.breaks]
        with contextlib.suppress(ConnectionError):  # the other side may have heard enough
            for start in itertools.count(0, PIECE) if self.server.endless else range(0, len(data), PIECE):
                start %= len(data)
                self.wfile.write(data[start : start + PIECE])
                self.server.sent += PIECE
                time.sleep(self.server.pause)


@contextlib.contextmanager
def serving():
    """A Mirror that answers until the block ends."""
    server = Mirror()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
