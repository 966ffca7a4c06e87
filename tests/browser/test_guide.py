"""The Guide page in a real browser: from a page to its section and back, search as it is typed, on a narrow screen."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_from_a_page_to_its_section_and_back(open_app, settle):
    page = open_app("app.py", path="/corpus?sentence=3")
    page.locator(".st-key-shared_project_menu button").first.click()
    page.get_by_role("link", name="This page in the guide").click()
    expect(page).to_have_url(re.compile(r"/guide\?.*section=Corpus"), timeout=PATIENCE)
    expect(page.locator(".st-key-guide_text h3")).to_have_text(["Corpus"], timeout=PATIENCE)
    expect(page.get_by_role("img", name=re.compile("^The Corpus page")).first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Open Corpus").click()
    expect(page.locator(".st-key-corpus_view")).to_be_visible(timeout=PATIENCE)
    expect(page).not_to_have_url(re.compile("section="))
    settle(page)


def test_from_how_it_works_to_the_method(open_app, settle):
    page = open_app("app.py", path="/induction")
    page.get_by_role("button", name="How it works").click()
    page.get_by_role("link", name="More in the guide").click()
    expect(page).to_have_url(re.compile(r"/guide\?.*chapter=Methods"), timeout=PATIENCE)
    expect(page.locator(".st-key-guide_text .katex").first).to_be_visible(timeout=PATIENCE)
    settle(page)


def test_a_search_leads_to_a_section_on_a_narrow_screen(open_app, settle):
    page = open_app("app.py", path="/guide", viewport={"width": 390, "height": 844})
    box = page.get_by_role("textbox", name="Search the guide")
    box.fill("per modifier")
    box.press("Enter")
    page.get_by_role("button", name="Of what the target is a share").click()
    expect(page.locator(".st-key-guide_text h3")).to_have_text(["Of what the target is a share"], timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"section=Of"), timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    settle(page)
