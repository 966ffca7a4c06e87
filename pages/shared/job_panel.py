"""The panel of background runs: the button that begins one, how far it is, how to stop it, how to go on with it."""

from functools import partial
from typing import Any

import streamlit as st

from core.store import RESUMABLE
from pages.shared.basics import callback_errors, escape, session, show_problem
from pages.shared.session import forget
from pages.shared.widgets import action_button

POLL = 0.5  # seconds
ENDS = {"cancelled": "was cancelled", "interrupted": "was interrupted", "failed": "failed"}


@callback_errors()
def cancel(*runs):
    """Ask runs to stop, in a callback; a run that this person may not stop is reported."""
    for run in runs:
        session().jobs.cancel(run)
    forget()


def under_way(kind):
    """The Snapshot of the newest run of a kind under way in this project, or None."""
    return next(iter(reversed(session().under_way(kind))), None)


def watch(look, draw, *arguments, ended=None):
    """Draw ``draw(look(), *arguments)``; again every ``POLL`` while ``look()`` finds a run, then the whole page once.

    Parameters
    ----------
    look : callable
        Returns what is under way, a Snapshot or several, or something false.
    draw : callable
    ended : callable, optional
        Called when nothing is under way any more, before the page is drawn anew.
    """

    def panel(followed):
        active = look()
        if followed and not active:
            if ended is not None:
                ended()
            st.rerun()  # once, so that the polling ends
        draw(active, *arguments)

    followed = bool(look())
    st.fragment(panel, run_every=POLL if followed else None)(followed)


def system_panel(system, inputs, plan, key, label, **how):
    """Draw the panel of a System's runs on ``inputs``, None where they cannot be read; ``how`` as ``job_panel``."""
    how.setdefault("start", partial(system.start, inputs, plan))
    how["disabled"] = how.get("disabled", False) or inputs is None

    def newest():
        return None if inputs is None else next(iter(system.runs(session().project, inputs)), None)

    job_panel(system.kind, key, label, resume=system.resume, newest=newest, **how)


def job_panel(kind, key, label, *, start, resume, newest, icon, help, type="primary", disabled=False, start_key=None,
              before=None, beside=None, below=None, words=None, unit="iteration", view=None, ended=None):  # fmt: skip
    """Draw button and progress of the runs of a kind; while one is under way the panel looks again by itself.

    Parameters
    ----------
    kind : str
    key : str
        Begins the keys of the widgets; ``<key>_problem`` holds what ``callback_errors`` keeps, to be shown here.
    label, icon, help : str
        Of the button that begins a run, with ``start_key`` where that is not ``<key>_start``.
    type : {"primary", "secondary"}
        Of that button too: a page has one primary action.
    start : callable
        ``start()`` begins one. Raises WorkbenchError, which is said below the button.
    resume : callable
        ``resume(run)`` goes on with a Run that stopped half-way.
    newest : callable
        ``newest()``, the newest Run on what the page shows, or None.
    disabled : bool
        Whether none can begin.
    before, beside : callable, optional
        Draw controls left and right of the button; ``beside(snapshot)`` is given the run under way, or None.
    below : callable, optional
        Draws what is said between the button and the progress.
    words : callable, optional
        As in ``progress_line``.
    unit : str
        What the runs' iterations are called.
    view : callable, optional
        ``view(snapshot)`` draws the rest of the panel: what a run under way has found so far, or what one left.
    ended : callable, optional
        Called when a run has ended, before the page is drawn anew.
    """

    def panel(active):
        with st.container(horizontal=True, vertical_alignment="bottom" if before else "center"):
            if before is not None:
                before()
            disable = disabled or active is not None
            begin_button(label, start, key, start_key, icon=icon, help=help, disabled=disable, type=type)
            if beside is not None:
                beside(active)
            if active is not None:
                cancel_button(active, f"{key}_cancel")
        with st.container():
            if below is not None:
                below()
            show_problem(f"{key}_problem")
            if active is not None:
                progress_line(active, words)
            else:
                stopped_line(newest(), resume, key, unit)
        if view is not None:
            view(active)

    watch(partial(under_way, kind), panel, ended=ended)


def begin_button(label, start, key, start_key=None, type: Any = "primary", **how):
    """Draw the button that begins a run by ``start()``."""
    st.button(
        label, type=type, key=start_key or f"{key}_start", on_click=_start_run, args=(f"{key}_problem", start), **how
    )


def cancel_button(snapshot, key, **how):
    """Draw the button that stops a run."""
    st.button(
        "Cancel", key=key, icon=":material/stop:", on_click=cancel, args=(snapshot.run,), disabled=snapshot.stopping,
        **how,
    )  # fmt: skip


def progress_line(snapshot, words=None, prefix=""):
    """Draw how far a run is, what it does, and for how long it has.

    Parameters
    ----------
    snapshot : Snapshot
        Of a run under way.
    words : callable, optional
        ``words(snapshot)`` says what it does, where its message does not.
    what : str
        Stands before it, in Markdown.
    """
    if snapshot.stopping:
        doing = "Stopping"
    elif snapshot.message:
        doing = snapshot.message
    elif snapshot.status == "queued":
        doing = "Waiting for another run to finish"
    else:
        doing = "Starting" if words is None else words(snapshot)
    if snapshot.detail and not snapshot.stopping:
        doing = f"{doing}, {snapshot.detail}"
    st.progress(min(snapshot.fraction or 0.0, 1.0), text=f"{prefix}{escape(doing)} · {snapshot.seconds:.0f} s")


def stopped_line(run, resume, key, unit="iteration"):
    """Say how a run ended where it stopped half-way, and offer to go on; nothing of other runs, and of None."""
    if run is None or run.status not in RESUMABLE:
        return
    done = session().jobs.snapshot(run.id).iteration
    where, reason = f" at {unit} {done}" if done else "", f": {escape(run.error)}" if run.error else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(f"Run {run.id} {ENDS[run.status]}{where}{reason}", icon=":material/pause:", color="orange")
        resume_button(run, resume, key)


def resume_button(run, resume, key):
    """Draw the button that goes on with a stopped Run from its checkpoint; from its beginning if it has none."""
    action, help_text = partial(resume, run), resume_help(run)
    action_button("Resume", f"{key}_resume", "play_arrow", _start_run, f"{key}_problem", action, help=help_text)


def resume_help(run):
    """What Resume does with a stopped Run."""
    if session().store.checkpoint_bytes(run.id) is None:
        return "It stopped before its first checkpoint, so it begins again"
    return "Continue from its last checkpoint"


def _start_run(problem, action):
    with callback_errors(problem):
        action()
    st.rerun("app")  # which begins to poll
