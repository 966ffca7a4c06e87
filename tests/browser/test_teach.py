"""Teaching in a real browser: steps by key, a guess, the address that brings the state back, slides, a lesson file."""

import io
import json
import re
import zipfile
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.axe import settle as still

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
SCORES = "1 8 0 2; - 1 0 0; 7 - 2 6; 0 1 - 1; 1 2 6 -"
STATE = {
    "teach_algorithm": "Chu-Liu-Edmonds",
    "teach_source": "Type a sentence",
    "teach_typed": "she saw her duck",
    "teach_scores": "My own",
    "teach_own": SCORES,
}


def address(**changes):
    return f"/teach?{urlencode(STATE | changes)}"


def test_a_class_steps_by_key_guesses_and_takes_the_slides_along(open_app, settle, tmp_path):
    page = open_app("app.py", path=address())
    page.set_default_timeout(PATIENCE)
    expect(page.get_by_text("step 1 of ")).to_be_visible(timeout=PATIENCE)
    still(page)  # Streamlit hears keys a moment after it has drawn their buttons
    page.keyboard.press("n")
    expect(page.get_by_text("step 2 of ")).to_be_visible(timeout=PATIENCE)
    heading = page.get_by_role("heading", name=re.compile("she .1. takes its best arc, saw"))
    expect(heading).to_be_visible(timeout=PATIENCE)
    picture = page.locator("[data-testid=stImage] img")
    expect(picture).to_have_attribute("alt", re.compile("takes its best arc"), timeout=PATIENCE)
    settle(page)
    expect(page).to_have_url(re.compile("[?&]teach_step=2(&|$)"), timeout=PATIENCE)
    page.locator(".st-key-teach_guess_spanning-tree_2 button").first.click()
    expect(page.get_by_text("first guesses were correct.")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("b")
    expect(page.get_by_text("step 1 of ")).to_be_visible(timeout=PATIENCE)
    settle(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Slides, SVG").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert archive.namelist()[0] == "1-no-arcs-yet.svg"
    settle(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Slides, PDF").click()
    assert io.BytesIO(waiting.value.path().read_bytes()).read(5) == b"%PDF-"


def test_an_address_brings_a_state_back_and_playing_goes_on_to_the_end(open_app):
    page = open_app("app.py", path=address(teach_algorithm="Eisner’s chart", teach_step=20), color_scheme="dark")
    page.set_default_timeout(PATIENCE)
    expect(page.get_by_text("step 20 of 21")).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-teach_do_play button").click()
    expect(page.get_by_text("step 21 of 21")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-teach_do_play button")).to_be_visible(timeout=PATIENCE)  # it stopped by itself
    page.locator(".st-key-teach_do_present button").click()
    wall = page.locator("dialog[open]")
    expect(wall.get_by_text("Step 21 of 21")).to_be_visible(timeout=PATIENCE)
    box = wall.bounding_box()
    assert (box["width"], box["height"]) == (page.viewport_size["width"], page.viewport_size["height"])
    controls = [each.bounding_box() for each in wall.get_by_role("button").all()]
    assert len(controls) == 4 and len({round(each["y"]) for each in controls}) == 1  # on one line
    expect(wall.get_by_role("button", name="Step")).to_be_disabled()
    page.keyboard.press("PageUp")  # as a remote control sends it
    expect(wall.get_by_text("Step 20 of 21")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("n")
    expect(wall.get_by_text("Step 21 of 21")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(wall).to_have_count(0, timeout=PATIENCE)


def test_a_lesson_file_opens_and_a_bad_one_is_one_sentence(open_app, settle, pick, tmp_path):
    page = open_app("app.py", path=address())
    page.set_default_timeout(PATIENCE)
    stop = {"algorithm": "matrix-tree", "sentence": "she sleeps", "scores": "0 1; - 2; 3 -", "title": "Look", "step": 3}
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps({"format": "parser workbench lesson 1", "title": "Two words", "stops": [stop]}))
    bad.write_text(json.dumps({"format": "parser workbench lesson 1", "stops": [stop | {"step": "x"}]}))
    page.get_by_text("Make a lesson, or import one").click()
    for file, told in ((bad, '"step" must be a whole number'), (good, "The lesson is in the list above")):
        page.locator(".st-key-teach_upload input[type=file]").set_input_files(str(file))
        expect(page.get_by_text(file.name, exact=True).first).to_be_visible(timeout=PATIENCE)
        settle(page)
        page.locator(".st-key-teach_open button").click()
        expect(page.get_by_text(told).first).to_be_visible(timeout=PATIENCE)
    pick(page, "teach_lesson", "Two words")
    expect(page.get_by_text("step 3 of ")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Look", exact=True)).to_be_visible(timeout=PATIENCE)
