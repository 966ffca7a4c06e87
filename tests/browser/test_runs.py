"""Runs in a real browser: trained, run again, the two compared, told as a methods paragraph and a table for a paper."""

import re

import pytest
from playwright.sync_api import expect

from core.treebank import load_sample, read_conllu

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_a_run_is_made_again_compared_and_told_for_a_paper(open_app, start_app, settle):
    page = open_app("app.py", path="/constraints")
    page.set_default_timeout(PATIENCE)
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.locator(".st-key-ge_train button").first.click()
    expect(page.locator(".st-key-ge_take_away button").first).to_be_visible(timeout=PATIENCE)
    settle(page)

    page.goto(start_app("app.py") + "/runs")
    again = page.get_by_role("button", name="Run again")
    expect(again).to_be_visible(timeout=PATIENCE)
    settle(page)
    again.click()
    expect(page.get_by_text("Run 2 has begun")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="See its trees")).to_be_visible(timeout=PATIENCE)  # it has ended
    settle(page)
    page.locator(".st-key-run_tree_files button").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="run 2, grammar").click()
    trees = read_conllu(download.value.path())
    assert [sentence.forms for sentence in trees] == [sentence.forms for sentence in load_sample()]
    assert int((trees.heads >= 0).sum()) == trees.token_count

    page.goto(start_app("app.py") + "/runs?run=Run+2&run_beside=Run+1,+grammar+from+constraints")
    expect(page.get_by_text(re.compile("Constraints from run 1 to run 2: \\d+ the same"))).to_be_visible(
        timeout=PATIENCE
    )
    settle(page)
    page.locator(".st-key-run_view").get_by_text("For a paper").click()
    told, table = page.locator("[data-testid='stCode']").nth(0), page.locator("[data-testid='stCode']").nth(1)
    expect(told).to_contain_text("Ganchev et al., 2010", timeout=PATIENCE)
    expect(told).to_contain_text("332 sentences")
    expect(table).to_contain_text("| Run | Method | Text |")
    expect(table.get_by_text(re.compile("^\\| 2 \\|"))).to_be_visible()
    text, row = told.inner_text().strip(), table.inner_text()
    settle(page)
    for key, wanted in (("run_methods_text", text), ("run_table_file", "| Run |")):
        with page.expect_download() as download:
            page.locator(f".st-key-{key} button").first.click()
        assert wanted in download.value.path().read_text(encoding="utf-8")
    figures = {tuple(line.split("|")[3:]) for line in row.splitlines() if re.match(r"\| \d+ \|", line)}
    assert len(figures) == 1  # the same settings on the same sentences come to the same figures
