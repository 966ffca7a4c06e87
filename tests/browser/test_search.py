"""A text of one's own in a real browser: taken in and out again unchanged, searched, rewritten hit by hit, undone."""

import pytest
from playwright.sync_api import expect

from core.search import parse_request, search
from core.treebank import conllu_text, load_sample
from core.workspace.corpus.search import STARTERS

pytestmark = pytest.mark.browser
STARTER = "Rename a relation"


def test_a_file_comes_out_as_it_went_in_and_is_rewritten_hit_by_hit(open_app, settle, tmp_path):
    treebank = load_sample().limit(80)
    count = len(search(treebank, parse_request(STARTERS[STARTER][0])))
    data = conllu_text(treebank).replace("\n", "\r\n").encode()  # as some editors write it
    (tmp_path / "mine.conllu").write_bytes(data)
    page = open_app("app.py")
    page.get_by_role("button", name="Add a text").click()
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(tmp_path / "mine.conllu")
    add = page.get_by_role("dialog").get_by_role("button", name="Add", exact=True)
    expect(add).to_be_enabled()
    settle(page)
    add.click()
    expect(page.get_by_text("mine.conllu: 80 sentences")).to_be_visible()
    settle(page)
    page.locator(".st-key-corpus_take_away button").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CoNLL-U", exact=True).click()
    assert download.value.path().read_bytes() == data

    page.keyboard.press("Escape")
    page.locator(".st-key-corpus_view").get_by_text("Search").click()
    page.locator(".st-key-search_start").get_by_text(STARTER, exact=True).click()
    page.locator(".st-key-search_view").get_by_text("Rewrite").click()
    expect(page.get_by_role("button", name=f"Rewrite {count} of {count} hits")).to_be_visible()
    settle(page)
    table = page.locator("[class*='st-key-search_dry_run'] [data-testid='stDataFrame']")
    table.click(position={"x": 39, "y": 50})  # the first hit's tick
    rewrite = page.get_by_role("button", name=f"Rewrite {count - 1} of {count} hits")
    expect(rewrite).to_be_visible()
    settle(page)
    rewrite.click()
    expect(page.get_by_text(f"{count - 1} hits rewritten in mine rewritten 1.conllu")).to_be_visible()
    expect(page.locator(".st-key-corpus input").first).to_have_value("mine rewritten 1.conllu")
    expect(page.locator(".editor textarea").first).to_have_value(STARTERS[STARTER][0])
    settle(page)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text("Undid adding mine rewritten 1.conllu")).to_be_visible()
    expect(page.locator(".st-key-corpus input").first).to_have_value("mine.conllu")
    expect(page.locator(".editor textarea").first).to_have_value(STARTERS[STARTER][0])
    expect(page.locator(".st-key-search_view")).to_be_visible()
