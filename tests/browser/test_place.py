"""More tabs than a server serves at once: the next one is told to wait, and opens by itself."""

import pytest
from playwright.sync_api import expect

from tests.patience import WAIT

pytestmark = pytest.mark.browser


@pytest.fixture
def server(servers, tmp_path):
    """A server with a place for one tab."""
    server = servers("app.py")
    server.work_in(tmp_path, WORKBENCH_TABS="1")
    yield server
    server.work_in(tmp_path, WORKBENCH_TABS=None)


def test_a_tab_waits_until_another_is_closed(browser, server):
    with browser.new_context() as session:
        first, second = session.new_page(), session.new_page()
        for page, words in ((first, "This project:"), (second, "You are number 1 in the line")):
            page.goto(f"{server.address}/projects", timeout=WAIT)
            expect(page.get_by_text(words).first).to_be_visible()
        first.close()
        expect(second.get_by_role("heading", name="This project:")).to_be_visible()
