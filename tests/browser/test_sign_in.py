"""Signing in with a provider of the test's own, behind nginx: two people, a project shared, and a stranger."""

import base64
import contextlib
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.browser.served import behind_nginx, free_port
from tests.filled import filled
from tests.patience import WAIT

pytestmark = pytest.mark.browser
KEY = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
ANA, BEN, EVE = "ana@example.org", "ben@example.org", "eve@example.org"
SAVED_BY_ANA = re.compile("by ana\u2060?@example.org$")  # where it is shown, an address is no link
CLIENT = "workbench"


class Provider(BaseHTTPRequestHandler):
    """As much of OpenID Connect as signing in takes; whoever clicks a name is that person."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        issuer = f"http://{self.headers['Host']}"
        if address.path == "/.well-known/openid-configuration":
            found = {"issuer": issuer, "jwks_uri": f"{issuer}/keys", "response_types_supported": ["code"]}
            found |= {f"{name}_endpoint": f"{issuer}/{name}" for name in ("authorization", "token")}
            found |= {"subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}
            self._answer(json.dumps(found))
        elif address.path == "/keys":
            self._answer(json.dumps({"keys": [KEY.as_dict(private=False)]}))
        elif address.path == "/authorization":
            links = ""
            for person in (ANA, BEN, EVE):
                code = base64.urlsafe_b64encode(json.dumps([person, query.get("nonce")]).encode()).decode()
                answer = urllib.parse.urlencode({"code": code, "state": query["state"]})
                links += f'<p><a href="{query["redirect_uri"]}?{answer}">{person}</a></p>'
            self._answer(f"<title>Who are you?</title>{links}", "text/html")
        else:
            self.send_error(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        person, nonce = json.loads(base64.urlsafe_b64decode(dict(urllib.parse.parse_qsl(body))["code"]))
        now = int(time.time())
        claims = {"iss": f"http://{self.headers['Host']}", "sub": person, "aud": CLIENT, "iat": now, "exp": now + 600}
        claims |= {"email": person, "email_verified": True, "nonce": nonce}
        token = jwt.encode({"alg": "RS256", "kid": "test"}, claims, KEY)
        self._answer(json.dumps({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": token}))

    def _answer(self, text, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Quiet."""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(address, processes) of workbenches with sign-in: two behind nginx."""
    home, port = tmp_path_factory.mktemp("served"), free_port()
    with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as provider:
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        secrets = home / "secrets.toml"
        secrets.write_text(
            f"""[auth]
