"""Marked sentences that are parsed in the background: how far, how to stop, and going on."""

import streamlit as st

from core.errors import WorkbenchError
from core.parsers.readers import reader_title
from core.store import RESUMABLE
from core.workspace import escape
from core.workspace.markup.trees import follow_trees, resume_trees
from core.workspace.wording import amount
from pages.shared.state import cancel, flash, refuse, workspace

POLL = "0.5s"


def trees_panel(text):
    """Draw it, where a text waits for its trees; begins to parse where nobody has asked before."""
    if not text.unparsed:
        return
    try:
        run = follow_trees(workspace(), text.corpus, text.unparsed)
    except WorkbenchError as error:
        refuse(error)
        return
    active = workspace().jobs.snapshot(run).active
    st.fragment(_panel, run_every=POLL if active else None)(run, active, reader_title(text.unparsed))


def _panel(run, was_active, parser):
    snapshot = workspace().jobs.snapshot(run)
    if was_active and not snapshot.active:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if snapshot.active:
            with st.container():
                st.progress(snapshot.fraction or 0.0, text=_said(snapshot, parser))
            st.button(
                "Cancel", key="mk_trees_cancel", icon=":material/stop:", on_click=cancel, args=(run,),
                disabled=snapshot.stopping,
            )  # fmt: skip
        elif snapshot.status in RESUMABLE:
            reason = f": {snapshot.error}" if snapshot.error else ""
            after = amount(snapshot.iteration, "sentence")
            st.markdown(f":material/pause: Parsing stopped after {after}{escape(reason)}")
            st.button("Resume", key="mk_trees_resume", icon=":material/play_arrow:", on_click=_resume, args=(run,))


def _said(snapshot, parser):
    figures = snapshot.figures
    if not figures:
        return f"Loading {parser} · {snapshot.seconds:.0f} s"
    left = f" · about {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
    return f"{figures['sentences']:,} of {figures['expected']:,} marked sentences parsed by {parser}{left}"


def _resume(run):
    try:
        resume_trees(workspace(), run)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    st.rerun("app")
