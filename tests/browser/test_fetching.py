"""A treebank fetched by name in a real browser: how far it is, stopped, gone on with, opened."""

import os

import pytest
from playwright.sync_api import expect

from tests.mirror import ROW, serving

pytestmark = pytest.mark.browser
SENTENCES = 30_000


@pytest.fixture(scope="module")
def mirror():
    with serving() as server, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "WORKBENCH_TREEBANKS", server.base)  # which the app's server inherits
        server.files["xx_toy-ud-train.conllu"] = ROW.encode() * SENTENCES  # so that there is time to stop it
        yield server


def test_a_treebank_by_name_stopped_and_gone_on_with(mirror, open_app, pick):
    page = open_app("app.py")
    page.get_by_role("button", name="Add a text").click()
    page.get_by_role("dialog").get_by_text("Universal Dependencies", exact=True).click()
    pick(page, "fetch_name", "Toy-Missing", typed=True)
    expect(page.get_by_text("there is no treebank UD_Toy-Missing")).to_be_visible()
    pick(page, "fetch_name", "Toy-Small", typed=True)
    expect(page.get_by_text("train · ")).to_be_visible()
    mirror.pause = 0.25
    page.get_by_role("button", name="Fetch", exact=True).click()
    expect(page.get_by_text("MB of xx_toy-ud-train.conllu")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Stopped")).to_be_visible()
    mirror.pause = 0.0
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text(f"of {SENTENCES:,} sentences")).to_be_visible()
    assert [wanted for path, wanted in mirror.asked if "train" in path] == [None, None], "nothing was left of the first"
