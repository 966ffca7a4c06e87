"""Who may come in: people sign in where the server asks for it, and wait where all places are taken."""

import os
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import StoreError
from core.extras import missing
from core.waiting_line import WaitingLine, tabs_at_once
from pages.shared.basics import refuse, report_errors
from pages.shared.session import person

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
    tab: Any = get_script_run_ctx()
    return waiting_line(tabs_at_once(os.environ)).ask(tab.session_id, is_open)


def is_open(session):
    """Whether a tab, by the number of its session, is still there."""
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


def require_person():
    """Let pass who is signed in, and everybody where nobody can sign in; ask all others to."""
    if "is_logged_in" not in st.user or st.user.is_logged_in:
        try:
            person()
        except StoreError as error:
            refuse(error)
            st.button("Sign out", key="shared_sign_out", on_click=st.logout)
            st.stop()
        return
    if refusal := missing("auth"):
        refuse(refusal)
        st.stop()
    st.header("Parser workbench", anchor=False)
    st.write("Sign in to open your projects, and those that others share with you.")
    settings = st.secrets["auth"]
    named = [name for name in settings if hasattr(settings[name], "keys")]
    for provider in ([None] if "client_id" in settings else []) + named:  # None is the one without a name
        name = "Sign in" if provider is None else f"Sign in with {provider}"
        st.button(name, key=f"sign_in_{provider}", type="primary", on_click=st.login, args=(provider,))
    st.stop()
