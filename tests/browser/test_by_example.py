"""Rules by example in a real browser: relations corrected, the change proposed, tried, carried out, taken back."""

import re

import pytest
from playwright.sync_api import expect

from core.annotation import SentenceAnnotation
from core.annotation.label_inventories import RELATIONS, keys_for
from core.search.by_example import propose_by_example
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace import Workspace

pytestmark = pytest.mark.browser
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KEYS = keys_for([name for name in RELATIONS if name != "root"])
OLD, NEW = "det", "amod"


@pytest.fixture(scope="module")
def bank():
    """Short sentences of the sample whose first word is their only determiner."""
    sample = load_sample().max_length(16)
    return sample.select([s.index for s in sample if s.deprels[1] == OLD and s.deprels.count(OLD) == 1][:12])


def corrected(bank: Treebank, index: int) -> SentenceAnnotation:
    annotation = SentenceAnnotation.of(bank[index])
    return annotation.under(annotation.heads, ("", NEW, *annotation.deprels[2:]))


def test_two_corrections_are_proposed_for_the_whole_text(open_app, start_app, settle, bank):
    best = propose_by_example(bank, {index: corrected(bank, index) for index in (0, 1)})[0]
    start_app("app.py")
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    store.add_corpus(store.default_project(), "dets.conllu", conllu_text(bank).encode(), format="conllu")
    store.close()
    page = open_app("app.py", path="/annotate?corpus=dets.conllu")
    for index in (0, 1):
        expect(page.get_by_text(f"Sentence {index + 1} of {len(bank)}", exact=False)).to_be_visible()
        first = page.locator("g.word").first
        expect(first).to_be_focused()
        for key in ("h", LETTERS[int(bank[index].heads[1]) - 1], KEYS[NEW]):
            page.keyboard.press(key)
        expect(first).to_have_attribute("aria-label", re.compile(NEW))
        page.keyboard.press("Enter")
    expect(page.get_by_text("2 done", exact=False)).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Propose from my corrections").click()
    expect(page.get_by_test_id("stCode").first).to_contain_text(f"W.deprel = {NEW}")
    expect(page.get_by_text(f"{best.hits} more places", exact=False)).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Preview").first.click()
    expect(page.get_by_role("button", name=f"Rewrite {best.hits} of {best.hits} hits")).to_be_visible()
    settle(page)
    table = page.locator("[class*='st-key-search_dry_run'] [data-testid='stDataFrame']")
    table.click(position={"x": 39, "y": 50})  # the first hit's tick
    rewrite = page.get_by_role("button", name=f"Rewrite {best.hits - 1} of {best.hits} hits")
    expect(rewrite).to_be_visible()
    settle(page)
    rewrite.click()
    expect(page.get_by_text(f"{best.hits - 1} hits rewritten in dets rewritten 1.conllu")).to_be_visible()
    settle(page)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text("Undid adding dets rewritten 1.conllu")).to_be_visible()
    expect(page.locator(".st-key-corpus input").first).to_have_value("dets.conllu")
