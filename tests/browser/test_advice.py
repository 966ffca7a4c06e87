"""What next? in a real browser: a text without trees, a gain with its interval once some are corrected, a parser."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.annotation import Annotation
from core.treebank import conllu_text, load_sample
from core.workspace import Workspace, add_corpus
from core.workspace.annotations import Annotations
from core.workspace.constraints.documents import save_text
from core.workspace.texts import address_of

pytestmark = pytest.mark.browser
PATIENCE = 120_000  # milliseconds: on a fresh machine the first training waits for the compiler
SET = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.8..1\n"
CORRECTED = 12
INTERVAL = re.compile(r"What you have now gives \d+\.\d% of heads right \(\d+\.\d to \d+\.\d\) in 12 sentences")


@pytest.fixture(scope="module")
def gold():
    bank = load_sample()
    return bank.select(np.flatnonzero((bank.lengths >= 3) & (bank.lengths <= 9))[:40])


@pytest.fixture
def store(start_app, gold):
    """(a Workspace beside the server's, the text without trees); half of its trees are those of another text."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    project = workspace.store.default_project()

    def add(name, treebank):
        data = conllu_text(treebank.to_conllu()).encode()
        return workspace.store.corpus(add_corpus(workspace.store, project, name, data)[0])

    bare = add("bare.conllu", gold.with_heads(np.full(len(gold.heads), -1)))
    add("trees.conllu", gold.limit(20))
    save_text(workspace.store, bare, SET, "typing")
    yield workspace, bare
    workspace.store.close()


def ask(page):
    begin = page.get_by_role("button", name="What would help most?")
    begin.click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(begin).to_be_enabled(timeout=PATIENCE)


def test_from_no_trees_to_a_parser_with_the_gain_that_was_promised(open_app, store, gold, settle):
    workspace, bare = store
    page = open_app("app.py", path=f"/annotate?text={address_of(bare)}&annotate=What+next%3F")
    ask(page)
    expect(page.get_by_text("no sentence has a known tree to score on")).to_be_visible()

    annotations = Annotations(workspace, bare)
    for index in range(CORRECTED):
        right = Annotation.of(gold[index])
        annotations.write(index, right, annotations.get(index)[1], f"step-{index}", "correcting")
        annotations.set_status(index, "done")
    page.reload()
    settle(page)
    expect(page.get_by_text("What there is to learn from has changed since")).to_be_visible()
    ask(page)
    expect(page.get_by_text(INTERVAL)).to_be_visible()

    train = page.get_by_role("button", name="Train with it")  # the first row: it has the very trees that are scored
    train.click()
    expect(page.get_by_role("button", name="See its trees")).to_be_visible(timeout=PATIENCE)
    (run,) = workspace.store.runs(bare.project, "advised")
    assert run.status == "done" and run.figures["trees"] > CORRECTED
    expect(page.get_by_text("What was predicted, and what came true")).to_be_visible()
