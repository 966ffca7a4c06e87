"""A trace that plays by itself: parts of a page that run on their own, until they are stopped."""

import re

import pytest
from playwright.sync_api import expect

from tests.patience import wait_for

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_a_trace_is_played_and_paused(open_app, settle):
    page = open_app("app.py", path="/decomposition")
    page.set_default_timeout(PATIENCE)
    expect(page.locator(".st-key-dd_tree g.word").first).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-dd_play button").first.click()
    page.locator(".st-key-dd_pause button").first.click()  # at once: on a busy machine it has soon played to the end
    play, shown = page.locator(".st-key-dd_play button"), page.get_by_text(re.compile("arcs change in iteration [3-9]"))

    def played():  # a click on a button that is drawn anew meanwhile is nobody's
        if not shown.count() and play.count() and play.first.is_enabled():
            play.first.click()
        return shown.count()

    wait_for(played)
    settle(page)
