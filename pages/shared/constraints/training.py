"""Training: one button, how far it is, how to stop it, and what to do with a run that stopped half-way."""

import streamlit as st

from core.errors import WorkbenchError
from core.store import RESUMABLE
from core.workspace import constraint_text, escape, follow, latest, resume_training, runs_on, start_training
from core.workspace.constraints.settings import changed
from core.workspace.constraints.training import other_settings, said_of_tags
from core.workspace.scope import text_scope
from pages.shared.constraints.results import results
from pages.shared.constraints.sentences_used import sentences_used
from pages.shared.constraints.set_panel import EDITOR
from pages.shared.constraints.settings_panel import save_settings, settings_panel
from pages.shared.constraints.take_away import take_away
from pages.shared.editor import save_typed
from pages.shared.job_panel import stopped_badge
from pages.shared.state import follows, project, refuse, workspace

KIND = "ge"
POLL = "0.3s"


def training_panel(text):
    """Draw it; while a job runs it looks three times a second how the job stands."""
    if follows():
        _follow(text)
    active = workspace().jobs.running(project(), KIND)
    st.fragment(_panel, run_every=POLL if active else None)(text, bool(active))


def _panel(text, was_active):
    jobs = workspace().jobs
    active = [snapshot for snapshot in jobs.running(project(), KIND) if snapshot.active]
    if was_active and not active:
        st.rerun()  # once, so that the polling ends
    used = text_scope(workspace(), text)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Train",
            type="primary",
            key="ge_train",
            icon=":material/model_training:",
            on_click=_train,
            args=(text,),
            disabled=bool(active),
            help=f"Find the parser whose trees of {used.words} come nearest to what you know (Druck et al. 2009, §3)",
        )
        settings_panel(text)
        if not active:
            take_away(text)
        st.toggle(
            "Retrain after every change",
            value=follows(),
            key="ge_follow",
            on_change=_remember_follow,
            help="Each change of what you know starts a training in the background, from where the last one ended",
        )
        if active:
            stop, last = ":material/stop:", active[-1]
            st.button("Cancel", key="ge_cancel", icon=stop, on_click=_cancel, args=(last.run,), disabled=last.stopping)
    if left_out := said_of_tags(workspace(), text):
        st.caption(left_out)
    problem = st.session_state.pop("ge_problem", None)
    if problem:
        refuse(problem)
    if active:
        _progress(active[-1])
    else:
        _stopped(text)
        _outdated(text)
    every = changed(text.settings, "max_length", None)
    results(text, active[-1] if active else None, lambda: sentences_used(used, save_settings, "ge", (text, every)))


def _progress(snapshot):
    if snapshot.stopping:
        words = "Stopping; what has been learned so far is kept"
    elif snapshot.status == "queued":
        words = "Waiting for another run to end"
    elif snapshot.message:  # the compiler's
        words = escape(snapshot.message)
    elif snapshot.iteration == 0:
        words = "Reading the features of every pair of words"
    else:
        left = f", at most {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
        words = f"Iteration {snapshot.iteration}, objective {snapshot.figures['objective']:.3f}{left}"
    st.progress(snapshot.fraction or 0.0, text=f"{words} · {snapshot.seconds:.0f} s")


def _stopped(text):
    """Say how the last run ended where it did not end well, and offer to go on."""
    newest = next(iter(runs_on(workspace().store, text)), None)
    if newest is None or newest.status not in RESUMABLE:
        return
    iteration = workspace().jobs.snapshot(newest.id).iteration
    with st.container(horizontal=True, vertical_alignment="center"):
        stopped_badge(newest, f" at iteration {iteration}")
        label = "Resume" if iteration else "Start again"
        st.button(label, key="ge_resume", icon=":material/play_arrow:", on_click=_resume, args=(newest.id,))


def _outdated(text):
    run = latest(workspace().store, text)
    names = [] if run is None else other_settings(run, text)
    if names:
        said = ", ".join(name.replace("_", " ") for name in names)
        st.caption(f":material/tune: Settings changed since run {run.id} ({said}). Train again to see their effect.")


def _train(text):
    save_typed(EDITOR)
    try:
        source = constraint_text(workspace().store, text.corpus, text.treebank)
        start_training(workspace(), text, source)
    except WorkbenchError as error:
        st.session_state["ge_problem"] = error
    st.rerun("app")


def _follow(text):
    """Train where the set is newer than the newest run; an error is shown below the button."""
    try:
        follow(workspace(), text, constraint_text(workspace().store, text.corpus, text.treebank))
    except WorkbenchError as error:
        st.session_state["ge_problem"] = error


def _remember_follow():
    try:
        workspace().store.remember(project(), "view", "follow", st.session_state["ge_follow"])
    except WorkbenchError as error:
        st.session_state["ge_problem"] = error
    st.rerun("app")


def _cancel(run):
    try:
        workspace().jobs.cancel(run)
    except WorkbenchError as error:
        st.session_state["ge_problem"] = error


def _resume(run):
    try:
        resume_training(workspace(), run)
    except WorkbenchError as error:
        st.session_state["ge_problem"] = error
    st.rerun("app")  # which begins to poll
