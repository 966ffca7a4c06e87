"""A large file that is added in a real browser: the window stays open while it is read; it ends with its tab."""

import psutil
import pytest
from playwright.sync_api import expect

from tests.patience import PATIENCE

pytestmark = pytest.mark.browser
LONG = b"The captain told nobody about the storm.\nThe harbour was empty.\n" * 2_000


def readers():
    """The processes that read files for a server of these tests."""
    below = psutil.Process().children(recursive=True)
    return [process for process in below if "core.processes.apart_worker" in process.cmdline()]


def choose(page, name, data):
    page.get_by_role("button", name="Add a text").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    return dialog


def test_a_large_file_is_stopped_read_after_all_and_added(open_app):
    page = open_app("app.py")
    dialog = choose(page, "long.txt", LONG)
    dialog.get_by_role("button", name="Stop").click()
    expect(dialog.get_by_text("Reading long.txt was stopped")).to_be_visible()
    dialog.get_by_role("button", name="Read it").click()
    expect(dialog.get_by_text("4,000 sentences")).to_be_visible()
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("of 4,000 sentences")).to_be_visible()


def test_a_reading_ends_with_its_tab(open_app):
    page = open_app("app.py")
    dialog = choose(page, "longer.txt", LONG * 40)
    expect(dialog.get_by_role("button", name="Stop")).to_be_visible()
    found = readers()
    page.close()
    assert found and not psutil.wait_procs(found, PATIENCE)[1]
