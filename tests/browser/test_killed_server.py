"""A server killed in the middle of a training: the next one has what was typed, and goes on with the run."""

import contextlib
import re
import shutil

import pytest
from playwright.sync_api import expect

from core.store import Store
from core.treebank import conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.constraints.constraint_set import STARTER
from core.workspace.constraints.plan import choose_learner
from tests.browser.served import Process, free_port
from tests.patience import WAIT, wait_for

pytestmark = pytest.mark.browser
LINES = STARTER.read_text(encoding="utf-8") + "# mine\n"
PATH = "/constraints?corpus=long"


@contextlib.contextmanager
def opened(folder):
    """The Store in a folder; its project."""
    store = Store.open(f"sqlite:///{folder}/workbench.sqlite")
    yield store, store.default_project()
    store.close()


def saved(folder):
    """(set, newest run or None, its checkpoint or None) as they stand on disk."""
    with opened(folder) as (store, project):
        text = next(iter(store.documents(project, "constraints").values()), None)
        run = next(iter(store.runs(project)), None)
        return text, run, run and store.checkpoint_bytes(run.id)


def test_a_killed_server_loses_nothing_and_the_run_goes_on(browser, open_app, start_app, tmp_path):
    with opened(tmp_path) as (store, project):  # a text that takes seconds, and the learner that keeps checkpoints
        data = conllu_text(load_sample()) * 6
        choose_learner(store, store.corpus(add_corpus(store, project, "long", data.encode())[0]), "ge")
    server, page = Process(tmp_path, free_port(), {"WORKBENCH_HOME": str(tmp_path)}, []), browser.new_page()
    try:
        server.await_health()
        page.set_default_timeout(WAIT)
        page.goto(f"http://127.0.0.1:{server.port}/workbench{PATH}")
        page.locator(".st-key-ge_view").get_by_text("Text").click()
        page.locator(".st-key-ge_editor textarea").fill(LINES)
        wait_for(lambda: saved(tmp_path)[0] == LINES)
        page.get_by_role("button", name="Train", exact=True).click()
        expect(page.get_by_test_id("stProgress").first).to_be_visible()
        wait_for(lambda: saved(tmp_path)[2] is not None)
    finally:
        server.kill()
        page.close()
    text, run, _ = saved(tmp_path)
    assert text == LINES and run.status == "running"

    start_app("app.py", prepare=lambda folder: shutil.copytree(tmp_path, folder, dirs_exist_ok=True))
    folder = start_app.folders["app.py"]
    page = open_app("app.py", path=PATH)
    expect(page.get_by_text("was interrupted at iteration", exact=False)).to_be_visible()
    text, run, _ = saved(folder)
    assert text == LINES and run.status == "interrupted"
    page.locator(".st-key-ge_resume").get_by_role("button", name="Resume").click()
    expect(page.get_by_text(re.compile("arcs moved|all arcs are new")).first).to_be_visible()
    with opened(folder) as (store, project):
        (run,) = store.runs(project)
        trace = [entry["iteration"] for entry in store.trace(run.id)]
    assert run.status == "done" and trace == list(range(1, run.figures["iterations"] + 1))
