"""Answers that take too long to wait for while typing, computed one at a time in the background."""

import logging
import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError

T = TypeVar("T")

log = logging.getLogger(__name__)


class Checks:
    """Questions and their answers, of which the last ``size`` are stored.

    A question gets None until its answer is there. A new question ends the work on the one before.
    """

    def __init__(self, size: int = 32):
        self._size = size
        self._lock = threading.Lock()
        self._answers = {}  # key -> answer, oldest first
        self._current = None  # (key, threading.Event that ends the work on it)

    def ask(self, key: Hashable, function: Callable[[Cancel], T], patience: float = 0.0) -> T | None:
        """The answer of ``function(cancel)``; None while it is computed, [] after a WorkbenchError.

        The first to ask waits for at most ``patience`` seconds, everybody else not at all.
        """
        with self._lock:
            if key in self._answers:
                return self._answers[key]
            if self._current is not None and self._current[0] == key:
                return None
            if self._current is not None:
                self._current[1].set()
            stop, ended = threading.Event(), threading.Event()
            self._current = (key, stop)
        threading.Thread(target=self._work, args=(key, function, stop, ended), name="check", daemon=True).start()
        ended.wait(patience)
        with self._lock:
            return self._answers.get(key)

    def _work(self, key, function, stop, ended):
        answer = []
        try:
            answer = function(stop.is_set)
        except Cancelled:
            return
        except WorkbenchError as error:
            log.info("no answer: %s", error)
        except Exception:  # nobody waits for this thread: only the log can say what was wrong
            log.exception("a check failed")
        finally:
            with self._lock:
                if not stop.is_set():
                    self._answers[key] = answer
                    while len(self._answers) > self._size:
                        del self._answers[next(iter(self._answers))]
                if self._current is not None and self._current[1] is stop:
                    self._current = None
            ended.set()
