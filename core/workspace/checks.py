"""Answers that take too long to wait for while typing, worked out one at a time in the background."""

import logging
import threading

from core.errors import Cancelled, WorkbenchError

log = logging.getLogger(__name__)


class Checks:
    """Asks get None until their answer is there; a new question ends the work on the one before.

    Only the last few answers are kept.
    """

    def __init__(self, size=32):
        self._size = size
        self._lock = threading.Lock()
        self._answers = {}  # key -> answer, oldest first
        self._current = None  # (key, Event that ends the work on it, Event that tells its end)

    def ask(self, key, function, patience=0.0):
        """The answer of ``function(cancel)``, None where it takes longer than ``patience``, in seconds, from now.

        A user's error answers [].
        """
        with self._lock:
            if key in self._answers:
                return self._answers[key]
            if self._current is None or self._current[0] != key:
                if self._current is not None:
                    self._current[1].set()
                self._current = key, threading.Event(), threading.Event()
                work = (key, function, *self._current[1:])
                threading.Thread(target=self._work, args=work, name="check", daemon=True).start()
            ended = self._current[2]
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
