"""Rules of one's own in a real browser: typed, completed, counted, in conflict, shown in sentences, and never lost."""

import pytest
from playwright.sync_api import expect

from core.workspace import Workspace
from core.workspace.rules import DRAFT
from tests.patience import wait_for

pytestmark = pytest.mark.browser
RULE = "VERB has at most 1 nsubj"


@pytest.fixture
def stored(start_app):
    """A function: the documents of a kind as they stand on disk."""
    start_app("app.py")
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    yield lambda kind: list(store.documents(store.default_project(), kind).values())
    store.close()


def test_a_rule_is_typed_counted_and_kept_and_a_wrong_line_loses_nothing(open_app, settle, stored):
    page = open_app("app.py", path="/corpus?corpus_view=Validation")
    page.get_by_text("Rules of your own").click()
    area = page.get_by_role("textbox", name="Rules, one per line")
    notes, option = page.locator("[class*='st-key-corpus_rules_'] .notes"), page.locator(".suggestions [role=option]")
    area.click()
    page.keyboard.type("VERB has at most 1 ns")
    expect(option.first).to_contain_text("nsubj")
    page.keyboard.press("Tab")
    expect(notes.locator(".note")).to_have_text("808 words, 0 broken")
    wait_for(lambda: stored("rules") == [RULE])

    page.keyboard.press("Enter")
    page.keyboard.type("VERB has exactly 2 nsubj")
    expect(notes.locator(".warning")).to_contain_text("against line 1")
    expect(page.get_by_text("Line 2: contradicts line 1", exact=False)).to_contain_text("no tree keeps both")
    expect(page.get_by_text("809 faults")).to_be_visible()
    expect(page.locator(".st-key-corpus_rule_tree g.arc[data-kind='gold']").first).to_be_visible()
    both = f"{RULE}\nVERB has exactly 2 nsubj"
    wait_for(lambda: stored("rules") == [both])

    page.keyboard.press("Enter")
    page.keyboard.type("NOUN has at most one")
    expect(notes.locator(".error")).to_have_text("cannot be read")
    expect(page.get_by_text("in use once each line can be read", exact=False)).to_be_visible()
    wait_for(lambda: [draft["text"] for draft in stored(DRAFT)] == [f"{both}\nNOUN has at most one"])
    assert [text.strip() for text in stored("rules")] == [both]
    page.reload()
    page.get_by_text("Rules of your own").click()
    expect(area).to_have_value(f"{both}\nNOUN has at most one")
    area.click()
    page.keyboard.press("Control+End")
    for _ in "one":
        page.keyboard.press("Backspace")
    page.keyboard.type("1 det")
    wait_for(lambda: stored("rules") == [f"{both}\nNOUN has at most 1 det"] and not stored(DRAFT))
    expect(notes.locator(".error")).to_have_count(0)
    page.locator(".st-key-corpus_rules_notation button").first.click()
    expect(page.get_by_role("tab", name="Rules", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("no A has more than one dependent r")).to_be_visible()
