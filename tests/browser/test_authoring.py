"""The editor of constraints in a real browser: a file goes in and out, words are completed, lines are checked, undo."""

import re

import pytest
from playwright.sync_api import expect

from core.workspace import Workspace, add_corpus
from core.workspace.texts import address_of
from tests.patience import wait_for

pytestmark = pytest.mark.browser
FILE = "# mine\nROOT -> VERB = 1.0\nDET <- NOUN per modifier = 0.9\n"


@pytest.fixture
def saved(start_app):
    """A function: the text of the set as it stands on disk."""
    start_app("app.py")
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    yield lambda: next(iter(store.documents(store.default_project(), "constraints").values()), None)
    store.close()


def test_a_file_goes_in_and_out_and_what_is_typed_is_completed_checked_saved_and_undone(open_app, saved, tmp_path):
    (tmp_path / "mine.txt").write_text(FILE, encoding="utf-8")
    page = open_app("app.py", path="/constraints")
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    page.locator('[class*="st-key-ge_upload_"] input[type=file]').set_input_files(tmp_path / "mine.txt")
    page.locator(".st-key-ge_upload_how").get_by_text("Replace them").click()
    expect(page.get_by_text("mine.txt, constraint file:", exact=False)).to_contain_text("removed")
    page.locator(".st-key-ge_upload_apply button").first.click()
    expect(page.get_by_text("Imported mine.txt").first).to_be_visible()
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()  # as before: nothing else is chosen by it
    area = page.get_by_role("textbox", name="Constraints as text")
    expect(area).to_have_value(FILE)
    expect(page.locator(".st-key-ge_editor .notes .warning").first).to_contain_text("at most 0.")
    with page.expect_download() as download:
        page.locator(".st-key-ge_export_ours button").first.click()
    assert download.value.path().read_text(encoding="utf-8") == FILE

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
    page.keyboard.press("Enter")
    page.keyboard.type("DET <- NUON = 0.9")
    typed = FILE + "NOUN -> ADP dist 1 = 0.3 weight 2\n# AD\nDET <- NUON = 0.9"
    expect(page.get_by_text("Line 6: no word", exact=False)).to_contain_text("did you mean NOUN?")
    assert area.input_value() == typed
    wait_for(lambda: saved() == typed)
    area.press("Control+z")
    expect(page.get_by_text("Undid editing the constraints")).to_be_visible()
    expect(area).not_to_have_value(typed)


def test_suggestions_go_with_their_line_and_close_once_it_is_out_of_sight(open_app):
    page = open_app("app.py", path="/constraints")
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    area = page.get_by_role("textbox", name="Constraints as text")
    area.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n" * 40)
    for _ in range(20):  # to the upper edge of what is seen
        page.keyboard.press("ArrowUp")
    page.keyboard.type("NO")
    option = page.locator(".suggestions [role=option]")
    expect(option).to_have_count(1)
    before = option.bounding_box()["y"]
    area.hover()
    page.mouse.wheel(0, -40)
    wait_for(lambda: round(option.bounding_box()["y"] - before) == 40)
    page.mouse.wheel(0, -3000)
    expect(option).to_have_count(0)
    assert area.input_value().endswith("NO" + "\n" * 20)


def test_an_answer_about_word_order_turns_trees(open_app, saved, start_app):
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    text = "dogs/NOUN in/ADP houses/NOUN slept/VERB\n" * 10
    corpus = store.corpus(add_corpus(store, store.default_project(), "answers.txt", text.encode())[0])
    store.close()
    page = open_app("app.py", path=f"/constraints?text={address_of(corpus)}")
    tree = page.locator(".st-key-ge_tree")
    asked = page.locator('[class*="st-key-ge_begin_order_adposition"]')
    for side, head in (("after", "1 dogs"), ("before", "3 houses")):
        asked.get_by_text(side, exact=True).click()
        expect(tree.locator("g.word").nth(1)).to_have_attribute(
            "aria-label", re.compile(f"2 in ADP, head {head}, case")
        )
    expect(page.get_by_text("the last answer turned 1 arc")).to_be_visible()
    expect(tree.locator('g.arcs g.arc[data-kind="changed"]')).to_have_count(1)
