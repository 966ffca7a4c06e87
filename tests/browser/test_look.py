"""The tour in a real browser, by keyboard."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_tour_by_keyboard_through_its_pages(open_app, settle):
    page = open_app("app.py")
    page.get_by_role("button", name="Start the tour").press("Enter")
    for number, verb in enumerate(("train", "look", "correct"), 1):
        expect(page.get_by_text(f"{number} of 6")).to_be_visible()
        settle(page)  # a button that is drawn anew between focus and key does not hear the key
        page.get_by_role("button", name=f"Next: {verb}").press("Enter")
    expect(page).to_have_url(re.compile("/annotate"))
    expect(page.get_by_text("4 of 6")).to_be_visible()
    settle(page)
    buttons = page.locator(".st-key-tour button")
    expect(buttons).to_have_count(3)
    assert len({round(button.bounding_box()["y"]) for button in buttons.all()}) == 1  # they stand on one line
    page.get_by_role("button", name="End the tour").press("Enter")
    expect(page.locator(".st-key-tour")).to_have_count(0)


def test_a_click_on_nothing_draws_no_frame_and_tab_does(open_app, settle):
    page = open_app("app.py", path="/teach")
    frame = "getComputedStyle(document.querySelector('[data-testid=stMain]'), '::before').boxShadow"
    page.mouse.click(6, 400)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("stMain")).to_be_focused()
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    page.wait_for_function(f"() => {frame} === 'none'")
    page.mouse.move(400, 6)  # the bar above; whoever comes by keyboard sees where
    page.wait_for_function(f"() => {frame} !== 'none'")
