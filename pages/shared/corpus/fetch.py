"""A treebank of Universal Dependencies by name: its parts and sizes, how far it is, how to stop and go on."""

import streamlit as st

from core.store import RESUMABLE
from core.treebank.downloads import treebank_files, treebank_names
from core.workspace import escape
from core.workspace.corpus.fetching import Fetch
from core.workspace.task import ProjectContent
from core.workspace.wording import amount
from pages.shared.job_panel import POLL, cancel_button, progress_line
from pages.shared.messages import callback_errors, flash, report_errors
from pages.shared.session import session

STARTED = "fetch_started"  # the run this tab waits for


@report_errors()
def fetch_panel():
    """Draw it, inside the dialog that adds a text."""
    snapshot = Fetch(session().workspace).latest(session().project)
    if snapshot is not None and (snapshot.active or snapshot.run == st.session_state.get(STARTED)):
        st.fragment(_progress, run_every=POLL if snapshot.active else None)(snapshot.run)
        if snapshot.active:
            return
    names = treebank_names()
    name = st.selectbox(
        "Treebank",
        names,
        index=None,
        key="fetch_name",
        accept_new_options=True,
        placeholder="Select or type a name, such as Hausa-NorthernAutogramm",
        help="Language and treebank, named as on universaldependencies.org; check the licence there.",
    )
    if name is None:
        st.caption(f"{len(names):,} treebanks are listed; you can type any other name. Files come from github.com.")
        return
    with st.spinner("Looking up its files"):
        files = {file.name: file for file in _files(name)}
    chosen = st.radio(
        "File",
        list(files),
        format_func=lambda each: f"{files[each].part} · {files[each].size / 1e6:.1f} MB",
        horizontal=True,
        key="fetch_file",
    )
    st.button("Fetch", type="primary", key="fetch_start", on_click=_start, args=(files.get(chosen),))


@st.cache_data(ttl=600, max_entries=32, show_spinner=False)
def _files(name):
    return treebank_files(name)


def _progress(run):
    snapshot = session().jobs.snapshot(run)
    if snapshot.active:
        progress_line(snapshot, lambda _: "Waiting for the server")
        cancel_button(snapshot, "fetch_cancel")
    elif snapshot.status == "done":
        st.session_state.pop(STARTED, None)
        st.session_state["shared_open_corpus"] = snapshot.figures["corpus"]
        figures = snapshot.figures
        flash(f"{amount(figures['sentences'], 'sentence')}, {amount(figures['words'], 'word')}")
        st.rerun()  # which closes the dialog
    elif snapshot.status in RESUMABLE:
        reason = f": {snapshot.error}" if snapshot.error else ""
        st.warning(escape(f"Stopped{reason}"))
        st.button("Resume", key="fetch_resume", on_click=_resume, args=(run,))


@callback_errors()
def _start(file):
    st.session_state[STARTED] = Fetch(session().workspace).start(ProjectContent(session().project, file.blob), file)


@callback_errors()
def _resume(run):
    Fetch(session().workspace).resume(session().store.run(run))
