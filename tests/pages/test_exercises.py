"""Exercises: made of what Teach shows, answered at a link or by codes, judged, and listed for who gave them."""

import csv
import io
import json
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware

from core.errors import StoreError, WorkbenchError
from core.store.exercises import NO_EXERCISE
from core.teach.answer_code import AnswerCode, write_code
from core.teach.exercise import ANSWER, CELL, CONSTRAINT, MOST_TASKS, MOVE, NONE, SHARE, TREE, WHICH, AnswerRules
from core.teach.exercise_page import name_of
from core.teach.lessons import shipped_lessons
from core.workspace.teach.choice import AS_ENGLISH, CORPUS, TYPED, Choice
from core.workspace.teach.exercises import ExerciseRoom
from pages.shared.server import Headers
from pages.shared.teach.exercise_server import LONGEST, exercise_routes
from tests.asgi import ask
from tests.filled import filled
from tests.pages.reading import said
from tests.teach.test_web_page import unpacked_data

TYPED_CHOICE = Choice("eisner", TYPED, typed="she saw her duck", read=AS_ENGLISH)
KEY, OTHER = "a" * 22, "b" * 22


@pytest.fixture
def room(workbench):
    return ExerciseRoom(workbench)


@pytest.fixture
def given(room, project, corpus):
    """given(kind, feedback, tries, choice) -> an exercise that is open."""

    def given(kind=MOVE, feedback=WHICH, tries=3, choice=TYPED_CHOICE):
        tasks = room.tasks(corpus, choice, kind)
        return room.give(project, "Chart <b>", tasks, AnswerRules(feedback, tries), 1)

    return given


@pytest.fixture
def served(workbench):
    """served(link, values=None) -> (status, headers, text) of the server's answer."""
    app = Starlette(routes=exercise_routes(), middleware=[Middleware(Headers)])

    def served(link, values=None, body=None):
        if values is not None:
            body = [json.dumps(values).encode()]
        answer = ask(app, f"/exercise/{link}", method="GET" if body is None else "POST", body=body or ())
        return answer.status, {name.decode().lower(): value.decode() for name, value in answer.headers}, answer.text

    return served


def test_what_is_shown_says_which_kinds_of_tasks_there_are(room, corpus):
    assert room.offered(corpus, TYPED_CHOICE) == (MOVE, CELL)
    assert room.offered(corpus, Choice("eisner", CORPUS, 3)) == (MOVE, CELL, TREE, CONSTRAINT)
    assert room.offered(corpus, replace(TYPED_CHOICE, algorithm="decomposition")) == (MOVE,)


def test_sentences_with_trees_are_annotated_and_errors_of_the_parser_mended(room, corpus, workbench):
    treebank = workbench.treebank(corpus)
    trees = room.tasks(corpus, Choice("eisner", CORPUS, 1), TREE, [1, 5])
    assert [task.words for task in trees] == [treebank[0].forms, treebank[4].forms]
    assert "nsubj" in trees[0].options and trees[0].right[0].split()[0] == str(treebank[0].heads[1])
    errors = []
    for number in range(1, 40):
        try:
            errors += room.tasks(corpus, Choice("eisner", CORPUS, number), CONSTRAINT)
        except WorkbenchError as error:
            assert "no error here" in str(error) or "at most" in str(error)
    for task in filled(errors):
        head, modifier, wrong, _ = map(int, task.right)
        gold = next(one for one in treebank if one.forms == task.words)
        assert gold.heads[modifier] == head != wrong
    with pytest.raises(WorkbenchError, match=f"at most {MOST_TASKS} tasks"):
        room.tasks(corpus, Choice("eisner", CORPUS, 1), TREE, range(1, MOST_TASKS + 2))


def test_a_lesson_is_an_exercise(room, corpus):
    tasks = room.of_lesson(corpus, shipped_lessons()["tour"])
    assert 0 < len(tasks) <= MOST_TASKS and {task.kind for task in tasks} == {MOVE}


def test_a_link_opens_a_page_that_holds_no_answer_and_runs_its_own_script_alone(given, served, room):
    exercise = given(feedback=ANSWER)
    status, headers, page = served(exercise.link)
    assert status == 200 and "Chart &lt;b&gt;" in page and "<b>" not in page
    policy = headers["content-security-policy"]
    assert "connect-src 'self'" in policy and "'unsafe" not in policy and "script-src 'sha256-" in policy
    data = unpacked_data(page)
    assert len(data["tasks"]) == len(room.tasks_of(exercise))
    for task in filled(data["tasks"]):
        assert not {"right", "why", "solution"} & set(task)


