"""Files in a real browser: an upload is previewed, taken in, marked at its lines, and comes out again; a run, too."""

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
FILE = "# mine\nROOT -> VERB = 1.0\nDET <- NOUN per modifier = 0.9\n"


@pytest.fixture
def page(open_app):
    page = open_app("app.py", path="/constraints")
    page.set_default_timeout(PATIENCE)
    expect(page.locator(".st-key-ge_tree g.word").first).to_be_visible(timeout=PATIENCE)
    return page


def test_a_file_goes_in_and_out_and_a_run_is_taken_away(page, tmp_path):
    (tmp_path / "mine.txt").write_text(FILE, encoding="utf-8")
    page.locator(".st-key-ge_view").get_by_text("Text").click()
    page.locator('[class*="st-key-ge_upload_"] input[type=file]').set_input_files(tmp_path / "mine.txt")
    page.locator(".st-key-ge_upload_how").get_by_text("Replace them").click()
    expect(page.get_by_text("mine.txt, constraint file:", exact=False)).to_contain_text("removed", timeout=PATIENCE)
    page.locator(".st-key-ge_upload_apply button").first.click()
    expect(page.get_by_text("Imported mine.txt").first).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-ge_view").get_by_text("Text").click()
    editor = page.locator(".st-key-ge_editor")
    expect(editor.locator("textarea")).to_have_value(FILE, timeout=PATIENCE)
    expect(editor.locator(".notes .warning").first).to_contain_text("at most 0.", timeout=PATIENCE)
    with page.expect_download() as download:
        page.locator(".st-key-ge_export_ours button").first.click()
    assert download.value.path().read_text(encoding="utf-8") == FILE

    page.locator(".st-key-ge_train button").first.click()
    save = page.locator(".st-key-ge_take_away button").first
    expect(save).to_be_visible(timeout=3 * PATIENCE)
    save.click()
    page.get_by_role("tab", name="Record").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Run record").first.click()
    record = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert record["constraints"] == FILE
    assert record["learner"] == "grammar" and record["settings"]["price"] == 1.0
