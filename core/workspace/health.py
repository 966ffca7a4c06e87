"""Whether a server can do its work: its store answers, and each of its jobs is being worked on."""

import logging
from collections.abc import Callable

from core.errors import WorkbenchError
from core.workspace.workspace import Workspace

log = logging.getLogger(__name__)


def health(opened: Callable[[], Workspace]) -> dict[str, bool]:
    """``{"database": ..., "workers": ...}`` of the Workspace that ``opened()`` gives; why not stands in the log.

    The store is opened where it was not, and asked; a job whose thread is gone is a worker that fails.
    """
    try:
        workspace = opened()
        workspace.store.check()
    except WorkbenchError as error:
        log.warning("the store does not answer: %s", error)
        return {"database": False, "workers": False}
    lost = workspace.jobs.lost()
    for run in lost:
        log.error("run %d has no thread", run)
    return {"database": True, "workers": not lost}