def test_a_file_judges_by_itself_and_with_no_feedback_holds_no_answer(given, room):
    for feedback, holds in filled([(ANSWER, True), (SHARE, True), (NONE, False)]):
        exercise = given(feedback=feedback)
        data = unpacked_data(room.page(exercise, as_file=True)[0].decode())
        assert data["name"] == name_of(exercise.link) != exercise.link
        assert {"right" in task for task in data["tasks"]} == {holds}
        assert exercise.link not in json.dumps(data)


def test_answers_are_kept_judged_and_found_again_by_the_key(given, served, room):
    exercise = given(feedback=ANSWER, tries=2)
    task = room.tasks_of(exercise)[0]
    wrong = next(option for option in task.options if option not in task.right)
    sent = {"key": KEY, "name": "Ana", "task": 0, "answer": [wrong]}
    first = json.loads(served(exercise.link, sent)[2])
    assert first["tries"][0] == [{"answer": [wrong], "verdict": {"parts": [False]}}]
    second = json.loads(served(exercise.link, sent)[2])["tries"][0][1]["verdict"]
    assert second["right"] == " or ".join(task.right) and second["why"] == list(task.why)
    status, _, text = served(exercise.link, sent)
    assert status == 409 and "used up" in json.loads(text)["error"]
    again = json.loads(served(exercise.link, {"key": KEY})[2])
    assert again["name"] == "Ana" and len(again["tries"][0]) == 2
    assert json.loads(served(exercise.link, {"key": OTHER})[2])["tries"] == [[] for _ in room.tasks_of(exercise)]


def test_how_many_are_right_is_said_once_all_are_answered(given, room):
    exercise = given(feedback=SHARE, tries=1)
    for k, task in enumerate(filled(room.tasks_of(exercise))):
        state = room.answer(exercise, KEY, "", k, [task.right[0]])
        assert state["tries"][k][0]["verdict"] == {}
        whole = k == len(room.tasks_of(exercise)) - 1
        assert state["total"] == ([k + 1, k + 1] if whole else None)


@pytest.mark.parametrize(
    "body, says",
    [
        (b"{", "no answer to an exercise"),
        (b'{"key": "short"}', "no answer to an exercise"),
        (b'["key"]', "no answer to an exercise"),
        (json.dumps({"key": KEY, "task": 99, "answer": ["x"]}).encode(), "no answer to a task"),
        (json.dumps({"key": KEY, "task": 0, "answer": "x"}).encode(), "no answer to a task"),
        (json.dumps({"key": KEY, "task": 0, "answer": []}).encode(), "no answer to this task"),
        (json.dumps({"key": KEY, "task": 0, "answer": [1]}).encode(), "no answer to this task"),
        (b" " * (LONGEST + 1), "too long"),
    ],
)
def test_what_is_no_answer_is_one_sentence_and_keeps_nothing(given, served, workbench, body, says):
    exercise = given()
    status, _, text = served(exercise.link, body=[body])
    assert status == 400 and says in json.loads(text)["error"]
    assert workbench.store.answers_given(exercise.id) == []


def test_a_guessed_and_an_ended_link_open_nothing(given, served, workbench):
    exercise = given()
    for link in filled(["x" * 22, exercise.link + "x", "1"]):
        status, _, page = served(link)
        assert status == 404 and NO_EXERCISE in page
        assert served(link, {"key": KEY})[0] == 409
    workbench.store.end_exercise(exercise.id)
    status, _, page = served(exercise.link)
    assert status == 410 and "This exercise ended on" in page
    assert "ended on" in json.loads(served(exercise.link, {"key": KEY, "task": 0, "answer": ["x"]})[2])["error"]


def test_results_show_each_student_the_most_frequent_errors_and_every_try(given, room):
    exercise = given(TREE, choice=Choice("eisner", CORPUS, 1))
    task = room.tasks_of(exercise)[0]
    asked = [m for m, right in enumerate(task.right) if right]
    almost = ["9 dep" if m == asked[0] else right for m, right in enumerate(task.right)]
    bad = ["9 dep" if m in asked[:2] else right for m, right in enumerate(task.right)]
    for key, name, answer in ((KEY, "=Ana", almost), (OTHER, "=Ana", bad), (OTHER, "=Ana", list(task.right))):
        room.answer(exercise, key, name, 0, answer)
    room.answer(exercise, "c" * 22, "", 0, bad)
    results = room.results(exercise)
    assert results.students["tasks right"] == [0, 1, 0] and len(set(results.students["student"])) == 3
    assert results.students["task 1"][0] == pytest.approx(1 - 1 / len(asked))
    assert results.errors["students"][0] == 2 and results.errors["right"][0] == task.right[asked[0]]
    tries = room.tries(exercise, results.keys[1])
    assert tries["try"] == [1, 2] and tries["answer"][1] == "all right"
    rows = list(csv.DictReader(io.StringIO(room.csv(exercise))))
    assert len(rows) == 4 and rows[0]["name"] == "'=Ana"  # no formula of a spreadsheet


