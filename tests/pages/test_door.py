"""Who is let in: the app as its server has it, and the door alone, in front of an app that says what it was asked."""

import asyncio
import json
import random
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.config import get_option, set_option
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.errors import StoreError
from pages.shared import visit
from pages.shared.admission import places
from pages.shared.door import Door, Incoming, drop_body
from tests.asgi import Socket, ask, result_of
from tests.spoiled_secrets import SPOILED, WHOLE, spoil

ANA, BEN = "ana@x.org", "ben@x.org"
PATHS = ("/", "/projects", "/healthz", "/metrics", "/media/x.png", "/_stcore/upload_file/a/b", "/_stcore/health")
SECRET = "a long random text"  # of WHOLE
CHUNK = b"x" * 1000


@pytest.fixture
def options():
    """options(name=value) sets options of Streamlit, until the test ends."""
    usual = {}

    def options(**values):
        for name, value in values.items():
            name = name.replace("_", ".")
            usual.setdefault(name, get_option(name))
            set_option(name, value)

    yield options
    for name, value in usual.items():
        set_option(name, value)


@pytest.fixture
def secrets(home, options):
    """The file of secrets of a store with members."""
    options(secrets_files=[str(home / "secrets.toml")], server_address="127.0.0.1")
    return home / "secrets.toml"


@pytest.fixture
def store(workbench):
    workbench.store.set_role(workbench.store.default_project(), ANA, "owner")
    return workbench.store


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_secrets_let_nobody_in(secrets, store, name):
    from app import app

    said = spoil(secrets, name).replace("'", "&#x27;")
    for path in PATHS:
        answer = ask(app, path, method="PUT" if "upload" in path else "GET", body=[CHUNK])
        assert answer.status == 503 and f"<p>{said}" in answer.text and answer.read_before == 0
        assert b"content-security-policy" in dict(answer.headers)

    async def talk():
        return await Socket(app).end()

    assert result_of(talk()) == 1008


class Inside:
    """In place of Streamlit: signs whom it is told to, and says which cookies it sees."""

    def __init__(self):
        self.signs, self.path, self.talking, self.accepted = None, "", [], asyncio.Queue()

    async def __call__(self, scope, receive, send):
        self.path = scope["path"]
        if scope["type"] == "websocket":
            socket = WebSocket(scope, receive, send)
            await socket.accept()
            self.talking.append(socket)
            self.accepted.put_nowait(socket)
            while (await socket.receive())["type"] != "websocket.disconnect":
                continue
            return
        answer = PlainTextResponse("inside")
        answer.set_cookie("_streamlit_xsrf", "1")
        if scope["path"].endswith("/oauth2callback"):
            set_cookie_with_chunks(
                lambda name, value: answer.set_cookie(name, sign(name, value).decode(), 30 * 24 * 3600, httponly=True),
                sign, USER_COOKIE_NAME, self.signs, cookie_attr_size=100,
            )  # fmt: skip
            answer.delete_cookie(f"{USER_COOKIE_NAME}_9")
        await answer(scope, receive, send)


def sign(name, value):
    return create_signed_value(SECRET, name, value)


def signed(**claims):
    return sign(USER_COOKIE_NAME, json.dumps(claims)).decode()


def cookie(person, nonce="1"):
    """The header of a browser in which a person has come back from the provider."""
    return f"a=b; {USER_COOKIE_NAME}={signed(**said_of(person, nonce))}; c=d"


def said_of(person, nonce="1", verified=True, subject=None, **more):
    return {"iss": "i", "sub": subject or person, "email": person, "email_verified": verified, "nonce": nonce} | more


@pytest.fixture
def inside(secrets, store, monkeypatch):
    """What lies behind a Door of a server with sign-in."""
    secrets.write_text(WHOLE, encoding="utf-8")
    monkeypatch.setattr("pages.shared.signing.get_cookie_secret", lambda: SECRET)
    return Inside()


@pytest.fixture
def door(inside):
    return Door(inside)


def test_who_has_the_link_of_an_exercise_needs_no_account(door):
    for method in ("GET", "POST"):
        answer = ask(door, "/exercise/0123456789", method=method, body=[b"{}"])
        assert answer.status == 200 and answer.text == "inside"


@pytest.fixture
def come_back(inside, door):
    """come_back(person, ...) -> the Answer when that person comes back from the provider."""

    def come_back(person, cookies="", **claims):
        inside.signs = said_of(person, **claims)
        return ask(door, "/oauth2callback", cookie=cookies)

    return come_back


