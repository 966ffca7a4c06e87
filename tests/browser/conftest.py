"""The app in a real browser: a server on a free port, Chromium through Playwright, and no word on the console.

    pytestmark = pytest.mark.browser

    def test_something(open_app):
        page = open_app("tests/browser/tree_app.py")          # path from the root of the repository
        page = open_app("app.py", path="/compare?sentence=3", color_scheme="dark")

Without a browser the tests skip, and say how to get one; with ``CI`` set they fail.
"""

import contextlib
import fcntl
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import TimeoutError, expect

from core.treebank import conllu_text, load_sample
from core.workspace import Workspace, add_corpus
from core.workspace.constraints.constraint_set import save_text
from core.workspace.registry import Systems
from core.workspace.runs.examples import FILE, KINDS
from tests.patience import PATIENCE, WAIT, wait_for

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"epochs": 1, "few": 2, "edges": 2000, "rounds": 0}  # to adapt
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
SCREEN = {"width": 1280, "height": 900}
SAID = 3_000  # characters of a page where a test failed
# Chromium's own remarks, which say nothing about the app.
expect.set_options(timeout=WAIT)
HARMLESS = ("Unrecognized feature", "An iframe which has both allow-scripts", "[Violation]")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """made(prepare) -> the folder that prepare(folder) filled, once for all workers; it is for copying."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(prepare):
        folder = shared / prepare.__name__
        with (shared / f"{prepare.__name__}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                begun = tmp_path_factory.mktemp(prepare.__name__)
                prepare(begun)
                begun.rename(folder)
        return folder

    return made


@pytest.fixture(scope="session", autouse=True)
def compiled(browser, made):
    """On a fresh checkout the compiler would run behind the first page; these tests are about the pages."""
    made(_kernels)


def _kernels(_):
    subprocess.run([sys.executable, "-m", "core", "warm"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def examples(made):
    """A store that holds all examples, as a file: each server would make its own, in ten seconds of processor."""
    return made(_examples) / FILE


def _examples(folder):
    workspace = Workspace.open(f"sqlite:///{folder}/made.sqlite")
    sample = workspace.store.corpora(workspace.store.default_project())[0]
    systems = Systems(workspace)
    systems["scl"].save(sample, "making it quick", **QUICK)
    for kind in KINDS:
        finish(systems[kind], sample)
    workspace.store.close()
    with contextlib.closing(sqlite3.connect(folder / "made.sqlite")) as store:
        store.execute("VACUUM INTO ?", (str(folder / FILE),))  # what its log still holds too


@pytest.fixture(scope="session")
def results(made):
    """The folder of a workbench with the examples and a text, short.conllu, of which runs of all kinds were made."""
    return made(_results)


def _results(folder):
    workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite")
    rows = np.flatnonzero(load_sample().lengths <= 9)[:30]
    banks = {
        "short.conllu": load_sample().select(rows),
        "heads.conllu": load_sample("function-heads").select(rows),
        "questions.conllu": load_sample("questions").limit(10),
    }
    store, project = workspace.store, workspace.store.default_project()
    one, other, questions = (
        store.corpus(add_corpus(store, project, name, conllu_text(bank.to_conllu()).encode())[0])
        for name, bank in banks.items()
    )
    systems, quick = Systems(workspace), {"order": 1, "epochs": 1}
    texts = {"treebanks": (f"corpus-{one.id}", f"corpus-{other.id}")}
    plans = {
        "induction": {"init": "harmonic", "level": "none", "stages": "8", "max_iterations": 4},
        "consensus": quick | {"tags": "upos"},
        "joint": quick | texts | {"candidates": 3, "rounds": 1, "stages": 1},
        "scl": QUICK | {"target": questions.id},
    }
    known = "DET <- NOUN per modifier = 0.9\n"
    save_text(store, one, known, "what is known")
    number = systems["ge"].train(systems["ge"].text(one), known)
    assert workspace.jobs.wait(number, PATIENCE).status == "done"
    for kind, plan in plans.items():
        systems[kind].save(one, "choosing", **plan)
        finish(systems[kind], one)
    workspace.store.close()


def finish(system, corpus):
    """Make the run that is planned for a corpus."""
    plan = system.plan(corpus)
    snapshot = system.workspace.jobs.wait(system.start(system.inputs(corpus, plan), plan), PATIENCE)
    assert snapshot.status == "done", snapshot.error


@pytest.fixture(scope="session")
def servers():
    """servers(script) -> the Server that runs it, one a script for all modules of a process."""
    with contextlib.ExitStack() as stack:
        running = {}

        def server_of(script):
            if script not in running:
                running[script] = stack.enter_context(server(script))
            return running[script]

        yield server_of


@pytest.fixture(scope="module")
def start_app(tmp_path_factory, examples, servers):
    """start_app(script) -> address of a server that runs it, in a folder of the module's own: what one module's tests
    leave in the store is no other module's beginning. start_app.folders[script] is the folder that holds its data,
    which prepare(folder) may fill before the server works in it."""

    def start(script, prepare=lambda folder: None):
        if script not in start.folders:
            folder = start.folders[script] = tmp_path_factory.mktemp("home")
            shutil.copy(examples, folder)
            prepare(folder)
            servers(script).work_in(folder, WORKBENCH_TREEBANKS=os.environ.get("WORKBENCH_TREEBANKS"))
        return servers(script).address

    start.folders = {}
    return start


class Server:
    """A server in a process of its own: its ``address``."""

    def __init__(self, address, channel):
        self.address, self._lines = address, channel.makefile("rw", encoding="utf-8")

    def work_in(self, home, **surroundings):
        """Keep data in that folder from now on; environment variables that are None are unset."""
        self._lines.write(json.dumps({"WORKBENCH_HOME": str(home), **surroundings}) + "\n")
        self._lines.flush()
        assert self._lines.readline() == "\n"


@contextlib.contextmanager
def server(script):
    """A Server that runs a script; stopped at the end."""
    with contextlib.ExitStack() as stack:
        # a home of its own: neither the user's projects nor her settings may enter a test, or leave it
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        probe = stack.enter_context(socket.socket())
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        ours, its = (stack.enter_context(end) for end in socket.socketpair())
        command = [sys.executable, "-m", "tests.browser.serve", str(its.fileno()), script, "--server.headless=true"]
        command += [f"--server.port={port}", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]
        surroundings = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PYTHONPATH": str(ROOT)}
        log = folder / "server.log"
        output = stack.enter_context(log.open("wb"))
        process = subprocess.Popen(
            command, cwd=ROOT, env=surroundings, stdout=output, stderr=subprocess.STDOUT, pass_fds=[its.fileno()]
        )
        try:
            _await_health(process, f"http://127.0.0.1:{port}/_stcore/health", log)
            yield Server(f"http://127.0.0.1:{port}", ours)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _await_health(process, address, log):
    def answers():
        if process.poll() is not None:
            pytest.fail(f"the server stopped:\n{log.read_text(errors='replace')[-2000:]}")
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return True

    wait_for(answers)


@pytest.fixture(scope="session")
def tabs(browser):
    """A window for all tests of a process, whose first tab stays open: so do the process of its pages, and Streamlit's
    scripts as that has compiled them."""
    with browser.new_context(viewport=SCREEN) as window:
        window.set_default_timeout(WAIT)
        window.new_page()
        yield window


@pytest.fixture
def open_app(tabs, start_app):
    """open_app(script, path="/", viewport=SCREEN, color_scheme="light") -> a settled Page of a browser that remembers
    nothing of other tests; fails at the end on console warnings and errors."""
    complaints = []

    def open_page(script, path="/", viewport=SCREEN, color_scheme="light"):
        address = start_app(script)
        if not open_page.pages:
            _forget(tabs.pages[0], address)
        page = tabs.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        page.on("console", lambda message: _note(complaints, message))
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
        open_page.pages.append(page)
        page.goto(address + path)
        settle(page)
        return page

    open_page.pages = []
    yield open_page
    try:
        assert not complaints, complaints
    finally:
        for page in tabs.pages[1:]:  # those that its pages have opened too
            page.close()


def _forget(tab, address):
    """Take away what a window remembers of a server but for files that never change; the tab is left there."""
    tab.goto(f"{address}/_stcore/health")
    session = tab.context.new_cdp_session(tab)
    kept = "cookies,local_storage,indexeddb,cache_storage,service_workers"
    session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": kept})
    session.detach()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure says what stood on its pages."""
    report = yield
    if report.when == "call" and report.failed and "open_app" in item.funcargs:
        for page in item.funcargs["open_app"].pages:
            running = page.locator(SETTLED).count() == 0
            words = " ".join(page.locator("body").inner_text().split())
            report.sections.append((f"{page.url}{', still running' if running else ''}", words[:SAID]))
    return report


