"""Who has signed in: the provider of this server, and what a browser's cookie says of an account."""

import hashlib
import json
import os
from typing import Any

import streamlit as st
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.serving.sign_in import DAYS, SIGN_IN, UNVERIFIED, Provider, sign_in
from core.store.database import has_members

DECIDES = (SIGN_IN, UNVERIFIED, DAYS, "WORKBENCH_HOME", "WORKBENCH_DATABASE")


def provider() -> Provider | None:
    """Who vouches for people here, as it was decided when the server began; None where it has one user.

    Raises WorkbenchError where people must sign in and cannot; that is asked again each time.
    """
    return _provider(*circumstances())


def circumstances() -> tuple:
    """What decides who vouches for people: files of secrets, and the environment."""
    return tuple(st.get_option("secrets.files")), *map(os.environ.get, DECIDES)


@st.cache_resource(max_entries=32, show_spinner=False)
def _provider(files, *_environment):
    return sign_in(os.environ, files, has_members)


def signed(cookies) -> bytes | None:
    """What Streamlit has signed in a browser's cookies about its account; None where it has signed nothing."""
    secret = get_cookie_secret()

    def part(name):
        value = cookies.get(name)
        return decode_signed_value(secret, name, value.encode("latin-1")) if value else None

    return get_cookie_with_chunks(part, USER_COOKIE_NAME)


def browser_key(cookies) -> str | None:
    """What a browser is known by in the store: SHA-256 of what is signed, which is another one with each sign-in."""
    value = signed(cookies)
    return None if value is None else hashlib.sha256(value).hexdigest()


def claims(cookies) -> dict[str, Any]:
    """What the provider has said of the account."""
    return json.loads(signed(cookies) or b"{}")
