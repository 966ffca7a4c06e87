"""Advice as plain values, per hour and in order; minutes that cannot be."""

import json

import pytest

from core.advice import ANSWER, KIN, LINE, TREEBANK, TREES, Advice, Costs, TurnedArcs
from core.advice.work import in_order
from core.errors import FormatError, WorkbenchError


def test_a_gain_for_an_hour():
    advice = Advice(LINE, "a line", 6.0, 1.0, -0.5, 2.0)
    assert advice.per_hour == pytest.approx((10.0, -5.0, 20.0))
    assert Advice(LINE, "a line", 6.0, reason="why").per_hour is None


def test_what_brings_most_for_an_hour_comes_first_and_what_is_not_known_last():
    slow, quick = Advice(TREES, "", 60.0, 3.0, 1.0, 5.0), Advice(LINE, "l", 5.0, 1.0, 0.1, 2.0)
    wide, unknown = Advice(LINE, "w", 5.0, 9.0, -7.0, 25.0), Advice(LINE, "m", 5.0, reason="?")
    near, harm = Advice(TREEBANK, "t", 60.0, apart=0.1), Advice(LINE, "n", 5.0, -2.0, -3.0, -1.0)
    some, many = (Advice(ANSWER, "object", 1.0, turned=TurnedArcs(99, 9, turned, 100, 20)) for turned in (2.0, 3.0))
    none = Advice(ANSWER, "object", 1.0, turned=TurnedArcs(99, 9, 0.9, 100, 20))
    doubtful = Advice(LINE, "d", 5.0, -1.0, -7.0, 5.0)
    order = quick, slow, near, wide, many, some, doubtful, unknown, none, harm
    assert in_order([harm, unknown, none, doubtful, wide, near, some, many, slow, quick]) == order
    assert [each.open for each in (quick, wide, unknown, harm)] == [False, True, False, False]


def test_advice_survives_being_kept():
    turned = TurnedArcs(5, 3, 1.5, 100, 20)
    for advice in (
        Advice(TREES, "", 30.0, 1.0, 0.0, 2.0, sentences=(3, 1)),
        Advice(ANSWER, "object", 1.0, turned=turned),
        Advice(KIN, "Latin", 1.0, turned=turned, languages=("Irish", "Latin")),
    ):
        assert Advice.from_dict(json.loads(json.dumps(advice.as_dict()))) == advice


def test_what_hangs_on_an_answer_bounds_what_it_brings():
    assert TurnedArcs(40, 7, 12.5, 500, 30).points == 2.5 and TurnedArcs(0, 0, 0.0, 0, 1).points == 0


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "luck"},
        {"kind": "answer", "what": "luck"},
        {"turned": {"arcs": 1}},
        {"minutes": 0.0},
        {"sentences": None},
        {"number": 1},
    ],
)
def test_what_is_no_advice_is_refused(change):
    with pytest.raises(FormatError, match="this advice cannot be read"):
        Advice.from_dict(Advice(TREES, "", 30.0).as_dict() | change)


@pytest.mark.parametrize("name", ["word", "line", "text", "treebank"])
def test_work_takes_time(name):
    with pytest.raises(WorkbenchError, match=f"the minutes that a {name} takes must be above 0, got 0"):
        Costs(**{name: 0.0})
