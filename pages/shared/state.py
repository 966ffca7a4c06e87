"""What all pages share: the workbench of this process, the project, the corpus that is open."""

import os

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import Warmup, Workspace, escape

ENVIRONMENT = ("WORKBENCH_HOME", "WORKBENCH_DATABASE")  # where the store is: one workbench for each


@st.cache_resource(max_entries=32, show_spinner=False)
def _open(*_places):
    return Workspace.open()


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up():
    """The Warmup of this process, which compiles or loads the kernels in the background."""
    return Warmup()


def workspace():
    """The Workspace of this process. Raises StoreError."""
    return _open(*(os.environ.get(name) for name in ENVIRONMENT))


def project():
    """The project that is open: for now, the first one."""
    return workspace().store.default_project()


def corpus():
    """The corpus that is open, as chosen in the bar."""
    return workspace().store.corpus(st.session_state["corpus_id"])


def follows():
    """Whether every change of what is known is to be followed by training, as chosen with the project."""
    return bool(workspace().store.document(project(), "view", "follow"))


def flash(message, icon=":material/check:"):
    """Say something once, after the rerun that comes next."""
    st.session_state["shared_flash"] = (message, icon)


def refuse(error):
    """Say what an expected error says, where it belongs."""
    st.error(escape(str(error)), icon=":material/error:")


def show_flash():
    """Say what ``flash`` was told."""
    message, icon = st.session_state.pop("shared_flash", (None, None))
    if message:
        st.toast(message, icon=icon)


def step(direction):
    """Undo or redo the last action in the project, and say so."""
    try:
        entry = getattr(workspace().store, direction)(project())
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
        return
    if entry is not None:
        flash(f"{'Undid' if direction == 'undo' else 'Redid'} {escape(entry.label)}", f":material/{direction}:")
