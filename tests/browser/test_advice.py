"""What next? in a real browser: a text without trees, a gain with its interval once some are corrected, a parser."""

import re

import pytest
from playwright.sync_api import expect

from core.advice import TREEBANK
from core.workspace import Workspace, add_corpus
from core.workspace.constraints.documents import save_text
from core.workspace.registry import Systems
from core.workspace.texts import address_of
from pages.shared.table import ROW
from tests.advising import SET, correct, longer_sentences, short_sentences, written, written_bare

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
CORRECTED = 12
INTERVAL = re.compile(r"What you have now gives \d+\.\d% of heads right \(\d+\.\d to \d+\.\d\) in 12 sentences")


@pytest.fixture
def store(start_app):
    """(a Workspace beside the server's, a text without trees); another text has trees."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    project = workspace.store.default_project()

    def add(name, text):
        return workspace.store.corpus(add_corpus(workspace.store, project, name, text.encode())[0])

    bare = add("bare.conllu", written_bare(short_sentences()))
    add("trees.conllu", written(longer_sentences().limit(20)))
    save_text(workspace.store, bare, SET, "typing")
    yield workspace, bare
    workspace.store.close()


def ask(page, said):
    page.get_by_role("button", name="What would help most?").click()
    expect(page.get_by_text(said)).to_be_visible(timeout=PATIENCE)


def test_from_no_trees_to_a_parser_with_the_gain_that_was_promised(open_app, store, settle):
    workspace, bare = store
    page = open_app("app.py", path=f"/annotate?text={address_of(bare)}&annotate=What+next%3F")
    ask(page, "no sentence has a known tree to score on")

    correct(workspace, bare, short_sentences(), range(CORRECTED))
    page.reload()
    settle(page)
    expect(page.get_by_text("What there is to learn from has changed since")).to_be_visible()
    ask(page, INTERVAL)

    found, *_ = Systems(workspace)["advised"].advice(bare)
    place = next(k for k, each in enumerate(found.advice) if each.kind == TREEBANK)
    page.get_by_test_id("stDataFrame").click(position={"x": ROW, "y": (place + 1.5) * ROW})
    page.get_by_role("button", name="Train with it").click()
    expect(page.get_by_role("button", name="See its trees")).to_be_visible(timeout=PATIENCE)
    (run,) = workspace.store.runs(bare.project, "advised")
    assert run.status == "done" and run.figures["trees"] > CORRECTED
    expect(page.get_by_text("What was predicted, and what came true")).to_be_visible()
