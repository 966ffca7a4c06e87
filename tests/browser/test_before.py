"""A store from before a system was a class, opened in a browser: every page that shows what its runs left."""

import pytest
from playwright.sync_api import expect

from tests.workspace.before import write_store

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
SHOWN = {  # page -> what it says of the runs that were made then
    "constraints": "16 of 22",
    "consensus": "Run 8 was cancelled",
    "joint": "Run 10 was cancelled",
    "adaptation": "LAS 47.4% with adaptation (9 of 19 words)",
    "induction": "63.6% of heads right (14 of 22)",
    "compare": "run 14, induced is 63.6 points above attach left",
    "runs": "16 runs, newest first",
}


def _with_old_store(folder):
    write_store(folder / "workbench.sqlite")


def test_every_page_shows_what_was_there(start_app, open_app, settle):
    address = start_app("app.py", prepare=_with_old_store)
    page = open_app("app.py", path="/corpus?corpus=five.conllu")
    page.set_default_timeout(PATIENCE)
    for path, words in SHOWN.items():
        page.goto(f"{address}/{path}?corpus=five.conllu")
        expect(page.get_by_test_id("stMain")).to_contain_text(words, timeout=PATIENCE)
        settle(page)
        assert not page.get_by_test_id("stException").count(), path
