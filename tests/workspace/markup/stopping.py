"""A reading of pages that is cancelled half-way."""

import threading

import psutil

from core.jobs import Job
from core.processes import apart
from tests.workspace.running import PATIENCE


def stopped_at_first_report(jobs, start, monkeypatch):
    """The number of the reading that ``start()`` begins, cancelled at its first report.

    The process that reads stands still until it has been asked to stop, so that it cannot come to its end before.
    """
    report, ask_to_stop, reached, go = Job.report, apart.ask_to_stop, threading.Event(), threading.Event()

    def held(*arguments):
        report(*arguments)
        if not reached.is_set():
            reader().suspend()
            reached.set()
            assert go.wait(PATIENCE)

    def asked(process):
        ask_to_stop(process)
        reader().resume()

    monkeypatch.setattr(Job, "report", held)
    monkeypatch.setattr(apart, "ask_to_stop", asked)
    run = start()
    assert reached.wait(PATIENCE)
    jobs.cancel(run)
    go.set()
    assert jobs.wait(run, PATIENCE).status == "cancelled"
    return run


def reader():
    """The process that reads pages."""
    (process,) = [each for each in psutil.Process().children() if "core.processes.apart_worker" in each.cmdline()]
    return process
