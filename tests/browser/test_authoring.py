"""Authoring in a real browser: a click in a tree becomes a constraint, a version is linked."""

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


def undo(page, label):
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text(label, exact=False).first).to_be_visible(timeout=PATIENCE)


def test_a_click_on_a_word_becomes_a_constraint(page):
    page.locator('.st-key-ge_tree g.word[data-word="5"]').click()
    expect(page.get_by_text("Head of 5 the DET")).to_be_visible(timeout=PATIENCE)
    box = page.locator('[class*="st-key-ge_arc_head"] input')
    box.click()
    box.fill("came")
    page.keyboard.press("Enter")
    expect(page.get_by_text("determiners preceded by a verb", exact=False)).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_arc_answer").get_by_text("never").click()
    expect(page.get_by_text("VERB -> DET per modifier = 0.0")).to_be_visible()
    page.locator(".st-key-ge_arc_add button").click()
    expect(page.get_by_text("Saved VERB", exact=False)).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-ge_arc_add").get_by_role("button", name="Change line")).to_be_visible(timeout=PATIENCE)
    undo(page, "Undid adding VERB")
    expect(page.locator(".st-key-ge_arc_add").get_by_text("Add", exact=True)).to_be_visible(timeout=PATIENCE)


def test_a_kept_version_has_a_link(page):
    page.locator(".st-key-ge_view").get_by_text("Versions").click()
    page.locator(".st-key-ge_version_name input").fill("ours")
    page.locator(".st-key-ge_version_keep button").click()
    expect(page.get_by_text("no difference", exact=False)).to_be_visible(timeout=PATIENCE)
    page.goto(page.url.split("?")[0] + "?version=ours")
    expect(page.get_by_text("no difference", exact=False)).to_be_visible(timeout=PATIENCE)


def test_words_are_completed_by_keyboard_and_mouse_and_no_keystroke_is_lost(page):
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    area = page.get_by_role("textbox", name="Constraints as text")
    area.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("NO")
    option = page.locator(".suggestions [role=option]")
    expect(option).to_have_count(1)
    area.dispatch_event("scroll")  # as it comes late of a key that moves the text
    expect(option).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.keyboard.type(" -> AD")
    expect(option).to_have_count(3)
    option.filter(has_text="ADP").click()
    page.keyboard.type(" dist 1 = 0.3 weight 2")
    page.keyboard.press("Enter")  # nothing is chosen: a new line
    page.keyboard.type("# AD")
    expect(option).to_have_count(0)
    last = "NOUN -> ADP dist 1 = 0.3 weight 2\n# AD"
    assert area.input_value().endswith(last)
    page.locator(".st-key-ge_view").get_by_text("Table", exact=True).click()
    expect(page.get_by_text("16 lines", exact=False)).to_be_visible(timeout=PATIENCE)


def test_suggestions_go_with_their_line_and_close_once_it_is_out_of_sight(page):
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    area = page.get_by_role("textbox", name="Constraints as text")
    area.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n" * 40)
    page.keyboard.type("NO")
    option = page.locator(".suggestions [role=option]")
    expect(option).to_have_count(1)
    area.hover()
    page.mouse.wheel(0, -40)
    expect(option).to_have_count(1)
    page.mouse.wheel(0, -3000)
    expect(option).to_have_count(0)
    assert area.input_value().endswith("NO")
