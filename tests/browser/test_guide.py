"""The Guide page in a real browser, on a narrow screen: from a page to its section and back, search as it is typed."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_to_a_section_and_back_and_by_a_search_to_another(open_app, settle):
    page = open_app("app.py", path="/corpus?sentence=3", viewport={"width": 390, "height": 844})
    title = page.locator(".st-key-guide_text h3")
    _to_the_guide(page)
    expect(page.locator('[data-testid="stPopoverBody"]')).to_have_count(0)  # it would lie on what is read
    expect(page).to_have_url(re.compile(r"/guide\?.*section=Corpus"))
    expect(title).to_have_text(["Corpus"])
    expect(page.get_by_role("img", name=re.compile("^The Corpus page")).first).to_be_visible()
    page.get_by_role("link", name="Open Corpus").click()
    expect(page.locator(".st-key-corpus_view")).to_be_visible()
    expect(page).not_to_have_url(re.compile("section="))
    settle(page)

    _to_the_guide(page)
    expect(title).to_have_text(["Corpus"])
    settle(page)
    box = page.get_by_role("textbox", name="Search the guide")
    box.fill("per modifier")
    box.press("Enter")
    expect(page.get_by_role("button", name="Of what the target is a share")).to_be_visible()
    page.get_by_role("button", name="Of what the target is a share").click()
    expect(title).to_have_text(["Of what the target is a share"])
    expect(page).to_have_url(re.compile(r"section=Of"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def _to_the_guide(page):
    page.locator(".st-key-shared_project_menu button").first.click()
    page.get_by_role("link", name="This page in the guide").click()
