"""Consistency in a real browser: a threshold moves counts, a run opens its sentences, its trace is played."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_from_thresholds_to_trees_to_the_trace(open_app, settle):
    page = open_app("app.py", path="/consensus")
    page.set_default_timeout(PATIENCE)
    counts = page.get_by_text(re.compile(r"contexts cover .* words to parse"))
    expect(counts).to_be_visible(timeout=PATIENCE)
    before = counts.inner_text()
    handle = page.locator(".st-key-cs_minimum_count input[type=range]")
    settle(page)
    handle.press("ArrowRight")
    expect(page.get_by_text(re.compile("The last change added"))).to_be_visible(timeout=PATIENCE)
    expect(counts).not_to_have_text(before, timeout=PATIENCE)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text(re.compile("Undid setting minimum count")).first).to_be_visible(timeout=PATIENCE)

    settle(page)
    page.locator(".st-key-cs_start button").first.click()
    expect(page.get_by_text(re.compile("of heads right with consistency"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"of [\d,]+ changed a word"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-cs_changed_tree g.word").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-cs_download_0 button").first).to_be_enabled()

    page.get_by_role("link", name="How it converged").click()
    expect(page.get_by_text(re.compile("words disagree"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-dd_tree g.word").first).to_be_visible(timeout=PATIENCE)
    place = page.locator(".st-key-dd_iteration input[type=range]")
    expect(place).to_have_value("1")
    page.locator(".st-key-dd_step button").first.click()
    expect(page.get_by_text(re.compile("arcs change in iteration 2"))).to_be_visible(timeout=PATIENCE)
    expect(place).to_have_value("2", timeout=PATIENCE)
    page.locator(".st-key-dd_back button").first.click()
    expect(page.get_by_text(re.compile("arcs change in iteration 1 "))).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-dd_play button").first.click()
    page.locator(".st-key-dd_pause button").first.click()  # at once: on a busy machine it has soon played to the end
    expect(page.locator(".st-key-dd_play button").first).to_be_enabled(timeout=PATIENCE)
    page.locator(".st-key-dd_play button").first.click()
    expect(page.get_by_text(re.compile("arcs change in iteration [3-9]"))).to_be_visible(timeout=PATIENCE)
