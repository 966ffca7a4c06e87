"""Answers worked out in the background: waited for a moment, given up for the next question."""

import threading

import pytest

from core.errors import Cancelled, WorkbenchError
from core.workspace.checks import Checks
from core.workspace.constraints import learner
from core.workspace.constraints.plan import TrainingSettings

LONG = 600  # seconds, never waited to the end


def settle():
    """Wait until nothing is worked out any more."""
    for thread in threading.enumerate():
        if thread.name == "check":
            thread.join(LONG)


def test_an_answer_that_comes_soon_is_there_at_once():
    checks = Checks()
    assert checks.ask("soon", lambda cancel: ["found"], patience=LONG) == ["found"]
    assert checks.ask("soon", pytest.fail) == ["found"], "and is kept"


def test_a_slow_answer_is_none_at_first_and_worked_out_once():
    checks, gate = Checks(), threading.Event()

    def slow(cancel):
        assert gate.wait(timeout=LONG)
        return ["late"]

    assert checks.ask("slow", slow) is None and checks.ask("slow", pytest.fail, patience=LONG) is None
    gate.set()
    settle()
    assert checks.ask("slow", pytest.fail) == ["late"]


def test_the_next_question_ends_the_one_before():
    checks, given_up = Checks(), threading.Event()

    def endless(cancel):
        while not cancel():
            given_up.wait(0.01)
        given_up.set()
        raise Cancelled

    assert checks.ask("first", endless) is None
    assert checks.ask("second", lambda cancel: [2], patience=LONG) == [2]
    assert given_up.wait(timeout=LONG)


def test_an_error_is_an_empty_answer():
    def fail(cancel):
        raise WorkbenchError("no word has a tag")

    assert Checks().ask("bad", fail, patience=LONG) == []


def test_people_with_two_texts_both_get_their_warnings(ge, add, monkeypatch):
    one, two = (ge.text(add(name, f"the/DET {name}/NOUN\n"), TrainingSettings("upos")) for name in ("cat", "dog"))
    gate, begun = threading.Event(), []

    def slow(text, cancel):
        begun.append(text.corpus.name)
        assert gate.wait(timeout=LONG)
        if cancel():
            raise Cancelled
        return [text.corpus.name]

    monkeypatch.setattr(learner, "conflicts", slow)
    monkeypatch.setattr(learner, "PATIENCE", 0.0)
    assert ge.conflicts(one, "") is None and ge.conflicts(two, "") is None, "both are worked out"
    gate.set()
    settle()
    assert [ge.conflicts(text, "") for text in (one, two)] == [["cat"], ["dog"]]
    assert sorted(begun) == ["cat", "dog"], "neither was ended by the other and begun again"
