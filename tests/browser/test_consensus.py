"""Consistency in a real browser: a threshold moves counts, a run opens its sentences, its trace is played."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 120_000  # milliseconds: the first run on a machine compiles


def number(page, key):
    return int(page.locator(f".st-key-{key} [role=slider]").first.get_attribute("aria-valuenow"))


def test_from_thresholds_to_trees_to_the_trace(open_app):
    page = open_app("app.py", path="/consensus")
    page.set_default_timeout(PATIENCE)
    counts = page.get_by_text(re.compile(r"contexts hold .* words to parse"))
    expect(counts).to_be_visible(timeout=PATIENCE)
    before = counts.inner_text()
    handle = page.locator(".st-key-cs_minimum_count [role=slider]")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile("The last choice added"))).to_be_visible(timeout=PATIENCE)
    expect(counts).not_to_have_text(before, timeout=PATIENCE)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text(re.compile("Undid setting least count")).first).to_be_visible(timeout=PATIENCE)

    page.locator(".st-key-cs_start button").first.click()
    expect(page.get_by_text(re.compile("of heads right with consistency"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"of \d+ changed a word"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-cs_changed_tree g.word").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-cs_download button").first).to_be_enabled()

    page.get_by_role("link", name="How it converged").click()
    expect(page.get_by_text(re.compile("words disagree"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-dd_tree g.word").first).to_be_visible(timeout=PATIENCE)
    assert number(page, "dd_iteration") == 1
    page.locator(".st-key-dd_step button").first.click()
    expect(page.get_by_text(re.compile("arcs flip in iteration 2"))).to_be_visible(timeout=PATIENCE)
    assert number(page, "dd_iteration") == 2
    page.locator(".st-key-dd_back button").first.click()
    expect(page.get_by_text(re.compile("arcs flip in iteration 1 "))).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-dd_play button").first.click()
    expect(page.get_by_text(re.compile("arcs flip in iteration [3-9]"))).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-dd_pause button").first.click()
    expect(page.locator(".st-key-dd_play button").first).to_be_enabled(timeout=PATIENCE)
