"""Answers worked out in the background: waited for a moment, given up for the next question."""

import threading
import time

import pytest

from core.errors import Cancelled, WorkbenchError
from core.workspace.constraints import learner
from core.workspace.constraints.checks import Checks
from core.workspace.constraints.settings import TrainingSettings

LONG = 20  # seconds, never waited to the end


def asked(checks, key):
    """The answer under a key, once it is there."""
    deadline = time.monotonic() + LONG
    while (answer := checks.ask(key, pytest.fail)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return answer


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
    assert asked(checks, "slow") == ["late"]


def test_the_next_question_ends_the_one_before():
    checks, given_up = Checks(), threading.Event()

    def endless(cancel):
        while not cancel():
            time.sleep(0.01)
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
    gates, begun = {text.corpus.id: threading.Event() for text in (one, two)}, []

    def slow(text, source, cancel):
        begun.append(text.corpus.name)
        assert gates[text.corpus.id].wait(timeout=LONG)
        if cancel():
            raise Cancelled
        return [text.corpus.name]

    monkeypatch.setattr(learner, "conflicts", slow)
    monkeypatch.setattr(learner, "PATIENCE", 0.0)
    assert ge.conflicts(one, "") is None and ge.conflicts(two, "") is None, "both are worked out"
    for gate in gates.values():
        gate.set()
    deadline = time.monotonic() + LONG
    while (found := [ge.conflicts(text, "") for text in (one, two)]) != [["cat"], ["dog"]]:
        assert time.monotonic() < deadline, found
        time.sleep(0.01)
    assert sorted(begun) == ["cat", "dog"], "neither was ended by the other and begun again"
