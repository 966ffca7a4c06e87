"""A trace that plays by itself: parts of a page that run on their own, until they are stopped."""

import re

import pytest
from playwright.sync_api import expect

from tests.patience import wait_for

pytestmark = pytest.mark.browser


def test_a_trace_is_played_and_paused(open_app, settle):
    page = open_app("app.py", path="/decomposition")
    expect(page.locator(".st-key-dd_tree g.word").first).to_be_visible()
    play, pause = (page.locator(f".st-key-dd_{name} button") for name in ("play", "pause"))
    later = page.get_by_text(re.compile(r"arcs change in iteration ([3-9]|\d\d)"))  # it stays at the end

    def press(button):  # if it is there: a click that waits for one that has gone meanwhile would wait for ever
        button.evaluate_all("buttons => buttons.forEach(each => each.click())")
        settle(page)

    def begun():  # a click on a button that is drawn anew is nobody's, one that comes too early stops the answer
        if not later.count() and not pause.count():
            press(play)
        return later.count() or pause.count()

    wait_for(begun)
    expect(later).to_be_visible()
    press(pause)  # on a busy machine it has played to the end by now
    expect(play).to_be_visible()


def test_a_run_under_rules_is_stepped_through_to_its_proof(open_app, settle):
    page = open_app("app.py", path="/decomposition?dd_problem_view=Rules")
    expect(page.locator(".st-key-dd_rule_tree g.word").first).to_be_visible()
    expect(page.get_by_text(re.compile("^Proved after .* no tree that keeps the rules is better"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Round 1: the tree breaks"))).to_be_visible()
    step = page.locator(".st-key-dd_step button")
    expect(page.get_by_role("button", name="Keys", exact=True)).to_be_visible()  # from then on keys are heard
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile("^(Correct|No): It "))).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile("^Round 2: the tree"))).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_text(re.compile("^Round 1: the tree"))).to_be_visible()
    step.click()
    settle(page)
    expect(page.get_by_text(re.compile("^Round 2: the tree"))).to_be_visible()
    page.locator(".st-key-dd_iteration").get_by_role("slider").press("End")
    expect(step).to_be_disabled()
    expect(page.get_by_text("The tree of this round keeps the rules.")).to_be_visible()
