"""Teaching in a real browser: an address that brings a step back, steps by key and by clock, the wall, slides."""

import re
import zipfile
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from core.teach.lessons import Lesson, Stop
from core.teach.web_page import lesson_page
from tests.browser.axe import RULES
from tests.browser.axe import settle as still
from tests.browser.kept import drawn_anew, mark
from tests.teach.problems import traced_stops

pytestmark = pytest.mark.browser
RUN = {"runOnly": {"type": "tag", "values": RULES}}
STATE = {
    "teach_algorithm": "Eisner’s chart",
    "teach_source": "Type a sentence",
    "teach_typed": "she saw her duck",
    "teach_scores": "My own",
    "teach_own": "1 8 0 2; - 1 0 0; 7 - 2 6; 0 1 - 1; 1 2 6 -",
    "teach_step": 20,
}


def test_a_class_steps_by_key_plays_to_the_end_sees_the_wall_and_takes_the_slides_along(open_app):
    page = open_app("app.py", path=f"/teach?{urlencode(STATE)}", color_scheme="dark")
    expect(page.get_by_text("step 20 of 21")).to_be_visible()
    still(page)  # Streamlit hears keys a moment after it has drawn their buttons
    page.keyboard.press("b")
    expect(page.get_by_text("step 19 of 21")).to_be_visible()
    expect(page).to_have_url(re.compile("[?&]teach_step=19(&|$)"))
    page.keyboard.press("n")
    expect(page.get_by_text("step 20 of 21")).to_be_visible()
    still(page)  # so that the keys know the options of this step
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile("^(Correct|No): "))).to_be_visible()
    words = page.get_by_role("textbox", name="Words, separated by spaces")
    words.focus()
    for key in ("b", "1", "?"):  # are typed
        page.keyboard.press(key)
    words.fill("she saw her duck")
    words.blur()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("first step")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_text("step 20 of 21")).to_be_visible()
    expect(page.locator(".st-key-teach_figure img")).to_have_attribute("alt", re.compile("^Step 20|saw"))
    page.locator(".st-key-teach_do_play button").click()
    expect(page.get_by_text("step 21 of 21")).to_be_visible()
    expect(page.locator(".st-key-teach_do_play button")).to_be_visible()  # it stopped by itself
    page.locator(".st-key-teach_do_present button").click()
    wall = page.locator("dialog[open]")
    expect(wall.get_by_text("Step 21 of 21")).to_be_visible()
    box = wall.bounding_box()
    assert (box["width"], box["height"]) == (page.viewport_size["width"], page.viewport_size["height"])
    controls = [each.bounding_box() for each in wall.get_by_role("button").all()]
    assert len(controls) == 5 and len({round(each["y"]) for each in controls}) == 1  # on one line
    expect(wall.get_by_role("button", name="Step")).to_be_disabled()
    page.keyboard.press("PageUp")  # as a remote control sends it
    expect(wall.get_by_text("Step 20 of 21")).to_be_visible()
    page.keyboard.press("n")
    expect(wall.get_by_text("Step 21 of 21")).to_be_visible()
    page.keyboard.press("Home")
    expect(wall.get_by_text("Step 1 of 21")).to_be_visible()
    page.keyboard.press("1")
    expect(wall.locator(".answer")).to_have_text(re.compile("^(Correct|No): "))
    for key, part in (("?", ".keys"), (".", ".black")):
        page.keyboard.press(key)
        expect(wall.locator(part)).to_be_visible()
        page.keyboard.press(key)
        expect(wall.locator(part)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(wall).to_have_count(0)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Slides, SVG").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert len(archive.namelist()) == 21


def test_the_slider_keeps_its_element_when_a_sentence_is_typed(open_app, settle):
    page = open_app("app.py", path="/teach")
    settle(page)
    mark(page)
    page.get_by_role("radio", name="Type a sentence").click()
    expect(page.get_by_role("textbox", name="Words, separated by spaces")).to_be_visible()
    settle(page)
    assert not drawn_anew(page)


def test_a_class_steps_through_one_object_a_verb(open_app):
    scores = "0 0 0 3 0 0; - 0 0 0 0 0; 0 - 0 0 0 0; 3 3 - 0 0 0; 0 0 3 - 3 3; 0 0 0 0 - 0; 0 0 0 0 2 -"
    state = STATE | {
        "teach_algorithm": "Rules by prices",
        "teach_typed": "the old man saw her duck",
        "teach_own": scores,
    }
    state |= {"teach_constraint": "VERB has at most 1 obj", "teach_step": 1}
    page = open_app("app.py", path=f"/teach?{urlencode(state)}")
    expect(page.get_by_text(re.compile("step 1 of [3-9]"))).to_be_visible()
    expect(page.get_by_text(re.compile("breaks a rule: duck .* is obj of 4 saw, beside 5 her")).first).to_be_visible()
    still(page)
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile("step 2 of"))).to_be_visible()
    expect(page.get_by_text(re.compile("Prices on the arcs of .* move by 1")).first).to_be_visible()
    page.locator(".st-key-teach_do_play button").click()
    expect(page.get_by_text(re.compile("Tree and rules agree at 17 nats")).first).to_be_visible()


def test_a_lesson_page_steps_asks_and_stays_in_itself(browser, tmp_path):
    bad = "</script><b>"
    stop = Stop("arc-eager", f"{bad} saw him", bad, 2, bad, "1 8 0; - 0 0; 7 - 2; 0 1 -")
    lesson = Lesson(bad, bad, (stop, Stop("eisner", "she sleeps", "Chart", scores="0 1; - 2; 3 -")))
    stops, file = traced_stops(lesson), tmp_path / "lesson.html"
    file.write_bytes(lesson_page(lesson, stops))
    with browser.new_context(color_scheme="dark") as context:
        page, trouble = context.new_page(), []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda message: trouble.append(message.text))  # what the policy refuses is said there
        page.goto(file.as_uri())
        steps, said = stops[0].trace.steps, page.locator(".said")
        expect(said).to_have_text(steps[1].caption)
        assert page.locator("b").count() == 0 and page.title() == bad
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"
        words = page.locator("svg text:visible", has_text="saw").first
        assert words.evaluate("each => getComputedStyle(each).fill") == "rgb(232, 230, 225)"
        assert [each["id"] for each in Axe().run(page, options=RUN).response["violations"]] == []
        for index in range(2, len(steps)):
            question, options = steps[index].question, page.locator(".asked button")
            expect(options).to_have_text(list(question.options) if question else [])
            for number, option in enumerate(question.options if question else (), start=1):
                page.keyboard.press(str(number))
                verdict = "Correct" if question.is_right(option) else "No"
                expect(page.locator(".asked [role=status]")).to_have_text(f"{verdict}: {question.right}.")
            page.keyboard.press("ArrowRight" if index % 2 else "PageDown")
            expect(said).to_have_text(steps[index].caption)
            expect(page.locator("svg[role=img]")).to_have_attribute(
                "aria-label", re.compile(re.escape(steps[index].title))
            )
        page.get_by_role("button", name="Next stop").click()
        expect(said).to_have_text(stops[1].trace.steps[0].caption)
        page.keyboard.press("ArrowLeft")
        expect(said).to_have_text(steps[1].caption)
        page.keyboard.press("Home")
        expect(said).to_have_text(steps[0].caption)
        assert trouble == []
