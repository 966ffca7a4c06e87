"""Runs of systems that come to their end, and jobs that are stopped half-way."""

from tests import patience
from tests.patience import PATIENCE as PATIENCE


def ended(system, number, status="done"):
    """The Run of a job that ended so."""
    return patience.ended(system.workspace, number, status)


def carried_out(system, corpus, plan):
    """A run of a plan."""
    return ended(system, system.start(system.inputs(corpus, plan), plan))


class Recording:
    """A Job without a store. It is cancelled or dies with its process at an iteration, or at so many checkpoints."""

    run, resumed, iteration = 0, None, 0

    def __init__(self, stop_at=None, die_at=None, most=None):
        self.stop_at, self.die_at, self.most, self.checkpoints = stop_at, die_at, most, []

    def report(self, iteration, fraction=None, figures=None, message=""):
        assert fraction is None or 0 <= fraction <= 1
        self.iteration = iteration
        if iteration == self.die_at:
            raise KeyboardInterrupt

    def checkpoint(self, data):
        self.checkpoints.append(data() if callable(data) else data)

    def cancelled(self):
        return self.most == len(self.checkpoints) or (self.stop_at is not None and self.iteration >= self.stop_at)
