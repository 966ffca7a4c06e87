"""Admission of tabs: people sign in where the server asks for it, and wait where all places are taken.

Only a few pages are drawn at the same time.
"""

import os
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.serving.turns import Turns
from core.serving.waiting_line import WaitingLine, tabs_at_once
from core.threads import core_count
from pages.shared import signing
from pages.shared.basics import amount, escape, report_errors
from pages.shared.session import person, signed_in

LOOK = 2  # seconds between two looks at whether a place is free


@st.cache_resource(max_entries=4, show_spinner=False)
def waiting_line(tabs):
    """The WaitingLine of this process."""
    return WaitingLine(tabs)


@st.cache_resource(show_spinner=False)
def turns():
    """The Turns of this process: a page that waits for the store leaves room for one more than there are cores."""
    return Turns(core_count() + 1)


@report_errors(stop=True)
def require_place():
    """Go on if this tab has a place or finds one; else draw the waiting line and stop."""
    if _number_in_line():
        st.fragment(_wait, run_every=LOOK)()
        st.stop()


def places():
    """The WaitingLine of this process, as long as the environment has it. Raises WorkbenchError."""
    return waiting_line(tabs_at_once(os.environ))


def _number_in_line():
    """The number of this tab in the line, 0 where it has a place."""
    tab: Any = get_script_run_ctx()
    return places().ask(tab.session_id, is_open, person())


def is_open(session):
    """Whether a tab, by the number of its session, is still there."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


@report_errors()
def _wait():
    number, line = _number_in_line(), places()
    if not number:
        st.rerun()
    st.header("Parser workbench", anchor=False)
    if line.has_share(person()):
        st.write(
            f"{line.share} tabs of yours are open, as many as one person may have of the {line.places} that this "
            "server serves well at once. This one opens by itself as soon as you close another."
        )
        return
    st.write(
        f"{amount(line.places, 'tab is', 'tabs are')} open, as many as this server serves well at once. "
        "Yours opens by itself as soon as another is closed; nothing of your work is lost."
    )
    st.caption(f"You are number {number} in the line.")


@report_errors(stop=True)
def require_person():
    """Go on if somebody is signed in, or the server has no sign-in; else ask for it and stop."""
    provider = signing.provider()
    if provider is None or signed_in(provider):
        return
    st.header("Parser workbench", anchor=False)
    if st.user.get("is_logged_in"):  # as far as this tab knows
        st.info("You were signed out; what you have done is saved.", icon=":material/logout:")
    st.write("Sign in to open your projects, and those that others share with you.")
    for name in provider.names:
        label = "Sign in" if name is None else f"Sign in with {escape(name)}"
        st.button(label, key=f"sign_in_{name}", type="primary", on_click=st.login, args=(name,))
    st.stop()
