"""Exercises: what tasks are made of, what is judged right, what is said of it, and the codes of answers."""

from dataclasses import replace

import pytest

from core.errors import WorkbenchError
from core.teach.algorithms import ALGORITHMS
from core.teach.answer_code import AnswerCode, read_code, write_code
from core.teach.exercise import (
    ANSWER,
    CELL,
    MOST_TASKS,
    NONE,
    SHARE,
    WHICH,
    AnswerRules,
    ClassTask,
    cell_tasks,
    constraint_task,
    judge,
    move_tasks,
    share_of,
    solution,
    tree_task,
    verdict,
)
from core.teach.scores import dice_scores
from core.teach.step import Example
from core.treebank import Treebank
from tests.filled import filled

WORDS, TAGS = ("", "the", "old", "man", "saw", "her"), ("", "DET", "ADJ", "NOUN", "VERB", "PRON")
ROWS = [
    {"forms": ["she", "saw", "me", "."], "upos": ["PRON", "VERB", "PRON", "PUNCT"], "heads": [2, 0, 2, 2],
     "deprels": ["nsubj", "root", "obj", "punct"]}
]  # fmt: skip
BANK = Treebank.from_sentences(ROWS)


def traced(key):
    example = Example(WORDS, TAGS, dice_scores(5, 1))
    return ALGORITHMS[key].steps(example), example


@pytest.mark.parametrize("key", [key for key, algorithm in ALGORITHMS.items() if "scores" in algorithm.wants])
def test_every_question_is_a_task_whose_own_answer_is_right(key):
    trace, example = traced(key)
    tasks = move_tasks(trace, example)
    assert 0 < len(tasks) <= MOST_TASKS
    for task in filled(tasks):
        assert judge(task, [task.right[0]]) == (True,) and task.picture.startswith("<svg") and task.said
        wrong = [option for option in task.options if option not in task.right]
        assert wrong and judge(task, [wrong[0]]) == (False,)
        assert len(task.table) == len(WORDS) + 1  # a row of headings, one for each head


def test_one_step_can_be_asked_alone():
    trace, example = traced("eisner")
    index = [k for k, step in enumerate(trace.steps) if step.question is not None][-1]
    (task,) = move_tasks(trace, example, only=index)
    assert task.asks == trace.steps[index].question.text


@pytest.mark.parametrize("key", ["eisner", "inside-outside"])
def test_cells_of_a_chart_are_worked_out_from_what_is_shown(key):
    trace, example = traced(key)
    tasks = cell_tasks(trace, example)
    assert len(tasks) == MOST_TASKS
    for task in filled(tasks):
        assert judge(task, list(task.right)) == (True,)
        assert judge(task, [f"{float(task.right[0].replace('−', '-')) + 1:g}"]) == (False,)
        assert task.asks.endswith("?")


@pytest.mark.parametrize(
    "typed, is_right",
    [
        ("−1.5", True),
        ("-1.5", True),
        ("-1,5", True),
        (" -1.46 ", True),
        ("-1.4", False),
        ("1.5", False),
        ("-inf", False),
    ],
)
def test_numbers_are_read_as_people_type_them(typed, is_right):
    assert judge(ClassTask(CELL, "?", ("−1.5",)), [typed]) == (is_right,)


def test_shares_and_infinities_are_numbers_and_words_are_none():
    assert judge(ClassTask(CELL, "?", ("37%",)), ["0.37"]) == judge(ClassTask(CELL, "?", ("37%",)), ["37 %"]) == (True,)
    assert judge(ClassTask(CELL, "?", ("−∞",)), ["-inf"]) == judge(ClassTask(CELL, "?", ("−∞",)), ["−∞"]) == (True,)
    assert judge(ClassTask(CELL, "?", ("37%",)), ["37"]) == (False,)
    with pytest.raises(WorkbenchError, match="no number"):
        judge(ClassTask(CELL, "?", ("1",)), ["one"])


def test_a_tree_is_judged_word_by_word_and_punctuation_is_not_asked_for():
    task = tree_task(BANK, ["nsubj", "obj", "root"])
    assert task.right == ("2 nsubj", "0 root", "2 obj", "")
    assert judge(task, ["2 nsubj", "0 root", "1 obj", ""]) == (True, True, False)
    assert share_of(judge(task, ["2 obj", "0 root", "1 obj", "9 x"])) == pytest.approx(1 / 3)
    heads = tree_task(BANK, [])
    assert heads.right == ("2", "0", "2", "") and "head of each word" in heads.asks
    for answer in filled([["2"], ["2", "0", "2", 4], []]):
        with pytest.raises(WorkbenchError, match="no answer to this task"):
            judge(heads, answer)
    with pytest.raises(WorkbenchError, match="no whole tree"):
        tree_task(Treebank.from_sentences([ROWS[0] | {"heads": [2, 0, -1, 2]}]), [])


@pytest.mark.parametrize(
    "line, is_right",
    [
        ("DET <- NOUN = 0.9", True),  # the right arc, not the wrong one
        ("DET <- VERB = 0.9", False),
        ("DET -- * = 0.9", False),  # both
        ("DET <- VERB = 0.1", True),  # against the wrong one alone
        ("DET <- NOUN = 0.1", False),
        ("DET <- NOUN = 0.3..0.8", False),  # neither for nor against
    ],
)
def test_a_constraint_mends_an_error_by_telling_its_two_arcs_apart(line, is_right):
    task = constraint_task(WORDS, TAGS, (3, 1), 4)
    assert judge(task, [line]) == (is_right,)


def test_a_line_that_is_no_constraint_uses_up_no_try():
    task = constraint_task(WORDS, TAGS, (3, 1), 4)
    for line in filled(["DET <-", "DET <- NOUN = 0.9\nADJ <- NOUN = 0.9"]):
        with pytest.raises(WorkbenchError):
            judge(task, [line])


def test_feedback_says_as_much_as_the_teacher_wants():
    task = tree_task(BANK, ["nsubj", "obj", "root"])
    wrong, right = ["2 nsubj", "0 root", "1 obj", ""], list(task.right)
    for feedback in filled([NONE, SHARE]):
        assert verdict(task, wrong, AnswerRules(feedback), False) == {}
    assert verdict(task, wrong, AnswerRules(WHICH), True) == {"parts": [True, True, False]}
    assert "right" not in verdict(task, wrong, AnswerRules(ANSWER), False)
    last = verdict(task, wrong, AnswerRules(ANSWER), True)
    assert last["right"] == solution(task) and last["why"] == ["me (3) is the object of its verb"]
    assert verdict(task, right, AnswerRules(ANSWER), False)["why"] == []
    for bad in filled([("some", 3), (NONE, 0), (NONE, 99)]):
        with pytest.raises(WorkbenchError, match="feedback must be"):
            AnswerRules(*bad)


def test_a_code_says_what_was_answered_and_a_changed_one_is_refused():
    answers = AnswerCode("0123456789abcdef", "k" * 22, "Añá 漢", ((0, ("x",)), (2, ("2 nsubj", ""))))
    code = write_code(answers)
    assert read_code(f" {code[:9]}\n{code[9:]} ") == answers
    middle = len(code) // 2
    changed = code[:middle] + ("A" if code[middle] != "A" else "B") + code[middle + 1 :]
    for bad in filled([changed, code[:-9], code[2:], "", ".", "x.y", "e30.00000000", "A" * 300_000]):
        with pytest.raises(WorkbenchError, match="code"):
            read_code(bad)
    for odd in filled([replace(answers, tries=((0, ("x",)),) * 500)]):
        with pytest.raises(WorkbenchError, match="more than anybody"):
            read_code(write_code(odd))
