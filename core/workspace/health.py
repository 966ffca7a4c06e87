"""Whether a server is well: its store answers, and each of its jobs has a thread."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future

from core.errors import WorkbenchError
from core.workspace.workspace import Workspace

SECONDS = 1.5  # a healthy store answers within these; the server's health is told within two
UNWELL = {"database": False, "workers": False}
log = logging.getLogger(__name__)


class HealthCheck:
    """Asks for the health of a server in one thread of its own, so that callers do not hang where the store does.

    Parameters
    ----------
    open_workspace : callable
        As for ``health``.
    """

    def __init__(self, open_workspace: Callable[[], Workspace]):
        self._open_workspace = open_workspace
        self._lock = threading.Lock()
        self._answer = None

    def ask(self) -> Future:
        """A Future of ``health(open_workspace)``: of the check under way, else of a new one."""
        with self._lock:
            if self._answer is None or self._answer.done():
                self._answer = Future()
                self._answer.set_running_or_notify_cancel()  # a caller that stops waiting cannot cancel it for others
                threading.Thread(target=self._check, args=(self._answer,), name="health", daemon=True).start()
            return self._answer

    def _check(self, answer):
        try:
            answer.set_result(health(self._open_workspace))
        except BaseException as error:  # the thread ends here: those who wait get its error
            answer.set_exception(error)


def health(open_workspace: Callable[[], Workspace]) -> dict[str, bool]:
    """``{"database": ..., "workers": ...}``: whether the store answers, and whether each job has its thread.

    The store is that of ``open_workspace()``. The log says why one of them is False.
    """
    try:
        workspace = open_workspace()
        workspace.store.check()
    except WorkbenchError as error:
        log.warning("the store does not answer: %s", error)
        return dict(UNWELL)
    lost = workspace.jobs.lost()
    for run in lost:
        log.error("run %d has no thread", run)
    return {"database": True, "workers": not lost}
