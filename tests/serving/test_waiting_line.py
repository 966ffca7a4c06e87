"""Places and the line before them: never more inside than places, first come, first served, nobody forgotten."""

import random
import threading

import pytest

from core.errors import WorkbenchError
from core.serving.waiting_line import TABS, WaitingLine, tabs_at_once


def always(_who):
    return True


def test_who_comes_first_is_let_in_first():
    line, here = WaitingLine(2), set("abcde")
    assert [line.ask(who, here.__contains__) for who in "abcde"] == [0, 0, 1, 2, 3]
    assert [line.ask(who, here.__contains__) for who in "edcba"] == [3, 2, 1, 0, 0] and line.waiting == 3
    here -= {"a", "d"}  # one gives up a place, one gives up waiting
    assert line.ask("e", here.__contains__) == 2, "the free place is not for the last who came"
    assert line.ask("c", here.__contains__) == 0
    assert [line.ask(who, here.__contains__) for who in "be"] == [0, 1]


def test_who_comes_back_stands_at_the_end():
    line, here = WaitingLine(1), {"a", "b"}
    assert [line.ask(who, here.__contains__) for who in "ab"] == [0, 1]
    here.remove("a")
    assert line.ask("b", here.__contains__) == 0
    here.add("a")
    assert line.ask("a", here.__contains__) == 1


@pytest.mark.parametrize("seed", range(5))
def test_any_coming_and_going_fills_every_place_in_order(seed):
    chance, line, here, came = random.Random(seed), WaitingLine(3), set(), []
    for step in range(300):
        if here and chance.random() < 0.45:
            here.remove(gone := chance.choice(sorted(here)))
            came.remove(gone)
        else:
            here.add(str(step))
            came.append(str(step))
            line.ask(str(step), here.__contains__)
        for _ in range(2):  # the first to ask may stand behind one who is let in later in the round
            found = {who: line.ask(who, here.__contains__) for who in came}
        assert [number for number in found.values() if not number] == [0] * min(3, len(came))
        assert list(found.values()) == [0] * min(3, len(came)) + list(range(1, len(came) - 2))


def test_one_person_leaves_places_for_others():
    line, here = WaitingLine(10), set("abcdxyz")
    assert line.share == 2
    assert [line.ask(who, here.__contains__, "ana") for who in "abcd"] == [0, 0, 1, 1]
    assert line.has_share("ana") and not line.has_share("ben") and not line.has_share(None)
    assert [line.ask(who, here.__contains__, "ben") for who in "xyz"] == [0, 0, 1]  # past two of hers
    assert (line.person_of("a"), line.person_of("x"), line.person_of("d")) == ("ana", "ben", None)
    here.remove("a")
    assert [line.ask(who, here.__contains__, "ana") for who in "dc"] == [1, 0], "the first that waits"
    assert [line.ask(str(number), lambda _: True) for number in range(6)] == [0] * 6  # who is nobody has no share
    assert line.ask("cat", lambda _: True, "cat") == 1


def test_a_share_is_at_least_two_and_at_most_all():
    assert [WaitingLine(places).share for places in (1, 2, 9, 10, 40, 100)] == [1, 2, 2, 2, 8, 20]


def test_threads_that_ask_at_once_never_overfill_it():
    line, inside, together = WaitingLine(5), [], threading.Barrier(16)

    def ask(who):
        together.wait()
        if line.ask(who, always) == 0:
            inside.append(who)

    threads = [threading.Thread(target=ask, args=(str(number),)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(inside) == 5 and line.waiting == 11


def test_how_many_tabs():
    assert tabs_at_once({}) == tabs_at_once({"WORKBENCH_TABS": ""}) == TABS
    assert tabs_at_once({"WORKBENCH_TABS": "7"}) == 7
    for wrong in ("0", "-1", "many", "1" * 5000, "٣"):
        with pytest.raises(WorkbenchError, match="WORKBENCH_TABS is the number of tabs"):
            tabs_at_once({"WORKBENCH_TABS": wrong})
