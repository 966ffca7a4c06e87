"""The cache of a process: what is kept is bounded by bytes, what was used last stays, and nothing is made twice."""

import threading

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.workspace.cache import IN_USE, MEGABYTES, ProcessCache, cache_bytes

KILO = 1 << 10


def numbers(kilobytes):
    return np.zeros(kilobytes * KILO, np.uint8)


def kept(cache, sort, keys):
    """Those of the keys whose results need not be made again."""

    def lost():
        raise LookupError

    found = []
    for key in keys:
        try:
            cache.get(sort, key, lost)
            found.append(key)
        except LookupError:
            pass
    return found


def test_a_result_is_made_once_and_by_sort():
    cache, made = ProcessCache(1 << 20), []
    for sort in ("trees", "trees", "texts"):
        cache.get(sort, 1, lambda: made.append("one more"))
    assert len(made) == len(cache) == 2


@pytest.mark.parametrize("sorts", [("a",), ("a", "b", "c")])
def test_the_least_recently_used_go_first_whatever_their_sort(sorts):
    cache = ProcessCache(100 * 10 * KILO)
    for number in range(200):
        cache.get(sorts[number % len(sorts)], number, lambda: numbers(10))
        cache.get("a", "used", lambda: numbers(10))
        assert cache.size <= 100 * 10 * KILO
    found = [number for sort in sorts for number in kept(cache, sort, range(200))]
    assert sorted(found) == list(range(200 - len(found), 200)) and 80 <= len(found) < 100
    assert kept(cache, "a", ["used"])


def test_what_results_share_counts_once():
    cache, text = ProcessCache(1000 * KILO), numbers(500)
    for number in range(90):
        cache.get("parses", number, lambda: (text, numbers(1)))
    assert kept(cache, "parses", range(90)) == list(range(90))
    assert 500 * KILO < cache.size < 1000 * KILO


def test_the_last_used_stay_whatever_they_take():
    cache = ProcessCache(KILO)
    for number in range(IN_USE + 5):
        cache.get("texts", number, lambda: numbers(10))
    assert kept(cache, "texts", range(IN_USE + 5)) == list(range(5, IN_USE + 5))


def test_small_results_do_not_come_to_much_either():
    cache = ProcessCache(100 * KILO)
    for number in range(5000):
        cache.get("documents", f"a line of a set, and another one {number}", lambda: None)
    assert IN_USE < len(cache) < 1000


def test_a_failure_leaves_nothing_and_the_next_tries_again():
    cache = ProcessCache(KILO)
    assert kept(cache, "texts", [1]) == [] and len(cache) == 0
    assert cache.get("texts", 1, lambda: "text") == "text"


def test_others_that_ask_meanwhile_wait_for_the_first():
    cache, begun, go, found = ProcessCache(KILO), threading.Event(), threading.Event(), []

    def make():
        begun.set()
        assert go.wait(300)
        return "made once"

    def ask(make):
        found.append(cache.get("texts", 1, make))

    first = threading.Thread(target=ask, args=(make,))
    first.start()
    assert begun.wait(300)
    others = [threading.Thread(target=ask, args=(lambda: "again",)) for _ in range(3)]
    for other in others:
        other.start()
    assert cache.get("texts", 2, lambda: "another") == "another"  # which is not held up
    go.set()
    for each in (first, *others):
        each.join()
    assert found == ["made once"] * 4


def test_what_is_made_while_all_is_let_go_is_kept():
    cache = ProcessCache(KILO)
    cache.get("texts", 1, cache.clear)
    assert len(cache) == 1 and cache.size > 0
    cache.clear()
    assert len(cache) == cache.size == 0


def test_what_is_none_of_theirs_does_not_count():
    class Store:
        text = numbers(1000)

        def __init__(self):
            self.own = numbers(1000)

    cache, store = ProcessCache(1000 * KILO, outside=(Store,)), Store()
    for number in range(100):
        cache.get("rooms", number, lambda: [store, cache])
    assert len(cache) == 100 and cache.size < 100 * KILO


def test_how_much_is_kept_is_set():
    assert cache_bytes({}) == MEGABYTES << 20 and cache_bytes({"WORKBENCH_CACHE": "64"}) == 64 << 20
    for wrong in ("-1", "1.5", "a lot", "²", "12345678"):
        with pytest.raises(WorkbenchError, match="WORKBENCH_CACHE is how many MB"):
            cache_bytes({"WORKBENCH_CACHE": wrong})
