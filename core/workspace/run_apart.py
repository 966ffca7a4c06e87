"""Runs on large texts, each in a process of its own: its memory goes back to the system, and no page waits for it.

The run belongs to the process that started it, like any other. The worker process (``run_worker``) opens the same store
and resumes the run from its record. It reports progress through pipes, by ``core.processes.apart``.
"""

import io
import logging
import math
from collections.abc import Callable

import numpy as np

from core.errors import Cancelled, WorkbenchError, unexpected
from core.jobs import Job
from core.processes.apart import ApartLimits, call_apart
from core.workspace.workspace import Workspace

log = logging.getLogger(__name__)
NO_LIMIT = ApartLimits(
    seconds=None, memory=None, grace=math.inf, instead="resume the run when there is more, or train on part of the text"
)


def work_apart(workspace: Workspace) -> Callable[[Job], tuple[dict, bytes | None]]:
    """``work(job)`` for ``Jobs`` that has another process carry out the run's record.

    ``work`` raises WorkbenchError where that process is ended or cannot be started, and where the run itself does.
    """
    database = workspace.store.database

    def work(job: Job):
        messages = _Messages(workspace, job)
        call = {"store": database.address, "person": database.person, "run": job.run, "author": job.person}
        try:
            answer, parts = call_apart(
                "core.workspace.run_worker:carry_out", call | {"iteration": job.iteration},
                [] if job.resumed is None else [job.resumed], doing="the computation", limits=NO_LIMIT,
                cancel=messages.cancelled, report=messages.take,
            )  # fmt: skip
        finally:
            workspace.show_live(job.run, None, None)
        if "fault" in answer:
            log.error(f"run {job.run} failed: {answer['fault']} at {', '.join(answer['at'])}", extra={"run": job.run})
            raise WorkbenchError(unexpected(answer["fault"]))
        return answer["figures"], parts[0] if parts else None

    return work


class _Messages:
    """Passes the messages of the worker process on to its Job and to the workspace."""

    def __init__(self, workspace, job):
        self.workspace, self.job, self.has_started = workspace, job, False

    def cancelled(self):
        """Whether the process is to stop. Raises Cancelled, which ends it, where it has sent no message yet."""
        if self.job.cancelled() and not self.has_started:
            raise Cancelled
        return self.job.cancelled()

    def take(self, message, parts):
        self.has_started = True
        if "report" in message:
            self.job.report(*message["report"])
        elif "detail" in message:
            self.job.set_detail(message["detail"])
        elif "checkpoint" in message:
            self.job.checkpoint(parts[0])
        elif "live" in message:
            self.workspace.show_live(self.job.run, message["live"], np.load(io.BytesIO(parts[0]), allow_pickle=False))
