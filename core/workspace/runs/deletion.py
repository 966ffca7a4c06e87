"""Choosing runs to delete, and deleting them with their files."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import SupportsIndex

from core.store import UNFINISHED, Run, Store
from core.store.deletion import Deletable
from core.store.schema import now
from core.workspace.leftovers import remove_folders
from core.workspace.saved_models import FROM_FILES
from core.workspace.wording import amount

APART = ("corpus", "name", "version", "by")  # settings that tell runs of one kind apart


def older_runs(runs: Sequence[Run]) -> list[int]:
    """Ids of all but the newest of each kind on each text: of ``runs``, newest first, those with a younger one.

    The newest finished run of each kind and text stays, and so do runs begun after it. Added parsers and taggers,
    and running jobs, always stay.
    """
    older, ended = [], set()
    for run in runs:
        if run.kind in FROM_FILES or run.status in UNFINISHED:
            continue
        group = (run.kind, *(str(run.settings.get(name)) for name in APART))
        if group in ended:
            older.append(run.id)
        elif run.status == "done":
            ended.add(group)
    return older


def runs_before(runs: Sequence[Run], days: int, time: datetime | None = None) -> list[int]:
    """Ids of the runs that ended more than so many days ago; parsers and taggers that somebody added stay."""
    earliest = (time or now()) - timedelta(days=days)
    return [
        run.id for run in runs if run.kind not in FROM_FILES and run.finished is not None and run.finished < earliest
    ]


def delete_runs(store: Store, project: SupportsIndex, wanted: Collection[int], later: bool = False) -> Deletable:
    """Delete runs as ``Store.delete_runs`` does, and their files in the workbench's folder."""
    left = [run for run in store.runs(project) if later or run.id in set(wanted)]
    gone = store.delete_runs(project, wanted, later)
    remove_folders([run for run in left if run.id in gone.runs])
    return gone


def deletion_words(deletable: Deletable) -> str:
    """A Deletable in words: ``3 runs, 12.4 MB``."""
    return f"{amount(len(deletable.runs), 'run')}, {deletable.size / 1e6:.1f} MB"


def kept_words(deletable: Deletable, most: int = 3) -> str:
    """The reasons why other runs stay, the first few in full; "" where none does."""
    reasons = list(deletable.refused.values())
    more = len(reasons) - most
    return " ".join([f"{reason}." for reason in reasons[:most]] + ([f"And {more} more stay."] if more > 0 else []))
