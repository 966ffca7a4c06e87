"""What panels of background runs share: the run under way, how far it is, how one that stopped half-way ended."""

import streamlit as st

from core.workspace import escape
from pages.shared.state import project, workspace

ENDS = {"cancelled": "was cancelled", "interrupted": "was interrupted", "failed": "failed"}


def under_way(kind):
    """The Snapshot of the newest run of a kind under way in this project, or None."""
    return next(iter(reversed(workspace().jobs.running(project(), kind))), None)


def progress_line(snapshot, starting="Starting"):
    """Draw how far a run under way is, what it does, and for how long it has."""
    waiting = "Waiting for another run to finish" if snapshot.status == "queued" else starting
    said = "Stopping" if snapshot.stopping else snapshot.message or waiting
    st.progress(min(snapshot.fraction or 0.0, 1.0), text=f"{escape(said)} · {snapshot.seconds:.0f} s")


def stopped_badge(run, where=""):
    """Draw how a run ended that can be resumed; ``where`` is how far it was, as in " at iteration 3"."""
    reason = f": {escape(run.error)}" if run.error else ""
    st.badge(f"Run {run.id} {ENDS[run.status]}{where}{reason}", icon=":material/pause:", color="orange")
