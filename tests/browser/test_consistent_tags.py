"""Consistent tags in a browser: made on Consensus, where what changed appears, and stepped through on Decomposition."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_tags_are_made_looked_at_and_played(open_app, settle):
    page = open_app("app.py", path="/consensus?cs_task=Tags")
    expect(page.get_by_text(re.compile(r"\d+ groups hold \d+ of"))).to_be_visible()
    page.get_by_role("button", name="Tag consistently").first.click()
    expect(page.get_by_text(re.compile("of tags right with consistency"))).to_be_visible(timeout=120_000)
    expect(page.locator(".st-key-ct_changed_tree svg text", has_text="→").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="How it converged").first.click()
    expect(page.get_by_text(re.compile("tags change in iteration 1 "))).to_be_visible()
    settle(page)
    page.locator(".st-key-dd_step button").first.click()
    expect(page.get_by_text(re.compile("(tags change in iteration 2 )|(no tag changed)"))).to_be_visible()
    assert "dd_problem_view=Tags" in page.url
