"""First light in a real browser: say what you know, press Train, watch the trees change; nothing is ever lost."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.store import Store
from tests.browser.waiting import wait_for

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 480_000  # milliseconds after which something hangs
OUTCOME = re.compile("arcs moved|all arcs are new")
expect.set_options(timeout=PATIENCE)
# A killed server leaves its page without a connection, and the page says so each time it asks for news.
DEAD = ("WebSocket onclose", "when disconnected from server")
HARMLESS = ("_stcore/", *DEAD, "Unrecognized feature", "An iframe which", "[Violation]")


class Server:
    """The app in a process of its own over a data folder that outlives it."""

    def __init__(self, home):
        self.home, self.process = home, None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--server.fileWatcherType=none", "--browser.gatherUsageStats=false"]
        surroundings = os.environ | {"WORKBENCH_HOME": str(self.home), "HOME": str(self.home)}
        surroundings.pop("WORKBENCH_DATABASE", None)
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                assert self.process.poll() is None, (self.home / "server.log").read_text(errors="replace")[-2000:]
                time.sleep(0.1)
        pytest.fail("the server did not answer within a minute")

    def kill(self):
        """As a power cut would: no chance to tidy up."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=20)


@pytest.fixture
def server(tmp_path):
    """A Server that may be killed."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def page(browser):
    """An empty tab, which may lose its server."""
    session = browser.new_context(viewport={"width": 1280, "height": 800})
    page = session.new_page()
    page.set_default_timeout(60_000)
    complaints = []
    page.on("console", lambda message: complaints.append(said(message)) if is_complaint(message) else None)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    yield page
    session.close()
    assert not complaints, complaints


def said(message):
    return f"{message.type}: {message.text} {message.location.get('url', '')}"


def is_complaint(message):
    harmless = any(part in said(message) for part in HARMLESS)
    return message.type in ("warning", "error") and not harmless


@pytest.fixture
def constraints(open_app, start_app):
    """(the page, open; the folder of its store), of a server that other tests share."""
    page = open_app("app.py", path="/constraints")
    page.set_default_timeout(PATIENCE)
    seen_constraints(page)
    return page, start_app.folders["app.py"]


def seen_constraints(page):
    expect(page.get_by_role("heading", name="Constraints")).to_be_visible()
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible(timeout=PATIENCE)


def train_button(page):
    return page.get_by_role("button", name="Train", exact=True)


def train(page):
    train_button(page).click()
    expect(page.get_by_text(OUTCOME).first).to_be_visible(timeout=PATIENCE)
    expect(train_button(page)).to_be_enabled(timeout=PATIENCE)


def first_heads(page):
    """What the words of the drawn sentence say of their heads."""
    return page.locator(".st-key-ge_tree g.word").evaluate_all("words => words.map(w => w.getAttribute('aria-label'))")


def stored(home):
    """(constraint text, runs) as they stand on disk."""
    store = Store.open(f"sqlite:///{home}/workbench.sqlite")
    project = store.default_project()
    documents = store.documents(project, "constraints")
    runs = store.runs(project)
    store.close()
    return next(iter(documents.values()), None), runs


def test_write_a_constraint_train_undo_reload(constraints, pick):
    page, home = constraints
    untrained = first_heads(page)
    pick(page, "ge_form_head", "VERB")
    expect(page.get_by_text("determiners followed by a verb")).to_be_visible()
    pick(page, "ge_form_modifier", "ADV")
    expect(page.get_by_text("adverbs followed by a verb")).to_be_visible()
    page.locator(".st-key-ge_add button").click()
    expect(page.get_by_text("Saved ADV ← VERB per modifier = 0.9")).to_be_visible()
    assert stored(home)[0].splitlines()[-1] == "ADV <- VERB per modifier = 0.9"

    train(page)
    wait_for(lambda: first_heads(page) != untrained)
    text, runs = stored(home)
    assert runs[0].status == "done"
    assert "ADV <- VERB per modifier = 0.9" in runs[0].constraint_text

    page.mouse.click(640, 5)
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Undid adding ADV ← VERB per modifier = 0.9")).to_be_visible()
    expect(page.get_by_text("has changed since this run", exact=False)).to_be_visible()
    assert stored(home)[0] is None
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_text("Redid adding ADV ← VERB per modifier = 0.9")).to_be_visible()
    assert stored(home)[0] == text

    trained = first_heads(page)
    page.reload()
    expect(page.get_by_text(OUTCOME).first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible()
    wait_for(lambda: first_heads(page) == trained)
    expect(page.locator(".st-key-shared_undo button").first).to_be_enabled()
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text("Undid adding ADV", exact=False)).to_be_visible()


def test_text_is_checked_and_saved_while_it_is_typed(constraints):
    page, home = constraints
    page.locator(".st-key-ge_view").get_by_text("Text").click()
    editor = page.locator(".st-key-ge_editor textarea")
    editor.fill("DET <- NOUN per modifier = 0.9\nDET <- NUON = 0.9\n")
    expect(page.get_by_text("Line 2: no word", exact=False)).to_be_visible()
    expect(page.get_by_text("did you mean NOUN?", exact=False)).to_be_visible()
    editor.press("Control+Home")
    editor.press_sequentially("# mine\n", delay=30)
    expect(page.get_by_text("Line 3: no word", exact=False)).to_be_visible()
    assert editor.input_value() == "# mine\nDET <- NOUN per modifier = 0.9\nDET <- NUON = 0.9\n"
    assert stored(home)[0] == editor.input_value()
    editor.press("Control+z")
    expect(page.get_by_text("Undid editing the constraints")).to_be_visible()
    expect(editor).not_to_have_value("# mine\nDET <- NOUN per modifier = 0.9\nDET <- NUON = 0.9\n")


def test_a_killed_server_loses_nothing_and_the_run_goes_on(page, server):
    slow = "".join(
        f"{a} {arrow} {b} dist {d} = 0.{(7 * d + len(a) * len(b)) % 10}\n"
        for a in ("NOUN", "VERB", "ADP", "PRON", "DET")
        for b in ("NOUN", "VERB", "ADJ", "ADV")
        for arrow in ("->", "<-")
        for d in (1, 2)
        if a != b
    )
    page.goto(f"{server.address}/constraints")
    seen_constraints(page)
    page.get_by_role("radio", name="Tree CRF").click()  # which keeps checkpoints
    page.locator(".st-key-ge_view").get_by_text("Text").click()
    page.locator(".st-key-ge_editor textarea").fill(slow)
    wait_for(lambda: stored(server.home)[0] == slow)
    train_button(page).click()
    expect(page.get_by_test_id("stProgress").first).to_be_visible(timeout=PATIENCE)  # drawn by a file of its own
    wait_for(lambda: checkpoint_of(server) is not None, seconds=120)
    server.kill()
    text, runs = stored(server.home)
    assert text == slow
    assert runs[0].status == "running"

    page.goto("about:blank")
    server.start()
    page.goto(f"{server.address}/constraints")
    seen_constraints(page)
    expect(page.get_by_text("was interrupted at iteration", exact=False)).to_be_visible(timeout=PATIENCE)
    assert stored(server.home)[0] == slow
    assert stored(server.home)[1][0].status == "interrupted"
    page.locator(".st-key-ge_resume").get_by_role("button", name="Resume").click()
    expect(page.get_by_text(OUTCOME).first).to_be_visible(timeout=3 * PATIENCE)
    runs = stored(server.home)[1]
    assert len(runs) == 1
    assert runs[0].status == "done"
    assert [entry["iteration"] for entry in trace_of(server)] == list(range(1, runs[0].figures["iterations"] + 1))


def checkpoint_of(server):
    store = Store.open(f"sqlite:///{server.home}/workbench.sqlite")
    runs = store.runs(store.default_project(), "ge")
    data = store.checkpoint_bytes(runs[0].id) if runs else None
    store.close()
    return data


def trace_of(server):
    store = Store.open(f"sqlite:///{server.home}/workbench.sqlite")
    run = store.runs(store.default_project(), "ge")[0]
    trace = store.trace(run.id)
    store.close()
    return trace
