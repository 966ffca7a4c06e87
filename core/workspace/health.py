"""Whether a server is well: its store answers, and each of its jobs has a thread."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future

from core.errors import WorkbenchError
from core.workspace.workspace import Workspace

SECONDS = 1.5  # in which a store that is well answers; whoever asks for health hears within two
UNWELL = {"database": False, "workers": False}
log = logging.getLogger(__name__)


class Examination:
    """Asks for the health of a server in a thread of its own, so that nobody hangs where the store does.

    While the store gives no answer there is one such thread, for whoever asks.

    Parameters
    ----------
    opened : callable
        As for ``health``.
    """

    def __init__(self, opened: Callable[[], Workspace]):
        self._opened = opened
        self._lock = threading.Lock()
        self._asked = None

    def ask(self) -> Future:
        """A Future of what ``health`` gives: of the question that has no answer yet, else of a new one."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                self._asked.set_running_or_notify_cancel()  # who has waited long enough does not end it for others
                threading.Thread(target=self._answer, args=(self._asked,), name="health", daemon=True).start()
            return self._asked

    def _answer(self, asked):
        try:
            asked.set_result(health(self._opened))
        except BaseException as error:  # the end of a thread: who asked hears of it
            asked.set_exception(error)


def health(opened: Callable[[], Workspace]) -> dict[str, bool]:
    """``{"database": ..., "workers": ...}`` of the Workspace that ``opened()`` gives; why not stands in the log.

    The store is opened where it was not, and asked; a job whose thread is gone is a worker that fails.
    """
    try:
        workspace = opened()
        workspace.store.check()
    except WorkbenchError as error:
        log.warning("the store does not answer: %s", error)
        return dict(UNWELL)
    lost = workspace.jobs.lost()
    for run in lost:
        log.error("run %d has no thread", run)
    return {"database": True, "workers": not lost}
