"""The address says what is looked at, also after what stands above it on the page has come or gone."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 60_000  # milliseconds: another test may be compiling
CATS = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def add_text(page, settle, text):
    page.get_by_role("button", name="Add a text").click()
    page.get_by_label("Or paste text").fill(text)
    page.keyboard.press("Control+Enter")
    button = page.locator(".st-key-upload_add button")
    expect(button).to_be_enabled(timeout=PATIENCE)
    settle(page)
    button.click()


@pytest.mark.parametrize("path", ["/", "/annotate"])
def test_sentences_enter_the_address_after_a_text_was_added(open_app, settle, path):
    page = open_app("app.py", path=path)
    add_text(page, settle, CATS * 12)
    expect(page.locator(".st-key-sentence button").last).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile("12 of 12 sentences|Sentence 1 of 12"))).to_be_visible(timeout=PATIENCE)
    settle(page)
    for place in (2, 3):
        page.locator(".st-key-sentence button").last.click()
        expect(page).to_have_url(re.compile(rf"[?&]sentence={place}(&|$)"), timeout=PATIENCE)
        settle(page)
    page.locator(".st-key-sentence").get_by_label("Page 1", exact=True).click()
    expect(page).not_to_have_url(re.compile("sentence="), timeout=PATIENCE)  # the first needs no saying
