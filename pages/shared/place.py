"""A place for each tab, as many as the server serves well; the others wait, and are let in by themselves."""

import os

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.waiting_line import WaitingLine, tabs_at_once
from pages.shared.messages import report_errors

LOOK = "2s"  # between two looks at whether a place is free


@st.cache_resource(max_entries=4, show_spinner=False)
def waiting_line(tabs):
    """The WaitingLine of this process."""
    return WaitingLine(tabs)


@report_errors(stop=True)
def require_place():
    """Let pass who has a place or finds one; all others wait here."""
    if _number():
        st.fragment(_wait, run_every=LOOK)()
        st.stop()


def _number():
    """The number of this tab in the line, 0 where it has a place."""
    line = waiting_line(tabs_at_once(os.environ))
    return line.ask(get_script_run_ctx().session_id, _is_open)


def _is_open(session):
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def _wait():
    number = _number()
    if not number:
        st.rerun()
    tabs = tabs_at_once(os.environ)
    st.header("Parser workbench", anchor=False)
    st.write(
        f"{tabs} {'tab is' if tabs == 1 else 'tabs are'} open, as many as this server serves well at once. "
        "Yours opens by itself as soon as another is closed; nothing of your work is lost."
    )
    st.caption(f"You are number {number} in the line.")
