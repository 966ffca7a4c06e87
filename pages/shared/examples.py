"""Example runs for projects without a run of their own, made on the sample in the background."""

import logging
import os
from functools import partial

import streamlit as st

from core.errors import StoreError
from core.workspace.runs.examples import KINDS, Examples
from pages.shared.basics import session
from pages.shared.job_panel import progress_line, watch
from pages.shared.session import open_workspace, warm_up

log = logging.getLogger(__name__)


@st.cache_resource(max_entries=8, show_spinner=False)
def _open(home):  # its name has no underscore: one for each folder
    return Examples()


def examples():
    """The Examples of this process."""
    return _open(os.environ.get("WORKBENCH_HOME"))


def prepare():
    """Start the warm-up, once a process: kernels, then examples of the kinds of which this project has no run.

    It works in the background, and waits while pages are drawn.
    """
    try:
        examples().drawn()
        if warm_up().started:
            return
        kinds = [kind for kind in KINDS if not session().store.runs(session().project, kind, limit=1)]
        warm_up().start(partial(_prepare_in_background, open_workspace().store, kinds, session().jobs))
    except StoreError:  # which the page has said
        warm_up().start()


def _prepare_in_background(store, kinds, jobs):
    from core.workspace.leftovers import sweep  # loads much that the first page has no use for

    sweep(store)
    examples().prepare(kinds, jobs)


def example_of(kind):
    """The outcome of a kind's example, drawn as what it is; None if there is none, or while it is being made."""
    try:
        outcome = examples().outcome(kind)
        if outcome is None:
            examples().ask(kind)
            watch(partial(examples().under_way, kind), _progress)
            return None
    except StoreError as error:  # its folder is full, or may not be written: the page explains itself without
        log.warning("no example: %s", error)
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge("Example", icon=":material/visibility:", color="blue")
        st.caption("A run on the built-in sample. Your own runs appear here instead.", width="content")
    return outcome


def _progress(snapshot):
    if snapshot is not None:
        st.caption("An example on the built-in sample is being made.")
        progress_line(snapshot)
