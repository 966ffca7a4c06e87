"""So many work at once; who works for long gives up the place, and nobody goes in because she has waited."""

import threading

import pytest

from core.serving.turns import Turns
from tests.patience import PATIENCE, wait_for


class Crowd:
    """Threads that each take a turn, and stay in it until they may go."""

    def __init__(self, turns, size):
        self.inside, self.most, self.may_go, self.lock = 0, 0, threading.Semaphore(0), threading.Lock()
        self.threads = [threading.Thread(target=self.work, args=(turns,)) for _ in range(size)]
        for thread in self.threads:
            thread.start()

    def work(self, turns):
        with turns.one():
            with self.lock:
                self.inside += 1
                self.most = max(self.most, self.inside)
            self.may_go.acquire()
            with self.lock:
                self.inside -= 1

    def leave(self):
        self.may_go.release(len(self.threads))
        for thread in self.threads:
            thread.join()


def test_so_many_work_at_once():
    crowd = Crowd(Turns(3, PATIENCE), 12)
    wait_for(lambda: crowd.inside == 3)
    crowd.leave()
    assert crowd.most == 3


def test_who_works_for_long_keeps_nobody_waiting():
    crowd = Crowd(Turns(1, 0.01), 5)
    wait_for(lambda: crowd.inside == 5)
    crowd.leave()


class Standstill:
    """A clock by which nobody has worked for long, however long others wait; ``asked`` is how often."""

    asked = 0

    def monotonic(self):
        self.asked += 1
        return 0.0


def test_however_long_they_wait_they_go_in_one_after_the_other(monkeypatch):
    clock = Standstill()
    monkeypatch.setattr("core.serving.turns.time", clock)
    crowd = Crowd(Turns(1, 0.01), 30)
    wait_for(lambda: crowd.inside == 1 and clock.asked > 300)  # each has asked again and again
    crowd.leave()
    assert crowd.most == 1


def test_a_turn_ends_however_its_work_does():
    turns = Turns(1, PATIENCE)
    with pytest.raises(ZeroDivisionError), turns.one():
        raise ZeroDivisionError
    crowd = Crowd(turns, 1)
    wait_for(lambda: crowd.inside == 1)
    crowd.leave()