redirect_uri = "http://127.0.0.1:{port}/workbench/oauth2callback"
cookie_secret = "only for this test, and long enough"
client_id = "{CLIENT}"
client_secret = "none"
server_metadata_url = "http://127.0.0.1:{provider.server_port}/.well-known/openid-configuration"
""",
            encoding="utf-8",
        )
        with behind_nginx(home, port, [f"--secrets.files={secrets}"]) as processes:
            yield f"http://127.0.0.1:{port}/workbench", processes
        provider.shutdown()


@pytest.fixture
def sign_in(browser, served):
    """sign_in(person) -> a page on which that person is signed in, in a browser of her own."""
    with contextlib.ExitStack() as stack:

        def sign_in(person):
            session = browser.new_context(viewport={"width": 1280, "height": 900})
            stack.callback(session.close)
            page = session.new_page()
            page.set_default_timeout(WAIT)
            page.goto(f"{served[0]}/projects")
            expect(page.get_by_text("Sign in to open your projects")).to_be_visible()
            expect(page.get_by_test_id("stSelectbox")).to_have_count(0)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name=person).click()
            expect(page.locator(".st-key-shared_project_menu")).to_be_visible()
            return page

        yield sign_in


def open_projects(page):
    """Go there by the menu, which takes a third of what a page takes that is loaded."""
    settle(page)
    page.locator(".st-key-shared_project_menu button").first.click()
    page.get_by_role("link", name="All projects").click()
    expect(page.get_by_role("heading", name="This project:")).to_be_visible()
    settle(page)


def annotate_at_once(ana, ben, address):
    """Both move the first word: hers stays, he is told and sees hers, and cannot take it back."""
    for page in (ana, ben):
        page.goto(address)
        expect(page.locator("g.word").first).to_be_focused()
        expect(page.locator("g.word").first).to_have_attribute("aria-label", re.compile("head 2 "))
        settle(page)  # a run that came after hers would bring him her change before he makes his
    for key in ("h", "c", "Enter"):
        ana.keyboard.press(key)
    expect(ana.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun")
    for key in ("h", "d", "Enter"):
        ben.keyboard.press(key)
    expect(ben.get_by_role("alert").filter(has_text="has been changed since")).to_be_visible()
    for page in (ana, ben):
        expect(page.locator("g.word").first).to_have_attribute("aria-label", re.compile("head 3 "))
    expect(ben.get_by_text(SAVED_BY_ANA).first).to_be_visible()
    expect(ben.locator(".st-key-shared_undo button").first).to_be_disabled()
    expect(ana.locator(".st-key-shared_undo button").first).to_be_enabled()


def test_two_people_share_a_project(sign_in, served):
    shared = f"{served[0]}/projects?project=Shared+words"
    ana, ben = sign_in(ANA), sign_in(BEN)
    open_projects(ana)
    ana.get_by_label("Name", exact=True).fill("Shared words")
    ana.locator(".st-key-projects_rename button").click()
    expect(ana.get_by_role("heading", name="This project: Shared words")).to_be_visible()
    settle(ana)
    ana.get_by_label("E-mail address").fill(BEN)
    ana.get_by_role("button", name="Add", exact=True).click()
    expect(ana.get_by_text(re.compile("ben.?@example.org is now annotator"))).to_be_visible()
    ben.goto(shared)
    expect(ben.get_by_role("heading", name="This project: Shared words")).to_be_visible()
    expect(ben.locator(".st-key-projects_rename button")).to_be_disabled()
    expect(ben.get_by_text(SAVED_BY_ANA).first).to_be_visible()  # who saved last
    annotate_at_once(ana, ben, shared.replace("projects", "annotate"))
    eve = sign_in(EVE)
    eve.goto(shared.replace("projects", "annotate"))  # a link that she was sent
    expect(eve.get_by_text("There is no project 'Shared words' here")).to_be_visible()
    expect(eve.get_by_text("ana")).to_have_count(0)
    ana.goto(shared)
    settle(ana)
    ana.locator(f"[class*='{re.sub('[@.]', '-', BEN)}_out'] button").click()
    expect(ana.get_by_label(f"Role of {BEN}")).to_have_count(0)
    ben.reload()  # a tab that he had open, and a link that was good
    expect(ben.get_by_text(re.compile("There is no project"))).to_be_visible()
    settle(ben)
    ben.locator(".st-key-shared_project_menu button").first.click()
    leave(ben, "Sign out")


def leave(page, button):
    """Sign out, by the menu that is open."""
    page.get_by_role("button", name=button, exact=True).wait_for()
    settle(page)  # a click on a button that is drawn anew is lost
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_text("Sign in to open your projects")).to_be_visible()


def test_signing_out_ends_a_session_here_and_everywhere(sign_in, served, browser):
    first, second = sign_in(ANA), sign_in(ANA)
    open_projects(first)
    first.get_by_role("button", name="Create", exact=True).wait_for()
    taken = first.context.storage_state()  # by somebody who has been at her browser
    for cookie in filled(taken["cookies"]):
        if cookie["name"].startswith("_streamlit_user"):
            assert time.time() + 13.9 * 86400 < cookie["expires"] < time.time() + 14.1 * 86400
    second.locator(".st-key-shared_project_menu button").first.click()
    leave(second, "Sign out everywhere")
    first.get_by_role("button", name="Create", exact=True).click()  # in a page that was open
    expect(first.get_by_text("You were signed out; what you have done is saved.")).to_be_visible()
    expect(first.get_by_test_id("stSelectbox")).to_have_count(0)
    session = browser.new_context(storage_state=taken)
    thief = session.new_page()
    thief.goto(f"{served[0]}/projects")
    expect(thief.get_by_text("Sign in to open your projects")).to_be_visible()
    session.close()
    first.get_by_role("button", name="Sign in").click()
    first.get_by_role("link", name=ANA).click()
    expect(first.locator(".st-key-shared_project_menu")).to_be_visible()
    open_projects(first)
    with first.expect_download() as waiting:
        first.get_by_role("button", name="Download a backup").click()
    assert waiting.value.path().stat().st_size > 0


def test_what_the_proxy_lets_through(served):
    address, processes = served
    with urllib.request.urlopen(f"{address}/") as answer:
        headers = answer.headers
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"] and headers["X-Frame-Options"] == "SAMEORIGIN"
    assert len(headers.get_all("Content-Security-Policy")) == len(headers.get_all("X-Frame-Options")) == 1
    assert "HttpOnly" in next(cookie for cookie in headers.get_all("Set-Cookie") if cookie.startswith("workbench="))
    root = address.removesuffix("/workbench")
    for path in ("/metrics", "/healthz", "/workbench/_stcore/metrics", "/workbench/metrics"):
        assert refusal(f"{root}{path}") == 404
    with urllib.request.urlopen(f"{address}/healthz") as answer:
        assert all(json.load(answer).values())
    upload = f"{address}/_stcore/upload_file/session/file"
    refused = {refusal(upload, "PUT", b"x" * 2_000_000) for _ in range(5)}  # past nginx, whose own limit is 1 MB
    assert refused == {403}  # nobody has signed in; answered each time, and no upstream counts as gone
    assert refusal(f"{address}/media/picture.png") == 403
    assert refusal(f"{address}/", headers={"Host": "evil.example"}) == 421
    assert refusal(upload, "PUT", b"x", {"Content-Length": str(120 << 20)}) == 413
    for each in filled(processes):
        figures = each.metrics()
        assert figures["process_resident_memory_bytes"] > 0 and 'workbench_jobs{status="running"}' in figures


def refusal(url, method="GET", data=None, headers=None):
    """The number of the error that is answered, None without one."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers or {}, method=method), timeout=20):
            return None
    except urllib.error.HTTPError as error:
        return error.code
