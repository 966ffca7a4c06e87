"""Files that are read apart while pages ask: once each, two at a time, for as long as somebody waits."""

import threading
from contextlib import suppress

import pytest

from core.errors import Cancelled, WorkbenchError
from core.workspace.cache import ProcessCache
from core.workspace.readings import Asker, Reading, Readings, Stopped
from tests.patience import PATIENCE, wait_for


class Reader:
    """Reads a name when it is let go; ``begun`` and ``given_up`` say what became of it."""

    def __init__(self, result: object = "text"):
        self.result, self.count = result, 0
        self.begun, self.go, self.given_up = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, cancel):
        self.count += 1
        self.begun.set()
        while not self.go.wait(0.001):
            if cancel():
                self.given_up.set()
                raise Cancelled
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.fixture
def readings():
    return Readings(ProcessCache(1 << 20), limit=1)


def ask(readings, reader, place="field", key="a.txt", is_here=lambda: True):
    return readings.find("drafts", key, Asker(place, is_here), key, reader)


def result(readings, *asked, **how):
    """What comes of it in the end."""

    def answered():
        with suppress(Reading):
            return [ask(readings, *asked, **how)]

    return wait_for(answered)[0]


def test_a_file_is_read_once_for_all_who_ask(readings):
    reader = Reader()
    for place in ("one", "two"):
        with pytest.raises(Reading, match=r"a\.txt"):
            ask(readings, reader, place)
    assert reader.begun.wait(PATIENCE)
    reading = readings.look("one")
    assert reading is not None and (reading.name, reading.waits) == ("a.txt", False) and reading.seconds >= 0
    reader.go.set()
    assert [result(readings, reader, place) for place in ("one", "two", "three")] == ["text"] * 3
    assert reader.count == 1 and readings.look("one") is None


def test_a_result_is_there_for_who_waited_whatever_the_cache_forgets(readings):
    readers = {f"{number}.txt": Reader(number) for number in range(5)}
    for key, reader in readers.items():
        with pytest.raises(Reading):
            ask(readings, reader, place=key, key=key)
    for reader in readers.values():
        reader.go.set()
    wait_for(lambda: all(readings.look(key).ended for key in readers))
    assert [ask(readings, reader, place=key, key=key) for key, reader in readers.items()] == list(range(5))


def test_others_wait_and_are_told_so(readings):
    first, second = Reader("first"), Reader("second")
    with pytest.raises(Reading):
        ask(readings, first)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Reading) as found:
        ask(readings, second, "other", "b.txt")
    assert found.value.waits and not second.begun.is_set()
    first.go.set()
    second.go.set()
    assert result(readings, second, "other", "b.txt") == "second" and result(readings, first) == "first"


def test_an_error_is_said_as_often_as_one_asks_and_not_read_again(readings):
    reader = Reader(WorkbenchError("line 3: this is no tree"))
    reader.go.set()
    for _ in range(3):
        with pytest.raises(WorkbenchError, match="line 3: this is no tree"):
            result(readings, reader)
    reading = readings.look("field")
    assert reader.count == 1 and reading.ended and "line 3" in str(reading.error)
    good = Reader()
    good.go.set()
    readings.leave("field")
    assert result(readings, good) == "text"


def test_a_reading_ends_with_the_tab_that_asked(readings):
    reader, here = Reader(), [True]
    with pytest.raises(Reading):
        ask(readings, reader, is_here=lambda: bool(here))
    with pytest.raises(Reading):
        ask(readings, reader, "another tab")
    assert reader.begun.wait(PATIENCE)
    here.clear()
    readings.leave("another tab")
    assert reader.given_up.wait(PATIENCE)
    again = Reader("again")
    again.go.set()
    assert result(readings, again, "a third tab") == "again"


def test_one_that_waits_for_room_ends_with_its_tab_too(readings):
    first, second, here = Reader(), Reader(), [True]
    with pytest.raises(Reading):
        ask(readings, first)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Reading):
        ask(readings, second, "other", "b.txt", is_here=lambda: bool(here))
    here.clear()
    third = Reader("third")
    third.go.set()
    first.go.set()
    assert result(readings, third, "a third", "c.txt") == "third"
    assert not second.begun.is_set()


def test_what_is_stopped_says_so_and_is_read_anew_only_when_asked_for_anew(readings):
    reader = Reader()
    with pytest.raises(Reading):
        ask(readings, reader)
    assert reader.begun.wait(PATIENCE)
    readings.stop("field")
    assert reader.given_up.wait(PATIENCE)
    for _ in range(2):
        with pytest.raises(Stopped, match=r"reading a\.txt was stopped"):
            ask(readings, reader)
    readings.leave("field")
    reader.go.set()
    assert result(readings, reader) == "text"


def test_a_place_that_asks_for_something_else_gives_up_what_it_waited_for(readings):
    first, second = Reader(), Reader("second")
    second.go.set()
    with pytest.raises(Reading):
        ask(readings, first)
    assert first.begun.wait(PATIENCE)
    assert result(readings, second, key="b.txt") == "second"
    assert first.given_up.wait(PATIENCE)
