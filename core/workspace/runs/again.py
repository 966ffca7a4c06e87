"""A run done once more as it was recorded, or gone on with: one way for every kind of run.

What makes up a run (its texts, its work) is found again from what the store has of it, and only where the sentences
are the ones it was made on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import WorkbenchError
from core.store import RESUMABLE, Run
from core.workspace.registry import Systems, system_class
from core.workspace.runs.list import kind_name


@dataclass(frozen=True, eq=False)
class Recorded:
    """What a run was made of, found again: ``work(job)`` for ``Jobs``, and Treebanks by what they were there for."""

    work: Callable
    texts: dict


def can_run_again(run):
    """Whether a Run is of a kind that is computed from texts of the project, and has ended."""
    return system_class(run.kind) is not None and run.status in ("done", *RESUMABLE)


def rerun(systems: Systems, run: Run) -> int:
    """Begin a new run with the settings and constraints of a Run, on the same sentences; returns the new run's id.

    Raises WorkbenchError where the sentences are others
    now, a text was removed, or runs of that kind are not computed from texts.
    """
    work = recorded(systems, run).work
    return systems.workspace.jobs.start(
        run.project, run.kind, run.settings, work, constraint_text=run.constraint_text, data_hash=run.data_hash
    )


def resume(systems: Systems, run: Run) -> int:
    """Go on with a Run that stopped half-way; returns its id. Raises as ``rerun``, and StoreError where it has not."""
    return systems.workspace.jobs.resume(run.id, recorded(systems, run).work)


def recorded(systems: Systems, run: Run) -> Recorded:
    """The Recorded of a Run. Raises as ``rerun``."""
    if run.kind not in systems:
        raise WorkbenchError(f"run {run.id} ({kind_name(run)}) cannot be repeated here; start it on its own page")
    return Recorded(*systems[run.kind].repeated(run))