def test_codes_of_files_are_taken_in_once_and_those_of_others_refused(given, room):
    exercise, other = given(), given()
    task = room.tasks_of(exercise)[0]
    tries = ((0, (task.options[0],)), (0, (task.options[1],)))
    code = AnswerCode(name_of(exercise.link), KEY, "Ana", tries[:1])
    assert room.take_code(exercise, write_code(code)) == ("Ana", 1)
    assert room.take_code(exercise, write_code(replace(code, tries=tries))) == ("Ana", 1)
    assert room.take_code(exercise, write_code(code)) == ("Ana", 0)
    with pytest.raises(WorkbenchError, match="of another exercise"):
        room.take_code(other, write_code(code))
    assert len(room.tries(exercise, room.results(exercise).keys[0])["try"]) == 2


def test_an_exercise_outlives_its_text(given, room, workbench, corpus, served):
    exercise = given(TREE, choice=Choice("eisner", CORPUS, 1))
    workbench.store.remove_corpus(corpus.id)
    fresh = ExerciseRoom(workbench)
    right = list(fresh.tasks_of(exercise)[0].right)
    state = json.loads(served(exercise.link, {"key": KEY, "task": 0, "answer": right})[2])
    assert all(state["tries"][0][0]["verdict"]["parts"])


def test_days_beyond_a_year_are_refused(room, project, corpus):
    tasks = room.tasks(corpus, TYPED_CHOICE, MOVE)
    for days in filled([0, 400]):
        with pytest.raises((WorkbenchError, StoreError), match="open for"):
            room.give(project, "x", tasks, AnswerRules(), days)


OPEN = {"teach_exercises": True}
ADDRESS = {"teach_algorithm": "Eisner’s chart", "teach_source": "Type a sentence", "teach_typed": "she saw her duck"}


def test_a_teacher_makes_a_link_sees_answers_and_ends_it(open_page, room, workbench, project):
    app = open_page("teach", OPEN, **ADDRESS)
    assert "no exercise yet" in said(app.caption)
    app.button(key="teach_give").click().run()
    assert not app.exception and not app.error
    (exercise,) = workbench.store.exercises(project)
    assert any(exercise.link in code.value for code in app.code)
    assert "Nobody has answered yet" in said(app.caption)
    task = room.tasks_of(exercise)[0]
    wrong = next(option for option in task.options if option not in task.right)
    room.answer(exercise, KEY, "Ana", 0, [wrong])
    app.run()
    tables = [table.value for table in app.dataframe]
    assert any("Ana" in str(table) for table in tables) and any(wrong in str(table) for table in tables)
    app.button(key="teach_exercise_end").click().run()
    assert workbench.store.exercises(project)[0].has_ended
    app.button(key="teach_exercise_open").click().run()
    assert not workbench.store.exercises(project)[0].has_ended
    app.button(key="teach_exercise_deleted").click().run()
    assert workbench.store.exercises(project) == [] and "no exercise yet" in said(app.caption)


def test_sentences_that_cannot_be_given_are_one_sentence(open_page, workbench, project):
    app = open_page("teach", OPEN, teach_algorithm="Eisner’s chart")
    app.selectbox(key="teach_give_kind").select(TREE).run()
    for typed, says in filled([("x", "is not a sentence number"), ("1-40", "at most 12 tasks")]):
        app.text_input(key="teach_give_sentences").input(typed)
        app.button(key="teach_give").click().run()
        assert says in said(app.toast)
    assert workbench.store.exercises(project) == []


def test_sentences_of_annotate_become_an_exercise_in_three_clicks(open_page, room, workbench, project, corpus):
    app = open_page("annotate", sentence="5")
    app.button(key="ann_exercise").click().run()
    assert app.text_input(key="teach_give_sentences").value == "5" and not app.exception
    app.button(key="teach_give").click().run()
    (exercise,) = workbench.store.exercises(project)
    assert [task.words for task in room.tasks_of(exercise)] == [workbench.treebank(corpus)[4].forms]
    with pytest.raises(WorkbenchError, match="no sentence that was handed over has a whole tree"):
        room.with_trees(corpus, [])


def test_a_code_that_is_none_stays_in_its_field_with_one_sentence(open_page, given):
    exercise = given()
    app = open_page("teach", OPEN, **ADDRESS)
    good = write_code(AnswerCode(name_of(exercise.link), KEY, "Ana", ()))
    app.text_area(key="teach_exercise_code").input(f"{good}\nnonsense")
    app.button(key="teach_codes_take").click().run()
    assert "no code of answers" in said(app.toast)
    assert app.text_area(key="teach_exercise_code").value == "nonsense"
