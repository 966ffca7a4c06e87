"""Joint inference in a real browser: two schemes drawn, a run, a candidate, a round, a sentence that was helped."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_from_two_schemes_to_what_the_rounds_changed(open_app, settle):
    page = open_app("app.py", path="/joint")
    page.set_default_timeout(PATIENCE)
    expect(page.get_by_text(re.compile("heads are the same in the trees"))).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-jt_tree g.arc.thick").first).to_be_attached(timeout=PATIENCE)
    settle(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="1", exact=True).click()  # arcs alone, the quickest to learn and to compile
    undo = page.locator(".st-key-shared_undo button").first
    for label in ("Passes", "Joint parsers"):
        field = page.get_by_label(label, exact=True)
        field.fill("1")
        field.press("Enter")
        expect(undo).to_be_enabled(timeout=PATIENCE)
        settle(page)
    page.keyboard.press("Escape")

    page.locator(".st-key-jt_start button").first.click()
    expect(page.locator(".st-key-jt_cancel button").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"of 33 sentences improved")).first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("pair of trees is proved the best")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile("tree 1 of 16 drawn")).first).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.get_by_role("radio", name="Alone").click()
    expect(page).to_have_url(re.compile("joint_stage=Alone"), timeout=PATIENCE)
    page.get_by_role("radio", name="Sentences").click()
    expect(page.locator(".st-key-joint_list")).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("joint_view=Sentences"), timeout=PATIENCE)
    link = page.url.split("/joint", 1)[1]
    page.goto(page.url.split("/joint", 1)[0] + "/joint" + link + "&joint_sentence=2")
    settle(page)
    expect(page.get_by_role("radio", name="Alone")).to_be_checked(timeout=PATIENCE)
    expect(page.get_by_text(re.compile("^Sentence 20 "))).to_be_visible(timeout=PATIENCE)
