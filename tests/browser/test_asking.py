"""A question answered by one move of a slider in a real browser: saved, corrected, followed by the next."""

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


def test_one_move_answers_another_corrects_and_the_next_question_comes(page):
    page.locator(".st-key-ge_view").get_by_text("Ask me").click()
    expect(page.locator(".st-key-ge_ask_next")).to_be_visible(timeout=PATIENCE)
    asked = page.get_by_text(re.compile("^Of [0-9,]+ .*[?]$")).first
    expect(asked).to_be_visible(timeout=PATIENCE)
    first = asked.inner_text()
    slider = page.locator(".st-key-ge_answer input[type=range]").first
    value = page.locator(".st-key-ge_answer").get_by_test_id("stSliderThumbValue")
    slider.focus()
    slider.press("ArrowRight")
    expect(value).to_have_text("never 0%", timeout=PATIENCE)
    expect(page.locator(".st-key-ge_ask_next").get_by_text("Next")).to_be_visible(timeout=PATIENCE)
    slider.press("ArrowRight")
    expect(value).to_have_text("rarely 10%", timeout=PATIENCE)
    expect(page.get_by_text(first, exact=True)).to_be_visible()  # it stays, to be corrected
    page.locator(".st-key-ge_ask_next button").first.click()
    expect(page.get_by_text(first, exact=True)).to_have_count(0, timeout=PATIENCE)
    expect(value).to_have_text("no answer", timeout=PATIENCE)
