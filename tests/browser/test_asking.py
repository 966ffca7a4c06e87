"""A question answered in a real browser: the answer is saved, and training follows it."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 90_000  # milliseconds: the first training on a machine compiles


@pytest.fixture
def page(open_app):
    page = open_app("app.py", path="/constraints")
    page.set_default_timeout(PATIENCE)
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible(timeout=PATIENCE)
    return page


def test_an_answer_is_saved_and_trained_on(page):
    page.locator(".st-key-ge_view").get_by_text("Ask me").click()
    expect(page.get_by_text("how many", exact=False).first).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_follow label").first.click()
    expect(page.get_by_text("all arcs are new").first).to_be_visible(timeout=PATIENCE)
    rarely = page.locator(".st-key-ge_answer_rarely")
    expect(rarely).to_have_count(1)  # the question before the training is gone
    first = page.get_by_text("how many", exact=False).first.inner_text()
    rarely.locator("button").first.click()  # Streamlit draws a button with a tooltip twice, one of them hidden
    expect(page.get_by_text("arcs moved").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(first, exact=True)).to_have_count(0, timeout=PATIENCE)
