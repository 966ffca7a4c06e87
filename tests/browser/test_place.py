"""More tabs than a server serves at once: the next one is told to wait, and opens by itself."""

import pytest
from playwright.sync_api import expect

from tests.browser.served import Process, free_port

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def test_a_tab_waits_until_another_is_closed(browser, tmp_path):
    server = Process(tmp_path, free_port(), {"WORKBENCH_HOME": str(tmp_path), "WORKBENCH_TABS": "1"}, [])
    session = browser.new_context()
    try:
        server.await_health()
        first, second = session.new_page(), session.new_page()
        for page in (first, second):
            page.goto(f"http://127.0.0.1:{server.port}/workbench/projects")
            words = "You are number 1 in the line" if page is second else "This project:"
            expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)
        first.close()
        expect(second.get_by_role("heading", name="This project:")).to_be_visible(timeout=PATIENCE)
    finally:
        session.close()
        server.kill()
