"""An exercise in a real browser: from a teacher's page to a student's phone and back, and as a file alone."""

import re
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from core.teach.algorithms import ALGORITHMS
from core.teach.answer_code import read_code
from core.teach.exercise import ANSWER, AnswerRules, cell_tasks, constraint_task, move_tasks, tree_task
from core.teach.exercise_page import exercise_page
from core.teach.scores import dice_scores
from core.teach.step import Example
from tests.browser.axe import RULES
from tests.browser.test_teach import STATE
from tests.teach.test_exercise import BANK, TAGS, WORDS

pytestmark = pytest.mark.browser
RUN = {"runOnly": {"type": "tag", "values": RULES}}
PHONE = {"width": 390, "height": 800}


def test_a_student_answers_on_a_phone_and_the_teacher_sees_it(open_app):
    page = open_app("app.py", path=f"/teach?{urlencode(STATE | {'teach_step': 1})}")
    page.get_by_text("Make a lesson, or an exercise").click()
    page.get_by_text("Exercises for a class").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("code", has_text="/exercise/")
    expect(link).to_be_visible()
    student = page.context.new_page()
    student.set_viewport_size(PHONE)
    student.goto(link.inner_text())
    judged = student.locator(".judged")
    expect(student.get_by_role("heading", name="Task 1 of 12")).to_be_visible()
    student.get_by_label("Your name").fill("Ana")
    student.get_by_role("radio").first.check()
    student.get_by_role("button", name="Answer").click()
    expect(judged).to_have_text(re.compile("^(Right|Not right)"))
    first = judged.inner_text()
    student.reload()
    expect(judged).to_have_text(first)
    assert student.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [each["id"] for each in Axe().run(student, options=RUN).response["violations"]] == []
    expect(page.get_by_role("button", name="All tries, CSV")).to_be_visible()  # the page looks every few seconds


def test_a_file_judges_trees_values_and_moves_and_gives_a_code(browser, tmp_path):
    example = Example(WORDS, TAGS, dice_scores(5, 1))
    trace = ALGORITHMS["eisner"].steps(example)
    tree, mend = tree_task(BANK, ["nsubj", "obj", "root"]), constraint_task(WORDS, TAGS, (3, 1), 4)
    tasks = [tree, cell_tasks(trace, example)[0], move_tasks(trace, example)[0], mend]
    file = tmp_path / "exercise.html"
    bad = "</script><b>"
    file.write_bytes(exercise_page(bad, tasks, AnswerRules(ANSWER, 2), "", "0123456789abcdef")[0])
    with browser.new_context(color_scheme="dark") as context:
        page, trouble = context.new_page(), []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda message: trouble.append(message.text))  # what the policy refuses is said there
        page.goto(file.as_uri())
        judged, answer, following = page.locator(".judged"), page.locator("form .primary"), page.locator("[data-next]")
        assert page.locator("b").count() == 0 and page.title() == bad
        for word, (head, label) in enumerate((("2", "nsubj"), ("0", "root"), ("2", "nsubj"))):
            row = page.locator(".fields tr").nth(word)
            row.locator("select").first.select_option(head)
            row.locator("select").last.select_option(label)
        answer.click()
        expect(judged).to_have_text("2 of 3 words are right.")
        assert page.locator(".fields .verdict").all_inner_texts() == ["right", "right", "not right"]
        page.locator(".fields tr select").last.select_option("obj")
        answer.click()
        expect(judged).to_have_text("Right.")
        expect(answer).to_be_disabled()
        following.click()
        for _ in range(2):
            page.get_by_label("The value").fill("99")
            answer.click()
        expect(judged).to_have_text(f"Not right. Right is: {tasks[1].right[0]}.")
        expect(page.locator(".why li")).to_have_text(list(tasks[1].why))
        following.click()
        page.keyboard.press("1")
        answer.click()
        verdict = "Right." if tasks[2].options[0] in tasks[2].right else "Not right."
        expect(judged).to_have_text(verdict)
        following.click()
        page.get_by_label("The constraint").fill("DET <- NOUN = 0.9")
        answer.click()
        expect(judged).to_have_text("Your answer is kept.")
        assert [each["id"] for each in Axe().run(page, options=RUN).response["violations"]] == []
        code = read_code(page.get_by_label("The code of your answers").input_value())
        expected = [(0, 4), (0, 4), (1, 1), (1, 1), (2, 1), (3, 1)]
        assert [(task, len(given)) for task, given in code.tries] == expected and code.exercise == "0123456789abcdef"
        page.reload()
        expect(page.get_by_role("button", name=re.compile("Task 4 *answered"))).to_be_visible()
        expect(judged).to_have_text("Right.")
        assert trouble == []
