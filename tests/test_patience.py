"""Who waits says for what: the lines of a test that stands still, and the state that never came."""

import queue

import greenlet
import pytest

from tests import patience


def test_a_block_that_takes_long_says_where_it_stands():
    said = queue.Queue()
    with patience.heard("test_x", said.put, seconds=0.001):
        first = said.get()  # the line
    assert first.startswith("test_x, after 0 s: tests/test_patience.py:")
    assert first.endswith(" first = said.get()  # the line\n")


def test_a_browser_test_stands_where_it_called_the_browser():
    said = queue.Queue()
    browser = greenlet.greenlet(said.get)
    with patience.heard("test_y", said.put, seconds=0.001):
        told = browser.switch()  # as Playwright does
    assert told.endswith(" told = browser.switch()  # as Playwright does\n")


def test_a_state_that_never_comes_is_named(monkeypatch):
    monkeypatch.setattr(patience, "PATIENCE", 0)
    with pytest.raises(AssertionError, match=r"it never came: .*lambda: 1 == 2"):
        patience.wait_for(lambda: 1 == 2)
    assert patience.wait_for(lambda: "there") == "there"
