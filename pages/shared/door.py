"""Access to the server: requests under another server's name are refused, and strangers can only sign in.

This app stands in front of Streamlit, for which whoever has its cookie is signed in. Here the store must confirm it:
the store knows who signed out.
"""

import asyncio
import contextlib
import html
import logging
from collections import defaultdict

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse

from core.errors import WorkbenchError, quoted
from core.serving.hosts import is_our_host
from core.serving.sign_in import CALLBACK
from pages.shared import signing
from pages.shared.refusal import refusal_page
from pages.shared.visit import Visit, base_path

STRANGERS, OF_A_PERSON = 100, 100  # WebSockets that a process keeps open
MOST_DROPPED, LINGER = 101 << 20, 30  # bytes and seconds of an upload that is refused: as much as nginx lets through
MAX_MESSAGE = 1 << 20  # bytes in a message of a stranger, who has nothing to do but press a button

log = logging.getLogger(__name__)


class Door:
    """An ASGI app in front of another one, which passes on the requests that are allowed.

    Parameters
    ----------
    strangers : int
        How many WebSockets of people who have not signed in are open at once; beyond that, the oldest are closed.
    """

    def __init__(self, app, strangers=STRANGERS):
        self.app, self.strangers = app, strangers
        self.providers = {}  # by what decides who they are
        self.sockets = defaultdict(dict)  # person, or None for strangers -> task of each -> whether it may stay

    async def __call__(self, scope, receive, send):
        """Pass on what may come in; refuse the rest before its body is read, which is dropped."""
        try:
            provider, error = await self._provider(), None
        except WorkbenchError as refusal:
            provider, error = None, refusal
        if scope["type"] not in ("http", "websocket"):  # the server begins, and ends
            if error is not None:
                log.error("Nobody is let in. %s", error)
            return await self.app(scope, receive, send)
        if scope["type"] == "http":
            receive = Incoming(receive)
        if sentence := refusal_of_host(scope, provider):
            return await refuse(scope, receive, send, 421, sentence)
        if error is not None:
            return await refuse(scope, receive, send, 503, error)
        try:
            await self._dispatch(Visit(scope, provider), receive, send)
        except WorkbenchError as error:  # by the store, before anything is answered
            await refuse(scope, receive, send, 503, error)

    async def _provider(self):
        decides = signing.circumstances()
        if decides not in self.providers:
            self.providers[decides] = await run_in_threadpool(signing.provider)
        return self.providers[decides]

    async def _dispatch(self, visit, receive, send):
        if visit.provider is None:
            await self.app(visit.scope, receive, visit.secure_cookies(send))
        elif visit.scope["type"] == "websocket":
            await self._run_websocket(visit, receive, send)
        elif sentence := await visit.refusal():
            await refuse(visit.scope, receive, send, 403, sentence)
        elif visit.path == CALLBACK:
            await self._finish_sign_in(visit, receive, send)
        else:
            await self.app(visit.scope, receive, visit.secure_cookies(send))

    async def _finish_sign_in(self, visit, receive, send):
        """Begin or refuse a session for who comes back from the provider, by the cookies that Streamlit has signed."""
        answer = []

        async def hold(message):
            answer.append(message)

        await self.app(visit.scope, receive, hold)
        try:
            await visit.begin(Headers(raw=answer[0]["headers"]).getlist("set-cookie"))
        except WorkbenchError as error:
            link = f'<p><a href="{html.escape(base_path())}/">Sign in with another account</a></p>'
            return await refuse(visit.scope, receive, send, 403, error, link)
        for message in answer:
            await visit.secure_cookies(send)(message)

    async def _run_websocket(self, visit, receive, send):
        """Serve a WebSocket, and close the oldest where there are too many; a stranger's has no sign-in cookies."""
        person = await visit.person()
        most = self.strangers if person is None else OF_A_PERSON
        if person is None:
            visit.forget_cookies()
            receive = limit_messages(receive)
        ours = self.sockets[person]
        task = asyncio.ensure_future(self.app(visit.scope, receive, visit.secure_cookies(send)))
        ours[task] = True
        staying = [socket for socket, stays in ours.items() if stays]
        if len(staying) > most:
            ours[staying[0]] = False
            staying[0].cancel()
        try:
            await task
        except asyncio.CancelledError:
            if ours[task]:  # the server itself stops
                task.cancel()
                raise
            with contextlib.suppress(RuntimeError, OSError):  # it has gone by itself meanwhile
                await send({"type": "websocket.close", "code": 1013})
        finally:
            del ours[task]
            if not ours:
                self.sockets.pop(person, None)


def refusal_of_host(scope, provider):
    """Why a request is not for this server, None where it is."""
    hosts = Headers(scope=scope).getlist("host")
    host = hosts[0] if len(hosts) == 1 else ""
    names = [st.get_option("browser.serverAddress") or "", *(st.get_option("server.allowedHosts") or ())]
    if is_our_host(host, names + ([provider.host] if provider else []), st.get_option("server.address") or ""):
        return None
    return (
        f"This server does not go by the name {quoted(host)!r}; open it at its own address, or have this one named"
        " with --browser.serverAddress, or in redirect_uri (guide: Server, Sign-in)"
    )


async def refuse(scope, receive, send, status, sentence, more=""):
    """Answer with a sentence before the request's body is read, then drop the body as it comes.

    A connection that is closed on what nobody has read is reset, and a proxy that still sends would lose the answer.
    """
    if scope["type"] == "websocket":
        return await send({"type": "websocket.close", "code": 1008, "reason": str(sentence)[:100]})

    async def answer(message):
        if message["type"] == "http.response.body":
            await send(message | {"more_body": True})
            if scope["method"] not in ("GET", "HEAD"):  # which have none
                await drop_body(receive)
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    await HTMLResponse(refusal_page(sentence, more), status, {"Connection": "close", "Cache-Control": "no-store"})(
        scope, receive, answer
    )


class Incoming:
    """``receive`` of a request, which knows whether the whole body was read: after it nothing comes."""

    def __init__(self, receive):
        self.receive, self.is_whole = receive, False

    async def __call__(self):
        message = await self.receive()
        self.is_whole = not message.get("more_body", False)
        return message


async def drop_body(receive):
    """Take what is left of the body of an Incoming, of at most ``MOST_DROPPED`` bytes for ``LINGER`` seconds."""
    left = MOST_DROPPED
    with contextlib.suppress(TimeoutError):  # who sends so slowly is cut off
        async with asyncio.timeout(LINGER):
            while left > 0 and not receive.is_whole:
                left -= len((await receive()).get("body", b""))


def limit_messages(receive):
    """``receive`` of a WebSocket that ends with the first message which is too long."""

    async def receive_limited():
        message = await receive()
        if len(message.get("bytes") or b"") > MAX_MESSAGE:
            return {"type": "websocket.disconnect", "code": 1009}
        return message

    return receive_limited
