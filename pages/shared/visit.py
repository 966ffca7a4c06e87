"""One request to the server: what it asks for, who asks, and which cookies it brings and is given."""

from collections.abc import MutableMapping
from pathlib import PurePosixPath

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from streamlit import runtime
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from pages.shared import signing
from pages.shared.admission import places
from pages.shared.session import open_workspace

DAY = 24 * 60 * 60  # seconds
UPLOAD, MEDIA, SIGN_OUT = "/_stcore/upload_file/", "/media/", "/auth/logout"  # Streamlit's
SIGN_IN_FIRST = "Sign in first; before that nothing is taken, and nothing given out"
NOT_YOURS = "This belongs to a page of somebody else; open your own, and try again there"


class Visit:
    """One request.

    Parameters
    ----------
    scope : dict
        Of ASGI.
    provider : Provider or None
        Who vouches for people; None where the server has one user.
    """

    def __init__(self, scope, provider):
        self.scope, self.provider = scope, provider
        self.path = scope["path"].removeprefix(base_path())
        headers = Headers(scope=scope)
        self.cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        schemes = (scope["scheme"], headers.get("x-forwarded-proto", "").partition(",")[0].strip())
        vouched = provider is not None and provider.is_encrypted
        self.is_encrypted = vouched or not {"https", "wss"}.isdisjoint(schemes)

    async def person(self):
        """The address of who is signed in, None for a stranger. Raises StoreError."""
        return await run_in_threadpool(self._person)

    async def refusal(self):
        """Why the request is refused, None if it is allowed; signing out ends the session. Raises StoreError."""
        if self.path == SIGN_OUT:
            await run_in_threadpool(self._end)
        if self.scope["method"] == "OPTIONS" or not self.path.startswith((UPLOAD, MEDIA)):
            return None
        person = await self.person()
        if person is None:
            return SIGN_IN_FIRST
        if self.path.startswith(UPLOAD):
            tab = self.path.removeprefix(UPLOAD).partition("/")[0]
            return None if places().person_of(tab) == person else NOT_YOURS
        people = {places().person_of(tab) for tab in tabs_showing(self.path)} - {None}
        return None if not people or person in people else NOT_YOURS  # a page that is drawn anew holds nothing for now

    async def begin(self, set_cookies):
        """Begin the session of the account that ``set_cookies``, headers, name, if any. Raises WorkbenchError."""
        cookies = {}
        for header in set_cookies:
            cookies |= cookie_parser(header.partition(";")[0])
        key = signing.browser_key(cookies)
        if key is not None:
            await run_in_threadpool(self._begin, self.provider.account(signing.claims(cookies)), key)

    def secure_cookies(self, send):
        """``send``, with cookies that last as long as a sign-in and, on an encrypted server, are sent encrypted."""

        async def send_with_cookies(message: MutableMapping):
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [(name, self._secured(name, value)) for name, value in message.get("headers", ())]
            await send(message)

        return send_with_cookies

    def forget_cookies(self):
        """Remove the cookies of a sign-in from the request."""
        remaining = "; ".join(f"{name}={value}" for name, value in self.cookies.items() if not is_of_sign_in(name))
        self.scope = {**self.scope, "headers": list(self.scope["headers"])}
        headers = MutableHeaders(scope=self.scope)
        del headers["cookie"]
        if remaining:
            headers["cookie"] = remaining

    def _person(self):
        key = signing.browser_key(self.cookies)
        return None if key is None else open_workspace().store.signed_in(key, self.provider.days)

    def _begin(self, account, key):
        open_workspace().store.begin_session(account, key, self.provider.days)
        self._end()  # of whoever was signed in here before

    def _end(self):
        key = signing.browser_key(self.cookies)
        if key is not None:
            open_workspace().store.end_session(key)

    def _secured(self, name, value):
        if name.lower() != b"set-cookie":
            return value
        first, *parts = [part.strip() for part in value.decode("latin-1").split(";")]
        if self.provider is not None and is_of_sign_in(first.partition("=")[0]):
            life = f"Max-Age={self.provider.days * DAY}"
            parts = [life if part.lower().startswith("max-age=") and part[-2:] != "=0" else part for part in parts]
        if self.is_encrypted and "secure" not in map(str.lower, parts):
            parts.append("Secure")
        return "; ".join([first, *parts]).encode("latin-1")


def base_path():
    """What stands before the paths of this server: nothing, or such as ``/workbench``."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def is_of_sign_in(cookie):
    """Whether a cookie of that name says who somebody is: Streamlit's, its parts, and what goes with it."""
    return cookie.strip().startswith(USER_COOKIE_NAME)


def tabs_showing(path):
    """The tabs that have made what lies at a path of media, and show it now."""
    if not runtime.exists():
        return []
    number = PurePosixPath(path).stem
    files = dict(runtime.get_instance().media_file_mgr._files_by_session_and_coord)
    return [tab for tab, places_of_it in files.items() if number in list(places_of_it.values())]
