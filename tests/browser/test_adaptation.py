"""Adaptation in a real browser: one click to the first result, its views, an edge that opens its sentence."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_one_click_adapts_the_sample_to_its_questions(open_app, settle):
    page = open_app("app.py", path="/adaptation")
    page.set_default_timeout(PATIENCE)
    expect(page.get_by_text(re.compile("68 sentences parsed and scored"))).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-scl_start button").first.click()
    expect(page.locator(".st-key-scl_save")).to_be_visible(timeout=PATIENCE)  # of the run; the example has none
    expect(page.get_by_text(re.compile("with adaptation"))).to_be_visible(timeout=PATIENCE)
    settle(page)
    expect(page.locator(".st-key-scl_course .js-plotly-plot").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("radio", name="Changed arcs").click()
    expect(page.locator(".st-key-scl_changed_tree g.word").first).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("adaptation=Changed"))
    page.get_by_role("radio", name="Directions").click()
    expect(page.locator(".st-key-scl_values .js-plotly-plot").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-scl_example_tree g.word").first).to_be_visible(timeout=PATIENCE)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=False).first.click()
        page.locator(".st-key-scl_save_3 button").click()
    assert download.value.suggested_filename.endswith(".conllu")
