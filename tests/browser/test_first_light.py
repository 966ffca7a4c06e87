"""First light in a real browser: say what you know, train, watch the trees change; take it back after a reload."""

import re

import pytest
from playwright.sync_api import expect

from core.workspace import Workspace, add_corpus
from core.workspace.constraints.constraint_set import save_text
from core.workspace.languages import CONSTRAINTS, value_of
from tests.advising import short_sentences, written_bare
from tests.patience import wait_for

pytestmark = pytest.mark.browser
OUTCOME = re.compile("arcs moved|all arcs are new")
LINE = "DET <- NOUN per modifier = 0.9\n"
BOTH = f"{LINE}ADV <- VERB per modifier = 0.9\n"


@pytest.fixture
def saved(start_app):
    """A function: (set, runs) of a small text without trees, which has one line, as they stand on disk."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store, few = workspace.store, written_bare(short_sentences()).encode()
    corpus = store.corpus(add_corpus(store, store.default_project(), "few.conllu", few)[0])
    save_text(store, corpus, LINE, "typing")
    yield lambda: (value_of(store, corpus, CONSTRAINTS), store.runs(corpus.project))
    store.close()


def heads(page):
    """What the words of the drawn sentence say of their heads."""
    return page.locator(".st-key-ge_tree g.word").evaluate_all("words => words.map(w => w.getAttribute('aria-label'))")


def test_write_a_constraint_train_undo_reload(open_app, saved, pick):
    page = open_app("app.py", path="/constraints?corpus=few.conllu")
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible()
    untrained = heads(page)
    pick(page, "ge_form_head", "VERB")
    pick(page, "ge_form_modifier", "ADV")
    expect(page.get_by_text("adverbs followed by a verb")).to_be_visible()
    page.locator(".st-key-ge_add button").click()
    expect(page.get_by_text("Saved ADV ← VERB per modifier = 0.9")).to_be_visible()
    assert saved()[0] == BOTH

    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(OUTCOME).first).to_be_visible()
    wait_for(lambda: heads(page) != untrained)
    (run,) = saved()[1]
    assert run.status == "done" and run.constraint_text == BOTH

    page.mouse.click(640, 5)
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Undid adding ADV ← VERB per modifier = 0.9")).to_be_visible()
    expect(page.get_by_text("have changed since this run", exact=False)).to_be_visible()
    assert saved()[0] == LINE
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_text("Redid adding ADV ← VERB per modifier = 0.9")).to_be_visible()
    assert saved()[0] == BOTH

    trained = heads(page)
    page.reload()
    expect(page.get_by_text(OUTCOME).first).to_be_visible()
    wait_for(lambda: heads(page) == trained)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text("Undid adding ADV", exact=False)).to_be_visible()
    assert saved()[0] == LINE

    page.get_by_role("radio", name="Errors").click()
    page.get_by_role("button", name="Correct twenty sentences").click()
    expect(page).to_have_url(re.compile("/annotate"))
    expect(page.get_by_role("radio", name="Check 20")).to_be_checked()