def _note(complaints, message):
    place = message.location.get("url", "")
    probing = "_stcore/" in place  # Streamlit looks for its server below a page's address
    if message.type in ("warning", "error") and not probing and not message.text.startswith(HARMLESS):
        complaints.append(f"{message.type}: {message.text} ({place})")


def settle(page):
    """Wait until the script has run and its pictures are drawn."""
    page.wait_for_selector(SETTLED, state="attached")
    page.wait_for_function("[...document.images].every(image => image.complete)")


@pytest.fixture(name="settle")
def settle_fixture():
    """settle(page) waits until the script has run to its end."""
    return settle


def pick(page, key, words, typed=False):
    """Choose the option that reads `words` in the select box of that key, by the list or by typing it.

    The list opens, closes and filters between two runs of the script, so a key pressed too early meets another list
    than the one that is seen: the option must be there before it is clicked, and is looked for anew where it went.
    """
    box, option = page.locator(f".st-key-{key} input").first, page.get_by_role("option", name=words).first
    deadline = time.monotonic() + PATIENCE
    while True:
        settle(page)
        try:
            box.click(timeout=5_000)
            if typed:
                box.fill(words, timeout=5_000)
            option.click(timeout=5_000)
            return settle(page)
        except TimeoutError:
            if time.monotonic() > deadline:
                raise
            if page.get_by_role("listbox").count():  # without one, the key would close the dialog that holds the box
                page.keyboard.press("Escape")


@pytest.fixture(name="pick")
def pick_fixture():
    """pick(page, key, words, typed=False) chooses an option of a select box, and waits for what follows."""
    return pick
