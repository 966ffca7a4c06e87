"""Analysis in a real browser: a line opens the arcs it decides, two versions are compared and linked."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


@pytest.fixture
def page(open_app):
    page = open_app("app.py", path="/constraints")
    page.set_default_timeout(PATIENCE)
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible(timeout=PATIENCE)
    return page


def test_a_line_opens_the_arcs_it_decides_among_the_trees(page):
    page.locator(".st-key-ge_train button").first.click()
    expect(page.get_by_text("all arcs are new").first).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_results").get_by_text("Lines", exact=True).click()
    expect(page.locator(".st-key-ge_worth")).to_be_visible(timeout=PATIENCE)
    chosen = page.locator('.st-key-ge_opened_tree g.word[aria-selected="true"]')
    expect(chosen).to_have_count(1, timeout=PATIENCE)
    word = chosen.get_attribute("data-word")
    page.get_by_role("button", name="Open in Trees").first.click()
    expect(page.locator('.st-key-ge_tree g.word[aria-selected="true"]')).to_have_attribute(
        "data-word", word, timeout=PATIENCE
    )
    expect(page.get_by_text(re.compile(rf"Head of {word} ")).first).to_be_visible(timeout=PATIENCE)


def test_two_versions_are_compared_and_the_address_brings_the_comparison_back(page):
    page.locator(".st-key-ge_view").get_by_text("Versions").click()
    page.locator(".st-key-ge_version_name input").fill("first")
    page.locator(".st-key-ge_version_keep button").click()
    expect(page.get_by_text("no difference", exact=False)).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_view").get_by_text("Table").click()
    page.locator(".st-key-ge_form_side").get_by_text("after").click()  # what no line says yet
    page.locator(".st-key-ge_add").get_by_role("button", name="Add").click()
    expect(page.get_by_text("Saved ", exact=False).first).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_view").get_by_text("Versions").click()
    expect(page.get_by_text("1 added", exact=False)).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_version_compare button").first.click()
    expect(page.get_by_text("Not trained yet", exact=False).first).to_be_visible(timeout=PATIENCE)
    assert "version=first" in page.url
    page.goto(page.url)
    expect(page.get_by_text("Not trained yet", exact=False).first).to_be_visible(timeout=PATIENCE)
