"""A lesson on paper: which pages, headings, notes, questions and answers it has, and that words stay words."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.teach import deck
from core.teach.deck import TracedStop, lesson_pdf, questions_of, steps_of, worksheet_pdf
from core.teach.lessons import Lesson, Stop
from tests.teach.problems import traced_stops

SAW, SCORES = "she saw her duck", "1 8 0 2; - 0 0 0; 7 - 2 6; 0 1 - 1; 1 2 6 -"
CHART = Stop("eisner", SAW, "Spans", 1, "Ask first.", SCORES, minutes=2)
LESSON = Lesson(
    "Two ways", "To begin with", (CHART, replace(CHART, title="Top", step=19), Stop("arc-eager", SAW, scores=SCORES))
)


def pages(pdf):
    return max(int(count) for count in re.findall(rb"/Count (\d+)", pdf))


@pytest.fixture
def words(monkeypatch):
    """What takes a function's document instead of its PDF: its source, and what it says, text by text."""
    taken = []

    def typeset(source, inputs):
        names = re.findall(r"sys\.inputs\.(\w+)", source)
        assert {*names} == {*inputs} - {"title"}
        taken.append((source, [inputs[name] for name in dict.fromkeys(names) if not inputs[name].startswith("<svg")]))
        return b""

    monkeypatch.setattr(deck, "typeset", typeset)

    def document(make, lesson, stops):
        make(lesson, stops)
        return taken.pop()

    return document


def test_a_deck_has_a_page_for_the_title_and_each_stop_and_its_notes_are_at_the_end():
    pdf = lesson_pdf(LESSON, traced_stops(LESSON))
    assert pdf.startswith(b"%PDF-") and b"pdfuaid" in pdf and pages(pdf) == 5
    silent = replace(LESSON, stops=LESSON.stops[1:2])
    assert pages(lesson_pdf(replace(silent, stops=(replace(CHART, notes=""),)), traced_stops(silent))) == 3


def test_every_step_goes_on_to_the_next_stop_of_the_same_trace():
    stops = traced_stops(LESSON)
    assert [steps_of(stops, place) for place in range(3)] == [
        range(0, 18), range(18, len(stops[1].trace)), range(len(stops[2].trace)),
    ]  # fmt: skip
    back = [stops[1], stops[0]]
    assert steps_of(back, 0) == range(18, len(stops[1].trace))
    many = sum(len(steps_of(stops, place)) for place in range(3))
    assert pages(lesson_pdf(LESSON, stops, every_step=True)) == many + 2


def test_a_step_beyond_the_last_is_the_last():
    (one,) = traced_stops(Lesson("T", stops=(replace(CHART, step=999),)))
    assert one.index == len(one.trace) - 1


def test_the_slides_of_a_deck_say_stop_caption_and_notes(words):
    stops = traced_stops(LESSON)
    _, said = words(lesson_pdf, LESSON, stops)
    short = replace(stops[0], stop=replace(stops[0].stop, minutes=1.0))
    assert "1. Spans (1 minute)" in words(lesson_pdf, LESSON, [short])[1]
    assert said == [
        "Two ways", "To begin with", "3 stops · 4 minutes", "1. Spans", stops[0].trace.steps[0].caption, "2. Top",
        stops[1].trace.steps[18].caption, "3. Arc-eager", stops[2].trace.steps[0].caption, "1. Spans (2 minutes)",
        "Ask first.", "2. Top (2 minutes)", "Ask first.",
    ]  # fmt: skip


def test_a_worksheet_shows_a_trace_once_and_answers_on_the_last_page(words):
    stops = traced_stops(LESSON)
    source, said = words(worksheet_pdf, LESSON, stops)
    assert "2. Top" not in said and source.count("table(") == 2
    exercises, answers = source.split("[Answers]")
    assert exercises.count("☐") == sum(len(asked.options) for one in stops[::2] for _, asked in questions_of(one.trace))
    assert answers.count("heading(level: 3") == 2
    for one, right in zip(stops[::2], said[-2:], strict=True):
        asked = questions_of(one.trace)
        assert right == "; ".join(f"step {index + 1}: {question.right}" for index, question in asked) + "."
        assert [f"Step {index + 1}" in " ".join(said) for index, _ in asked] == [True] * len(asked)


def test_questions_are_spread_over_a_chart_and_the_first_ones_of_moves():
    chart, _, moves = (one.trace for one in traced_stops(LESSON))
    asked = [index for index, step in enumerate(chart.steps) if step.question is not None]
    some = [index for index, _ in questions_of(chart, 4)]
    assert len(some) == 4 and {*some} < {*asked} and (some[0], some[-1]) == (asked[0], asked[-1])
    assert [index for index, _ in questions_of(moves, 3)] == [
        index for index, step in enumerate(moves.steps) if step.question is not None
    ][:3]
    assert [index for index, _ in questions_of(chart, 999)] == asked
    later = replace(chart, first=asked[1])  # what is shown answers its own question
    assert [index for index, _ in questions_of(later, 999)] == [asked[0], *asked[2:]]


def test_a_move_that_the_answer_leaves_open_is_said_before_the_next_question(words):
    wrong = Lesson("T", stops=(Stop("arc-standard", "she sleeps", scores="0 1; - 0; 1 -", moves="SSR"),))
    (one,) = traced_stops(wrong)
    assert not one.trace.steps[3].question.is_right("Right-Arc")
    _, said = words(worksheet_pdf, wrong, [one])
    assert all("after" not in text for text in said if text.startswith(("Step 2", "Step 3", "Step 4")))
    alternatives = Lesson("T", stops=(Stop("arc-standard", SAW, scores=SCORES, moves="SS"),))
    (one,) = traced_stops(alternatives)
    for index, step in enumerate(one.trace.steps[:-1]):
        asked = step.question
        if asked is not None and asked.right != step.title and one.trace.steps[index + 1].question is not None:
            _, said = words(worksheet_pdf, alternatives, [one])
            assert any(text.startswith(f"Step {index + 2}, after {step.title}. ") for text in said)
            return
    pytest.fail("no question of these moves has several answers")


def test_words_are_no_notation():
    odd = '#image("x") $ [ ] <b> _a_ \\'
    bad = Lesson(odd, odd, (Stop("eisner", "#let $x *y* ]", odd, 2, odd, SCORES),))
    for pdf in (lesson_pdf(bad, traced_stops(bad)), worksheet_pdf(bad, traced_stops(bad))):
        assert b"pdfuaid" in pdf


def test_a_forbidden_arc_stands_in_the_table(words):
    one = Lesson("T", stops=(Stop("eisner", "she sleeps", scores="0 x; - 2; 3 -"),))
    source, _ = words(worksheet_pdf, one, traced_stops(one))
    assert "[−∞]" in source and np.isneginf(traced_stops(one)[0].example.scores[0, 2])


def test_a_stop_without_a_title_is_called_by_its_algorithm():
    assert isinstance(traced_stops(LESSON)[2], TracedStop) and traced_stops(LESSON)[2].title == "Arc-eager"
