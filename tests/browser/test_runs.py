"""What a run leaves, taken away from the Runs page: trees, a paragraph and a table for a paper; its own page."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from core.treebank import load_sample, read_conllu

pytestmark = pytest.mark.browser


def test_trees_and_words_for_a_paper_are_taken_away(open_app, start_app, results, settle):
    start_app("app.py", prepare=lambda folder: shutil.copytree(results, folder, dirs_exist_ok=True))
    page = open_app("app.py", path="/runs?corpus=short.conllu&run=Run+1&run_view=For+a+paper")
    told, table = page.locator("[data-testid='stCode']").nth(0), page.locator("[data-testid='stCode']").nth(1)
    expect(told).to_contain_text("Druck et al., 2009")
    expect(table).to_contain_text("| Run | Method | Text |")
    settle(page)
    for key, shown in (("run_methods_text", told), ("run_table_file", table)):
        words = shown.inner_text().strip()
        with page.expect_download() as download:
            page.locator(f".st-key-{key} button").first.click()
        assert words in download.value.path().read_text(encoding="utf-8")

    page.locator(".st-key-run_tree_files button").first.click()
    with page.expect_download() as download:
        page.locator(".st-key-run_tree_run-1 button").first.click()
    trees = read_conllu(download.value.path())
    short = [sentence.forms for sentence in load_sample() if len(sentence) <= 9][:30]
    assert [sentence.forms for sentence in trees] == short
    assert int((trees.heads >= 0).sum()) == trees.token_count
    page.keyboard.press("Escape")
    page.locator(".st-key-run_open button").click()
    expect(page).to_have_url(re.compile("/constraints"))
    expect(page.get_by_role("heading", name="Constraints")).to_be_visible()
    settle(page)
