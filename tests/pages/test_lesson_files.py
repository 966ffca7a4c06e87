"""Lessons from files on the Teach page: one sentence about a bad one, and a good one is in the list and opens."""

import json

from pages.shared.navigation import FRAMED
from tests.pages.reading import said

STOP = {"algorithm": "matrix-tree", "sentence": "she sleeps", "scores": "0 1; - 2; 3 -", "title": "Look", "step": 3}


def bring(app, **stop):
    lesson = {"format": "parser workbench lesson 1", "title": "Two words", "stops": [STOP | stop]}
    app.file_uploader(key="teach_upload").upload("lesson.json", json.dumps(lesson).encode()).run()
    app.session_state[FRAMED] = True  # the button has no callback, and is not heard where app.py starts the page anew
    app.button(key="teach_open").click().run()
    assert not app.exception, app.exception


def test_a_lesson_file_opens_and_a_bad_one_is_one_sentence(open_page):
    app = open_page("teach")
    bring(app, step="x")
    assert '"step" must be a whole number' in said(app.error)
    bring(app)
    assert "The lesson is in the list above" in said(app.toast)
    app.selectbox(key="teach_lesson").select("Two words").run()
    assert app.select_slider(key="teach_step").value == 3 and "Look" in said(app.markdown)


def test_a_lesson_is_saved_whether_it_is_open_or_not(open_page):
    app = open_page("teach")
    bring(app)
    assert app.selectbox(key="teach_lesson").value is None
    saved = [button.proto.label for button in app.get("download_button")]
    assert "Save “Two words”" in saved
    app.selectbox(key="teach_lesson").select("Two words").run()
    assert [button.proto.label for button in app.get("download_button")].count("Save “Two words”") == 1


def test_a_lesson_is_taken_away_in_four_files_and_a_stop_that_cannot_be_shown_is_named(open_page):
    app = open_page("teach")
    bring(app)
    app.selectbox(key="teach_lesson").select("Two words").run()
    app.session_state["teach_take_away"] = True
    offered = {button.proto.label for button in app.run().get("download_button")}
    assert {"Slides", "Slides, every step", "Web page", "Worksheet"} <= offered and not app.error
    bring(app, algorithm="eisner", scores="x x; - x; x -")
    app.selectbox(key="teach_lesson").select("Two words (2)").run()
    app.session_state["teach_take_away"] = True
    assert "Stop 1 of Two words (2) cannot be shown: " in said(app.run().error)
