"""The address says what is looked at, also after a text has come above it; what was looked for belongs to its text."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
CATS = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def test_a_text_that_was_added_is_paged_left_and_found_again(open_app, settle, pick):
    page = open_app("app.py")
    page.get_by_role("button", name="Add a text").click()
    page.get_by_label("Or paste text").fill(CATS * 12)
    page.keyboard.press("Control+Enter")
    button = page.locator(".st-key-upload_add button")
    expect(button).to_be_enabled()
    settle(page)
    button.click()
    expect(page.get_by_text("12 of 12 sentences", exact=True)).to_be_visible()
    settle(page)
    for place in (2, 3):
        page.locator(".st-key-sentence button").last.click()
        expect(page).to_have_url(re.compile(rf"[?&]sentence={place}(&|$)"))
        settle(page)
    page.locator(".st-key-sentence button").first.click()
    expect(page).to_have_url(re.compile(r"[?&]sentence=2(&|$)"))
    settle(page)
    page.locator(".st-key-sentence button").first.click()
    expect(page).not_to_have_url(re.compile("sentence="))  # the first needs no saying

    search = page.locator(".st-key-find input")
    search.fill("dogs")
    expect(page.get_by_text("No sentence matches", exact=False)).to_be_visible()
    name = page.locator(".st-key-corpus input").first.input_value()
    pick(page, "corpus", "sample")
    expect(page).to_have_url(re.compile("text=sample"))
    expect(search).to_have_value("")
    pick(page, "corpus", name)
    expect(page).to_have_url(re.compile(r"[?&]text=[^&]*-\w{10}(&|$)"))
    expect(search).to_have_value("dogs")
