"""The Papers page in a real browser: a figure is run, drawn for both themes, and leads to the pages of its paper."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATH = "/papers?paper=Spitkovsky+2010&pp_experiment=Figure+1:+Cross-entropy+of+starts"


def test_a_figure_is_run_and_its_paper_leads_to_its_pages(open_app, settle):
    page = open_app("app.py", path=PATH)
    picture = page.locator('[data-testid="stImage"] img')
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Data: the sample", exact=True)).to_be_visible()
    expect(picture).to_be_visible()
    settle(page)
    light = picture.get_attribute("src")
    page.emulate_media(color_scheme="dark")
    page.reload()
    settle(page)
    expect(picture).not_to_have_attribute("src", str(light))
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator('[data-testid="stMain"]').get_by_role("link", name="Induction").click()
    expect(page).to_have_url(re.compile(r"/induction"))
    settle(page)