def upload(door, tab="tab", **headers):
    return ask(door, f"/_stcore/upload_file/{tab}/file", method="PUT", body=[CHUNK] * 3, **headers)


def test_what_a_stranger_sends_is_refused_unread_and_dropped(door, inside, store):
    for headers in ({}, {"cookie": cookie(ANA)}, {"cookie": f"{USER_COOKIE_NAME}=forged"}):
        answer = upload(door, **headers)
        assert answer.status == 403 and "Sign in first" in answer.text and inside.path == ""
        assert answer.read_before == 0 and answer.read == 3  # closed before, it would be reset, and the answer lost
        assert dict(answer.headers)[b"connection"] == b"close"
    assert ask(door, "/media/x.png").status == 403
    for path in ("/", "/projects", "/static/a.js", "/_stcore/health", "/auth/login"):
        assert ask(door, path).status == 200


def test_an_upload_that_never_ends_is_cut_off(door, store, monkeypatch):
    monkeypatch.setattr("pages.shared.door.MOST_DROPPED", 2 * len(CHUNK))
    assert upload(door).read == 2
    monkeypatch.setattr("pages.shared.door.LINGER", 0)

    async def silence():
        await asyncio.Event().wait()

    assert result_of(drop_body(Incoming(silence))) is None


def test_nothing_is_waited_for_where_the_store_fails_after_a_body_was_read(inside):
    async def reads(_, receive, __):
        while (await receive())["more_body"]:
            continue
        raise StoreError("the store cannot be read")

    answer = ask(Door(reads), method="POST", body=[CHUNK] * 3, cookie=cookie(ANA))
    assert answer.status == 503 and "the store cannot be read" in answer.text and answer.read == 3


def test_a_session_begins_where_somebody_comes_back_and_ends_where_they_leave(door, come_back, store):
    tab = places()
    assert tab.ask("tab", lambda _: True, ANA) == 0
    answer = come_back(ANA)
    assert answer.status == 200 and [each["browsers"] for each in store.people()] == [1]
    assert upload(door, cookie=cookie(ANA)).status == 200
    assert "Sign in first" in upload(door, cookie=cookie(ANA, "2")).text  # another browser of hers
    ask(door, "/auth/logout", cookie=cookie(ANA))
    assert upload(door, cookie=cookie(ANA)).status == 403 and store.people()[0]["browsers"] == 0


def test_a_browser_in_which_somebody_else_signs_in_is_theirs(door, come_back, store):
    come_back(ANA)
    come_back(BEN, cookie(ANA))
    assert {each["person"]: each["browsers"] for each in store.people()} == {ANA: 0, BEN: 1}


def test_what_a_provider_says_may_need_several_cookies(door, come_back):
    places().ask("tab", lambda _: True, ANA)
    given = come_back(ANA, groups=random.Random(0).randbytes(9000).hex()).cookies()
    brought = [f"{name}={each.value}" for name, each in given.items() if each.value]
    assert sum(each.startswith(USER_COOKIE_NAME) for each in brought) > 2
    assert upload(door, cookie="; ".join(brought)).status == 200
    assert upload(door, cookie="; ".join(brought[:-1])).status == 403


def test_who_cannot_be_somebody_is_told(door, come_back, store):
    answer = come_back(ANA, verified=False)
    assert answer.status == 403 and "Nobody has verified that ana@x.org is yours" in answer.text
    assert not answer.cookies() and store.people() == []
    come_back(ANA)
    answer = come_back(ANA, nonce="2", subject="another account")
    assert answer.status == 403 and "python -m core person release ana@x.org" in answer.text and not answer.cookies()
    assert (
        "Sign in with another account" in answer.text and "Sign in first" in upload(door, cookie=cookie(ANA, "2")).text
    )


@pytest.mark.parametrize(
    "uri, forwarded, secure", [("https", "http", True), ("http", "https", True), ("http", "", False)]
)
def test_cookies_live_as_long_as_asked_and_travel_encrypted(come_back, secrets, monkeypatch, uri, forwarded, secure):
    secrets.write_text(WHOLE.replace("https://bench", f"{uri}://bench"), encoding="utf-8")
    st.cache_resource.clear()
    monkeypatch.setenv("WORKBENCH_SESSION_DAYS", "3")
    inside = Inside()
    inside.signs = said_of(ANA)
    given = ask(Door(inside), "/oauth2callback", x_forwarded_proto=forwarded).cookies()
    assert given[USER_COOKIE_NAME]["max-age"] == str(3 * 24 * 3600) and given[USER_COOKIE_NAME]["httponly"]
    assert given[f"{USER_COOKIE_NAME}_9"]["max-age"] == "0" and given["_streamlit_xsrf"]["max-age"] == ""
    assert {bool(each["secure"]) for each in given.values()} == {secure}


