"""Signing in with a provider of the test's own: two people, a project shared, and signing out."""

import base64
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # milliseconds
ROOT = Path(__file__).resolve().parents[2]
KEY = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
PEOPLE = ("ana@example.org", "ben@example.org")
SAVED_BY_ANA = re.compile("by ana\u2060?@example.org$")  # where it is shown, an address is no link
CLIENT = "workbench"


class Provider(BaseHTTPRequestHandler):
    """As much of OpenID Connect as signing in takes; whoever clicks a name is that person."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        issuer = f"http://{self.headers['Host']}"
        if address.path == "/.well-known/openid-configuration":
            endpoints = {"authorization": "authorize", "token": "token"}
            found = {f"{name}_endpoint": f"{issuer}/{path}" for name, path in endpoints.items()}
            found |= {"issuer": issuer, "jwks_uri": f"{issuer}/keys", "response_types_supported": ["code"]}
            found |= {"subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}
            self._answer(found)
        elif address.path == "/keys":
            self._answer({"keys": [KEY.as_dict(private=False)]})
        elif address.path == "/authorize":
            links = ""
            for person in PEOPLE:
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
        self._answer({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": token})

    def _answer(self, value, kind="application/json"):
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Quiet."""


@pytest.fixture
def address(tmp_path):
    """Where a workbench with sign-in runs."""
    with contextlib.ExitStack() as stack:
        provider = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Provider))
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        stack.callback(provider.shutdown)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(
            f"""[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "only for this test, and long enough"
client_id = "{CLIENT}"
client_secret = "none"
server_metadata_url = "http://127.0.0.1:{provider.server_port}/.well-known/openid-configuration"
""",
            encoding="utf-8",
        )
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "app.py",
            "--server.headless=true",
            f"--server.port={port}",
        ]
        command += ["--browser.gatherUsageStats=false", "--server.fileWatcherType=none", f"--secrets.files={secrets}"]
        surroundings = os.environ | {"HOME": str(tmp_path), "WORKBENCH_HOME": str(tmp_path)}
        with (tmp_path / "server.log").open("wb") as log:
            server = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=log, stderr=log)
        stack.callback(server.wait, 20)
        stack.callback(server.terminate)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                    break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None, (tmp_path / "server.log").read_text(errors="replace")[-2000:]
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def sign_in(browser, address):
    """sign_in(person) -> a page on which that person is signed in, in a browser of her own."""
    with contextlib.ExitStack() as stack:

        def sign_in(person):
            session = browser.new_context(viewport={"width": 1280, "height": 900})
            stack.callback(session.close)
            page = session.new_page()
            page.set_default_timeout(60_000)
            page.goto(f"{address}/projects")
            expect(page.get_by_text("Sign in to open your projects")).to_be_visible()
            expect(page.get_by_test_id("stSelectbox")).to_have_count(0)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name=person).click()
            expect(page.locator(".st-key-shared_project_menu")).to_be_visible()
            return page

        yield sign_in


def annotate_at_once(ana, ben, address):
    """Both move the first word: hers stays, he is told and sees hers, and cannot take it back."""
    word = "g.word"
    for page in (ana, ben):
        page.goto(address)
        expect(page.locator(word).first).to_be_focused()
        expect(page.locator(word).first).to_have_attribute("aria-label", re.compile("head 2 "))
    for key in ("h", "c", "Enter"):
        ana.keyboard.press(key)
    expect(ana.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun")
    for key in ("h", "d", "Enter"):
        ben.keyboard.press(key)
    expect(ben.get_by_role("alert").filter(has_text="has been changed since")).to_be_visible()
    for page in (ana, ben):
        expect(page.locator(word).first).to_have_attribute("aria-label", re.compile("head 3 "))
    expect(ben.get_by_text(SAVED_BY_ANA).first).to_be_visible()
    expect(ben.locator(".st-key-shared_undo button").first).to_be_disabled()
    expect(ana.locator(".st-key-shared_undo button").first).to_be_enabled()


def test_two_people_share_a_project(sign_in, address):
    ana, ben = (sign_in(person) for person in PEOPLE)
    ana.goto(f"{address}/projects")
    ana.get_by_label("Name", exact=True).fill("Shared words")
    ana.locator(".st-key-projects_rename button").click()
    expect(ana.get_by_role("heading", name="This project: Shared words")).to_be_visible()
    ben.goto(f"{address}/projects?project=Shared+words")  # a link to what is not his
    expect(ben.get_by_text("There is no project 'Shared words' here")).to_be_visible()
    ana.get_by_label("E-mail address").fill(PEOPLE[1])
    ana.get_by_role("button", name="Add", exact=True).click()
    expect(ana.get_by_text(re.compile("ben.?@example.org is now annotator"))).to_be_visible()
    ben.goto(f"{address}/projects?project=Shared+words")
    expect(ben.get_by_role("heading", name="This project: Shared words")).to_be_visible()
    expect(ben.locator(".st-key-projects_rename button")).to_be_disabled()
    expect(ben.get_by_text(SAVED_BY_ANA).first).to_be_visible()  # who saved last
    annotate_at_once(ana, ben, f"{address}/annotate?project=Shared+words")
    ben.locator(".st-key-shared_project_menu button").first.click()
    ben.get_by_role("button", name="Sign out").click()
    expect(ben.get_by_text("Sign in to open your projects")).to_be_visible()
