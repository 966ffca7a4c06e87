"""Requests to an ASGI app without a server, to see how much of them it has read."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import SimpleCookie


@dataclass
class Answer:
    """What was answered, and how many messages with parts of the body were taken, in all and before the answer."""

    status: int = 0
    headers: list = field(default_factory=list)
    text: str = ""
    read: int = 0
    read_before: int = 0

    def cookies(self):
        """Name -> what was set."""
        found = {}
        for name, value in self.headers:
            if name.lower() == b"set-cookie":
                found |= SimpleCookie(value.decode())
        return found


def ask(app, path="/", method="GET", host="localhost", body=(), **headers):
    """The Answer to a request; ``body`` are the parts in which it comes."""
    return result_of(asking(app, path, method, host, body, **headers))


def result_of(coroutine):
    """What a coroutine returns, carried out in a thread of its own: Playwright has a loop in the one of the tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def asking(app, path="/", method="GET", host="localhost", body=(), scheme="http", **headers):
    answer, parts = Answer(), list(body)
    named = [] if host is None else [(b"host", host.encode())]
    named += [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": named, "scheme": scheme, "http_version": "1.1", "root_path": "", "server": ("127.0.0.1", 80)}

    async def receive():
        answer.read += 1
        return {"type": "http.request", "body": parts.pop(0) if parts else b"", "more_body": bool(parts)}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status, answer.headers = message["status"], list(message["headers"])
            answer.read_before = answer.read
        else:
            answer.text += message.get("body", b"").decode(errors="replace")

    await app(scope, receive, send)
    return answer


class Socket:
    """A WebSocket of a browser: ``sent`` is what the app said, ``headers`` what it saw of the request."""

    def __init__(self, app, path="/_stcore/stream", host="localhost", **headers):
        named = [(b"host", host.encode()), *((name.encode(), value.encode()) for name, value in headers.items())]
        self.scope = {"type": "websocket", "path": path, "headers": named, "scheme": "ws", "query_string": b""}
        self.words, self.sent = asyncio.Queue(), []
        self.words.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(app(self.scope, self.words.get, self._send))

    async def _send(self, message):
        self.sent.append(message)

    def say(self, data):
        self.words.put_nowait({"type": "websocket.receive", "bytes": data})

    async def end(self):
        """Until the app has let go of it; returns the code with which it closed it, None where it did not."""
        await self.task
        return next((each["code"] for each in self.sent if each["type"] == "websocket.close"), None)