def test_files_are_given_to_who_has_the_page(door, come_back, monkeypatch):
    held = {"tab of ana": {"1": "picture"}, "tab of ben": {"1": "picture", "2": "download"}, "closed": {"1": "old"}}
    manager = SimpleNamespace(media_file_mgr=SimpleNamespace(_files_by_session_and_coord=held))
    monkeypatch.setattr(visit.runtime, "exists", lambda: True)
    monkeypatch.setattr(visit.runtime, "get_instance", lambda: manager)
    for person in (ANA, BEN):
        come_back(person)
        places().ask(f"tab of {person[:3]}", lambda _: True, person)

    def fetched(name, person):
        return ask(door, f"/media/{name}", cookie=cookie(person)).status

    assert fetched("picture.png", ANA) == fetched("picture.png", BEN) == 200
    assert (fetched("download.zip", ANA), fetched("download.zip", BEN)) == (403, 200)
    assert fetched("old.png", ANA) == 200  # of a page that is just drawn anew
    assert upload(door, "tab of ben", cookie=cookie(ANA)).status == 403
    assert upload(door, "tab of ben", cookie=cookie(BEN)).status == 200


def test_only_the_server_s_own_names_are_answered(door, inside, options):
    for host in ("localhost:8501", "127.0.0.1", "bench.example.org"):  # the last from redirect_uri
        assert ask(door, "/", host=host).status == 200
    inside.path = ""
    for host in ("evil.example", None, "<b>"):
        for path in PATHS:
            answer = ask(door, path, host=host)
            assert answer.status == 421 and "does not go by the name" in answer.text and "<b>" not in answer.text
    assert ask(door, "/", host="localhost", Host="evil.example").status == 421  # two of them

    async def talk():
        return await Socket(door, host="evil.example").end()

    assert result_of(talk()) == 1008 and inside.path == ""
    options(server_allowedHosts=["*.team.example"], browser_serverAddress="mine.example")
    assert ask(door, "/", host="a.team.example").status == ask(door, "/", host="mine.example").status == 200


def test_in_a_workbench_of_one_user_the_host_is_checked_too(secrets, monkeypatch):
    monkeypatch.setenv("WORKBENCH_SIGN_IN", "off")
    door = Door(Inside())
    assert ask(door, "/", host="evil.example").status == 421 and ask(door, "/").status == 200
    assert upload(door).status == 200  # which is Streamlit's to check


def test_sockets_of_strangers_are_few_and_bring_no_dead_cookies(inside, come_back):
    door, of_ana = Door(inside, strangers=2), cookie(ANA)
    come_back(ANA)

    async def talk():
        sockets = []
        for brought in (cookie(BEN), cookie(BEN), of_ana, cookie(BEN)):
            sockets.append(Socket(door, cookie=brought))
            await inside.accepted.get()
        strangers, ana = [sockets[0], sockets[1], sockets[3]], sockets[2]
        assert await strangers[0].end() == 1013  # the oldest
        seen = sorted(socket.headers["cookie"] for socket in inside.talking)
        strangers[1].say(b"x" * (1 << 20) + b"x")
        assert await strangers[1].end() is None  # which was not read, and the talk is over
        assert not strangers[2].task.done() and not ana.task.done()
        ana.say(b"x" * (1 << 21))
        strangers[2].words.put_nowait({"type": "websocket.disconnect", "code": 1001})
        ana.words.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.gather(strangers[2].end(), ana.end())
        return seen

    assert result_of(talk()) == [of_ana, "a=b; c=d", "a=b; c=d", "a=b; c=d"] and not door.sockets


def test_a_store_that_does_not_answer_lets_nobody_in(door, come_back, home, monkeypatch):
    come_back(ANA)
    (home / "workbench.sqlite").write_bytes(b"no database" * 1000)
    for name in ("-wal", "-shm"):
        (home / f"workbench.sqlite{name}").unlink(missing_ok=True)
    st.cache_resource.clear()
    answer = upload(door, cookie=cookie(ANA))
    assert answer.status == 503 and "is not a database" in answer.text
